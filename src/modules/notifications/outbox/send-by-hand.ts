import * as v from 'valibot'
import type { Caller, TenantInfo } from '#kernel/actor.ts'
import { FeatureDisabled, invalid, NotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { declareJob } from '#kernel/job.ts'
import { laneIn } from '#kernel/lane.ts'
import type { JobContext } from '#kernel/module.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { unlinked } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { ROWS_AT_ONCE } from '#runtime/batches.ts'
import { checkReached } from '#runtime/records.ts'
import { CHANNEL_FLAGS, type Channels } from '../channels/channel.ts'
import { CHANNELS, type ChannelName } from '../tables.ts'
import { groupSlice } from '../events/groups.ts'
import { insertMessages, type PlannedMessage } from './insert-messages.ts'
import type { Writing } from '../events/occasion.ts'
import {
  accountsOf,
  findGuardians,
  findMemberIds,
  findStudents,
  findUsers,
  peopleOf,
  reachedUsers,
  type Found,
  type Person,
} from '../recipients/people.ts'
import { planFor, REASONS, skippedAt, usableChannels, type Planned, type Planning, type Skipped } from './plan.ts'
import { preferencesOf } from '../preferences/lookup.ts'
import { variablesOf, type Values } from '../texts/render.ts'
import type { NewMessage } from '../schemas.ts'
import { linkOf, type NotifyDeps } from '../events/notify.ts'
import { textsOf, type TextsOf } from '../texts/choose-text.ts'
import { COMMON_VARIABLES, DATA_PREFIX, isDefaultKey } from '../texts/defaults.ts'

/** How many people one transaction writes messages for. */
const PEOPLE_AT_ONCE = 100

const NOT_SET_UP = 'This channel is not set up.'

const Recipient = v.object({
  kind: v.picklist(['user', 'student', 'guardian']),
  id: v.string(),
  branchId: v.nullable(v.string()),
  students: v.array(v.string()),
})

export const sendSliceJob = declareJob(
  'notifications.send',
  v.object({
    tenantId: v.string(),
    batchId: v.string(),
    templateKey: v.string(),
    channels: v.array(v.picklist(CHANNELS)),
    data: v.record(v.string(), v.string()),
    recipients: v.array(Recipient),
  }),
)
type Slice = v.InferOutput<typeof sendSliceJob.payload>

/** {{data.title}} is the request's `data.title`; a variable of an event's text has its own name there. */
const valuesOf =
  (data: Values) =>
  ({ person, words }: Writing): Values => ({
    studentName: unlinked(person.students.join(words.and)),
    ...data,
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`${DATA_PREFIX}${name}`, value])),
  })

type SkippedRecipients = { recipient: string; reason: string }[]

interface Looked {
  people: Person[]
  skipped: SkippedRecipients
}

interface Place {
  db: ScopedDb
  whole: ScopedDb
  tenant: TenantInfo
  caller: Caller
}

/** The records that were found, and the ids of members who are not active any more. */
interface Part {
  found: Found[]
  left: string[]
}

type Find = (ids: readonly string[]) => Promise<Part>

const everybody = async (found: Promise<Found[]>): Promise<Part> => ({ found: await found, left: [] })

/** The members whom the caller reaches: all, for who may write to the whole institute. */
const usersFor =
  ({ db, whole, caller }: Place): Find =>
  async (ids) => {
    const isAll = caller.grants.reach('notifications.send') === 'all'
    const reached = isAll ? undefined : await reachedUsers(db, ids)
    const users = await findUsers(whole, ids)
    const found = users.flatMap((user) => {
      if (!reached) return [user]
      const branchId = reached.get(user.id)
      return branchId === undefined ? [] : [{ ...user, branchId }]
    })
    const active = new Set(users.map(({ id }) => id))
    const members = (await findMemberIds(whole, ids)).filter((id) => !active.has(id) && (!reached || reached.has(id)))
    return { found, left: members }
  }

const chunks = function* <T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += ROWS_AT_ONCE) yield all.slice(start, start + ROWS_AT_ONCE)
}

