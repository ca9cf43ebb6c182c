import * as v from 'valibot'
import type { EventType } from '#kernel/events.ts'
import { declareJob } from '#kernel/job.ts'
import { laneIn } from '#kernel/lane.ts'
import type { EventSubscriber, JobContext } from '#kernel/module.ts'
import type { OutsideDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { REACHED_BY, type Channels } from '../channels/channel.ts'
import { CHANNELS } from '../tables.ts'
import { tellCancelled, tellExam } from './groups.ts'
import { summedLeads, tellLeads } from './leads.ts'
import { disabledEndpoint, tellExpiring, tellLocked, unlinkedAccount } from './office.ts'
import { tellAbsences, tellIssued, tellOverdue, tellPayments, tellReminders, tellReports } from './students.ts'
import { keepMessages, type Line } from '../outbox/insert-messages.ts'
import type { Heard, Occasion, Tell, Told, Telling } from './occasion.ts'
import { accountsOf, peopleOf } from '../recipients/people.ts'
import { planFor, usableChannels } from '../outbox/plan.ts'
import { wishesOf } from '../preferences/lookup.ts'
import { textsOf } from '../texts/choose-text.ts'

export interface TellDeps {
  channels: Channels
  /** What links begin with. */
  baseUrl: (db: OutsideDb) => Promise<string>
  /** Where staff sign in; undefined: nobody has said. */
  signInUrl: string | undefined
}

/** The {{link}} of texts: where staff sign in, else the server's address. */
export const linkOf = async ({ signInUrl, baseUrl }: TellDeps, db: OutsideDb): Promise<string> =>
  signInUrl ?? baseUrl(db)

/** The events that somebody hears of. A member who is invited gets the mail of the invitation itself. */
const TELLS: { [T in EventType]?: Tell<T> } = {
  'student.absent': tellAbsences,
  'invoice.issued': tellIssued,
  'invoice.overdue': tellOverdue,
  'invoice.reminder_requested': tellReminders,
  'payment.recorded': tellPayments,
  'session.cancelled': tellCancelled,
  'exam.published': tellExam,
  'progress_report.sent': tellReports,
  'lead.created': tellLeads,
  'subscription.expiring': tellExpiring,
  'tenant.locked': tellLocked,
}

/** Events whose hearers are a whole group: each is told by itself, in slices. */
const OF_GROUPS: readonly EventType[] = ['session.cancelled', 'exam.published']

const EVENTS_AT_ONCE = 50

export const tellJob = declareJob(
  'notifications.tell',
  v.object({
    tenantId: v.string(),
    type: v.string(),
    events: v.array(v.object({ id: v.string(), data: v.record(v.string(), v.unknown()) })),
    after: v.nullable(v.string()),
  }),
)
type TellPayload = v.InferOutput<typeof tellJob.payload>

/** Events of one type that came one after another are told of together, as those of one change are. */
export const joinTells = (one: TellPayload, other: TellPayload): TellPayload | undefined => {
  const fit =
    one.tenantId === other.tenantId &&
    one.type === other.type &&
    !OF_GROUPS.includes(one.type as EventType) &&
    one.events.length + other.events.length <= EVENTS_AT_ONCE
  return fit ? { ...one, events: [...one.events, ...other.events] } : undefined
}

export const endpointDisabledJob = declareJob(
  'notifications.endpoint-disabled',
  v.object({ tenantId: v.string(), endpointId: v.string(), noticeId: v.string() }),
)

/** Tells the institute that a webhook endpoint was disabled after too many failures. */
export const noticeDisabledEndpoint = (tx: Pick<Tx, 'enqueue' | 'id' | 'tenant'>, endpointId: string): void =>
  tx.enqueue(endpointDisabledJob, { tenantId: tx.tenant.id, endpointId, noticeId: tx.id() })

export const leadSummaryJob = declareJob(
  'notifications.lead-summary',
  v.object({ tenantId: v.string(), at: v.string() }),
)

const enqueueSummaryOnce = (tx: Pick<Tx, 'enqueue' | 'tenant'>, at: string): void => {
  const tenantId = tx.tenant.id
  const uniqueKey = `notifications.lead-summary:${tenantId}:${at}`
  tx.enqueue(leadSummaryJob, { tenantId, at }, { runAt: at, lane: laneIn(tenantId, 'tell'), uniqueKey })
}

const enqueueTell = (tx: Pick<Tx, 'enqueue'>, payload: TellPayload): void =>
  tx.enqueue(tellJob, payload, { lane: laneIn(payload.tenantId, 'tell') })

/** Enqueues the work of telling, in the transaction of the change: who hears is found later, in a job. */
export const hear: EventSubscriber = async (system, events) => {
  const heard = events.filter(({ type }) => TELLS[type] !== undefined)
  const together = Map.groupBy(heard, ({ tenant, type }) => `${tenant.id} ${type}`)
  for (const of of together.values()) {
    const size = OF_GROUPS.includes(of[0]?.type as EventType) ? 1 : EVENTS_AT_ONCE
    for (let start = 0; start < of.length; start += size) {
      const batch = of.slice(start, start + size)
      const { tenant, type } = batch[0] as (typeof batch)[number]
      enqueueTell(system.inTenant(tenant), {
        tenantId: tenant.id,
        type,
        events: batch.map(({ id, data }) => ({ id, data })),
        after: null,
      })
    }
  }
}

/** Writes a message for every hearer of every occasion, over every channel that the institute uses. */
const keepOccasions = async (tx: Tx, occasions: readonly Occasion[], link: string, deps: TellDeps): Promise<void> => {
  const { whole, tenant } = tx
  const accounts = await accountsOf(
    whole,
    occasions.flatMap((occasion) => occasion.hearers),
  )
  const hearers = occasions.map((occasion) => ({
    occasion,
    people: peopleOf(accounts, occasion.hearers, tenant.defaultLocale),
  }))
  const usable = await usableChannels(whole, tenant, deps.channels)
  const keys = occasions.map(({ templateKey }) => templateKey)
  const planning = {
    tenant,
    link,
    texts: await textsOf(whole, keys, tenant.defaultLocale),
    wishOf: await wishesOf(
      whole,
      hearers.flatMap(({ people }) => people),
    ),
  }
  const lines = hearers.flatMap(({ occasion, people }): Line[] =>
    people.flatMap((person) =>
      CHANNELS.filter(
        // Somebody without an account has no inbox and no devices: there is nothing to note.
        (channel) =>
          (occasion.channels ?? CHANNELS).includes(channel) &&
          usable.has(channel) &&
          (REACHED_BY[channel] !== 'account' || person.userId !== null),
      ).map((channel) => ({ source: occasion, person, plan: planFor(planning, occasion, person, channel) })),
    ),
  )
  await keepMessages(tx, lines)
}

const tellOf = (type: string, telling: Telling, events: TellPayload['events']): Promise<Told> => {
  const tell = TELLS[type as EventType] as Tell<EventType> | undefined
  if (!tell) throw new Error(`nobody hears of ${type}`)
  return tell(telling, events as unknown as Heard<EventType>[])
}

/** Tells of events, or of the next slice of one: once, because it is committed with the end of the job. */
export const tell =
  (deps: TellDeps) =>
  async ({ payload, finish, db }: JobContext<TellPayload>): Promise<void> => {
    const link = await linkOf(deps, db)
    await finish(async (system) => {
      const tenant = await findTenant(system.db, payload.tenantId)
      if (!tenant || tenant.status === 'archived') return
      const tx = system.inTenant(tenant)
      const telling = { whole: tx.whole, tenant, after: payload.after }
      const { occasions, next, summaries = [] } = await tellOf(payload.type, telling, payload.events)
      await keepOccasions(tx, occasions, link, deps)
      if (next !== null) enqueueTell(tx, { ...payload, after: next })
      for (const at of summaries) enqueueSummaryOnce(tx, at)
    })
  }

/** Tells of something that is no event, once. */
const tellOccasion =
  <P>(occasionOf: (tx: Tx, payload: P) => Promise<Occasion | undefined>) =>
  (deps: TellDeps) =>
  async ({ payload, finish, db }: JobContext<P & { tenantId: string }>): Promise<void> => {
    const link = await linkOf(deps, db)
    await finish(async (system) => {
      const tenant = await findTenant(system.db, payload.tenantId)
      if (!tenant || tenant.status === 'archived') return
      const tx = system.inTenant(tenant)
      const occasion = await occasionOf(tx, payload)
      if (occasion) await keepOccasions(tx, [occasion], link, deps)
    })
  }

export const tellDisabledEndpoint = tellOccasion(disabledEndpoint)
export const tellUnlinkedAccount = tellOccasion(unlinkedAccount)
export const tellLeadSummary = tellOccasion((tx, { at }: v.InferOutput<typeof leadSummaryJob.payload>) =>
  summedLeads(tx.whole, at, tx.id()),
)
