import { compiledByIds } from '#db/queries/compiled.ts'
import { failure } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockCounter, nextNumbers, nextNumbersOfBoth, skipNumbers } from '#modules/tenants/index.ts'
import { STUDENTS_IN_PLAN } from './count.ts'

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

/**
 * Begins to add students. @param numbers how many numbers they take: none, where they have their own
 * @param inPlan how many of them count against the plan
 * @returns the last of the numbers, and how many students count with them
 */
export const countUp = async (
  { whole }: Tx,
  { numbers, inPlan }: { numbers: number; inPlan: number },
): Promise<{ last: number; counted: number }> => {
  if (inPlan === 0) return { last: await nextNumbers(whole, COUNTER, numbers), counted: 0 }
  const [last, counted] = await nextNumbersOfBoth(whole, [COUNTER, STUDENTS_IN_PLAN], [numbers, inPlan])
  return { last, counted }
}

const withNumbers = compiledByIds((whole, numbers) =>
  whole.selectFrom('student').select('student_number').where('student_number', 'in', numbers),
)

/**
 * Calls `add` with so many numbers that are free: those that the counter gave, or the next ones where somebody chose one of
 * them before.
 * @param add returns undefined for a number that is taken
 * @param refuse throws StudentNumbersUsedUp for the first who gets none
 */
export const withFreeNumbers = async <T>(
  tx: Tx,
  { last: given, count, refuse }: { last: number; count: number; refuse(nth: number, error: Error): Promise<never> },
  add: (studentNumbers: readonly string[]) => Promise<readonly (T | undefined)[]>,
): Promise<T[]> => {
  const free: string[] = []
  let last = given
  for (;;) {
    const left = count - free.length
    if (last > LAST) await refuse(free.length + Math.max(0, left - (last - LAST)), StudentNumbersUsedUp())
    const next = Array.from({ length: left }, (_, at) => written(last - left + 1 + at))
    // Whether a single one is taken is told by its insert. Several are looked for, so that they stay in order.
    const taken = new Set(
      count === 1 ? [] : (await withNumbers(tx.whole, next)).map(({ student_number: number }) => number),
    )
    free.push(...next.filter((number) => !taken.has(number)))
    if (free.length === count) {
      const added = await add(free)
      if (added.every((one) => one !== undefined)) return [...added]
      if (count > 1) throw new Error('a student number was taken under the lock of all numbers')
      free.pop()
      taken.add(written(last))
    }
    if (taken.has(written(last))) await skipRun(tx, last)
    last = await nextNumbers(tx.whole, COUNTER, count - free.length)
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
