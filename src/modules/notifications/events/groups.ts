import type { ScopedDb } from '#kernel/contract/tables.ts'
import { unlinked } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { rosterOf } from '#modules/exams/index.ts'
import { GROUP_REASON_TEXTS, type GroupNotice, type SessionNotice } from '#modules/sessions/index.ts'
import {
  studentsOf,
  type JobEvent,
  type Occasion,
  type Notifier,
  type NotifierContext,
  type NotifierResult,
} from './occasion.ts'
import { findStaff, type Found } from '../recipients/records.ts'
import { groupsById, sessionsById } from './records.ts'
import { studentsAndGuardians } from './students.ts'
import type { Formats } from '../texts/formats.ts'

/** How many students of a group, with their guardians, are notified of an event in one transaction. */
export const STUDENTS_AT_ONCE = 50

interface Slice {
  recipients: Found[]
  next: string | null
}

const sliceOf = async (whole: ScopedDb, ids: readonly string[]): Promise<Slice> => ({
  recipients: [...(await studentsAndGuardians(whole, ids)).values()].flat(),
  next: ids.length === STUDENTS_AT_ONCE ? (ids.at(-1) as string) : null,
})

/**
 * The next active students of a group, with their guardians.
 * @param alsoCompletedAt who completed the group at this instant is among them
 */
export const groupSlice = async (
  whole: ScopedDb,
  groupId: string,
  after: string | null,
  alsoCompletedAt: string | null = null,
): Promise<Slice> => {
  let enrolled = whole
    .selectFrom('enrollment')
    .select('student_id')
    .where('group_id', '=', groupId)
    .where((eb) => {
      const active = eb('status', '=', 'active')
      return alsoCompletedAt === null ? active : eb.or([active, eb('completed_at', '=', alsoCompletedAt)])
    })
  if (after !== null) enrolled = enrolled.where('student_id', '>', after)
  const rows = await enrolled.orderBy('student_id').limit(STUDENTS_AT_ONCE).execute()
  return sliceOf(
    whole,
    rows.map((row) => row.student_id),
  )
}

/** The next active students of several groups, with their guardians. */
export const membersSlice = async (
  whole: ScopedDb,
  groupIds: readonly string[],
  after: string | null,
): Promise<Slice> => {
  let enrolled = whole
    .selectFrom('enrollment')
    .select('student_id')
    .distinct()
    .where('group_id', 'in', groupIds)
    .where('status', '=', 'active')
  if (after !== null) enrolled = enrolled.where('student_id', '>', after)
  const rows = await enrolled.orderBy('student_id').limit(STUDENTS_AT_ONCE).execute()
  return sliceOf(
    whole,
    rows.map((row) => row.student_id),
  )
}

/** The jobs of group events have one event each, because they take a slice of the group at a time. */
const one = <T>(events: readonly T[]): T => {
  const [first, ...rest] = events
  if (first === undefined || rest.length > 0) throw new Error('an event of a group has a job of its own')
  return first
}

const NOTHING: NotifierResult = { occasions: [], next: null }

/** Somebody cancelled a lesson. Of one that is over nobody is told. */
export const notifyCancelled: Notifier<'session.cancelled'> = async ({ whole, now, after }, events) => {
  const { id, data }: JobEvent<'session.cancelled'> = one(events)
  const group = (await groupsById(whole, [data.groupId])).get(data.groupId)
  const session = (await sessionsById(whole, [data.sessionId])).get(data.sessionId)
  if (!group || !session || session.scheduled_end <= now) return NOTHING
  const { recipients, next } = await groupSlice(whole, group.id, after)
  const teacherId = session.teacher_staff_id ?? group.teacher_staff_id
  if (after === null && teacherId !== null) recipients.push(...(await findStaff(whole, [teacherId])))
  const occasion: Occasion = {
    sourceId: id,
    templateKey: 'session.cancelled',
    branchId: group.branch_id,
    payload: { sessionId: data.sessionId, groupId: group.id },
    recipients,
    happensAt: data.scheduledStart,
    values: ({ f }) => ({
      groupName: unlinked(group.name),
      courseName: unlinked(group.course_name),
      date: f.dayOf(data.scheduledStart),
      time: f.time(data.scheduledStart),
      reason: unlinked(data.reason),
    }),
  }
  return { occasions: [occasion], next }
}

