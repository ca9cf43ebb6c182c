import { compiledInTenant } from '#db/queries/compiled.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { CHANNELS } from '../tables.ts'
import type { Occasion, Notifier } from './occasion.ts'
import { findHolders } from '../recipients/accounts.ts'
import type { Found } from '../recipients/records.ts'
import { leadsById } from './records.ts'

/*
 * Anybody on the internet can make leads, without limit. Within an hour, the outside channels carry a message each for a
 * few of them, and one summary of all others. In the app every lead has a message.
 */

/** How many leads of an institute have messages of their own within an hour, on the outside channels. */
const SINGLES_AN_HOUR = 5
const HOUR_SECONDS = 3600
/** A lead that is made shortly before the full hour may be committed after it: it belongs to the next summary. */
const SLACK_SECONDS = 60

const OUTSIDE = CHANNELS.filter((channel) => channel !== 'in_app')

const hourBefore = (instant: string): string => plusSeconds(instant, -HOUR_SECONDS)

/** The start of the hour in which a summary of this lead is due. */
const summaryOf = (createdAt: string): string =>
  `${plusSeconds(createdAt, SLACK_SECONDS + HOUR_SECONDS).slice(0, 'YYYY-MM-DDTHH'.length)}:00:00.000Z`

const branchOf = (lead: { branch_id: string | null; unlinked_branch_id: string | null }): string | null =>
  lead.branch_id ?? lead.unlinked_branch_id

interface Arrival {
  id: string
  created_at: string
}

/** Finds the lead that used up the last message of its own within the hour before this one. */
const findFull = compiledInTenant((whole, { id, created_at, since }: Arrival & { since: string }) =>
  whole
    .selectFrom('lead')
    .select('id')
    .where('created_at', '>', since)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(created_at, id)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(SINGLES_AN_HOUR - 1),
)

const hasOwnMessage = async (whole: ScopedDb, { id, created_at }: Arrival): Promise<boolean> =>
  (await findFull(whole, { id, created_at, since: hourBefore(created_at) })).length === 0

type Holders = ReadonlyMap<string | null, Found[]>

const holdersIn = async (whole: ScopedDb, branchIds: Iterable<string | null>): Promise<Holders> => {
  const holders = new Map<string | null, Found[]>()
  for (const branchId of new Set(branchIds)) {
    holders.set(branchId, await findHolders(whole, 'leads.read', branchId))
  }
  return holders
}

/** The message says that there is a new lead and not who it is: the lead shows that to those who may read it. */
export const notifyLeads: Notifier<'lead.created'> = async ({ whole }, events) => {
  const leads = await leadsById(
    whole,
    events.map(({ data }) => data.leadId),
  )
  const holders = await holdersIn(whole, [...leads.values()].map(branchOf))
  const occasions: Occasion[] = []
  const summaries = new Set<string>()
  for (const { id, data } of events) {
    const lead = leads.get(data.leadId)
    if (!lead) continue
    const branchId = branchOf(lead)
    const isAlone = await hasOwnMessage(whole, lead)
    if (!isAlone) summaries.add(summaryOf(lead.created_at))
    occasions.push({
      sourceId: id,
      templateKey: 'lead.created',
      branchId,
      payload: { leadId: lead.id },
      recipients: holders.get(branchId) ?? [],
      channels: isAlone ? CHANNELS : ['in_app'],
      values: () => ({}),
    })
  }
  return { occasions, next: null, summaries: [...summaries] }
}

/** The leads of a summary: those that had no message of their own. */
const findSummed = async (whole: ScopedDb, at: string) => {
  const since = plusSeconds(at, -HOUR_SECONDS - SLACK_SECONDS)
  const leads = await whole
    .selectFrom('lead')
    .leftJoin('student', 'student.id', 'lead.student_id')
    .select(['lead.id', 'lead.created_at', 'lead.unlinked_branch_id', 'student.branch_id'])
    .where('lead.created_at', '>', hourBefore(since))
    .where('lead.created_at', '<', plusSeconds(at, -SLACK_SECONDS))
    .orderBy('lead.created_at')
    .orderBy('lead.id')
    .execute()
  return leads.filter((lead, index) => {
    const full = leads[index - SINGLES_AN_HOUR]
    return lead.created_at >= since && full !== undefined && full.created_at > hourBefore(lead.created_at)
  })
}

/**
 * The summary of an hour. It tells each reader the number of leads without a message among those that they may read.
 * @param sourceId one message to a person over a channel is made of it
 * @returns undefined: the leads are gone
 */
export const summedLeads = async (whole: ScopedDb, at: string, sourceId: string): Promise<Occasion | undefined> => {
  const counts = Map.groupBy(await findSummed(whole, at), branchOf)
  const [branchId, ...others] = counts.keys()
  if (branchId === undefined) return undefined
  const holders = await holdersIn(whole, counts.keys())
  const seenBy = (userId: string): number =>
    [...counts].reduce(
      (sum, [branch, leads]) => sum + (holders.get(branch)?.some(({ id }) => id === userId) ? leads.length : 0),
      0,
    )
  return {
    sourceId,
    templateKey: 'leads.summary',
    branchId: others.length === 0 ? branchId : null,
    payload: {},
    recipients: [...holders.values()].flat(),
    channels: OUTSIDE,
    values: ({ person }) => ({ count: String(seenBy(person.id)) }),
  }
}
