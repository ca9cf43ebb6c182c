import type { FamilyGuardian, FamilyStudent } from '#modules/people/index.ts'
import type { Row } from '#runtime/records/records.ts'

/** The guardian whom an enquiry names: the primary contact and payer. Whoever has the phone already stays as they are. */
export const guardiansOfLead = ({ guardian, locale }: Pick<Row<'lead'>, 'guardian' | 'locale'>): FamilyGuardian[] =>
  guardian
    ? [
        {
          person: { ...guardian, preferredLocale: locale },
          relationship: 'guardian',
          marks: { isPrimary: true, isPayer: true },
        },
      ]
    : []

/** The person who asked, as a student of status lead. */
export const studentOfLead = (
  {
    first_name: firstName,
    last_name: lastName,
    email,
    phone,
  }: Pick<Row<'lead'>, 'first_name' | 'last_name' | 'email' | 'phone'>,
  branchId: string,
): Extract<FamilyStudent, { added: unknown }> => ({ added: { branchId, firstName, lastName, email, phone } })
