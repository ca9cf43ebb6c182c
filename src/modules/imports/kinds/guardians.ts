import { compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Locale } from '#shared/locale.ts'
import type { FamilyGuardian, GuardianLink, IsMeant } from '#modules/people/index.ts'
import { isSameName, joinedName } from '#shared/names.ts'
import { isSamePhone, twinPhone } from '#shared/twin-phones.ts'
import { ApiError } from '#kernel/values/errors.ts'
import { reasonNamed, RowRefused } from '../complaints.ts'
import { GUARDIANS, type GuardianSlot } from '../guardian-fields.ts'
import type { Values } from '../rows.ts'
import type { Slice } from './kind.ts'
import { namesIn, type Names } from './names.ts'

type Relationship = GuardianLink['relationship']

export interface RowGuardian extends Names {
  slot: GuardianSlot
  /** What the row says of the name. */
  said: Partial<Names>
  phone: string
  email: string | null
  relationship: Relationship
}

/** How the first name of a guardian begins of whom a list has the phone alone: the child's stands after it. */
const NAMELESS: Readonly<Record<Locale, Readonly<Record<'mother' | 'father' | 'guardian', string>>>> = {
  en: { mother: 'Mother of', father: 'Father of', guardian: 'Guardian of' },
  ar: { mother: 'والدة', father: 'والد', guardian: 'وليّ أمر' },
  he: { mother: 'אמא של', father: 'אבא של', guardian: 'הורה של' },
}

const ALL_NAMELESS = Object.values(NAMELESS).flatMap((words) => Object.values(words))

const isNameless = (firstName: string): boolean => ALL_NAMELESS.some((words) => firstName.startsWith(`${words} `))

/**
 * The guardians of a row: those whose phone it says. @param student whose last name they have unless the row says another, and
 * by whose first name they are called where it says none
 */
export const guardiansIn = (values: Values, student: Partial<Names>, locale: Locale): RowGuardian[] =>
  GUARDIANS.flatMap((slot) => {
    const phone = values[`${slot}Phone`] as string | undefined
    if (phone === undefined) return []
    const said = namesIn(values, slot) ?? {}
    const usual = slot === 'mother' || slot === 'father' ? slot : 'guardian'
    const isUnsaid = said.firstName === undefined && said.lastName === undefined && student.firstName !== undefined
    const { firstName = isUnsaid ? `${NAMELESS[locale][usual]} ${student.firstName}` : undefined } = said
    const { lastName = student.lastName } = said
    if (firstName === undefined || lastName === undefined) throw new RowRefused('missing', `${slot}Name`)
    const relationship = (values[`${slot}Relationship`] as Relationship | undefined) ?? usual
    const email = (values[`${slot}Email`] as string | undefined) ?? null
    return { slot, said, firstName, lastName, phone, email, relationship }
  })

/** Whether somebody is whom a row means: what the row says of the name is compared, and nothing else. */
const isNamed =
  ({ said, lastName }: RowGuardian): IsMeant =>
  (known) => {
    if (said.firstName === undefined && said.lastName === undefined) return true
    // A list with the phone alone came before.
    if (isNameless(known.firstName) && joinedName(known.lastName) === joinedName(lastName)) return true
    if (said.firstName === undefined) return joinedName(said.lastName ?? '') === joinedName(known.lastName)
    if (said.lastName === undefined && joinedName(said.firstName) === joinedName(known.firstName)) return true
    return isSameName(`${said.firstName} ${said.lastName ?? ''}`, `${known.firstName} ${known.lastName}`)
  }

/** The guardians of a student. */
export const linkedTo = compiledInTenant((whole, { studentId }: { studentId: string }) =>
  whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select([
      'guardian.id',
      'guardian.first_name',
      'guardian.last_name',
      'guardian.phone',
      'guardian_link.relationship',
    ])
    .where('guardian_link.student_id', '=', studentId),
)

const havePhone = compiledInTenant((whole, { phone, twin }: { phone: string; twin: string }) =>
  whole.selectFrom('guardian').select(['id', 'first_name', 'last_name', 'phone']).where('phone', 'in', [phone, twin]),
)

