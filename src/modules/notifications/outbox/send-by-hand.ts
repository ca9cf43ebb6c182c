import * as v from 'valibot'
import { actingUserId, type TenantInfo } from '#kernel/who/actor.ts'
import { failure, FeatureDisabled, invalid } from '#kernel/values/errors.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import { newId } from '#kernel/basics/ids.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import { LOCALES } from '#shared/locale.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { unlinked } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { erasedAmong } from '#modules/people/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { PersonSentOften, sentOften, waitsFor } from '#runtime/queue/pace.ts'
import { canBeCalled, NobodyReached } from '#runtime/queue/reached.ts'
import { CHANNEL_FLAGS, REACHED_BY, type Channels } from '../channels/channel.ts'
import { linkOf, type NotifyDeps } from '../events/notify.ts'
import { studentsOf, type Writing } from '../events/occasion.ts'
import { preferencesOf } from '../preferences/lookup.ts'
import { reachOf, type Sender } from '../recipients/audience.ts'
import { findPeople, letOthersRun } from '../recipients/named.ts'
import { Person } from '../recipients/people.ts'
import { unreachedBy } from '../recipients/unreached.ts'
import type { NewMessage, Queued } from '../send-schemas.ts'
import { CHANNELS, type ChannelName } from '../tables.ts'
import { textsOf } from '../texts/choose-text.ts'
import { COMMON_VARIABLES, DATA_PREFIX, isDefaultKey } from '../texts/defaults.ts'
import { variablesOf, type Values } from '../texts/render.ts'
import { insertCalls, isCalled } from './calls.ts'
import { insertMessages, type PlannedMessage } from './insert-messages.ts'
import { budgetOf, takeBudget } from './group-budget.ts'
import { languagesOf, Outlook, textsFor } from './outlook.ts'
import { paceKey } from './pace-key.ts'
import { planFor, reasonToSkip, skippedAt, usableChannels } from './plan.ts'
import { REASONS } from './reasons.ts'

/*
 * A message that staff write themselves may go to ten thousand people. The request finds them, decides who gets it, and
 * enqueues them in slices, since its reply says who gets it and who does not. The job of a slice writes the messages.
 *
 * The job takes the people as the request found them, with their addresses. Only preferences are read again, and who was
 * erased: somebody may have switched a channel off since, and a message in the app is not checked at delivery as all others
 * are.
 */

/** How many people one slice has. Their messages are written in one transaction. */
const PEOPLE_AT_ONCE = 100

export const sendSliceJob = declareJob(
  'notifications.send',
  v.object({
    tenantId: v.string(),
    batchId: v.string(),
    templateKey: v.string(),
    channels: v.array(v.picklist(CHANNELS)),
    data: v.record(v.string(), v.string()),
    people: v.array(Person),
    /** Whether the office calls whom it does not reach. */
    toCall: v.optional(v.boolean(), false),
    /** Who sends it; left out: a version enqueued it that did not keep that. */
    byUserId: v.optional(v.nullable(v.string())),
  }),
)
type Slice = v.InferOutput<typeof sendSliceJob.payload>

/** {{data.title}} is the request's `data.title`. A variable of an event's text has the same name in `data`. */
const valuesOf =
  (data: Values) =>
  (writing: Writing): Values => ({
    studentName: unlinked(studentsOf(writing)),
    ...data,
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`${DATA_PREFIX}${name}`, value])),
  })

