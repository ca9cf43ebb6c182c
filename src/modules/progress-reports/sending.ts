import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { ApiError, failure, Forbidden, NotFound, type Failure } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { mustReach, NobodyReached, type Addressee, type FindUnreached } from '#runtime/queue/reached.ts'
import { changeRecord, lockRow } from '#runtime/records/records.ts'
import type { ProgressReport, SENDING_REFUSALS, SUBMITTING_REFUSALS } from './schemas.ts'
import { noticeReturned, noticeSubmitted } from './notices.ts'
import { AlreadySent, maySend, reportRecord, Submitted } from './service.ts'

export const NotSubmitted = failure('CONFLICT', 'not_submitted', 'This report was not handed in to be read over.')

/** Those who hear of a student’s report: the guardians, whoever is asked first before the others, and the student. */
const familyOf = async (whole: ScopedDb, studentId: string): Promise<Addressee[]> => {
  const links = await whole
    .selectFrom('guardian_link')
    .select('guardian_id')
    .where('student_id', '=', studentId)
    .where('sees_learning', '=', true)
    .orderBy('is_primary', 'desc')
    .orderBy('id')
    .execute()
  const guardians = links.map((link) => ({ kind: 'guardian' as const, id: link.guardian_id }))
  return [...guardians, { kind: 'student', id: studentId }]
}

interface Sending {
  findUnreached: FindUnreached
  /** Whether the family gets it by hand: then no message has to reach them. */
  onPaper?: boolean | undefined
}

/**
 * Sends a draft, once: its figures stay as they are. Records progress_report.sent. It refuses before it has written anything.
 * @throws NotFound, AlreadySent, Forbidden for a teacher whose reports are read over, NobodyReached
 */
export const sendReport = async (
  tx: Tx,
  caller: Caller,
  id: string,
  { findUnreached, onPaper = false }: Sending,
): Promise<ProgressReport> => {
  const row = await lockRow(tx, reportRecord, id)
  if (row.status === 'sent') throw AlreadySent()
  if (!(await maySend(tx, caller, id))) throw Forbidden({ reason: 'approval_needed' })
  const to = await familyOf(tx.whole, row.student_id)
  if (!onPaper) await mustReach(findUnreached, tx, { text: 'progress_report.sent', to })
  tx.emit('progress_report.sent', { progressReportId: id, studentId: row.student_id, sentAt: tx.now })
  return changeRecord(tx, reportRecord, row, {
    status: 'sent',
    sentAt: tx.now,
    sentByUserId: actingUserId(tx.actor),
    submittedAt: null,
    remark: null,
  })
}

/** Hands a draft in. @throws NotFound, AlreadySent, Submitted */
const submitReport = async (tx: Tx, id: string): Promise<void> => {
  const row = await lockRow(tx, reportRecord, id)
  if (row.status === 'sent') throw AlreadySent()
  if (row.submitted_at !== null) throw Submitted()
  await changeRecord(tx, reportRecord, row, {
    submittedAt: tx.now,
    submittedByUserId: actingUserId(tx.actor),
    remark: null,
  })
}

/** Gives a report that was handed in back to whoever did, who is told. @throws NotFound, AlreadySent, NotSubmitted */
export const returnReport = async (tx: Tx, id: string, remark: string): Promise<ProgressReport> => {
  const row = await lockRow(tx, reportRecord, id)
  if (row.status === 'sent') throw AlreadySent()
  if (row.submitted_at === null) throw NotSubmitted()
  noticeReturned(tx, row, remark)
  return changeRecord(tx, reportRecord, row, { submittedAt: null, remark })
}

/** What became of many reports. */
interface Outcome<Reason extends string> {
  done: string[]
  refused: { id: string; reason: Reason }[]
}

/**
 * Changes many reports, each as by itself, in the order of their ids, in which everybody locks several.
 * @param refusals why one may be refused; any other refusal ends the request
 * @returns both lists in the order of the request, each report once
 */
const changeMany = async <Reason extends string>(
  ids: readonly string[],
  each: (id: string) => Promise<unknown>,
  refusals: Readonly<Record<Reason, Failure<never>>>,
): Promise<Outcome<Reason>> => {
  const known = Object.entries(refusals) as [Reason, Failure<never>][]
  const reasons = new Map<string, Reason>()
  for (const id of [...new Set(ids)].toSorted()) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction does one thing at a time
    await each(id).catch((error: unknown) => {
      const reason = error instanceof ApiError ? known.find(([, { spec }]) => spec === error.spec)?.[0] : undefined
      if (reason === undefined) throw error
      reasons.set(id, reason)
    })
  }
  const outcome: Outcome<Reason> = { done: [], refused: [] }
  for (const id of new Set(ids)) {
    const reason = reasons.get(id)
    if (reason === undefined) outcome.done.push(id)
    else outcome.refused.push({ id, reason })
  }
  return outcome
}

export const sendReports = (
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
  sending: Sending,
): Promise<Outcome<(typeof SENDING_REFUSALS)[number]>> =>
  changeMany(ids, (id) => sendReport(tx, caller, id, sending), {
    not_found: NotFound,
    already_sent: AlreadySent,
    approval_needed: Forbidden,
    nobody_reached: NobodyReached,
  })

/** Hands drafts in. Who reads them over is told once, however many they are. */
export const submitReports = async (
  tx: Tx,
  ids: readonly string[],
): Promise<Outcome<(typeof SUBMITTING_REFUSALS)[number]>> => {
  const outcome = await changeMany(ids, (id) => submitReport(tx, id), {
    not_found: NotFound,
    already_sent: AlreadySent,
    submitted: Submitted,
  })
  await noticeSubmitted(tx, outcome.done)
  return outcome
}
