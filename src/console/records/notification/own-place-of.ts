import { addDays } from '../../../shared/dates.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { familyPlaceOf, type About } from './place-of.ts'

/** As far as a lesson lies that somebody hears of. */
const DAYS = 50

type Person = Schemas['OwnFamily']['people'][number]

interface Reading {
  today: string
  /** The day of an instant. */
  dateOf: (instant: string) => string
  signal: AbortSignal
}

/** The child who has a result in this exam. */
const examined = async (
  people: readonly Person[],
  examId: string,
  signal: AbortSignal,
): Promise<Person | undefined> => {
  for (const person of people) {
    const params = { path: { id: person.studentId } }
    const { results } = await answer(api.GET('/me/students/{id}', { params, signal }))
    if (results.some((result) => result.examId === examId)) return person
  }
  return undefined
}

/** The child for whom the receipt is. */
const receiptFor = async (
  people: readonly Person[],
  receiptId: string,
  signal: AbortSignal,
): Promise<Person | undefined> => {
  for (const person of people.filter(({ seesMoney }) => seesMoney)) {
    const params = { path: { id: person.studentId } }
    const { receipts } = await answer(api.GET('/me/students/{id}/money', { params, signal }))
    if (receipts.some(({ id }) => id === receiptId)) return person
  }
  return undefined
}

const lessonPlace = async (
  sessionId: string,
  studentId: string | undefined,
  { today, dateOf, signal }: Reading,
): Promise<string | undefined> => {
  const query = { from: addDays(today, -DAYS), to: addDays(today, DAYS) }
  const sessions = await answer(api.GET('/me/schedule', { params: { query }, signal }))
  const lesson = sessions.find(
    (session) =>
      session.sessionId === sessionId &&
      session.studentId !== null &&
      (studentId === undefined || session.studentId === studentId),
  )
  return lesson && `/children/${lesson.studentId}?day=${dateOf(lesson.scheduledStart)}`
}

/** The address of what a notification is about, for a student and for a guardian; undefined: they see it nowhere. */
export const ownPlaceOf = async ({ templateKey, payload }: About, reading: Reading): Promise<string | undefined> => {
  const ofAll = familyPlaceOf(templateKey)
  if (ofAll !== undefined) return ofAll
  const { signal } = reading
  if (templateKey.startsWith('details.')) return `/details?of=${payload['studentId'] ?? payload['guardianId'] ?? ''}`
  const { people } = await answer(api.GET('/me/family', { signal }))
  const { studentId, sessionId, examId, progressReportId, invoiceId, groupId, receiptId, chequeId } = payload
  const learning = people.filter(({ seesLearning }) => seesLearning)
  const named = people.find((person) => person.studentId === studentId)
  // That page says that it is another account's: whoever opened somebody else's link is to know why they see nothing.
  if (studentId !== undefined && !named) return `/children/${studentId}`
  if (examId !== undefined) {
    const child = await examined(learning, examId, signal)
    return child && `/children/${child.studentId}/marks?exam=${examId}`
  }
  if (progressReportId !== undefined) {
    return named && `/children/${named.studentId}/marks?report=${progressReportId}`
  }
  if (invoiceId !== undefined) return named && `/children/${named.studentId}/money?invoice=${invoiceId}`
  if (receiptId !== undefined) {
    const child = await receiptFor(people, receiptId, signal)
    return child && `/children/${child.studentId}/money?receipt=${receiptId}`
  }
  // Debts of a family are those of each of its children.
  if (chequeId !== undefined) {
    const child = people.find(({ seesMoney }) => seesMoney)
    return child && `/children/${child.studentId}/money`
  }
  const ofLesson = sessionId === undefined ? undefined : await lessonPlace(sessionId, named?.studentId, reading)
  if (ofLesson !== undefined) return ofLesson
  if (named) return `/children/${named.studentId}`
  if (groupId !== undefined) {
    const child = learning.find(({ groups }) => groups.some((group) => group.groupId === groupId))
    return child && `/children/${child.studentId}`
  }
  return undefined
}
