import * as v from 'valibot'
import type { EventType } from '#kernel/contract/events.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { EventSubscriber, JobContext } from '#kernel/contract/module.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { openPath } from '#shared/open-path.ts'
import type { PayLinks } from '#modules/online-payments/index.ts'
import { rolloverNoticeJob } from '#modules/rollover/index.ts'
import { closureNoticeJob } from '#modules/closures/index.ts'
import { coverNoticeJob } from '#modules/covers/index.ts'
import { groupNoticeJob, sessionNoticeJob } from '#modules/sessions/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { REACHED_BY, type Channels } from '../channels/channel.ts'
import { insertCalls } from '../outbox/calls.ts'
import { insertMessages, type PlannedMessage } from '../outbox/insert-messages.ts'
import { planFor, usableChannels, type PlaceLink } from '../outbox/plan.ts'
import { preferencesOf } from '../preferences/lookup.ts'
import { accountsOf, peopleOf } from '../recipients/people.ts'
import { CHANNELS } from '../tables.ts'
import { textsOf } from '../texts/choose-text.ts'
import { notifyBounced } from './cheques.ts'
import { noticedClosure } from './closures.ts'
import { noticedCover } from './covers.ts'
import { noticedRollover } from './rollover.ts'
import { offeredPlace } from './waiting.ts'
import { noticedGroup, noticedSession, notifyCancelled, notifyExam } from './groups.ts'
import { notifyLeads, summedLeads } from './leads.ts'
import { sessionsById } from './records.ts'
import type { JobEvent, Notifier, NotifierContext, NotifierResult, Occasion } from './occasion.ts'
import {
  disabledEndpoint,
  noticedHttps,
  noticedUpdate,
  notifyExpiring,
  notifyLocked,
  stuckMails,
  unlinkedAccount,
} from './office.ts'
import { lookedAtPayment } from './payments.ts'
import { decidedProposal, proposedChange } from './proposals.ts'
import { notifyPayments } from './receipts.ts'
import { returnedReport, submittedReports } from './reports.ts'
import {
  correctedAbsence,
  mailedReceipt,
  notifyAbsences,
  notifyIssued,
  notifyOverdue,
  notifyReminders,
  notifyReports,
} from './students.ts'

export interface NotifyDeps {
  channels: Channels
  /** What links begin with. */
  baseUrl: (db: OutsideDb) => Promise<string>
  payLinks: PayLinks
  /** Where staff sign in; undefined: nobody has said. */
  signInUrl: string | undefined
}

/** The {{link}} of texts: where staff sign in, else the server's address. */
export const linkOf = async ({ signInUrl, baseUrl }: NotifyDeps, db: OutsideDb): Promise<string> =>
  signInUrl ?? baseUrl(db)

/** Makes the links of messages to what each is about; undefined: where staff sign in knows no such addresses. */
const placesOf = async ({ signInUrl, baseUrl }: NotifyDeps, db: OutsideDb): Promise<PlaceLink | undefined> => {
  if (signInUrl !== undefined) return undefined
  const base = await baseUrl(db)
  return ({ templateKey, payload }) => `${base}${openPath(templateKey, payload)}`
}

interface Links {
  link: string
  placeLink: PlaceLink | undefined
}

const linksOf = async (deps: NotifyDeps, db: OutsideDb): Promise<Links> => ({
  link: await linkOf(deps, db),
  placeLink: await placesOf(deps, db),
})

/** The events that people are notified of. A member who is invited gets the mail of the invitation itself. */
const NOTIFIERS: { [T in EventType]?: Notifier<T> } = {
  'student.absent': notifyAbsences,
  'invoice.issued': notifyIssued,
  'invoice.overdue': notifyOverdue,
  'invoice.reminder_requested': notifyReminders,
  'payment.recorded': notifyPayments,
  'cheque.bounced': notifyBounced,
  'session.cancelled': notifyCancelled,
  'exam.published': notifyExam,
  'progress_report.sent': notifyReports,
  'lead.created': notifyLeads,
  'subscription.expiring': notifyExpiring,
  'tenant.locked': notifyLocked,
}

/** Events that all members of a group are notified of. Each has a job of its own, which takes a slice of them at a time. */
const GROUP_EVENTS: readonly EventType[] = ['session.cancelled', 'exam.published']

const EVENTS_AT_ONCE = 50

/**
 * Rows of the job table and metrics carry the names `notifications.tell` (the job) and `tell` (its lane), so these two
 * stay as they are.
 */
export const notifyJob = declareJob(
  'notifications.tell',
  v.object({
    tenantId: v.string(),
    type: v.string(),
    events: v.array(v.object({ id: v.string(), data: v.record(v.string(), v.unknown()) })),
    after: v.nullable(v.string()),
  }),
)
type NotifyPayload = v.InferOutput<typeof notifyJob.payload>

const laneOf = (tenantId: string): string => laneIn(tenantId, 'tell')

