/**
 * The bare cost of the disk and the tables: inserts the rows that each change leaves, with prepared statements, in one
 * synced transaction (FULL) after another.
 */
import BetterSqlite3 from 'better-sqlite3'
import { newId } from '#kernel/basics/ids.ts'
import { answering } from '#kit/child-script.ts'

const [, , file = ''] = process.argv

const db = new BetterSqlite3(file)
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'cache_size = -32768']) {
  db.pragma(pragma)
}

const { id: branchId, tenant_id: tenantId } = db.prepare('select id, tenant_id from branch').get() as {
  id: string
  tenant_id: string
}
const insert = (table: string, columns: string, rows = 1) => {
  const names = columns.split(' ')
  const row = `(${names.map(() => '?').join(', ')})`
  return db.prepare(
    `insert into "${table}" (${names.join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`,
  )
}

const insertEvent = insert('event', 'id tenant_id type occurred_at body')
const insertAudit = insert(
  'audit_entry',
  'id tenant_id actor_user_id actor_type channel action entity_type entity_id before after metadata request_id ip created_at',
)
const record = (type: string, occurredAt: string, data: object) => {
  const id = newId()
  insertEvent.run(id, tenantId, type, occurredAt, JSON.stringify({ id, type, occurredAt, tenantId, data }))
}
const audit = (
  action: string,
  entity: { type: string; id: string },
  now: string,
  states: { before?: object; after: object },
) =>
  insertAudit.run(
    newId(),
    tenantId,
    newId(),
    'user',
    'web',
    action,
    entity.type,
    entity.id,
    states.before ? JSON.stringify(states.before) : null,
    JSON.stringify(states.after),
    null,
    newId(),
    '127.0.0.1',
    now,
  )

const nextNumber = db.prepare(
  `insert into tenant_counter (tenant_id, name, value) values (?, 'student', 1)
   on conflict (tenant_id, name) do update set value = value + 1 returning value`,
)
const insertStudent = insert(
  'student',
  'id tenant_id branch_id student_number first_name last_name status email phone tags version created_at updated_at search_text',
)
const createStudent = (): void => {
  const now = new Date().toISOString()
  const id = newId()
  const { value } = nextNumber.get(tenantId) as { value: number }
  const number = `S-${String(value).padStart(6, '0')}`
  const [firstName, lastName] = ['Dana', `Levi ${value}`]
  insertStudent.run(
    id,
    tenantId,
    branchId,
    number,
    firstName,
    lastName,
    'lead',
    null,
    null,
    '[]',
    1,
    now,
    now,
    `dana levi ${value} s ${value}`,
  )
  const student = { id, branchId, studentNumber: number, firstName, lastName, status: 'lead' }
  record('student.created', now, student)
  audit('students.create', { type: 'student', id }, now, { after: { ...student, email: null, phone: null, tags: [] } })
}

const ROSTER = 30
const sessions = db.prepare(`select id from session where status = 'scheduled' order by id`).pluck().all() as string[]
const roster = db.prepare('select student_id from enrollment limit ?').pluck().all(ROSTER) as string[]
const insertMarks = insert('attendance', 'tenant_id session_id student_id status minutes_late note marked_at', ROSTER)
const holdSession = db.prepare(
  `update session set status = 'held', roster_complete_at = ?, updated_at = ? where tenant_id = ? and id = ?`,
)
const statusOf = (index: number) => (index < 2 ? 'absent' : index === 2 ? 'late' : 'present')
const markAttendance = (): void => {
  const now = new Date().toISOString()
  const sessionId = sessions.pop()
  if (sessionId === undefined) throw new Error('there are no sessions left')
  const entries = roster.map((studentId, index) => ({
    studentId,
    firstName: 'Dana',
    lastName: 'Levi',
    status: statusOf(index),
    minutesLate: index === 2 ? 5 : 0,
    note: null,
    markedAt: now,
  }))
  insertMarks.run(
    entries.flatMap(({ studentId, status, minutesLate }) => [
      tenantId,
      sessionId,
      studentId,
      status,
      minutesLate,
      null,
      now,
    ]),
  )
  holdSession.run(now, now, tenantId, sessionId)
  for (const { studentId, status } of entries.slice(0, 3))
    record('student.absent', now, { studentId, sessionId, status })
  record('attendance.marked', now, { sessionId, absentStudentIds: roster.slice(0, 2), counts: { present: 27 } })
  const before = entries.map((entry) => ({ ...entry, status: null, markedAt: null }))
  audit('attendance.mark', { type: 'session', id: sessionId }, now, { before: { entries: before }, after: { entries } })
}

