import { shows } from '#kernel/values/fields.ts'
import { storedPhone, withStoredPhone } from '#kernel/values/phone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { searchTextOf } from '#modules/people/index.ts'
import { createRecord, recordOf, type Row } from '#runtime/records/records.ts'
import { Lead, type NewLead, type Registration } from './schemas.ts'
import type { NamedGuardian } from './tables.ts'

export const toLead = shows(Lead)

export const leadRecord = recordOf('lead', {
  show: toLead,
  derived: (row) => {
    const { guardian } = row
    const named = guardian && { ...guardian, first_name: guardian.firstName, last_name: guardian.lastName }
    return { search_text: named ? `${searchTextOf(row)} ${searchTextOf(named)}` : searchTextOf(row) }
  },
})

/** The guardian as the visitor named them, with the phone in its stored form. @throws VALIDATION_ERROR */
export const namedGuardian = (tx: Tx, { email = null, phone, ...name }: Registration['guardian']): NamedGuardian => ({
  ...name,
  phone: storedPhone(phone, tx.tenant.timezone, ['guardian', 'phone']),
  email,
})

type LeadBody = Pick<
  NewLead,
  'firstName' | 'lastName' | 'email' | 'groupId' | 'courseInterest' | 'message' | 'locale'
> & {
  phone?: string | null | undefined
}

type LeadContext = Pick<Row<'lead'>, 'source' | 'guardian'> & {
  /** Somebody of another name has the guardian's phone. */
  guardianNameDiffers?: boolean
  /** A registration has neither of these two. */
  assignedToUserId?: string | null | undefined
  note?: string | null | undefined
  courseId: string | null
  /** The lead's student and guardian, or its branch while it has no student. */
  studentId: string | null
  guardianId: string | null
  unlinkedBranchId: string | null
}

/** Adds a lead and records lead.created. @throws VALIDATION_ERROR for an invalid phone */
export const createLeadRecord = async (tx: Tx, body: LeadBody, context: LeadContext): Promise<Lead> => {
  const { firstName, lastName, email, phone, groupId, courseInterest, message } = withStoredPhone(tx, body)
  const lead = await createRecord(tx, leadRecord, {
    firstName,
    lastName,
    email,
    phone,
    groupId,
    courseInterest,
    message,
    ...context,
    status: 'new',
    locale: body.locale ?? tx.tenant.defaultLocale,
  })
  const { id: leadId, source, courseId, groupId: group, locale, status } = lead
  tx.emit('lead.created', { leadId, source, courseId, groupId: group, locale, status })
  return lead
}