/** Lets other requests go first. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Finds everybody who is named, a part at a time, each once. @throws NotFound for a record that the caller does not reach */
const lookUp = async (place: Place, recipients: NewMessage['recipients']): Promise<Looked> => {
  const { db, whole, tenant } = place
  const all: Found[] = []
  const skipped: SkippedRecipients = []
  const named: [readonly string[], Find][] = [
    [recipients.studentIds, (ids) => everybody(findStudents(db, ids))],
    [recipients.guardianIds, (ids) => everybody(findGuardians(db, ids))],
    [recipients.userIds, usersFor(place)],
  ]
  for (const [ids, find] of named) {
    for (const part of chunks([...new Set(ids)])) {
      const { found, left } = await find(part)
      const known = new Set([...left, ...found.map(({ id }) => id)])
      if (known.size < part.length) throw NotFound()
      all.push(...found)
      skipped.push(...left.map((recipient) => ({ recipient, reason: REASONS.left })))
      await breathe()
    }
  }
  if (recipients.groupId !== undefined) {
    await checkReached(db, 'group', recipients.groupId)
    for (let after: string | null = null, more = true; more; more = after !== null) {
      const slice: Awaited<ReturnType<typeof groupSlice>> = await groupSlice(whole, recipients.groupId, after)
      all.push(...slice.recipients)
      after = slice.next
      await breathe()
    }
  }
  const accounts = new Map<string, Found>()
  for (const part of chunks(all)) for (const [id, account] of await accountsOf(whole, part)) accounts.set(id, account)
  return { people: peopleOf(accounts, all, tenant.defaultLocale), skipped }
}

/** @throws VALIDATION_ERROR for a key without a text, and for a variable without a value */
const checkData = async (whole: ScopedDb, { templateKey, channels, data = {} }: NewMessage): Promise<void> => {
  const own = await whole
    .selectFrom('notification_template')
    .select(['channel', 'locale', 'subject', 'body'])
    .where('key', '=', templateKey)
    .execute()
  if (own.length === 0 && !isDefaultKey(templateKey)) {
    throw invalid(['templateKey'], 'Must be a key that GET /notification-templates lists.')
  }
  const texts = await textsOf(whole, [templateKey], 'en')
  const used = new Set<string>()
  for (const channel of channels) {
    for (const locale of ['ar', 'en', 'he'] as const) {
      const text = texts.choose(templateKey, channel, locale)?.text
      if (text) for (const name of variablesOf(`${text.subject ?? ''} ${text.body}`)) used.add(name)
    }
  }
  const given = new Set<string>([...COMMON_VARIABLES, 'studentName'])
  for (const [name, value] of Object.entries(data)) if (value !== null) given.add(name).add(`${DATA_PREFIX}${name}`)
  const missing = [...used].filter((name) => !given.has(name)).map((name) => name.replace(DATA_PREFIX, ''))
  if (missing.length > 0) throw invalid(['data'], `Must have a value for ${missing.join(', ')}.`)
}

/** @throws FeatureDisabled for a channel that the institute does not have */
const checkFlags = ({ features }: TenantInfo, channels: readonly ChannelName[]): void => {
  for (const channel of channels) {
    const feature = CHANNEL_FLAGS[channel]
    if (feature !== undefined && !features[feature]) throw FeatureDisabled({ feature })
  }
}

const planBy = (
  planning: Planning,
  usable: ReadonlySet<ChannelName>,
  { templateKey, data }: Pick<Slice, 'templateKey' | 'data'>,
) => {
  const content = { templateKey, values: valuesOf(data) }
  return (person: Person, channel: ChannelName): Planned | Skipped =>
    usable.has(channel) ? planFor(planning, content, person, channel) : skippedAt(channel, person, NOT_SET_UP)
}

export interface Prepared {
  batchId: string
  slices: Omit<Slice, 'tenantId' | 'batchId'>[]
  queued: number
  skipped: SkippedRecipients
}

interface SendDeps {
  channels: Channels
}

/**
 * Finds out who is told and who is not, before the transaction: there may be ten thousand of them.
 * @throws NotFound for the group, VALIDATION_ERROR, FeatureDisabled
 */
