import type { SystemDb } from '#kernel/contract/tables.ts'
import { fullName } from '../person.ts'

/** Accounts have room for so much of a name. */
const LONGEST = 200

const NAME = ['first_name', 'last_name'] as const

interface Invitation {
  tenantId: string
  membershipId: string
}

/** The name of the record for which somebody was invited; empty: they were invited without one. */
export const recordedName = async (everywhere: SystemDb, { tenantId, membershipId }: Invitation): Promise<string> => {
  const wanted = await everywhere
    .selectFrom('person_invitation')
    .select(['student_id', 'guardian_id', 'staff_id'])
    .where('tenant_id', '=', tenantId)
    .where('membership_id', '=', membershipId)
    .executeTakeFirst()
  if (!wanted) return ''
  const { student_id: studentId, guardian_id: guardianId, staff_id: staffId } = wanted
  const rows =
    studentId !== null
      ? everywhere.selectFrom('student').select(NAME).where('tenant_id', '=', tenantId).where('id', '=', studentId)
      : guardianId !== null
        ? everywhere.selectFrom('guardian').select(NAME).where('tenant_id', '=', tenantId).where('id', '=', guardianId)
        : everywhere.selectFrom('staff').select(NAME).where('tenant_id', '=', tenantId).where('id', '=', staffId)
  const person = await rows.executeTakeFirst()
  return person === undefined ? '' : fullName(person).slice(0, LONGEST)
}
