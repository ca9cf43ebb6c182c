import { failure, invalid } from '#kernel/values/errors.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import { explained } from '#kernel/values/named.ts'
import { once } from '#kernel/basics/once.ts'
import { count, type Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import * as v from 'valibot'
import { lockInstitute } from '#modules/tenants/index.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import { listOf } from '#runtime/records/lists.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records/records.ts'
import { variablesOf } from './render.ts'
import type { NewTemplate, Template, TemplateChanges } from '../schemas.ts'
import { allowedVariables, DATA_PREFIX, defaultTemplates, type DefaultTemplate } from './defaults.ts'

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

/** Those that have a name of their own. */
const namedVariables = (key: string): string[] => allowedVariables(key).filter((name) => !name.endsWith('*'))

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
  variables: namedVariables(row.key),
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
  variables: namedVariables(key),
  createdAt: SINCE,
  updatedAt: SINCE,
})

type TextKey = Pick<Template, 'key' | 'channel' | 'locale'>

/** Each byte in two letters of b to q. */
const inLetters = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => String.fromCharCode(98 + (byte >> 4), 98 + (byte & 15))).join('')

/**
 * Where a text stands in the list: by key, channel and locale. Written in letters that every database orders alike,
 * whatever its collation; the shorter of two keys comes first.
 */
const placeInList = ({ key, channel, locale }: TextKey): string => [key, channel, locale].map(inLetters).join('a')

const templateRecord = recordOf('notification_template', {
  show: toTemplate,
  derived: (row) => ({ place: placeInList(row) }),
  refusals: { unique: { 'notification_template(key,channel,locale)': TemplateTaken } },
})

/** A text of the list, and where it stands. */
interface Placed {
  place: string
  text: Template
}

const listPlatforms = once((): readonly Placed[] =>
  defaultTemplates().map((text) => ({ place: placeInList(text), text: ofPlatform(text) })),
)

const listOwn = listOf({
  filters: {},
  from: (whole) => whole.selectFrom('notification_template').selectAll(),
  order: { columns: ['notification_template.place'], direction: 'asc', position: (row) => [row.place] },
  show: (row): Placed => ({ place: row.place, text: toTemplate(row) }),
})

/** The institute's own texts, and the platform's where it has none of its own, each where it stands. */
export const listTemplates = async (context: {
  db: ScopedDb
  query: PageQuery
  cursors: Cursors
}): Promise<Page<Template>> => {
  const { query, cursors } = context
  const after = query.cursor === undefined ? '' : String(cursors.decode(query.cursor)[0])
  const own = await listOwn(context)
  const merged = new Map(
    [...listPlatforms().filter(({ place }) => place > after), ...own.data].map((one) => [one.place, one]),
  )
  // What is not among these of the institute's own stands behind this page: a page has no more texts than it may.
  const found = [...merged.values()].toSorted((one, other) => (one.place < other.place ? -1 : 1))
  const shown = found.slice(0, query.limit)
  const last = shown.at(-1)
  const isMore = found.length > query.limit || own.nextCursor !== null
  return {
    data: shown.map(({ text }) => text),
    nextCursor: isMore && last !== undefined ? cursors.encode([last.place]) : null,
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