export const prepareSend = async (place: Place, body: NewMessage, { channels }: SendDeps): Promise<Prepared> => {
  const { whole, tenant } = place
  checkFlags(tenant, body.channels)
  await checkData(whole, body)
  const data = Object.fromEntries(Object.entries(body.data ?? {}).map(([name, value]) => [name, value ?? '']))
  const { people, skipped } = await lookUp(place, body.recipients)
  const wanted = CHANNELS.filter((channel) => body.channels.includes(channel))
  const usable = await usableChannels(whole, tenant, channels)
  const texts: TextsOf = await textsOf(whole, [body.templateKey], tenant.defaultLocale)
  const slices: Prepared['slices'] = []
  let queued = 0
  for (let start = 0; start < people.length; start += PEOPLE_AT_ONCE) {
    const part = people.slice(start, start + PEOPLE_AT_ONCE)
    const preferenceOf = await preferencesOf(whole, part)
    const plan = planBy({ tenant, link: '', texts, preferenceOf }, usable, { templateKey: body.templateKey, data })
    for (const person of part) {
      for (const channel of wanted) {
        const planned = plan(person, channel)
        if ('reason' in planned) skipped.push({ recipient: person.id, reason: `${channel}: ${planned.reason}` })
        else queued += 1
      }
    }
    slices.push({
      templateKey: body.templateKey,
      channels: wanted,
      data,
      recipients: part.map(({ kind, id, branchId, students }) => ({
        kind: kind === 'staff' ? 'user' : kind,
        id,
        branchId,
        students: [...students],
      })),
    })
    await breathe()
  }
  return { batchId: newId(), slices, queued, skipped }
}

/** Enqueues the slices of what was prepared. */
export const enqueueSend = (tx: Tx, { batchId, slices, queued, skipped }: Prepared) => {
  const tenantId = tx.tenant.id
  for (const slice of slices)
    tx.enqueue(sendSliceJob, { tenantId, batchId, ...slice }, { lane: laneIn(tenantId, 'send') })
  tx.audit({
    entityType: 'notification',
    entityId: batchId,
    metadata: { templateKey: slices[0]?.templateKey, channels: slices[0]?.channels, queued, skipped: skipped.length },
  })
  return { batchId, queued, skipped }
}

/** Finds the people of a slice again: an address or a preference may have changed since. */
const findAgain = async (whole: ScopedDb, { recipients }: Slice, tenant: TenantInfo): Promise<Person[]> => {
  const idsOf = (kind: Slice['recipients'][number]['kind']) =>
    recipients.filter((one) => one.kind === kind).map(({ id }) => id)
  const found = [
    ...(await findStudents(whole, idsOf('student'))),
    ...(await findGuardians(whole, idsOf('guardian'))),
    ...(await findUsers(whole, idsOf('user'))),
  ]
  const known = new Map(recipients.map((one) => [one.id, one]))
  return peopleOf(await accountsOf(whole, found), found, tenant.defaultLocale).map((person) => {
    const named = known.get(person.id)
    return named ? { ...person, branchId: named.branchId, students: named.students } : person
  })
}

/** Writes the messages of one slice: once, because it is committed with the end of the job. */
export const sendSlice =
  (deps: NotifyDeps) =>
  async ({ payload, finish, db }: JobContext<Slice>): Promise<void> => {
    const link = await linkOf(deps, db)
    await finish(async (system) => {
      const tenant = await findTenant(system.db, payload.tenantId)
      if (!tenant || tenant.status === 'archived') return
      const tx = system.inTenant(tenant)
      const { whole } = tx
      const people = await findAgain(whole, payload, tenant)
      const planning = {
        tenant,
        link,
        texts: await textsOf(whole, [payload.templateKey], tenant.defaultLocale),
        preferenceOf: await preferencesOf(whole, people),
      }
      const plan = planBy(planning, await usableChannels(whole, tenant, deps.channels), payload)
      const messages = people.flatMap((person): PlannedMessage[] =>
        payload.channels.map((channel) => ({
          source: {
            sourceId: payload.batchId,
            templateKey: payload.templateKey,
            branchId: person.branchId,
            payload: {},
          },
          person,
          plan: plan(person, channel),
        })),
      )
      await insertMessages(tx, messages, { bulk: true })
    })
  }
