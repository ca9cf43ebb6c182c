import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smallTablesOf } from '#db/scope/small-branches.ts'
import { scoped } from '#db/scope/scope.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { fillInstitute } from '#kit/fill-institute.ts'
import { idAt, nthId, runSql, text } from '#kit/fill.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** A query reaches the same rows whether it starts from the reachable records or checks each row. */

let app: TestApp
let institute: TestInstitute
let branches: [string, string, string]

type Row = Record<string, string | null>
/** Every row of a table, of all institutes. */
const rowsOf = async (table: string): Promise<Row[]> =>
  app.app.database.read
    .selectFrom(table as never)
    .selectAll()
    .execute()

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  const { owner, branchId } = institute
  const made = [await owner.post('/branches', { name: 'North' }), await owner.post('/branches', { name: 'South' })]
  branches = [branchId, ...made.map(({ body }) => body.id as string)] as [string, string, string]
  await fillInstitute(app, institute, { students: 60, others: 40, branchIds: branches })
  await runSql(app, `delete from "guardian_link" where guardian_id <= ${nthId('guardian', 9)}`)
  await runSql(
    app,
    `update "guardian" set unlinked_branch_id = ${text(branches[1])} where id <= ${nthId('guardian', 5)}`,
  )
  // Another institute, whose rows must never appear.
  const other = await makeInstitute(app)
  await other.owner.post('/students', { firstName: 'Dana', lastName: 'Levi', branchId: other.branchId })
})
afterAll(() => app.close())

/** The reach of each table, decided row by row from the contract's words and not by the rules under test. */
const expected = async (reach: Exclude<Reach, 'all'>): Promise<Record<string, string[]>> => {
  const all: Record<string, Row[]> = {}
  const tables = ['student', 'student_tag', 'guardian', 'guardian_link', 'staff', 'branch', 'group', 'enrollment']
  for (const table of [
    ...tables,
    'session',
    'schedule_rule',
    'session_teacher',
    'attendance',
    'invoice',
    'invoice_line',
    'payment',
    'receipt',
    'receipt_payment',
    'replaced_invoice',
    'payer_account',
    'credit_note',
    'online_payment',
    'credit_entry',
    'paper_original',
    'refund',
    'cheque',
    'cheque_part',
    'cheque_entry',
    'cheque_deposit',
    'till_entry',
    'till_close',
    'lead',
    'file',
    'exam',
    'exam_result',
    'progress_report',
    'course_enrollment',
    'lesson_completion',
    'fee_charge',
    'notification',
    'notification_call',
    'imported_balance',
    'announced_absence',
    'discount',
    'proposed_change',
    'cover',
    'covered_session',
    'group_continuation',
    'waiting_entry',
    'student_pause',
  ]) {
    all[table] = (await rowsOf(table)).filter((row) => row['tenant_id'] === institute.tenant.id)
  }
  const ours = (table: string): Row[] => all[table] as Row[]
  const inBranch = (id: string | null | undefined) => reach.branchIds.includes(id ?? '')
  const of = (table: string, id: string | null | undefined) => ours(table).find((row) => row['id'] === id) as Row
  const enrolled = (row: Row) =>
    ours('enrollment').some(
      (one) => one['student_id'] === row['id'] && reach.groupIds.includes(one['group_id'] as string),
    )
  const groupReached = (row: Row) => inBranch(row['branch_id']) || reach.groupIds.includes(row['id'] as string)
  const byGroup = (row: Row) => groupReached(of('group', row['group_id']))
  const studentReached = (row: Row) => inBranch(row['branch_id']) || enrolled(row)
  const byStudent = (row: Row) => studentReached(of('student', row['student_id']))
  const byInvoice = (row: Row) => inBranch(of('invoice', row['invoice_id'])['branch_id'])
  const byAccount = (row: Row) => inBranch(of('payer_account', row['account_id'])['branch_id'])
  const inOwnBranch = (row: Row) => inBranch(row['branch_id'])
  const byCheque = (row: Row) => inBranch(of('cheque', row['cheque_id'])['branch_id'])
  const guardianReached = (row: Row) =>
    inBranch(row['unlinked_branch_id']) ||
    ours('guardian_link').some(
      (link) => link['guardian_id'] === row['id'] && inBranch(of('student', link['student_id'])['branch_id']),
    )
  const rules: Record<string, (row: Row) => boolean> = {
    branch: (row) => inBranch(row['id']),
    staff: inOwnBranch,
    student: studentReached,
    student_tag: byStudent,
    announced_absence: byStudent,
    discount: (row) =>
      row['student_id'] === null
        ? guardianReached(of('guardian', row['guardian_id']))
        : inBranch(of('student', row['student_id'])['branch_id']),
    proposed_change: (row) =>
      row['student_id'] === null
        ? guardianReached(of('guardian', row['guardian_id']))
        : inBranch(of('student', row['student_id'])['branch_id']),
    student_pause: byStudent,
    guardian: guardianReached,
    guardian_link: (row) => inBranch(of('student', row['student_id'])['branch_id']),
    group: groupReached,
    enrollment: byGroup,
    session: byGroup,
    schedule_rule: byGroup,
    waiting_entry: byGroup,
    group_continuation: (row) => groupReached(of('group', row['to_group_id'])),
    attendance: (row) => byGroup(of('session', row['session_id'])),
    session_teacher: (row) => byGroup(of('session', row['session_id'])),
    covered_session: (row) => byGroup(of('session', row['session_id'])),
    cover: (row) => inBranch(of('staff', row['staff_id'])['branch_id']),
    invoice: inOwnBranch,
    invoice_line: byInvoice,
    payment: byInvoice,
    receipt: (row) =>
      ours('receipt_payment').some((one) => one['receipt_id'] === row['id'] && byInvoice(one)) ||
      ours('credit_entry').some((one) => one['receipt_id'] === row['id'] && byAccount(one)) ||
      ours('cheque').some((one) => one['receipt_id'] === row['id'] && inOwnBranch(one)),
    till_entry: inOwnBranch,
    till_close: inOwnBranch,
    payer_account: inOwnBranch,
    refund: inOwnBranch,
    cheque: inOwnBranch,
    cheque_deposit: inOwnBranch,
    cheque_part: byCheque,
    cheque_entry: byCheque,
    credit_note: byInvoice,
    online_payment: byInvoice,
    paper_original: (row) =>
      row['credit_note_id'] === null
        ? inOwnBranch(of('refund', row['refund_id']))
        : byInvoice(of('credit_note', row['credit_note_id'])),
    credit_entry: (row) => byAccount(row) || (row['invoice_id'] !== null && byInvoice(row)),
    receipt_payment: byInvoice,
    replaced_invoice: byInvoice,
    lead: (row) =>
      inBranch(row['unlinked_branch_id']) ||
      (row['student_id'] !== null && inBranch(of('student', row['student_id'])['branch_id'])),
    // In a filled institute each file is attached to a student.
    file: byStudent,
    exam: byGroup,
    exam_result: (row) => byGroup(of('exam', row['exam_id'])),
    progress_report: (row) =>
      inBranch(of('student', row['student_id'])['branch_id']) || reach.groupIds.includes(row['group_id'] as string),
    course_enrollment: byStudent,
    lesson_completion: (row) => byStudent(of('course_enrollment', row['course_enrollment_id'])),
    fee_charge: (row) => inBranch(of('student', row['student_id'])['branch_id']),
    notification: inOwnBranch,
    notification_call: inOwnBranch,
    imported_balance: byStudent,
  }
  return Object.fromEntries(
    Object.entries(rules).map(([table, reached]) => [table, ours(table).filter(reached).map(named).toSorted()]),
  )
}

