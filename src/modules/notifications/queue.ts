import * as v from 'valibot'
import { declareJob } from '#kernel/job.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { ChannelName } from './channel.ts'

/** One attempt at a message: the payload of its job. */
const Attempt = v.object({
  tenantId: v.string(),
  notificationId: v.string(),
  /** The message's generation when the attempt was enqueued: after a retry by hand, older attempts are skipped. */
  generation: v.number(),
  lane: v.string(),
})
export type Attempt = v.InferOutput<typeof Attempt>

export const deliverJob = declareJob('notifications.deliver', Attempt)

/**
 * Each channel of each institute has its own lane, so that a dead provider holds up nobody else. What was sent by hand
 * to many has another one: an absence does not wait behind ten thousand of them.
 */
export const laneOf = (tenantId: string, channel: ChannelName, bulk = false): string =>
  `${tenantId}:${channel}${bulk ? ':bulk' : ''}`

/**
 * How many mails to many people are sent at a time: mail providers let an account have few connections, and what happens
 * now needs some of them.
 */
const BULK_MAILS_AT_ONCE = 3

/** How many messages of a lane are sent at a time; undefined: as many as of any lane. */
export const atOnceIn = (lane: string): number | undefined =>
  lane.endsWith(':email:bulk') ? BULK_MAILS_AT_ONCE : undefined

/** Enqueues an attempt, for now or later. */
export const enqueueAttempt = (tx: Pick<Tx, 'enqueue'>, attempt: Attempt, runAt?: string): void =>
  tx.enqueue(deliverJob, attempt, { lane: attempt.lane, ...(runAt && { runAt }) })

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
    lane: `${payload.tenantId}:digest`,
    ...(uniqueKey !== undefined && { uniqueKey }),
  })

/** Like `enqueueDigest`, but once for each time that it is due, however much it takes. */
export const enqueueDigestOnce = (tx: Pick<Tx, 'enqueue'>, payload: DigestPayload): void =>
  enqueueDigest(
    tx,
    payload,
    `notifications.digest:${payload.tenantId}:${payload.userId}:${payload.channel}:${payload.digestAt}`,
  )
