import { compiledInTenant } from '#db/compiled.ts'
import { phoneKey } from '#kernel/twin-phones.ts'
import { findOrCreateGuardian, linkGuardian, type GuardianLink } from '#modules/people/index.ts'
import { RowRefused } from '../complaints.ts'
import { GUARDIANS } from '../guardian-fields.ts'
import type { Values } from '../rows.ts'
import type { Slice } from './kind.ts'
import { namesIn, type Names } from './names.ts'

export interface RowGuardian extends Names {
  phone: string
  email: string | null
  relationship: GuardianLink['relationship']
}

/** The guardians of a row: those whose phone it says. @param student whose last name they have unless the row says another */
export const guardiansIn = (values: Values, student: Partial<Names>): RowGuardian[] =>
  GUARDIANS.flatMap((slot) => {
    const phone = values[`${slot}Phone`] as string | undefined
    if (phone === undefined) return []
    const { firstName, lastName = student.lastName } = namesIn(values, slot) ?? {}
    if (firstName === undefined || lastName === undefined) throw new RowRefused('missing', `${slot}Name`)
    const usual = slot === 'mother' || slot === 'father' ? slot : 'guardian'
    const relationship = (values[`${slot}Relationship`] as GuardianLink['relationship'] | undefined) ?? usual
    return { firstName, lastName, phone, email: (values[`${slot}Email`] as string | undefined) ?? null, relationship }
  })

const linkedPhones = compiledInTenant((whole, { studentId }: { studentId: string }) =>
  whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select('guardian.phone')
    .where('guardian_link.student_id', '=', studentId),
)

/**
 * Links the guardians who are not linked to the student yet; the first of all is the primary contact and the payer. A
 * guardian who is there already, by the phone, stays as they are.
 * @returns how many were linked
 */
export const addGuardians = async (
  slice: Slice,
  student: { id: string; branchId: string; isNew: boolean },
  guardians: readonly RowGuardian[],
): Promise<number> => {
  if (guardians.length === 0) return 0
  const tx = slice.as('guardians.write')
  const linked = student.isNew ? [] : await linkedPhones(tx.whole, { studentId: student.id })
  const known = new Set(linked.map(({ phone }) => phoneKey(phone)))
  let added = 0
  for (const { relationship, ...person } of guardians) {
    if (known.has(phoneKey(person.phone))) continue
    const isFirst = known.size === 0
    known.add(phoneKey(person.phone))
    const { id } = await findOrCreateGuardian(
      tx,
      { ...person, preferredLocale: tx.tenant.defaultLocale },
      student.branchId,
    )
    const link = { guardianId: id, relationship, isPrimary: isFirst, isPayer: isFirst }
    await linkGuardian(tx, student.id, link, slice.caller)
    added += 1
  }
  return added
}
