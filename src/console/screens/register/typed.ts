import type { Schemas } from '../../api/schemas.ts'

/** A line of the first invoice that is being changed. */
export interface TypedLine {
  description: string
  /** null: nothing, or no amount, is typed. */
  amountMinor: number | null
  /** As the server proposed it: what discounts take off, and as which child of the payer. */
  discountMinor: number
  siblingPlace: number | null
  currency: Schemas['Currency']
  feeScheduleId: string | null
  groupId: string | null
  isIncluded: boolean
}

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
    nationalId: string
    phone: string
    /** null: the student of an enquiry belongs to a branch already. */
    branchId: string | null
  }
  group: Schemas['Group'] | null
  /** null: as the server proposes them. */
  lines: readonly TypedLine[] | null
}

export interface KnownGuardian {
  /** null: the enquiry names them. */
  id: string | null
  name: string
  phone: string | null
}

/** What a guardian can be said to be to a student at the desk. */
export const RELATIONS = ['mother', 'father', 'guardian', 'other'] as const

export const isOffered = (relation: string): relation is (typeof RELATIONS)[number] =>
  (RELATIONS as readonly string[]).includes(relation)

/** Where a lead, or somebody's link, begins. */
export interface Beginning {
  lead?: Schemas['Lead']
  guardian?: Schemas['Guardian']
  /** What the guardian is to a brother or sister who was registered before. */
  relationship?: Typed['relationship']
  locale: Schemas['Guardian']['preferredLocale']
  branchId: string | null
  mayHaveGuardian: boolean
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string => `${firstName} ${lastName}`

export const knownOf = (
  guardian: Pick<Schemas['Guardian'], 'id' | 'firstName' | 'lastName' | 'phone'>,
): KnownGuardian => ({
  id: guardian.id,
  name: nameOf(guardian),
  phone: guardian.phone,
})

/** What the page begins with. */
export const typedFrom = ({
  lead,
  guardian,
  relationship = null,
  locale,
  branchId,
  mayHaveGuardian,
}: Beginning): Typed => ({
  isWithoutGuardian: !mayHaveGuardian,
  guardian: { phone: '', firstName: '', lastName: '', email: '', locale },
  known: guardian
    ? knownOf(guardian)
    : lead?.guardian
      ? { id: null, name: nameOf(lead.guardian), phone: lead.guardian.phone }
      : null,
  relationship,
  student: {
    firstName: lead?.firstName ?? '',
    lastName: lead?.lastName ?? guardian?.lastName ?? '',
    birthDate: null,
    nationalId: '',
    phone: lead?.phone ?? '',
    branchId,
  },
  group: null,
  lines: null,
})

/** Fields that are empty are left out. */
const filled = <T extends Record<string, string | null>>(fields: T): { [Name in keyof T]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== null && text.trim() !== '')) as {
    [Name in keyof T]?: string
  }

const guardianOf = ({ isWithoutGuardian, known, guardian }: Typed): Partial<Schemas['NewRegistration']> => {
  if (isWithoutGuardian) return { guardian: null }
  // Left out, it is whom the enquiry names.
  if (known) return known.id === null ? {} : { guardian: { id: known.id } }
  const { locale: preferredLocale, ...fields } = guardian
  return { guardian: { ...filled(fields), preferredLocale } }
}

const linesOf = (lines: readonly TypedLine[]): Schemas['NewFirstInvoiceLine'][] =>
  lines.flatMap(({ isIncluded, amountMinor, discountMinor, ...line }) =>
    isIncluded && amountMinor !== null
      ? [{ ...line, unitAmountMinor: amountMinor, discountMinor: Math.min(discountMinor, amountMinor) }]
      : [],
  )

/** Of an enquiry's person, what is left out would be taken from the enquiry: what was emptied is sent as empty. */
const namedBy = ({ firstName, lastName, phone }: Typed['student']) => ({
  firstName,
  lastName,
  phone: phone.trim() === '' ? null : phone,
})

interface BodyOptions {
  lead: Schemas['Lead'] | undefined
  /** Whether the first invoice is made. */
  isInvoiced: boolean
}

/** The request that registers what is typed. */
export const bodyOf = (typed: Typed, { lead, isInvoiced }: BodyOptions): Schemas['NewRegistration'] => {
  const { student, group, lines, relationship } = typed
  return {
    ...(lead && { leadId: lead.id }),
    ...guardianOf(typed),
    ...(relationship !== null && { relationship }),
    students: [
      {
        ...filled(student),
        ...(lead && namedBy(student)),
        ...(group && { groups: [{ groupId: group.id }] }),
        ...(lines && { lines: linesOf(lines) }),
      },
    ],
    invoice: isInvoiced ? 'issue' : 'none',
  }
}

const FIELDS = [
  'guardian.phone',
  'guardian.firstName',
  'guardian.lastName',
  'guardian.email',
  'relationship',
  'student.firstName',
  'student.lastName',
  'student.birthDate',
  'student.nationalId',
  'student.phone',
] as const
export type FieldName = (typeof FIELDS)[number]

/** Where the field of a path of the request is on the page; undefined: nowhere. */
export const fieldOf = ([part = '', ...rest]: readonly string[]): FieldName | undefined => {
  // Of the students, the page knows the first.
  const name = part === 'students' ? `student.${rest[1]}` : [part, ...rest].join('.')
  return FIELDS.find((field) => field === name)
}
