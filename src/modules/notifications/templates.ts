import { failure, invalid } from '#kernel/errors.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { explained } from '#kernel/named.ts'
import { count, type Page } from '#kernel/schema.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import * as v from 'valibot'
import { lockInstitute } from '#modules/settings/index.ts'
import { toPage, type PageQuery } from '#runtime/cursors.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records.ts'
import { variablesOf } from './render.ts'
import type { NewTemplate, Template, TemplateChanges } from './schemas.ts'
import { allowedVariables, DATA_PREFIX, DEFAULT_TEMPLATES, type DefaultTemplate } from './texts/defaults.ts'
import './tables.ts'

export const TemplateTaken = failure(
  'CONFLICT',
  'template_taken',
  'The institute has a text of its own for this key, channel and language already.',
)

/** They are merged with the platform's to be listed, so their number is limited. */
const MOST_TEMPLATES = 1000

export const TooManyTemplates = failure('CONFLICT', 'too_many_templates', 'There are as many templates as may be.', {
  details: {
    schema: explained(v.object({ most: count }), { most: 'How many there may be.' }),
    example: { most: MOST_TEMPLATES },
  },
})

const toTemplate = (row: Row<'notification_template'>): Template => ({
  id: row.id,
  key: row.key,
  channel: row.channel,
  locale: row.locale,
  subject: row.subject,
  body: row.body,
  providerTemplateName: row.provider_template_name,
  isActive: row.is_active,
  isPlatformDefault: false,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** The platform's texts came with the program. */
const SINCE = '2026-01-01T00:00:00.000Z'

const ofPlatform = ({ id, key, channel, locale, subject, body }: DefaultTemplate): Template => ({
  id,
  key,
  channel,
  locale,
  subject,
  body,
  providerTemplateName: null,
  isActive: true,
  isPlatformDefault: true,
  createdAt: SINCE,
  updatedAt: SINCE,
})

const templateRecord = recordOf('notification_template', {
  show: toTemplate,
  refusals: { unique: { 'notification_template(key,channel,locale)': TemplateTaken } },
})

type Place = Pick<Template, 'key' | 'channel' | 'locale'>

/** The list is ordered by what a text is for; no two texts of the merged list are for the same. */
const placeOf = ({ key, channel, locale }: Place): [string, string, string] => [key, channel, locale]

const compare = (one: readonly string[], other: readonly string[]): number => {
  for (const [index, part] of one.entries()) {
    const against = other[index] as string
    if (part !== against) return part < against ? -1 : 1
  }
  return 0
}

/** Every text of the institute's own in place of the platform's, with the rest of the platform's. */
export const listTemplates = async ({
  whole,
  query,
  cursors,
}: {
  whole: ScopedDb
  query: PageQuery
  cursors: Cursors
}): Promise<Page<Template>> => {
  // In the order of the index, so that it is read; what compares places below decides, because collations differ.
  const own = await whole
    .selectFrom('notification_template')
    .select(['id', 'key', 'channel', 'locale'])
    .orderBy('key')
    .orderBy('channel')
    .orderBy('locale')
    .execute()
  const places = new Map<string, Place & { id: string; text?: DefaultTemplate }>()
  for (const text of DEFAULT_TEMPLATES) places.set(placeOf(text).join(' '), { ...text, text })
  for (const row of own) places.set(placeOf(row).join(' '), row)
  const after = query.cursor === undefined ? undefined : cursors.decode(query.cursor).map(String)
  const found = [...places.values()]
    .filter((one) => after === undefined || compare(placeOf(one), after) > 0)
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
    .slice(0, query.limit + 1)
  const page = toPage(found, { limit: query.limit, cursors }, { position: placeOf, show: (one) => one })
  const ids = page.data.filter(({ text }) => !text).map(({ id }) => id)
  const rows =
    ids.length === 0 ? [] : await whole.selectFrom('notification_template').selectAll().where('id', 'in', ids).execute()
  const shown = new Map(rows.map((row) => [row.id, toTemplate(row)]))
  return {
    ...page,
    data: page.data.flatMap(({ id, text }) => (text ? ofPlatform(text) : (shown.get(id) ?? []))),
  }
}

/** @throws VALIDATION_ERROR that names the variables that the text may use */
const checkText = (field: 'subject' | 'body', key: string, text: string | null | undefined): void => {
  if (text === null || text === undefined) return
  const allowed = allowedVariables(key)
  const used = variablesOf(text)
  const takesData = allowed.includes(`${DATA_PREFIX}*`)
  const isData = (name: string) => name.startsWith(DATA_PREFIX) && /^\w{1,50}$/.test(name.slice(DATA_PREFIX.length))
  const unknown = used.filter((name) => !allowed.includes(name) && !(takesData && isData(name)))
  if (unknown.length > 0) {
    const choice = allowed.map((name) => `{{${name}}}`).join(', ')
    throw invalid([field], `Must not use {{${unknown[0]}}}. What may be used: ${choice}.`)
  }
  if (/\{\{|\}\}/.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''))) {
    throw invalid([field], 'Must close every {{ with }}.')
  }
}

const checkTexts = (key: string, { subject, body }: Pick<TemplateChanges, 'subject' | 'body'>): void => {
  checkText('subject', key, subject)
  checkText('body', key, body)
}

/** @throws TemplateTaken, TooManyTemplates, VALIDATION_ERROR for an unknown variable */
export const createTemplate = async (tx: Tx, body: NewTemplate): Promise<Template> => {
  checkTexts(body.key, body)
  await lockInstitute(tx)
  const { number } = await tx.whole
    .selectFrom('notification_template')
    .select(({ fn }) => fn.countAll<number>().as('number'))
    .executeTakeFirstOrThrow()
  if (number >= MOST_TEMPLATES) throw TooManyTemplates({ most: MOST_TEMPLATES })
  return createRecord(tx, templateRecord, body)
}

/** @throws NotFound, also for a text of the platform's; VALIDATION_ERROR for an unknown variable */
export const changeTemplate = async (tx: Tx, id: string, body: TemplateChanges): Promise<Template> => {
  const row = await lockRow(tx, templateRecord, id)
  checkTexts(row.key, body)
  return changeRecord(tx, templateRecord, row, body)
}

/** The platform's text applies again. @throws NotFound */
export const deleteTemplate = async (tx: Tx, id: string) =>
  deleteRecord(tx, templateRecord, await lockToDelete(tx, templateRecord, id))
