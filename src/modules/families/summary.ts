import { readBounded } from '#db/queries/long-reads.ts'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { money } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { OPEN, readFirstLines } from '#modules/billing/index.ts'
import { fullName } from '#modules/people/index.ts'
import { checkReached } from '#runtime/records/records.ts'
import type { FamilySummary } from './schemas.ts'
import { readGroups, readRates } from './students.ts'

interface Asked {
  db: ScopedDb
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
}

const readChildren = (db: ScopedDb, guardianId: string) =>
  readBounded(
    db
      .selectFrom('guardian_link')
      .innerJoin('student', 'student.id', 'guardian_link.student_id')
      .select(['student.id', 'student.branch_id', 'student.first_name', 'student.last_name', 'student.student_number'])
      .select(['student.status', 'guardian_link.relationship', 'guardian_link.is_primary', 'guardian_link.is_payer'])
      .select(['guardian_link.sees_learning', 'guardian_link.sees_money'])
      .where('guardian_link.guardian_id', '=', guardianId)
      .orderBy('guardian_link.created_at')
      .orderBy('guardian_link.id'),
    'guardian_link.id',
  )

/** Who else is a guardian of the children whom the caller reaches. */
const readOthers = async (whole: ScopedDb, guardianId: string, childIds: readonly string[]) => {
  if (childIds.length === 0) return []
  const links = await readBounded(
    whole
      .selectFrom('guardian_link')
      .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
      .select([
        'guardian.id',
        'guardian.first_name',
        'guardian.last_name',
        'guardian.phone',
        'guardian_link.student_id',
      ])
      .where('guardian_link.student_id', 'in', childIds)
      .where('guardian_link.guardian_id', '!=', guardianId)
      .orderBy('guardian_link.created_at')
      .orderBy('guardian_link.id'),
    'guardian_link.id',
  )
  return [...Map.groupBy(links, ({ id }) => id).values()].map((ofOne) => {
    const [{ id, first_name: firstName, last_name: lastName, phone }] = ofOne as [(typeof links)[number]]
    return { guardianId: id, firstName, lastName, phone, studentIds: ofOne.map((link) => link.student_id) }
  })
}

const childIdsOf = (db: Pick<ScopedDb, 'selectFrom'>, guardianId: string) =>
  db.selectFrom('guardian_link').select('guardian_link.student_id').where('guardian_link.guardian_id', '=', guardianId)

/**
 * The open invoices that the caller may see, of the children and of whomever else the guardian pays for, first due first.
 * null: the caller may see no invoices at all.
 */
const readOpenInvoices = async ({ whole, caller }: Asked, guardianId: string) => {
  // `whole`, because `db` has the reach of the endpoint's own permission, guardians.read.
  const reach = caller.grants.reach('invoices.read')
  if (reach === undefined) return null
  let invoices = whole
    .selectFrom('invoice')
    .select(['id', 'number', 'student_id', 'status', 'due_date', 'currency', 'total_minor', 'paid_minor'])
    .select('payer_guardian_id')
    .where((eb) =>
      eb.or([eb('student_id', 'in', childIdsOf(whole, guardianId)), eb('payer_guardian_id', '=', guardianId)]),
    )
    .where('status', 'in', OPEN)
  if (reach !== 'all') invoices = invoices.where('branch_id', 'in', reach.branchIds)
  const rows = await readBounded(invoices.orderBy('due_date').orderBy('id'), 'invoice.id')
  const seesBranch = (branchId: string): boolean => reach === 'all' || reach.branchIds.includes(branchId)
  const firstLineOf = await readFirstLines(
    whole,
    rows.map(({ id }) => id),
  )
  return {
    rows: rows.map((row) => ({ ...row, balance: row.total_minor - row.paid_minor, ...firstLineOf(row.id) })),
    seesBranch,
  }
}

type OpenInvoice = NonNullable<Awaited<ReturnType<typeof readOpenInvoices>>>['rows'][number]

const toInvoice = (invoice: OpenInvoice) => ({
  id: invoice.id,
  number: invoice.number,
  studentId: invoice.student_id,
  status: invoice.status,
  dueDate: invoice.due_date,
  total: money(invoice.total_minor, invoice.currency),
  paid: money(invoice.paid_minor, invoice.currency),
  balance: money(invoice.balance, invoice.currency),
  firstLine: invoice.firstLine,
  lineCount: invoice.lineCount,
})

/** @throws NotFound for the guardian, SumTooLarge */
export const readFamily = async (asked: Asked, guardianId: string): Promise<FamilySummary> => {
  const { db, tenant } = asked
  await checkReached(db, 'guardian', guardianId)
  const rows = await readChildren(db, guardianId)
  const groups = await readGroups(db, childIdsOf(db, guardianId))
  const rates = await readRates(asked, childIdsOf(db, guardianId))
  const open = await readOpenInvoices(asked, guardianId)

  const balanceOf = (studentId: string): number =>
    exactSum(
      (open?.rows ?? [])
        .filter((invoice) => invoice.student_id === studentId && invoice.currency === tenant.currency)
        .map(({ balance }) => balance),
    )
  const otherGuardians = await readOthers(
    asked.whole,
    guardianId,
    rows.map(({ id }) => id),
  )
  const invoices = (open?.rows ?? []).map(toInvoice)
  const children = rows.map((row) => ({
    studentId: row.id,
    branchId: row.branch_id,
    fullName: fullName(row),
    studentNumber: row.student_number,
    status: row.status,
    relationship: row.relationship,
    isPrimary: row.is_primary,
    isPayer: row.is_payer,
    seesLearning: row.sees_learning,
    seesMoney: row.sees_money,
    groups: groups.get(row.id) ?? [],
    attendanceRate30d: rates.get(row.id) ?? null,
    balance: open?.seesBranch(row.branch_id) ? money(balanceOf(row.id), tenant.currency) : null,
    openInvoices: open?.seesBranch(row.branch_id) ? invoices.filter(({ studentId }) => studentId === row.id) : null,
  }))
  if (!open) return { guardianId, children, otherGuardians, financial: null }

  const familyBalance = exactSum(children.map(({ balance }) => balance?.amountMinor ?? 0))
  return {
    guardianId,
    children,
    otherGuardians,
    financial: {
      currency: tenant.currency,
      balance: money(familyBalance, tenant.currency),
      openInvoices: open.rows.filter(({ payer_guardian_id: payer }) => payer === guardianId).map(toInvoice),
    },
  }
}
