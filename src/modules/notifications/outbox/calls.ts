import type { Caller } from '#kernel/who/actor.ts'
import { failure, NotFound } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { changeRecord, lockRow, recordOf, type Row } from '#runtime/records/records.ts'
import { AlreadyToldDetails, type Call, type ToldHow } from '../call-schemas.ts'
import type { Channels } from '../channels/channel.ts'
import { inboxOf } from '../channels/inbox.ts'
import type { Person } from '../recipients/people.ts'
import { findGuardians, findStudents } from '../recipients/records.ts'
import { channelsNow } from '../recipients/unreached.ts'
import { CALLED_KINDS, type CalledKind } from '../tables.ts'
import type { PlannedMessage, Source } from './insert-messages.ts'
import { planFor, type Content, type Planning } from './plan.ts'
import { REASONS } from './reasons.ts'

/*
 * What an office does for families who have phones only: somebody calls them, or writes to them from a telephone of the
 * office. A call is written with the messages, for whoever gets none of them; who told them is kept, so that two people of
 * the office do not tell them twice.
 */

/** Who paid knows it, and a report that reaches nobody is handed over on paper. */
const NOT_CALLED: ReadonlySet<string> = new Set(['payment.recorded', 'receipt.sent', 'progress_report.sent'])

/** They want no messages, or the institute does not want this one sent. */
const UNWANTED: ReadonlySet<string> = new Set([REASONS.off, REASONS.optedOut, REASONS.textOff])

export const isCalled = (kind: Person['kind']): kind is CalledKind => CALLED_KINDS.some((called) => called === kind)

interface Told {
  source: Source
  content: Content
  person: Person
}

const keyOf = (sourceId: string | null, personId: string): string => `${sourceId} ${personId}`

/** Those of whom the office tells their guardians: of the same message, each student who has one among its people. */
const childrenOf = async (whole: ScopedDb, told: readonly Told[]): Promise<ReadonlySet<string>> => {
  const students = told.flatMap(({ person }) => (person.kind === 'student' ? person.id : []))
  if (students.length === 0) return new Set()
  const links = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['guardian_link.student_id', 'guardian.id', 'guardian.user_id'])
    .where('guardian_link.student_id', 'in', students)
    .execute()
  return new Set(links.flatMap((row) => [`${row.student_id} ${row.id}`, `${row.student_id} ${row.user_id}`]))
}

/** The text as a short message has it, and as the app heads it. */
const textOf = (planning: Planning, content: Content, person: Person): { title: string; body: string } => {
  const { title } = planFor(planning, content, person, 'in_app')
  const channels = ['sms', 'whatsapp', 'in_app', 'email'] as const
  const plans = channels.map((channel) => planFor(planning, content, person, channel))
  return { title, body: plans.find(({ body }) => body !== '')?.body ?? '' }
}

/**
 * Writes the calls that follow from messages: for each student and guardian whom none of them reaches now, and who has a
 * phone. A mail that only waits for a mailbox reaches nobody.
 */
export const insertCalls = async (
  tx: Tx,
  { told, messages, planning }: { told: readonly Told[]; messages: readonly PlannedMessage[]; planning: Planning },
  channels: Channels,
): Promise<void> => {
  const callable = told.filter(
    ({ source, person: { kind, phone } }) => isCalled(kind) && phone !== null && !NOT_CALLED.has(source.templateKey),
  )
  if (callable.length === 0) return
  const works = await channelsNow(tx.whole, tx.tenant, channels)
  const settled = new Set(
    messages
      .filter(({ plan }) => ('reason' in plan ? UNWANTED.has(plan.reason) : works.has(plan.channel)))
      .map(({ source, person }) => keyOf(source.sourceId, person.id)),
  )
  const unreached = callable.filter(({ source, person }) => !settled.has(keyOf(source.sourceId, person.id)))
  if (unreached.length === 0) return
  const links = await childrenOf(tx.whole, unreached)
  const peopleOf = Map.groupBy(told, ({ source }) => source.sourceId)
  const rows = unreached
    .filter(({ source, person }) => {
      const others = peopleOf.get(source.sourceId) ?? []
      return !others.some((other) => links.has(`${person.id} ${other.person.id}`))
    })
    .map(({ source, content, person }) => {
      const id = tx.id()
      return {
        id,
        source_id: source.sourceId ?? id,
        template_key: source.templateKey,
        branch_id: source.branchId ?? person.branchId,
        recipient_kind: person.kind as CalledKind,
        recipient_id: person.id,
        recipient_name: person.name,
        locale: person.locale,
        ...textOf(planning, content, person),
        payload: source.payload,
        happens_at: source.happensAt ?? null,
        status: 'open' as const,
        created_at: tx.now,
      }
    })
    .filter(({ body }) => body !== '')
  await inBatches(rows, async (batch) => {
    await tx.whole
      .insertInto('notification_call')
      .values(batch)
      .onConflict((conflict) => conflict.columns(['tenant_id', 'source_id', 'recipient_id']).doNothing())
      .execute()
  })
}

