import type { Tx } from '#kernel/unit-of-work.ts'
import { createStudent, findOrCreateGuardian, linkGuardian } from '#modules/people/index.ts'
import type { Row } from '#runtime/records.ts'

type Family = Pick<Row<'lead'>, 'first_name' | 'last_name' | 'email' | 'phone' | 'guardian' | 'locale'>

/**
 * Adds a student of status lead. The guardian with the given phone becomes the primary contact and payer; a guardian
 * whom the institute knows by that phone already is linked and not changed.
 * @throws NotFound for the branch, GuardianPhoneTaken, QuotaExceeded, StudentNumbersUsedUp
 */
export const addFamily = async (
  tx: Tx,
  family: Family,
  branchId: string,
  { tags, ...origin }: Parameters<typeof createStudent>[2] & Pick<Parameters<typeof createStudent>[1], 'tags'> = {},
): Promise<{ studentId: string; guardianId: string | null }> => {
  // The guardian first: taking a student number makes all other new students wait, so it comes last.
  const guardian =
    family.guardian &&
    (await findOrCreateGuardian(tx, { ...family.guardian, preferredLocale: family.locale }, branchId))
  const { first_name: firstName, last_name: lastName, email, phone } = family
  const student = { branchId, firstName, lastName, email, phone, tags }
  const { id: studentId } = await createStudent(tx, student, origin)
  if (guardian) {
    const link = { guardianId: guardian.id, relationship: 'guardian', isPrimary: true, isPayer: true } as const
    await linkGuardian(tx, studentId, link)
  }
  return { studentId, guardianId: guardian?.id ?? null }
}