/** One job notifies of the events of two, as if they came from one change, where both have the same type. */
export const joinNotifyJobs = (one: NotifyPayload, other: NotifyPayload): NotifyPayload | undefined => {
  const fit =
    one.tenantId === other.tenantId &&
    one.type === other.type &&
    !GROUP_EVENTS.includes(one.type as EventType) &&
    one.events.length + other.events.length <= EVENTS_AT_ONCE
  return fit ? { ...one, events: [...one.events, ...other.events] } : undefined
}

export const endpointDisabledJob = declareJob(
  'notifications.endpoint-disabled',
  v.object({ tenantId: v.string(), endpointId: v.string(), noticeId: v.string() }),
)

/** Enqueues the notification that a webhook endpoint was disabled after too many failures. */
export const noticeDisabledEndpoint = (tx: Pick<Tx, 'enqueue' | 'id' | 'tenant'>, endpointId: string): void =>
  tx.enqueue(endpointDisabledJob, { tenantId: tx.tenant.id, endpointId, noticeId: tx.id() })

export const leadSummaryJob = declareJob(
  'notifications.lead-summary',
  v.object({ tenantId: v.string(), at: v.string() }),
)

const enqueueSummaryOnce = (tx: Pick<Tx, 'enqueue' | 'tenant'>, at: string): void => {
  const tenantId = tx.tenant.id
  const uniqueKey = `notifications.lead-summary:${tenantId}:${at}`
  tx.enqueue(leadSummaryJob, { tenantId, at }, { runAt: at, lane: laneOf(tenantId), uniqueKey })
}

const enqueueNotify = (tx: Pick<Tx, 'enqueue'>, payload: NotifyPayload): void =>
  tx.enqueue(notifyJob, payload, { lane: laneOf(payload.tenantId) })

type Emitted = Parameters<EventSubscriber>[1]

/**
 * Without the lessons that were cancelled with others, by a change of their group or by closed days: people are told of
 * those in one message.
 */
const withoutCancelledTogether = async (system: SystemTx, events: Emitted): Promise<Emitted> => {
  const together = new Set<string>()
  const cancelled = events.flatMap(({ type, tenant, data }) =>
    type === 'session.cancelled' ? { tenant, sessionId: data.sessionId } : [],
  )
  for (const [first, ...others] of Map.groupBy(cancelled, ({ tenant }) => tenant.id).values()) {
    if (!first) continue
    const ids = [first, ...others].map(({ sessionId }) => sessionId)
    const sessions = await sessionsById(system.inTenant(first.tenant).whole, ids)
    for (const id of ids) if (sessions.get(id)?.cancelled_by !== 'hand') together.add(id)
  }
  return events.filter(({ type, data }) => type !== 'session.cancelled' || !together.has(data.sessionId))
}

/** Enqueues the jobs that notify people, in the transaction of the change. A job finds the recipients later. */
export const onEvents: EventSubscriber = async (system, events) => {
  const notified = events.filter(({ type }) => NOTIFIERS[type] !== undefined)
  const ours = await withoutCancelledTogether(system, notified)
  const byType = Map.groupBy(ours, ({ tenant, type }) => `${tenant.id} ${type}`)
  for (const alike of byType.values()) {
    const size = GROUP_EVENTS.includes(alike[0]?.type as EventType) ? 1 : EVENTS_AT_ONCE
    for (let start = 0; start < alike.length; start += size) {
      const batch = alike.slice(start, start + size)
      const { tenant, type } = batch[0] as (typeof batch)[number]
      enqueueNotify(system.inTenant(tenant), {
        tenantId: tenant.id,
        type,
        events: batch.map(({ id, data }) => ({ id, data })),
        after: null,
      })
    }
  }
}

/** Inserts a message for every recipient of every occasion, over every channel that the institute uses. */
const insertForOccasions = async (
  tx: Tx,
  occasions: readonly Occasion[],
  links: Links,
  deps: NotifyDeps,
): Promise<void> => {
  const { whole, tenant } = tx
  const accounts = await accountsOf(
    whole,
    occasions.flatMap((occasion) => occasion.recipients),
  )
  const addressed = occasions.map((occasion) => ({
    occasion,
    people: peopleOf(accounts, occasion.recipients, tenant.defaultLocale),
  }))
  const usable = await usableChannels(whole, tenant, deps.channels)
  const keys = occasions.map(({ templateKey }) => templateKey)
  const planning = {
    tenant,
    ...links,
    texts: await textsOf(whole, keys, tenant.defaultLocale),
    preferenceOf: await preferencesOf(
      whole,
      addressed.flatMap(({ people }) => people),
    ),
  }
  const messages = addressed.flatMap(({ occasion, people }): PlannedMessage[] =>
    people.flatMap((person) =>
      CHANNELS.filter(
        // Somebody without an account has no inbox and no devices: the log has no entry for these channels.
        (channel) =>
          (occasion.channels ?? CHANNELS).includes(channel) &&
          usable.has(channel) &&
          (REACHED_BY[channel] !== 'account' || person.userId !== null),
      ).map((channel) => ({ source: occasion, person, plan: planFor(planning, occasion, person, channel) })),
    ),
  )
  await insertMessages(tx, messages)
  const told = addressed.flatMap(({ occasion, people }) =>
    people.map((person) => ({ source: occasion, content: occasion, person })),
  )
  await insertCalls(tx, { told, messages, planning }, deps.channels)
}