const toCall = (row: Row<'notification_call'>): Call => ({
  id: row.id,
  sourceId: row.source_id,
  templateKey: row.template_key,
  recipient: { kind: row.recipient_kind, id: row.recipient_id, name: row.recipient_name },
  phone: null,
  locale: row.locale,
  title: row.title,
  body: row.body,
  payload: row.payload,
  status: row.status,
  how: row.how,
  toldAt: row.told_at,
  toldByName: row.told_by_name,
  createdAt: row.created_at,
})

const callRecord = recordOf('notification_call', { show: toCall, withoutUpdatedAt: true })

const listRows = listOf({
  filters: {
    status: 'notification_call.status',
    sourceId: 'notification_call.source_id',
    recipientId: 'notification_call.recipient_id',
  },
  from: (db) => db.selectFrom('notification_call').selectAll('notification_call'),
  order: newestFirst('notification_call'),
  show: toCall,
})

/** With the phones that their records have now: a wrong number is found by calling it. */
const withPhones = async (whole: ScopedDb, calls: readonly Call[]): Promise<Call[]> => {
  const idsOf = (kind: CalledKind) => [
    ...new Set(calls.flatMap(({ recipient }) => (recipient.kind === kind ? recipient.id : []))),
  ]
  const found = [...(await findStudents(whole, idsOf('student'))), ...(await findGuardians(whole, idsOf('guardian')))]
  const phones = new Map(found.map(({ id, phone }) => [id, phone]))
  return calls.map((call) => ({ ...call, phone: phones.get(call.recipient.id) ?? null }))
}

export const listCalls = async ({
  whole,
  ...context
}: { whole: ScopedDb } & Parameters<typeof listRows>[0]): Promise<Page<Call>> => {
  const { data, nextCursor } = await listRows(context)
  return { data: await withPhones(whole, data), nextCursor }
}

export const AlreadyTold = failure(
  'CONFLICT',
  'already_told',
  'Somebody told them already: details say who, how and when.',
  { details: AlreadyToldDetails },
)

/** What stands in a call once the caller told them, or decided that nobody is to. */
const toldBy = async (tx: Tx, caller: Caller, how: ToldHow) => {
  const userId = inboxOf(caller)
  const user = await tx.db.selectFrom('user').select('full_name').where('id', '=', userId).executeTakeFirst()
  return {
    ...(how === 'not_needed' ? { status: 'not_needed' as const, how: null } : { status: 'told' as const, how }),
    toldAt: tx.now,
    toldByUserId: userId,
    toldByName: user?.full_name ?? '',
  }
}

/** Keeps that the caller told them, or that nobody is to. @throws NotFound, AlreadyTold where somebody else did */
export const tellByHand = async (tx: Tx, caller: Caller, id: string, how: ToldHow): Promise<Call> => {
  const row = await lockRow(tx, callRecord, id)
  const { how: before, told_at: at, told_by_name: name } = row
  if (row.status === 'told' && before !== null && at !== null && row.told_by_user_id !== inboxOf(caller))
    throw AlreadyTold({ how: before, toldAt: at, toldByName: name ?? '' })
  const changed = await changeRecord(tx, callRecord, row, await toldBy(tx, caller, how))
  const [call] = await withPhones(tx.whole, [changed])
  return call ?? changed
}

/**
 * Keeps that the caller told everybody who stands on the list by one message, or that nobody is to. Who was told by
 * somebody meanwhile stays as that person left it.
 * @returns how many that were @throws NotFound where the caller sees nobody who stood there by it
 */
export const tellAllByHand = async (tx: Tx, caller: Caller, sourceId: string, how: ToldHow): Promise<number> => {
  const calls = await tx.db
    .selectFrom('notification_call')
    .select('id')
    .where('source_id', '=', sourceId)
    .orderBy('id')
    .execute()
  if (calls.length === 0) throw NotFound()
  const wanted = await toldBy(tx, caller, how)
  let count = 0
  for (const { id } of calls) {
    const row = await lockRow(tx, callRecord, id)
    if (row.status !== 'open') continue
    await changeRecord(tx, callRecord, row, wanted)
    count += 1
  }
  return count
}

/** They are to be told after all: it was a slip. @throws NotFound */
export const untell = async (tx: Tx, id: string): Promise<Call> => {
  const row = await lockRow(tx, callRecord, id)
  const changed = await changeRecord(tx, callRecord, row, {
    status: 'open',
    how: null,
    toldAt: null,
    toldByUserId: null,
    toldByName: null,
  })
  const [call] = await withPhones(tx.whole, [changed])
  return call ?? changed
}
