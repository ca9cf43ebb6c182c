import type { Caller } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { CURRENCIES, money, type Money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import { OPEN } from '#modules/billing/index.ts'
import { fullName } from '#modules/people/index.ts'
import type { DirectoryGuardian, DirectoryStudent } from './schemas.ts'

/** What a page of people shows beside their names: a statement for each kind, however many they are. */

/** Whether the caller holds the permission for records of the branch; undefined: they hold it for none. */
export const branchesOf = ({ grants }: Caller, permission: Permission): ((branchId: string) => boolean) | undefined => {
  const reach = grants.reach(permission)
  if (reach === undefined) return undefined
  return (branchId) => reach === 'all' || reach.branchIds.includes(branchId)
}

interface Debt {
  currency: Money['currency']
  owed: number
}

const summed = (debts: readonly Debt[]): Money[] =>
  CURRENCIES.flatMap((currency) => {
    const owed = exactSum(debts.filter((debt) => debt.currency === currency).map((debt) => debt.owed))
    return owed === 0 ? [] : money(owed, currency)
  })

/**
 * What is owed by open invoices, of the branches that the caller sees: by the student whom they are for, or by the guardian
 * who pays them since they were issued.
 */
export const readDebts = async (
  whole: ScopedDb,
  by: 'student_id' | 'payer_guardian_id',
  { ids, seesBranch }: { ids: readonly string[]; seesBranch: (branchId: string) => boolean },
): Promise<ReadonlyMap<string | null, readonly Debt[]>> => {
  const rows = await whole
    .selectFrom('invoice')
    .select([`${by} as owedBy`, 'branch_id', 'currency'])
    .select((eb) => eb.fn.sum<number>(eb('total_minor', '-', eb.ref('paid_minor'))).as('owed'))
    .where(by, 'in', ids)
    .where('status', 'in', OPEN)
    .groupBy([by, 'branch_id', 'currency'])
    .execute()
  return Map.groupBy(
    rows.filter((row) => seesBranch(row.branch_id)),
    (row) => row.owedBy,
  )
}

export const balancesOf = (debts: Awaited<ReturnType<typeof readDebts>>, id: string): Money[] =>
  summed(debts.get(id) ?? [])

/** Whom one calls first about each student: the primary contact, else the guardian who was linked first. */
export const readContacts = async (
  whole: ScopedDb,
  studentIds: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<DirectoryStudent['contact']>>> => {
  const rows = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['guardian_link.student_id', 'guardian_link.relationship', 'guardian.id as guardianId'])
    .select(['guardian.first_name', 'guardian.last_name', 'guardian.phone'])
    .where('guardian_link.student_id', 'in', studentIds)
    .orderBy('guardian_link.is_primary', 'desc')
    .orderBy('guardian_link.created_at')
    .orderBy('guardian_link.id')
    .execute()
  const contacts = new Map<string, NonNullable<DirectoryStudent['contact']>>()
  for (const { student_id: studentId, guardianId, phone, relationship, ...name } of rows)
    if (!contacts.has(studentId)) contacts.set(studentId, { guardianId, fullName: fullName(name), phone, relationship })
  return contacts
}

/** The children of each guardian whom the caller reaches, first linked first, with their branches. */
export const readChildren = async (
  db: ScopedDb,
  guardianIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DirectoryGuardian['children'][number][]>> => {
  const rows = await db
    .selectFrom('guardian_link')
    .innerJoin('student', 'student.id', 'guardian_link.student_id')
    .select(['guardian_link.guardian_id', 'guardian_link.is_payer', 'student.id', 'student.status'])
    .select(['student.first_name', 'student.last_name'])
    .where('guardian_link.guardian_id', 'in', guardianIds)
    .orderBy('guardian_link.created_at')
    .orderBy('guardian_link.id')
    .execute()
  const grouped = Map.groupBy(rows, (row) => row.guardian_id)
  return new Map(
    [...grouped].map(([guardianId, children]) => [
      guardianId,
      children.map((row) => ({
        studentId: row.id,
        fullName: fullName(row),
        status: row.status,
        isPayer: row.is_payer,
      })),
    ]),
  )
}

/** The membership that was invited for each guardian who has not accepted yet; of several, the newest. */
export const readInvitations = async (
  whole: ScopedDb,
  guardianIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await whole
    .selectFrom('person_invitation')
    .select(['guardian_id', 'membership_id'])
    .where('guardian_id', 'in', guardianIds)
    .orderBy('membership_id')
    .execute()
  return new Map(rows.flatMap((row) => (row.guardian_id === null ? [] : [[row.guardian_id, row.membership_id]])))
}
