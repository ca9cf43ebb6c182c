import type * as v from 'valibot'
import { unlinked } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { accountUnlinkedJob } from '#modules/people/index.ts'
import type { httpsNoticeJob, updateNoticeJob } from '../outbox/jobs.ts'
import { readStuck } from '../outbox/stuck.ts'
import type { Occasion, Notifier } from './occasion.ts'
import { findHolders, findOwners, findUsers } from '../recipients/accounts.ts'

export const notifyExpiring: Notifier<'subscription.expiring'> = async ({ whole }, events) => {
  const owners = await findOwners(whole)
  const occasions = events.map(({ id, data }): Occasion => ({
    sourceId: id,
    templateKey: 'subscription.expiring',
    branchId: null,
    payload: { subscriptionId: data.subscriptionId },
    recipients: owners,
    values: ({ f }) => ({
      plan: unlinked(data.planCode),
      date: f.dayOf(data.currentPeriodEnd),
      days: String(data.daysUntilExpiry),
    }),
  }))
  return { occasions, next: null }
}

export const notifyLocked: Notifier<'tenant.locked'> = async ({ whole }, events) => {
  const owners = await findOwners(whole)
  const occasions = events.map(({ id, data }): Occasion => ({
    sourceId: id,
    templateKey: 'tenant.locked',
    branchId: null,
    payload: data.subscriptionId === null ? {} : { subscriptionId: data.subscriptionId },
    recipients: owners,
    values: () => ({ reason: data.reason === null ? '—' : unlinked(data.reason) }),
  }))
  return { occasions, next: null }
}

/** The part of a webhook's address that is no secret. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? '—'

/** A webhook endpoint that failures have disabled. @returns undefined when it is gone */
export const disabledEndpoint = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, endpointId }: { noticeId: string; endpointId: string },
): Promise<Occasion | undefined> => {
  const endpoint = await whole
    .selectFrom('webhook_endpoint')
    .select('url')
    .where('id', '=', endpointId)
    .executeTakeFirst()
  if (!endpoint) return undefined
  return {
    sourceId: noticeId,
    templateKey: 'webhook_endpoint.disabled',
    branchId: null,
    payload: { endpointId },
    recipients: await findHolders(whole, 'integration.manage', null),
    values: () => ({ host: unlinked(hostOf(endpoint.url)) }),
  }
}

/** Mails that the mail server has not taken for a while. @returns undefined when they have gone out by now */
export const stuckMails = async ({
  whole,
  now,
  id,
}: Pick<Tx, 'whole' | 'now' | 'id'>): Promise<Occasion | undefined> => {
  const mails = (await readStuck(whole, now)).find(({ channel }) => channel === 'email')
  if (!mails) return undefined
  return {
    sourceId: id(),
    templateKey: 'mails.stuck',
    branchId: null,
    payload: {},
    recipients: await findOwners(whole),
    channels: ['in_app'],
    values: ({ f }) => ({
      count: String(mails.waiting + mails.failed),
      date: f.dayOf(mails.since),
      reason: unlinked(mails.reason),
    }),
  }
}

/** A new version of the program: there is one, it was put in, or it did not serve. */
export const noticedUpdate = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, kind, version }: v.InferOutput<typeof updateNoticeJob.payload>,
): Promise<Occasion> => ({
  sourceId: noticeId,
  templateKey: `update.${kind}`,
  branchId: null,
  payload: {},
  recipients: await findOwners(whole),
  channels: ['in_app'],
  values: () => ({ version }),
})

/** No new certificate comes for the server's name. */
export const noticedHttps = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, name }: v.InferOutput<typeof httpsNoticeJob.payload>,
): Promise<Occasion> => ({
  sourceId: noticeId,
  templateKey: 'https.failed',
  branchId: null,
  payload: {},
  recipients: await findOwners(whole),
  channels: ['in_app'],
  values: () => ({ name: unlinked(name) }),
})

/** Somebody whose account does not stand behind a student, guardian or staff record any more. */
export const unlinkedAccount = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, userId, recordId, personName }: v.InferOutput<typeof accountUnlinkedJob.payload>,
): Promise<Occasion> => ({
  sourceId: noticeId,
  templateKey: 'account.unlinked',
  branchId: null,
  payload: { recordId },
  recipients: await findUsers(whole, [userId]),
  values: () => ({ personName: unlinked(personName) }),
})
