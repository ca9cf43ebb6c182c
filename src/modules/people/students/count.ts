import { checkQuota } from '#kernel/who/quota.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { nextNumbers, readCounter, type CountInPlan } from '#modules/tenants/index.ts'
import type { Row } from '#runtime/records/records.ts'

/** The counter of the students that count against the plan. It is kept in every institute, whether its plan has a limit or not. */
export const STUDENTS_IN_PLAN = 'students in plan'

/**
 * Whether a student counts against the plan's maxStudents: everybody who is neither withdrawn nor graduated. Those who
 * registered on the website count from their conversion on.
 */
export const isInPlan = ({
  status,
  from_registration: registered,
}: Pick<Row<'student'>, 'status' | 'from_registration'>) =>
  status === 'active' || status === 'paused' || (status === 'lead' && !registered)

export const countStudentsInPlan: CountInPlan = (whole) => readCounter(whole, STUDENTS_IN_PLAN)

/** Checks the limit after one more student was counted. @throws QuotaExceeded */
export const checkCount = ({ tenant }: Tx, count: number): void => {
  const limit = tenant.quotas.maxStudents ?? null
  if (limit !== null) checkQuota('maxStudents', { limit, current: count - 1, added: 1 })
}

/**
 * Counts so many students more or less. Concurrent additions wait for each other here, so that they cannot exceed the limit
 * together.
 * @throws QuotaExceeded
 */
export const countStudent = async (tx: Tx, by: number): Promise<void> => {
  const count = await nextNumbers(tx.whole, STUDENTS_IN_PLAN, by)
  if (by > 0) checkCount(tx, count)
}
