import { addDays } from '../../../shared/dates.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import type { About } from './place-of.ts'

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
  const { signal } = reading
  if (templateKey.startsWith('details.')) return `/details?of=${payload['studentId'] ?? payload['guardianId'] ?? ''}`
  const { people } = await answer(api.GET('/me/family', { signal }))
  const { studentId, sessionId, examId, progressReportId, invoiceId, groupId } = payload
  const learning = people.filter(({ seesLearning }) => seesLearning)
  const named = people.find((person) => person.studentId === studentId)
  if (examId !== undefined) {
    const child = await examined(learning, examId, signal)
    return child && `/children/${child.studentId}/marks?exam=${examId}`
  }
  if (progressReportId !== undefined) {
    return named && `/children/${named.studentId}/marks?report=${progressReportId}`
  }
  if (invoiceId !== undefined) return named && `/children/${named.studentId}/money?invoice=${invoiceId}`
  const ofLesson = sessionId === undefined ? undefined : await lessonPlace(sessionId, named?.studentId, reading)
  if (ofLesson !== undefined) return ofLesson
  if (named) return `/children/${named.studentId}`
  if (groupId !== undefined) {
    const child = learning.find(({ groups }) => groups.some((group) => group.groupId === groupId))
    return child && `/children/${child.studentId}`
  }
  return undefined
}
