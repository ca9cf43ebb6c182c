import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { ChannelName } from '../tables.ts'

/** The best outcome of a message at the servers that were asked. */
const SoFar = v.variant('kind', [
  v.object({ kind: v.literal('sent') }),
  v.object({ kind: v.literal('later'), reason: v.string(), retryAfterSeconds: v.exactOptional(v.number()) }),
  v.object({ kind: v.picklist(['failed', 'kept', 'skipped']), reason: v.string() }),
])

/** Devices of one recipient may have different push servers. The attempt goes to one after the other, each in a lane of its own. */
const Round = v.object({
  /** Those that were not asked yet; the first is the next. */
  servers: v.pipe(v.array(v.string()), v.minLength(1)),
  /** null: none was asked yet. */
  soFar: v.nullable(SoFar),
})

/** One attempt at a message: the payload of its job. */
const Attempt = v.object({
  tenantId: v.string(),
  notificationId: v.string(),
  /** The message's generation when the attempt was enqueued: after a retry by hand, older attempts are skipped. */
  generation: v.number(),
  lane: v.string(),
  /** Absent: the channel has one server, or the attempt begins. */
  round: v.exactOptional(Round),
})
export type Attempt = v.InferOutput<typeof Attempt>

export const deliverJob = declareJob('notifications.deliver', Attempt)

/**
 * Each channel of each institute has its own lane, so that a dead provider holds up nobody else. Messages sent by hand have
 * another one: an absence does not wait behind ten thousand of them.
 */
export const laneOf = (tenantId: string, channel: ChannelName, bulk = false): string =>
  bulk ? laneIn(tenantId, channel, 'bulk') : laneIn(tenantId, channel)

/**
 * How many mails to many people are sent at a time: mail providers let an account have few connections, and what happens
 * now needs some of them.
 */
const BULK_MAILS_AT_ONCE = 3

/** How many messages of a lane are sent at a time; undefined: as many as of any lane. */
export const atOnceIn = (lane: string): number | undefined =>
  lane.endsWith(':email:bulk') ? BULK_MAILS_AT_ONCE : undefined

/** Enqueues an attempt, for now or later. */
export const enqueueAttempt = (tx: Pick<Tx, 'enqueue'>, attempt: Attempt, runAt?: string): void => {
  const { lane, round } = attempt
  const server = round?.servers[0]
  tx.enqueue(deliverJob, attempt, {
    lane: server === undefined ? lane : `${lane}:${server}`,
    ...(runAt && { runAt }),
  })
}

export const stuckMailsJob = declareJob('notifications.stuck-mails', v.object({ tenantId: v.string() }))

/** Enqueues the notification that mails have not gone out for a while, once a day. */
export const noticeStuckMails = (tx: Pick<Tx, 'enqueue' | 'tenant' | 'today'>): void => {
  const tenantId = tx.tenant.id
  const uniqueKey = `${stuckMailsJob.name}:${tenantId}:${tx.today}`
  tx.enqueue(stuckMailsJob, { tenantId }, { lane: laneIn(tenantId, 'tell'), uniqueKey })
}

export const updateNoticeJob = declareJob(
  'notifications.update',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    kind: v.picklist(['available', 'installed', 'failed']),
    version: v.string(),
  }),
)
type UpdateNotice = v.InferOutput<typeof updateNoticeJob.payload>

/** Enqueues the notification of a new version of the program. */
export const noticeUpdate = (
  tx: Pick<Tx, 'enqueue' | 'id' | 'tenant'>,
  news: Pick<UpdateNotice, 'kind' | 'version'>,
): void => {
  const tenantId = tx.tenant.id
  tx.enqueue(updateNoticeJob, { tenantId, noticeId: tx.id(), ...news }, { lane: laneIn(tenantId, 'tell') })
}

export const httpsNoticeJob = declareJob(
  'notifications.https',
  v.object({ tenantId: v.string(), noticeId: v.string(), name: v.string() }),
)

/** Enqueues the notification that no new certificate comes for the server's name. */
export const noticeHttps = (tx: Pick<Tx, 'enqueue' | 'id' | 'tenant'>, name: string): void => {
  const tenantId = tx.tenant.id
  tx.enqueue(httpsNoticeJob, { tenantId, noticeId: tx.id(), name }, { lane: laneIn(tenantId, 'tell') })
}

export const digestJob = declareJob(
  'notifications.digest',
  v.object({
    tenantId: v.string(),
    userId: v.string(),
    channel: v.string(),
    /** It takes what is due by then. ISO instant. */
    digestAt: v.string(),
    /** The institute's time zone when this was computed. */
    zone: v.string(),
  }),
)
export type DigestPayload = v.InferOutput<typeof digestJob.payload>

/** Enqueues the digest of one person and channel. */
export const enqueueDigest = (tx: Pick<Tx, 'enqueue'>, payload: DigestPayload, uniqueKey?: string): void =>
  tx.enqueue(digestJob, payload, {
    runAt: payload.digestAt,
    lane: laneIn(payload.tenantId, 'digest'),
    ...(uniqueKey !== undefined && { uniqueKey }),
  })

/** Like `enqueueDigest`, but only once for each due time, however many messages wait for it. */
export const enqueueDigestOnce = (tx: Pick<Tx, 'enqueue'>, payload: DigestPayload): void =>
  enqueueDigest(
    tx,
    payload,
    `notifications.digest:${payload.tenantId}:${payload.userId}:${payload.channel}:${payload.digestAt}`,
  )