/** @throws VALIDATION_ERROR for a key without a text, and for a variable without a value */
const checkData = async (whole: ScopedDb, { templateKey, channels, data = {} }: NewMessage): Promise<void> => {
  const own = await whole.selectFrom('notification_template').select('id').where('key', '=', templateKey).execute()
  if (own.length === 0 && !isDefaultKey(templateKey)) {
    throw invalid(['templateKey'], 'Must be a key that GET /notification-templates lists.')
  }
  const texts = await textsOf(whole, [templateKey], 'en')
  const used = new Set<string>()
  for (const channel of channels) {
    for (const locale of LOCALES) {
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

/** @returns undefined: the channel has no pace, or the person no address there */
const keyOf = (person: Person, channel: ChannelName): string | undefined => {
  const by = REACHED_BY[channel]
  const address = by === 'account' ? person.userId : person[by]
  return channel === 'in_app' || address === null ? undefined : paceKey(channel, address)
}

interface Prepared {
  slices: Omit<Slice, 'tenantId' | 'batchId' | 'byUserId'>[]
  /** What the request comes to. */
  queued: Queued
  /** The groups that are written to as their teacher. */
  asTeacher: readonly string[]
}

export const NobodyMeant = failure(
  'CONFLICT',
  'nobody_meant',
  'Nobody is meant: the group has no active students, nobody owes, or nobody was absent.',
)

/** @throws NobodyReached, which names the first */
const mustReachSomebody = (people: readonly Person[], unreached: Queued['unreached']): void => {
  const [first] = unreached
  if (first && unreached.length >= people.length) throw NobodyReached(first)
}

/** Those whom it reaches come first: what they read is shown. */
const readersOf = (people: readonly Person[], unreached: Queued['unreached']): Person[] => {
  const without = new Set(unreached.map(({ recipient }) => recipient.id))
  return people.toSorted((one, other) => Number(without.has(one.id)) - Number(without.has(other.id)))
}

interface SendDeps extends NotifyDeps {
  begin: Begin
}

/** Whom it reaches over none of the channels, and why. */
const findUnreached = async (
  sender: Sender,
  message: { text: string; people: readonly Person[]; over: readonly ChannelName[] },
  adapters: Channels,
): Promise<Queued['unreached']> => {
  const unreached = await unreachedBy(sender, message, adapters)
  return message.people.flatMap(({ kind, id, name, phone }) => {
    const because = unreached.get(id)
    if (!because) return []
    return [{ recipient: { kind, id, name }, because, canCall: isCalled(kind) && canBeCalled(because, phone) }]
  })
}

/**
 * Finds the people and decides who gets a message and who does not. It runs before the transaction, because it may take
 * long.
 * @throws NotFound for the group or a person, VALIDATION_ERROR, FeatureDisabled, Forbidden, PersonSentOften where nobody
 * may be sent anything now, NobodyMeant, NobodyReached where nobody would be told; where it is only asked, the reply says so
 */
export const prepareSend = async (sender: Sender, body: NewMessage, deps: SendDeps): Promise<Prepared> => {
  const { whole, tenant, now } = sender
  const { templateKey, dryRun, toCall } = body
  checkFlags(tenant, body.channels)
  await checkData(whole, body)
  const reached = await reachOf(sender, body)
  const data = Object.fromEntries(Object.entries(body.data ?? {}).map(([name, value]) => [name, value ?? '']))
  const { people, left } = await findPeople(sender, reached, body)
  if (people.length === 0 && left.length === 0 && !dryRun) throw NobodyMeant()
  const channels = CHANNELS.filter((channel) => body.channels.includes(channel))
  const usable = await usableChannels(whole, tenant, deps.channels)
  const texts = await textsOf(whole, [templateKey], tenant.defaultLocale)
  const waits = await waitsFor(
    whole,
    people.flatMap((person) => channels.flatMap((channel) => keyOf(person, channel) ?? [])),
    now,
  )
  const slices: Prepared['slices'] = []
  const skipped = left.map((recipient) => ({ recipient, reason: REASONS.left as string }))
  const outlook = new Outlook(channels)
  const content = { templateKey, values: valuesOf(data) }
  const { begin, ...linking } = deps
  const link = dryRun ? await begin(({ db }) => linkOf(linking, db)) : ''
  const unreached: Queued['unreached'] = []
  let shortestWait = Infinity
  for (let start = 0; start < people.length; start += PEOPLE_AT_ONCE) {
    const slice = people.slice(start, start + PEOPLE_AT_ONCE)
    const rules = { texts, preferenceOf: await preferencesOf(whole, slice) }
    for (const person of slice) {
      for (const channel of channels) {
        const refusal = usable.has(channel) ? reasonToSkip(rules, templateKey, person, channel) : REASONS.notSetUp
        const wait = waits.get(keyOf(person, channel) ?? '')
        if (refusal === null && wait !== undefined) shortestWait = Math.min(shortestWait, wait)
        const reason = refusal ?? (wait === undefined ? null : REASONS.pace)
        if (reason === null) {
          const preference = rules.preferenceOf(person, channel)
          outlook.add(person, channel, preference)
          const isOwnText = channel === 'sms' && (person.userId === null || preference.digestMode === 'immediate')
          if (dryRun && isOwnText) outlook.addText(planFor({ tenant, link, ...rules }, content, person, channel).body)
        } else skipped.push({ recipient: person.id, reason: `${channel}: ${reason}` })
      }
    }
    unreached.push(
      ...(await findUnreached(sender, { text: templateKey, people: slice, over: channels }, deps.channels)),
    )
    slices.push({ templateKey, channels, data, people: slice, toCall })
    await letOthersRun()
  }
  const { queued } = outlook
  const called = toCall ? unreached.filter(({ canCall }) => canCall).length : 0
  if (queued + called === 0 && shortestWait < Infinity && !dryRun) throw sentOften(PersonSentOften, shortestWait)
  if (!dryRun && called === 0) mustReachSomebody(people, unreached)
  return {
    slices,
    asTeacher: reached.asTeacher,
    queued: {
      batchId: dryRun ? null : newId(),
      dryRun,
      people: people.length,
      queued,
      skipped,
      unreached,
      called,
      ...(await outlook.told(sender, templateKey)),
      languages: languagesOf(people),
      texts: dryRun
        ? await textsFor(sender, {
            content,
            people: readersOf(people, unreached),
            channels: outlook.used,
            texts,
            link,
          })
        : [],
      budget: await budgetOf(sender, reached.asTeacher),
    },
  }
}

/** Enqueues the slices of what was prepared. @throws TeachersDoNotWrite, GroupToldOften */
export const enqueueSend = async (tx: Tx, { slices, queued: reply, asTeacher }: Prepared): Promise<Queued> => {
  const tenantId = tx.tenant.id
  const { batchId, queued, skipped } = reply
  if (batchId === null) return reply
  await takeBudget(tx, asTeacher)
  for (const slice of slices)
    tx.enqueue(
      sendSliceJob,
      { tenantId, batchId, byUserId: actingUserId(tx.actor), ...slice },
      { lane: laneIn(tenantId, 'send') },
    )
  tx.audit({
    entityType: 'notification',
    entityId: batchId,
    metadata: {
      templateKey: slices[0]?.templateKey,
      channels: slices[0]?.channels,
      queued,
      skipped: skipped.length,
      ...(asTeacher.length > 0 && { groupIds: asTeacher }),
    },
  })
  return reply
}

/** Those who were not erased since. */
const stillThere = async (tx: Tx, people: readonly Person[]): Promise<Person[]> => {
  const gone = new Set<string>()
  for (const table of ['student', 'guardian'] as const) {
    const ids = people.filter(({ kind }) => kind === table).map(({ id }) => id)
    for (const id of await erasedAmong(tx, table, ids)) gone.add(id)
  }
  return people.filter(({ id }) => !gone.has(id))
}

/** Writes the messages of one slice. It happens once: it commits with the end of the job. */
export const sendSlice =
  (deps: NotifyDeps) =>
  async ({ payload, finish, db }: JobContext<Slice>): Promise<void> => {
    const { batchId, templateKey, channels, data, byUserId = null, toCall = false } = payload
    const link = await linkOf(deps, db)
    await finish(async (system) => {
      const tenant = await findTenant(system.db, payload.tenantId)
      if (!tenant || tenant.status === 'archived') return
      const tx = system.inTenant(tenant)
      const { whole } = tx
      const people = await stillThere(tx, payload.people)
      const texts = await textsOf(whole, [templateKey], tenant.defaultLocale)
      const planning = { tenant, link, texts, preferenceOf: await preferencesOf(whole, people) }
      const content = { templateKey, values: valuesOf(data) }
      const usable = await usableChannels(whole, tenant, deps.channels)
      const sourceOf = ({ branchId }: Person) => ({ sourceId: batchId, templateKey, branchId, payload: {}, byUserId })
      const messages = people.flatMap((person): PlannedMessage[] =>
        channels.map((channel) => ({
          source: sourceOf(person),
          person,
          plan: usable.has(channel)
            ? planFor(planning, content, person, channel)
            : skippedAt(channel, person, REASONS.notSetUp),
        })),
      )
      await insertMessages(tx, messages, { bulk: true })
      if (toCall) {
        const told = people.map((person) => ({ source: sourceOf(person), content, person }))
        await insertCalls(tx, { told, messages, planning }, deps.channels)
      }
    })
  }
