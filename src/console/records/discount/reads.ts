import { answer, api, type Schemas } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'

export type Discount = Schemas['Discount']

/** Whose discounts they are. */
export type Holder = { studentId: string } | { guardianId: string }

/** What a discount may be for alone. */
export interface DiscountScope {
  id: string
  label: string
  target: { courseId: string } | { groupId: string }
}

/** All discounts of somebody. */
export const useDiscountsOf = (holder: Holder) =>
  useGet(['/discounts', 'of', holder], (signal) =>
    readAll((cursor) =>
      answer(api.GET('/discounts', { params: { query: { ...holder, limit: 100, cursor } }, signal })),
    ),
  )