const findOccasions = (
  type: string,
  context: NotifierContext,
  events: NotifyPayload['events'],
): Promise<NotifierResult> => {
  const notifier = NOTIFIERS[type as EventType] as Notifier<EventType> | undefined
  if (!notifier) throw new Error(`nobody is notified of ${type}`)
  return notifier(context, events as unknown as JobEvent<EventType>[])
}

/** Notifies of events, or the next slice of a group of one event. It happens once: it commits with the end of the job. */
export const notify =
  (deps: NotifyDeps) =>
  async ({ payload, finish, db }: JobContext<NotifyPayload>): Promise<void> => {
    const links = await linksOf(deps, db)
    await finish(async (system) => {
      const tenant = await findTenant(system.db, payload.tenantId)
      if (!tenant || tenant.status === 'archived') return
      const tx = system.inTenant(tenant)
      const context = { whole: tx.whole, tenant, now: tx.now, payLinks: deps.payLinks, after: payload.after }
      const { occasions, next, summaries = [] } = await findOccasions(payload.type, context, payload.events)
      await insertForOccasions(tx, occasions, links, deps)
      if (next !== null) enqueueNotify(tx, { ...payload, after: next })
      for (const at of summaries) enqueueSummaryOnce(tx, at)
    })
  }

/** Makes the handler of a job that notifies, once, of something that is not an event, of a group a slice at a time. */
const notifyOf =
  <P>(
    occasionsOf: (tx: Tx, payload: P) => Promise<NotifierResult>,
    goOn?: (tx: Tx, payload: P, next: string) => void,
  ) =>
  (deps: NotifyDeps) =>
  async ({ payload, finish, db }: JobContext<P & { tenantId: string }>): Promise<void> => {
    const links = await linksOf(deps, db)
    await finish(async (system) => {
      const tenant = await findTenant(system.db, payload.tenantId)
      if (!tenant || tenant.status === 'archived') return
      const tx = system.inTenant(tenant)
      const { occasions, next } = await occasionsOf(tx, payload)
      await insertForOccasions(tx, occasions, links, deps)
      if (next !== null) goOn?.(tx, payload, next)
    })
  }

/** For something of one occasion. @param occasionOf undefined: there is nothing to tell any more */
const notifyOnce = <P>(occasionOf: (tx: Tx, payload: P) => Promise<Occasion | undefined>) =>
  notifyOf(async (tx: Tx, payload: P) => ({ occasions: [(await occasionOf(tx, payload)) ?? []].flat(), next: null }))

export const notifySession = notifyOf(noticedSession, (tx, payload, next) =>
  tx.enqueue(sessionNoticeJob, { ...payload, after: next }, { lane: laneOf(payload.tenantId) }),
)
export const notifyGroup = notifyOf(noticedGroup, (tx, payload, next) =>
  tx.enqueue(groupNoticeJob, { ...payload, after: next }, { lane: laneOf(payload.tenantId) }),
)
export const notifyClosure = notifyOf(noticedClosure, (tx, payload, next) =>
  tx.enqueue(closureNoticeJob, { ...payload, after: next }, { lane: laneOf(payload.tenantId) }),
)
export const notifyCover = notifyOf(noticedCover, (tx, payload, next) =>
  tx.enqueue(coverNoticeJob, { ...payload, after: next }, { lane: laneOf(payload.tenantId) }),
)
export const notifyRollover = notifyOf(noticedRollover, (tx, payload, next) =>
  tx.enqueue(rolloverNoticeJob, { ...payload, after: next }, { lane: laneOf(payload.tenantId) }),
)
export const notifySubmittedReports = notifyOf(submittedReports)
export const notifyProposedChange = notifyOf(proposedChange)
export const notifyDecidedProposal = notifyOnce(decidedProposal)
export const notifyReturnedReport = notifyOnce(returnedReport)
export const notifyCorrection = notifyOnce(correctedAbsence)
export const notifyOffer = notifyOnce(offeredPlace)
export const notifyPaymentProblem = notifyOnce(lookedAtPayment)
export const notifyReceipt = notifyOnce(mailedReceipt)
export const notifyDisabledEndpoint = notifyOnce(disabledEndpoint)
export const notifyUnlinkedAccount = notifyOnce(unlinkedAccount)
export const notifyUpdate = notifyOnce(noticedUpdate)

export const notifyHttps = notifyOnce(noticedHttps)
export const notifyStuckMails = notifyOnce((tx) => stuckMails(tx))
export const notifyLeadSummary = notifyOnce((tx, { at }: v.InferOutput<typeof leadSummaryJob.payload>) =>
  summedLeads(tx.whole, at, tx.id()),
)
