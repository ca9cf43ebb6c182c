import { answer, api, type Query, type Schemas } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'

export const readStudents = (query: Query<'/students'>, signal?: AbortSignal): Promise<Schemas['StudentPage']> =>
  answer(api.GET('/students', { params: { query }, signal }))

export const readStudent = (id: string, signal?: AbortSignal): Promise<Schemas['StudentDetail']> =>
  answer(api.GET('/students/{id}', { params: { path: { id } }, signal }))

export const useStudent = (id: string, isOff = false) =>
  useGet(['/students', id], (signal) => readStudent(id, signal), { isOff })

/** All enrollments of a student, the newest first: the active ones and those before. */
export const useEnrollments = (studentId: string, isOff = false) =>
  useGet(
    ['/students', studentId, 'enrollments'],
    (signal) =>
      readAll((cursor) => {
        const params = { path: { id: studentId }, query: { limit: 100, cursor } }
        return answer(api.GET('/students/{id}/enrollments', { params, signal }))
      }),
    { isOff },
  )
