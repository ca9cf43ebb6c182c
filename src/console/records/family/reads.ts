import { addDays } from '../../../shared/dates.ts'
import { answer, api } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'
import type { Schemas } from '../../api/schemas.ts'

const EVERY_MINUTE = { everyMillis: 60_000 }

/** How the signed-in student, or each child of a guardian, stands. */
export const useOwnFamily = () =>
  useGet(['/me/family'], (signal) => answer(api.GET('/me/family', { signal })), EVERY_MINUTE)

/** The caller's own lessons, and those of their children, from a day on. */
export const useOwnLessons = (from: string, days: number) =>
  useGet(
    ['/me/schedule', from, days],
    (signal) => answer(api.GET('/me/schedule', { params: { query: { from, to: addDays(from, days) } }, signal })),
    EVERY_MINUTE,
  )

/** What a family may know of one student. */
export const useOwnStudent = (id: string) =>
  useGet(['/me/students', id], (signal) => answer(api.GET('/me/students/{id}', { params: { path: { id } }, signal })))

/** A video course of a student, with its lessons. */
export const useOwnCourse = (id: string, courseId: string) =>
  useGet(['/me/students', id, 'courses', courseId], (signal) =>
    answer(api.GET('/me/students/{id}/courses/{courseId}', { params: { path: { id, courseId } }, signal })),
  )

/** What is to be paid and was paid for one student. */
export const useOwnMoney = (id: string) =>
  useGet(['/me/students', id, 'money'], (signal) =>
    answer(api.GET('/me/students/{id}/money', { params: { path: { id } }, signal })),
  )

const ENTRIES = 20

/** What a student attended, the latest lesson first. */
export const useOwnAttendance = (studentId: string) =>
  usePages<Schemas['OwnAttendanceEntry']>(['/me/attendance', studentId], (cursor, signal) => {
    const query = { studentId, limit: ENTRIES, ...(cursor && { cursor }) }
    return answer(api.GET('/me/attendance', { params: { query }, signal }))
  })
