import type * as v from 'valibot'
import type { ScopedDb } from '#kernel/tables.ts'
import { unlinked } from '#kernel/text.ts'
import type { accountUnlinkedJob } from '#modules/people/index.ts'
import type { Occasion, Tell } from '../occasion.ts'
import { findHolders, findOwners, findUsers, type Found } from '../people.ts'
import { leadsById } from './records.ts'

/** The office hears that somebody asked, not who: the lead shows that to those who may see it. */
export const tellLeads: Tell<'lead.created'> = async ({ whole }, events) => {
  const leads = await leadsById(
    whole,
    events.map(({ data }) => data.leadId),
  )
  const branchOf = (leadId: string): string | null => {
    const lead = leads.get(leadId)
    return lead?.branch_id ?? lead?.unlinked_branch_id ?? null
  }
  const holders = new Map<string | null, Found[]>()
  for (const branchId of new Set([...leads.keys()].map(branchOf))) {
    holders.set(branchId, await findHolders(whole, 'leads.read', branchId))
  }
  const occasions = events
    .filter(({ data }) => leads.has(data.leadId))
    .map(({ id, data: { leadId } }): Occasion => ({
      sourceId: id,
      templateKey: 'lead.created',
      branchId: branchOf(leadId),
      payload: { leadId },
      hearers: holders.get(branchOf(leadId)) ?? [],
      values: () => ({}),
    }))
  return { occasions, next: null }
}

export const tellExpiring: Tell<'subscription.expiring'> = async ({ whole }, events) => {
  const owners = await findOwners(whole)
  const occasions = events.map(({ id, data }): Occasion => ({
    sourceId: id,
    templateKey: 'subscription.expiring',
    branchId: null,
    payload: { subscriptionId: data.subscriptionId },
    hearers: owners,
    values: ({ f }) => ({
      plan: unlinked(data.planCode),
      date: f.dayOf(data.currentPeriodEnd),
      days: String(data.daysUntilExpiry),
    }),
  }))
  return { occasions, next: null }
}

export const tellLocked: Tell<'tenant.locked'> = async ({ whole }, events) => {
  const owners = await findOwners(whole)
  const occasions = events.map(({ id, data }): Occasion => ({
    sourceId: id,
    templateKey: 'tenant.locked',
    branchId: null,
    payload: data.subscriptionId === null ? {} : { subscriptionId: data.subscriptionId },
    hearers: owners,
    values: () => ({ reason: data.reason === null ? '—' : unlinked(data.reason) }),
  }))
  return { occasions, next: null }
}

/** The part of a webhook's address that is no secret. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? '—'

/** A webhook endpoint that failures have disabled. @returns undefined when it is gone */
export const disabledEndpoint = async (
  whole: ScopedDb,
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
    hearers: await findHolders(whole, 'integration.manage', null),
    values: () => ({ host: unlinked(hostOf(endpoint.url)) }),
  }
}

/** Somebody whose account does not stand behind a student, guardian or staff record any more. */
export const unlinkedAccount = async (
  whole: ScopedDb,
  { noticeId, userId, recordId, personName }: v.InferOutput<typeof accountUnlinkedJob.payload>,
): Promise<Occasion> => ({
  sourceId: noticeId,
  templateKey: 'account.unlinked',
  branchId: null,
  payload: { recordId },
  hearers: await findUsers(whole, [userId]),
  values: () => ({ personName: unlinked(personName) }),
})
