import type { ScopedDb } from '#kernel/tables.ts'
import { unlinked } from '#kernel/text.ts'
import { rosterOf } from '#modules/exams/index.ts'
import { studentsOf, type Heard, type Occasion, type Tell, type Telling, type Told } from './occasion.ts'
import { findStaff, type Found } from '../recipients/people.ts'
import { groupsById, sessionsById } from './records.ts'
import { studentsAndGuardians } from './students.ts'

/** How many students one transaction tells of an event of a whole group, with their guardians. */
export const STUDENTS_AT_ONCE = 50

interface Slice {
  hearers: Found[]
  next: string | null
}

const sliceOf = async (whole: ScopedDb, ids: readonly string[]): Promise<Slice> => ({
  hearers: [...(await studentsAndGuardians(whole, ids)).values()].flat(),
  next: ids.length === STUDENTS_AT_ONCE ? (ids.at(-1) as string) : null,
})

/** The next active students of a group, with their guardians. */
export const groupSlice = async (whole: ScopedDb, groupId: string, after: string | null): Promise<Slice> => {
  let enrolled = whole
    .selectFrom('enrollment')
    .select('student_id')
    .where('group_id', '=', groupId)
    .where('status', '=', 'active')
  if (after !== null) enrolled = enrolled.where('student_id', '>', after)
  const rows = await enrolled.orderBy('student_id').limit(STUDENTS_AT_ONCE).execute()
  return sliceOf(
    whole,
    rows.map((row) => row.student_id),
  )
}

/** Events of whole groups come one at a time, because each is told in slices. */
const one = <T>(events: readonly T[]): T => {
  const [first, ...rest] = events
  if (first === undefined || rest.length > 0) throw new Error('an event of a whole group is told by itself')
  return first
}

const NOTHING: Told = { occasions: [], next: null }

export const tellCancelled: Tell<'session.cancelled'> = async ({ whole, after }, events) => {
  const { id, data }: Heard<'session.cancelled'> = one(events)
  const group = (await groupsById(whole, [data.groupId])).get(data.groupId)
  const session = (await sessionsById(whole, [data.sessionId])).get(data.sessionId)
  if (!group || !session) return NOTHING
  const { hearers, next } = await groupSlice(whole, group.id, after)
  const teacherId = session.teacher_staff_id ?? group.teacher_staff_id
  if (after === null && teacherId !== null) hearers.push(...(await findStaff(whole, [teacherId])))
  const occasion: Occasion = {
    sourceId: id,
    templateKey: 'session.cancelled',
    branchId: group.branch_id,
    payload: { sessionId: data.sessionId, groupId: group.id },
    hearers,
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

const examSlice = async ({ whole, tenant, after }: Telling, examId: string): Promise<Slice | undefined> => {
  const exam = await whole.selectFrom('exam').selectAll().where('id', '=', examId).executeTakeFirst()
  if (!exam) return undefined
  const roster = [...(await rosterOf(whole, exam, tenant.timezone))].toSorted()
  const left = after === null ? roster : roster.filter((studentId) => studentId > after)
  return sliceOf(whole, left.slice(0, STUDENTS_AT_ONCE))
}

/** Everybody on the exam's roster, with their guardians. */
export const tellExam: Tell<'exam.published'> = async (telling, events) => {
  const { id, data }: Heard<'exam.published'> = one(events)
  const group = (await groupsById(telling.whole, [data.groupId])).get(data.groupId)
  const slice = await examSlice(telling, data.examId)
  if (!group || !slice) return NOTHING
  const occasion: Occasion = {
    sourceId: id,
    templateKey: 'exam.published',
    branchId: group.branch_id,
    payload: { examId: data.examId, groupId: group.id },
    hearers: slice.hearers,
    values: (writing) => ({
      studentName: unlinked(studentsOf(writing)),
      examTitle: unlinked(data.title),
      groupName: unlinked(group.name),
      courseName: unlinked(group.course_name),
    }),
  }
  return { occasions: [occasion], next: slice.next }
}
