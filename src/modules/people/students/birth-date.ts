import { invalid } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** @throws VALIDATION_ERROR for a day that has not come yet in the institute's timezone */
export const checkBirthDate = (
  { today }: Pick<Tx, 'today'>,
  { birthDate }: { birthDate?: string | null | undefined },
): void => {
  if (birthDate && birthDate > today) throw invalid(['birthDate'], 'Must not be in the future.')
}