/** A session that was added or moved, for the next of its group, or one that somebody gives from now on, for them. */
export const noticedSession = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, sessionId, what, start, end, formerStart, after }: SessionNotice,
): Promise<NotifierResult> => {
  const session = (await sessionsById(whole, [sessionId])).get(sessionId)
  const group = session && (await groupsById(whole, [session.group_id])).get(session.group_id)
  // It was cancelled or deleted meanwhile.
  if (!group || session.status === 'cancelled') return NOTHING
  const { recipients, next } =
    what === 'given' ? { recipients: [], next: null } : await groupSlice(whole, group.id, after)
  const teacherId = session.teacher_staff_id ?? group.teacher_staff_id
  if (after === null && teacherId !== null) recipients.push(...(await findStaff(whole, [teacherId])))
  const occasion: Occasion = {
    sourceId: noticeId,
    templateKey: `session.${what}`,
    branchId: group.branch_id,
    payload: { sessionId, groupId: group.id },
    recipients,
    happensAt: start < formerStart ? start : formerStart,
    values: ({ f }) => {
      const names = { groupName: unlinked(group.name), courseName: unlinked(group.course_name) }
      if (what !== 'moved') return { ...names, date: f.dayOf(start), time: f.time(start), end: f.time(end) }
      const former = { date: f.dayOf(formerStart), time: f.time(formerStart) }
      return { ...names, ...former, newDate: f.dayOf(start), newTime: f.time(start), newEnd: f.time(end) }
    },
  }
  return { occasions: [occasion], next }
}

type Lessons = GroupNotice['gone']

/** How many lessons, from when to when; empty: there are none. */
const lessonsIn = (
  text: Readonly<Record<'one' | 'many', string>>,
  { count, first, last }: Lessons,
  f: Formats,
): string =>
  first === null || last === null
    ? ''
    : (count === 1 ? text.one : text.many)
        .replace('{{count}}', String(count))
        .replace('{{from}}', f.dayOf(first))
        .replace('{{to}}', f.dayOf(last))

/** The first lesson that a message is about. */
const firstOf = (...starts: readonly (string | null)[]): Pick<Occasion, 'happensAt'> => {
  const [first] = starts.filter((start) => start !== null).toSorted()
  return first === undefined ? {} : { happensAt: first }
}

/** What the change of a group means for its lessons, for the next of its people. */
export const noticedGroup = async (
  { whole }: Pick<Tx, 'whole'>,
  { noticeId, groupId, reason, gone, back, at, after }: GroupNotice,
): Promise<NotifierResult> => {
  const group = (await groupsById(whole, [groupId])).get(groupId)
  if (!group) return NOTHING
  const { recipients, next } = await groupSlice(whole, groupId, after, at)
  if (after === null && group.teacher_staff_id !== null) {
    recipients.push(...(await findStaff(whole, [group.teacher_staff_id])))
  }
  const occasion: Occasion = {
    sourceId: noticeId,
    templateKey: 'group.lessons_changed',
    branchId: group.branch_id,
    payload: { groupId },
    recipients,
    ...firstOf(gone.first, back.first),
    values: ({ f, words, locale }) => ({
      groupName: unlinked(group.name),
      courseName: unlinked(group.course_name),
      changes: [
        reason === null ? '' : GROUP_REASON_TEXTS[locale][reason],
        lessonsIn(words.lessons.gone, gone, f),
        lessonsIn(words.lessons.back, back, f),
      ]
        .filter((sentence) => sentence !== '')
        .join('\n'),
    }),
  }
  return { occasions: [occasion], next }
}

const examSlice = async ({ whole, tenant, after }: NotifierContext, examId: string): Promise<Slice | undefined> => {
  const exam = await whole.selectFrom('exam').selectAll().where('id', '=', examId).executeTakeFirst()
  if (!exam) return undefined
  const roster = [...(await rosterOf(whole, exam, tenant.timezone))].toSorted()
  const left = after === null ? roster : roster.filter((studentId) => studentId > after)
  return sliceOf(whole, left.slice(0, STUDENTS_AT_ONCE))
}

/** Everybody on the exam's roster, with their guardians. */
export const notifyExam: Notifier<'exam.published'> = async (context, events) => {
  const { id, data }: JobEvent<'exam.published'> = one(events)
  const group = (await groupsById(context.whole, [data.groupId])).get(data.groupId)
  const slice = await examSlice(context, data.examId)
  if (!group || !slice) return NOTHING
  const occasion: Occasion = {
    sourceId: id,
    templateKey: 'exam.published',
    branchId: group.branch_id,
    payload: { examId: data.examId, groupId: group.id },
    recipients: slice.recipients,
    values: (writing) => ({
      studentName: unlinked(studentsOf(writing)),
      examTitle: unlinked(data.title),
      groupName: unlinked(group.name),
      courseName: unlinked(group.course_name),
    }),
  }
  return { occasions: [occasion], next: slice.next }
}