const invoices = db.prepare(`select id from invoice where status = 'issued' order by id`).pluck().all() as string[]
const insertPayment = insert(
  'payment',
  'id tenant_id invoice_id amount_minor currency method provider received_at created_at',
)
const payInvoice = db.prepare(
  `update invoice set paid_minor = ?, status = 'partially_paid', version = version + 1, updated_at = ? where tenant_id = ? and id = ?`,
)
const recordPayment = (): void => {
  const now = new Date().toISOString()
  const id = newId()
  const invoiceId = invoices.pop()
  if (invoiceId === undefined) throw new Error('there are no invoices left')
  insertPayment.run(id, tenantId, invoiceId, 10_000, 'ILS', 'cash', 'manual', now, now)
  payInvoice.run(10_000, now, tenantId, invoiceId)
  const payment = { paymentId: id, invoiceId, amountMinor: 10_000, currency: 'ILS', method: 'cash' }
  record('payment.recorded', now, payment)
  audit('payments.record', { type: 'payment', id }, now, { after: payment })
}

const BILLED_AT_ONCE = 20
const studentIds = db.prepare('select id from student order by id').pluck().all() as string[]
const insertSchedule = insert(
  'fee_schedule',
  'id tenant_id name kind amount_minor currency recurrence is_active created_at updated_at',
)
const insertRun = insert('billing_run', 'id tenant_id month fee_schedule_ids students created_at updated_at')
const insertInvoice = insert(
  'invoice',
  'id tenant_id branch_id student_id number status issue_date due_date currency subtotal_minor discount_minor tax_minor total_minor created_at updated_at',
)
const insertLine = insert(
  'invoice_line',
  'id tenant_id invoice_id position description quantity unit_amount_minor discount_minor tax_rate_percent tax_minor total_minor fee_schedule_id',
)
const insertCharge = insert('fee_charge', 'tenant_id student_id fee_schedule_id month billing_run_id invoice_id')
const takeNumbers = db.prepare(
  `insert into tenant_counter (tenant_id, name, value) values (?, 'invoice bare', ${BILLED_AT_ONCE})
   on conflict (tenant_id, name) do update set value = value + ${BILLED_AT_ONCE} returning value`,
)
const storeProgress = db.prepare(
  'update billing_run set students_done = students_done + ?, updated_at = ? where tenant_id = ? and id = ?',
)
let billed = 0
let schedule: { id: string; runId: string } | undefined
const openSchedule = (now: string) => {
  const [id, runId] = [newId(), newId()]
  insertSchedule.run(id, tenantId, 'Tuition', 'per_group', 45_000, 'ILS', 'monthly', 1, now, now)
  insertRun.run(runId, tenantId, '2040-01', JSON.stringify([id]), studentIds.length, now, now)
  return { id, runId }
}
const bill = (): void => {
  const now = new Date().toISOString()
  // A new schedule begins with the first student.
  if (billed % studentIds.length === 0) schedule = undefined
  schedule ??= openSchedule(now)
  const { value } = takeNumbers.get(tenantId) as { value: number }
  for (let index = 0; index < BILLED_AT_ONCE; index += 1) {
    const studentId = studentIds[billed % studentIds.length] as string
    billed += 1
    const [id, number, day] = [newId(), `BARE-${value - index}`, now.slice(0, 10)]
    insertInvoice.run(
      id,
      tenantId,
      branchId,
      studentId,
      number,
      'draft',
      day,
      day,
      'ILS',
      45_000,
      0,
      0,
      45_000,
      now,
      now,
    )
    insertLine.run(newId(), tenantId, id, 0, 'Tuition, 2040-01', 1, 45_000, 0, 0, 0, 45_000, schedule.id)
    insertCharge.run(tenantId, studentId, schedule.id, '2040-01', schedule.runId, id)
    const line = { description: 'Tuition, 2040-01', quantity: 1, unitAmount: { amountMinor: 45_000, currency: 'ILS' } }
    const invoice = { id, number, studentId, status: 'draft', issueDate: day, dueDate: day, lines: [line] }
    audit('billing.run', { type: 'invoice', id }, now, { after: invoice })
  }
  storeProgress.run(BILLED_AT_ONCE, now, tenantId, schedule.runId)
}

const CHANGES = { create: createStudent, attendance: markAttendance, payment: recordPayment, bill }

answering(({ change, times }: { change: keyof typeof CHANGES; times: number }) => {
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const started = performance.now()
  for (let done = 0; done < times; done += 1) {
    begin.run()
    CHANGES[change]()
    commit.run()
  }
  return { rate: (times / (performance.now() - started)) * 1000 }
})
