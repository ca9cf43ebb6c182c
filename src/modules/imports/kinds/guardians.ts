import type { Locale } from '#shared/locale.ts'
import type { FamilyGuardian, GuardianLink } from '#modules/people/index.ts'
import { RowRefused } from '../complaints.ts'
import { GUARDIANS } from '../guardian-fields.ts'
import type { Values } from '../rows.ts'
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

/**
 * As guardians of a family: the first of all is the primary contact and the payer, and who is there already stays as they
 * are.
 */
export const familyOf = (guardians: readonly RowGuardian[], preferredLocale: Locale): FamilyGuardian[] =>
  guardians.map(({ relationship, ...person }) => ({ person: { ...person, preferredLocale }, relationship }))
