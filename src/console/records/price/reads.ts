import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export type Price = Schemas['Price']

/** Whose prices: all of a student, or those of one place in a group. */
export type Priced = { studentId: string } | { enrollmentId: string }

/** What is paid for a month, and why. */
export const usePrices = (of: Priced, month: string, isOff = false) =>
  useGet(
    ['/students', 'prices', of, month],
    (signal) =>
      'studentId' in of
        ? answer(api.GET('/students/{id}/prices', { params: { path: { id: of.studentId }, query: { month } }, signal }))
        : answer(
            api.GET('/enrollments/{id}/price', { params: { path: { id: of.enrollmentId }, query: { month } }, signal }),
          ),
    { isOff, keepsFormer: true },
  )