/** Who has the phones that a row says of its guardians. */
export const holdersOf = async (whole: ScopedDb, values: Values): Promise<Found[]> => {
  const found: Found[] = []
  for (const slot of GUARDIANS) {
    const phone = values[`${slot}Phone`] as string | undefined
    if (phone !== undefined) found.push(...(await havePhone(whole, { phone, twin: twinPhone(phone) })))
  }
  return found
}

/** Guardians without a phone of the children of whoever has a phone. */
const besideHolder = compiledInTenant((whole, { phone, twin }: { phone: string; twin: string }) =>
  whole
    .selectFrom('guardian as holder')
    .innerJoin('guardian_link as theirs', 'theirs.guardian_id', 'holder.id')
    .innerJoin('guardian_link', 'guardian_link.student_id', 'theirs.student_id')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['guardian.id', 'guardian.first_name', 'guardian.last_name', 'guardian.phone'])
    .where('holder.phone', 'in', [phone, twin])
    .where('guardian.phone', 'is', null)
    .limit(50),
)

type Found = Awaited<ReturnType<typeof besideHolder>>[number]

const named = ({ first_name: firstName, last_name: lastName }: Found) => ({ firstName, lastName })

export type InRow = FamilyGuardian & Pick<RowGuardian, 'slot'>

interface Family {
  row: Values
  /** null: a student who is added. */
  studentId: string | null
  /** Whether whoever has the phone is linked, whatever their name. */
  isAnyName: boolean
}

/**
 * As guardians of a family: the first of all is the primary contact and the payer, and who is there already stays as they
 * are. A second parent of one phone is somebody without a phone; whoever has a phone under another name is refused.
 */
export const familyOf = async (
  slice: Slice,
  guardians: readonly RowGuardian[],
  { row, studentId, isAnyName }: Family,
): Promise<InRow[]> => {
  if (guardians.length === 0) return []
  const { whole, tenant } = slice.as('guardians.write')
  const linked = studentId === null ? [] : await linkedTo(whole, { studentId })
  const family: InRow[] = []
  const before: RowGuardian[] = []
  for (const guardian of guardians) {
    const { slot, said: _, relationship, ...fields } = guardian
    const person = { ...fields, preferredLocale: tenant.defaultLocale }
    const isMeant = isNamed(guardian)
    const earlier = before.filter(({ phone }) => isSamePhone(phone, guardian.phone))
    before.push(guardian)
    if (earlier.some((one) => isMeant(one))) continue
    const isOtherParent = linked.some(
      (one) =>
        one.phone !== null &&
        isSamePhone(one.phone, guardian.phone) &&
        !isMeant(named(one)) &&
        one.relationship !== relationship,
    )
    if (earlier.length === 0 && !isOtherParent) {
      family.push({ slot, person, relationship, ...(!isAnyName && { isMeant }) })
      continue
    }
    if (linked.some((one) => one.phone === null && isMeant(named(one)))) continue
    const both = await besideHolder(whole, { phone: guardian.phone, twin: twinPhone(guardian.phone) })
    const known = both.find((one) => isMeant(named(one)))
    const tie = { slot, relationship, marks: { isPrimary: false, isPayer: false } }
    family.push(known ? { ...tie, id: known.id } : { ...tie, withoutPhone: person })
    slice.tell(row, 'guardian_without_phone', `${slot}Phone`)
  }
  return family
}

/** What a guardian may be refused for by their phone. */
const OF_GUARDIAN = new Set(['guardian_phone_taken', 'guardian_name_differs', 'own_account_link'])

/** Says of what a guardian is refused for whose it is. @throws RowRefused */
export const ofGuardian = async <T>({ slot }: Pick<RowGuardian, 'slot'>, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const isOfGuardian = error instanceof ApiError && OF_GUARDIAN.has(error.spec.name)
    throw isOfGuardian ? new RowRefused(reasonNamed(error.spec.name), `${slot}Phone`) : error
  }
}
