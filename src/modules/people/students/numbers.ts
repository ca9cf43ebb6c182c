import { failure } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockCounter, nextNumber, nextNumbersOfBoth, skipNumbers } from '#modules/tenants/index.ts'
import { checkCount, STUDENTS_IN_PLAN } from './count.ts'

export const StudentNumberTaken = failure('CONFLICT', 'student_number_taken', 'This student number is taken.')
export const StudentNumbersUsedUp = failure(
  'CONFLICT',
  'student_numbers_used_up',
  'The server has counted to the last student number, S-999999.',
)

const COUNTER = 'student'
const LAST = 999_999
const LOOKED_AT = 500

const written = (number: number): string => `S-${String(number).padStart(6, '0')}`

/**
 * Makes all others who add a student wait until this transaction ends: for an import, which looks first whether somebody is
 * there already. Everybody who adds a student takes this lock, with or without a number of their own.
 */
export const lockNewStudents = ({ whole }: Tx): Promise<void> => lockCounter(whole, COUNTER)

/** Counts a student against the plan. @param numbers how many numbers they take @throws QuotaExceeded */
const countInPlan = async (tx: Tx, numbers: 0 | 1): Promise<number> => {
  const [number, count] = await nextNumbersOfBoth(tx.whole, [COUNTER, STUDENTS_IN_PLAN], [numbers, 1])
  checkCount(tx, count)
  return number
}

/** Begins to add a student with a number of their own. @throws QuotaExceeded */
export const withOwnNumber = async (tx: Tx, isCounted: boolean): Promise<void> => {
  await (isCounted ? countInPlan(tx, 0) : lockNewStudents(tx))
}

/**
 * Calls `take` with the next number until one is free.
 * @param isCounted whether the student counts against the plan
 * @param take returns undefined when the number is taken, because somebody chose it before
 * @throws QuotaExceeded, StudentNumbersUsedUp
 */
export const withNextNumber = async <T>(
  tx: Tx,
  isCounted: boolean,
  take: (studentNumber: string) => Promise<T | undefined>,
): Promise<T> => {
  let number = isCounted ? await countInPlan(tx, 1) : await nextNumber(tx.whole, COUNTER)
  for (;;) {
    if (number > LAST) throw StudentNumbersUsedUp()
    const taken = await take(written(number))
    if (taken !== undefined) return taken
    await skipRun(tx, number)
    number = await nextNumber(tx.whole, COUNTER)
  }
}

/** Moves the counter past a gapless run of taken numbers, many at once: an import may have taken thousands. */
const skipRun = async ({ whole }: Tx, taken: number): Promise<void> => {
  const after = await whole
    .selectFrom('student')
    .select('student_number')
    .where('student_number', '>', written(taken))
    .orderBy('student_number')
    .limit(LOOKED_AT)
    .execute()
  const gap = after.findIndex(({ student_number: found }, index) => found !== written(taken + 1 + index))
  await skipNumbers(whole, COUNTER, taken + (gap === -1 ? after.length : gap))
}