const named = (row: Row): string =>
  row['id'] ??
  ['session_id', 'payment_id', 'student_id', 'tag', 'course_enrollment_id', 'lesson_id', 'fee_schedule_id', 'period']
    .flatMap((column) => row[column] ?? [])
    .join(' ')

const reached = async (reach: Reach, few: ReadonlySet<string>): Promise<Record<string, string[]>> => {
  const { read } = app.app.database
  const { rules } = app.app.runtime
  const found: Record<string, string[]> = {}
  for (const [table, rule] of Object.entries(rules)) {
    if (rule.kind !== 'tenant' || !(rule.branch ?? rule.group)) continue
    const db = scoped(read, { tenantId: institute.tenant.id, rules, reach, smallTables: few })
    const rows = (await db
      .selectFrom(table as never)
      .selectAll()
      .execute()) as Row[]
    found[table] = rows.map(named).toSorted()
  }
  return found
}

const GROUPS = [3, 8, 13, 21]

describe('both ways reach the same rows', () => {
  test.each<[string, () => Exclude<Reach, 'all'>]>([
    ['of one branch', () => ({ branchIds: [branches[1]], groupIds: [] })],
    ['of two branches', () => ({ branchIds: [branches[0], branches[2]], groupIds: [] })],
    ['of a teacher', () => ({ branchIds: [], groupIds: GROUPS.map((n) => idAt('group', n)) })],
    [
      'of a teacher who manages a branch',
      () => ({ branchIds: [branches[1]], groupIds: GROUPS.map((n) => idAt('group', n)) }),
    ],
    ['of nobody', () => ({ branchIds: [], groupIds: [] })],
  ])('%s', async (_, reachOf) => {
    const reach = reachOf()
    const right = await expected(reach)
    const empty = Object.keys(right).filter((table) => right[table]?.length === 0)
    if (reach.branchIds.length > 0)
      expect(empty.toSorted()).toEqual(['fee_charge', 'imported_balance', 'schedule_rule'])
    for (const few of [[], ['student'], ['group', 'invoice'], ['student', 'guardian', 'group', 'invoice']]) {
      expect(await reached(reach, new Set(few)), few.join()).toEqual(right)
    }
  })
})

describe('few records', () => {
  const few = async (branchIds: string[]) => {
    const { read } = app.app.database
    const { rules } = app.app.runtime
    const found = await smallTablesOf(read, {
      tenantId: institute.tenant.id,
      rules,
      reach: { branchIds, groupIds: [] },
    })
    return [...found].toSorted()
  }
  const OWNERS = [
    'branch',
    'cheque',
    'file',
    'group',
    'guardian',
    'invoice',
    'lead',
    'payer_account',
    'refund',
    'staff',
    'student',
  ]

  test('are those of a small branch, from which others are reached', async () => {
    expect(await few([branches[0]])).toEqual(OWNERS)
    expect(await few([...branches])).toEqual(OWNERS)
  })

  test('are up to 300, in all reachable branches together', async () => {
    const { owner } = institute
    const [north, south] = [await owner.post('/branches', { name: 'A' }), await owner.post('/branches', { name: 'B' })]
    const [a, b] = [north.body.id as string, south.body.id as string]
    await addStudents(a, 200)
    await addStudents(b, 100)
    expect(await few([a, b])).toEqual(OWNERS)
    await addStudents(b, 1)
    expect(await few([a, b])).toEqual(OWNERS.filter((table) => table !== 'student'))
    expect(await few([a])).toEqual(OWNERS)
  })
})

const addStudents = async (branchId: string, count: number): Promise<void> => {
  const students = Array.from({ length: count }, (_, n) => ({ firstName: 'Dana', lastName: `Levi ${n}`, branchId }))
  for (const student of students) expect((await institute.owner.post('/students', student)).status).toBe(201)
}
