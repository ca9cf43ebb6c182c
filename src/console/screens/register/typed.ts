import type { Schemas } from '../../api/schemas.ts'
import { plainDigits } from '../../../kernel/typed.ts'
import { twinPhone } from '../../../kernel/twin-phones.ts'
import type { FirstLine } from './first-invoice.ts'

/** What one types to register a student, and what one chooses. */
export interface Typed {
  isWithoutGuardian: boolean
  guardian: {
    phone: string
    firstName: string
    lastName: string
    email: string
    locale: Schemas['Guardian']['preferredLocale']
  }
  /** The guardian who has the phone, and was said to be it. */
  known: KnownGuardian | null
  relationship: Schemas['LinkedGuardian']['relationship'] | null
  student: {
    firstName: string
    lastName: string
    /** YYYY-MM-DD; null: none is typed, or what is typed is none. */
    birthDate: string | null
    /** As it stands in the field. */
    birthDateTyped: string
    nationalId: string
    phone: string
    /** null: the student of an enquiry belongs to a branch already. */
    branchId: string | null
  }
  group: Schemas['Group'] | null
  lines: readonly FirstLine[]
}

export interface KnownGuardian {
  /** null: the enquiry names them, and whoever has that phone is linked when it becomes a student. */
  id: string | null
  name: string
  phone: string
}

/** Where a lead, or somebody's link, begins. */
export interface Beginning {
  lead?: Schemas['Lead']
  guardian?: Schemas['Guardian']
  locale: Schemas['Guardian']['preferredLocale']
  branchId: string | null
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string => `${firstName} ${lastName}`

export const knownOf = (guardian: Schemas['Guardian']): KnownGuardian => ({
  id: guardian.id,
  name: nameOf(guardian),
  phone: guardian.phone,
})

/** What the page begins with. */
export const typedFrom = ({ lead, guardian, locale, branchId }: Beginning): Typed => ({
  isWithoutGuardian: false,
  guardian: { phone: '', firstName: '', lastName: '', email: '', locale },
  known: guardian
    ? knownOf(guardian)
    : lead?.guardian
      ? { id: null, name: nameOf(lead.guardian), phone: lead.guardian.phone }
      : null,
  relationship: null,
  student: {
    firstName: lead?.firstName ?? '',
    lastName: lead?.lastName ?? guardian?.lastName ?? '',
    birthDate: null,
    birthDateTyped: '',
    nationalId: '',
    phone: lead?.phone ?? '',
    branchId,
  },
  group: null,
  lines: [],
})

const DIGITS = /\d/g

/** The digits of a phone number, and the plus before them. */
export const phoneDigits = (typed: string): string => {
  const plain = plainDigits(typed).trim()
  return (plain.startsWith('+') ? '+' : '') + (plain.match(DIGITS) ?? []).join('')
}

const FEWEST_DIGITS = 7

/** Whether so much is typed of a number that one may look for whom it belongs to. */
export const isMuchOfPhone = (typed: string): boolean =>
  (phoneDigits(typed).match(DIGITS) ?? []).length >= FEWEST_DIGITS

/** Whether what is typed, with or without the country, is this phone. */
export const isSamePhone = (typed: string, stored: string): boolean => {
  const digits = phoneDigits(typed).replace(/^(?:\+|00?)/, '')
  const ends = (number: string): boolean => number.endsWith(digits) && number.length - digits.length <= 4
  return digits.length >= FEWEST_DIGITS && (ends(stored) || ends(twinPhone(stored)))
}

/** What is wrong with a field. */
export type Fault = 'missing' | 'tooLong' | 'noName' | 'noPhone' | 'noEmail' | 'noDate' | 'future' | 'noAnswer'

export type FieldName =
  | 'guardian.phone'
  | 'guardian.firstName'
  | 'guardian.lastName'
  | 'guardian.email'
  | 'relationship'
  | 'student.firstName'
  | 'student.lastName'
  | 'student.birthDate'
  | 'student.nationalId'
  | 'student.phone'

export type Faults = Partial<Record<FieldName, Fault>>

const LONGEST_NAME = 100
const LONGEST = 50

const nameFault = (name: string): Fault | undefined => {
  const bare = plainDigits(name).trim()
  if (bare === '') return 'missing'
  if (Array.from(name.trim()).length > LONGEST_NAME) return 'tooLong'
  return /:\/\/|https?:|www\./iu.test(bare.normalize('NFKC')) ? 'noName' : undefined
}

/** As far as it can be told here: the server knows the numbers of each country. */
const phoneFault = (phone: string): Fault | undefined => {
  const plain = plainDigits(phone).trim()
  if (plain === '') return 'missing'
  const isOfPhone = /^\+?[\d\s().\-\u2010-\u2015/]+$/.test(plain)
  return isOfPhone && isMuchOfPhone(phone) && phoneDigits(phone).length <= 16 ? undefined : 'noPhone'
}

const unlessEmpty = (text: string, check: (text: string) => Fault | undefined): Fault | undefined =>
  text.trim() === '' ? undefined : check(text)

const emailFault = (email: string): Fault | undefined =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) && email.trim().length <= 254 ? undefined : 'noEmail'

/** What has to be mended before anything is sent. */
export const faultsOf = (typed: Typed, saved: { guardian?: unknown; student?: unknown }, today: string): Faults => {
  const { guardian, student, known, isWithoutGuardian, relationship } = typed
  const isNewGuardian = !isWithoutGuardian && known === null && saved.guardian === undefined
  const found: Partial<Record<FieldName, Fault | undefined>> = {
    ...(isNewGuardian && {
      'guardian.phone': phoneFault(guardian.phone),
      'guardian.firstName': nameFault(guardian.firstName),
      'guardian.lastName': nameFault(guardian.lastName),
      'guardian.email': unlessEmpty(guardian.email, emailFault),
    }),
    ...(!isWithoutGuardian && { relationship: relationship === null ? 'noAnswer' : undefined }),
    ...(saved.student === undefined && {
      'student.firstName': nameFault(student.firstName),
      'student.lastName': nameFault(student.lastName),
      'student.birthDate':
        student.birthDate === null
          ? unlessEmpty(student.birthDateTyped, () => 'noDate')
          : student.birthDate > today
            ? 'future'
            : undefined,
      'student.nationalId': Array.from(student.nationalId.trim()).length > LONGEST ? 'tooLong' : undefined,
      'student.phone': unlessEmpty(student.phone, phoneFault),
    }),
  }
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined))
}
