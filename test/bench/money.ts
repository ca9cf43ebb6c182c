import { newId } from '#kernel/basics/ids.ts'
import { doneBy, sampleOf, type Done } from './done.ts'
import type { Measured, Row } from './figures.ts'
import { inRounds } from './rounds.ts'
import type { School } from './school.ts'
import type { Workbench } from './workbench.ts'

/** Students whom a run bills. */
const BILLED = 2000
/** Students whom the reference bills in one transaction, as a run does. */
const SLICE = 20
const SMALL = 10_000
const LARGE = 200_000
const DASHBOARDS = 20

/** Enrolls the students in a new group with a monthly fee. */
const openClass = async ({ call, branchId, database, studentIds }: School): Promise<string> => {
  const category = await call<{ id: string }>('POST', '/course-categories', { name: 'Sciences', slug: 'sciences' })
  const course = await call<{ id: string }>('POST', '/courses', { categoryId: category.id, name: 'Chemistry' })
  const group = await call<{ id: string }>('POST', '/groups', { courseId: course.id, branchId, name: 'Chemistry A' })
  const tenantId = database.prepare('select tenant_id from branch').pluck().get() as string
  const now = new Date().toISOString()
  const enroll = database.prepare(
    `insert into enrollment (id, tenant_id, student_id, group_id, status, price_minor, currency, price_overridden,
       enrolled_at, created_at, updated_at)
     values (?, ?, ?, ?, 'active', 45000, 'ILS', 0, ?, ?, ?)`,
  )
  database.transaction(() => {
    for (const studentId of studentIds.slice(0, BILLED))
      enroll.run(newId(), tenantId, studentId, group.id, now, now, now)
  })()
  const schedule = { name: 'Tuition', kind: 'per_group', amountMinor: 45_000, currency: 'ILS', recurrence: 'monthly' }
  return (await call<{ id: string }>('POST', '/fee-schedules', { ...schedule, groupId: group.id })).id
}

const rateOf = async (times: number, work: () => Promise<unknown>): Promise<{ rate: number }> => {
  const started = performance.now()
  await work()
  return { rate: (times / (performance.now() - started)) * 1000 }
}

/** Bills two thousand students, each round for another month. */
const billingRun = async (bench: Workbench, rounds: number): Promise<Measured> => {
  const school = await bench.school(SMALL)
  const reference = await bench.reference('writes', school)
  const feeScheduleIds = [await openClass(school)]
  const bill = async (round: number): Promise<Done> => {
    const month = `${2040 + Math.floor(round / 12)}-${String((round % 12) + 1).padStart(2, '0')}`
    return doneBy(school.program.pid, BILLED, () =>
      rateOf(BILLED, async () => {
        const { created } = await school.call<{ created: number }>('POST', '/billing/runs', { month, feeScheduleIds })
        if (created !== BILLED) throw new Error(`the run made ${created} invoices`)
      }),
    )
  }
  const billBare = async (): Promise<Done> => {
    const times = BILLED / SLICE
    const { rate, ...spent } = await doneBy(reference.pid, BILLED, () => reference.ask({ change: 'bill', times }))
    return { ...spent, rate: rate * SLICE }
  }
  return inRounds(rounds, async (round) => {
    const raw = await billBare()
    return sampleOf(await bill(round), raw)
  })
}

/** The figures of the dashboard by bare statements. */
const bareDashboard = ({ database }: School): (() => void) => {
  const [tenantId] = database.prepare('select tenant_id from branch').pluck().all() as [string]
  const statements = [
    `select count(*) from student where tenant_id = ? and status = 'active'`,
    `select count(*) from student where tenant_id = ? and created_at >= date('now', 'start of month')`,
    `select attendance.status, count(*) from session join attendance
       on attendance.tenant_id = session.tenant_id and attendance.session_id = session.id
     where session.tenant_id = ? and session.scheduled_start between date('now', '-30 days') and date('now', '+1 day')
     group by attendance.status`,
    `select status, count(*) from invoice where tenant_id = ? group by status`,
    `select status, sum(total_minor - paid_minor) from invoice
     where tenant_id = ? and status in ('issued', 'partially_paid', 'overdue') and currency = 'ILS' group by status`,
    `select session.id, "group".name, scheduled_start, room from session
     join "group" on "group".tenant_id = session.tenant_id and "group".id = session.group_id
     where session.tenant_id = ? and scheduled_start between date('now') and date('now', '+1 day')
     order by scheduled_start`,
  ].map((text) => database.prepare(text))
  return () => {
    for (const statement of statements) statement.all(tenantId)
  }
}

const dashboard = async (bench: Workbench, rounds: number): Promise<Measured> => {
  const school = await bench.school(LARGE)
  const bare = bareDashboard(school)
  const times = async (one: () => unknown): Promise<void> => {
    for (let index = 0; index < DASHBOARDS; index += 1) await one()
  }
  const ask = () => rateOf(DASHBOARDS, () => times(() => school.call('GET', '/dashboard')))
  await ask()
  return inRounds(rounds, async () => {
    const reference = await doneBy(process.pid, DASHBOARDS, () => rateOf(DASHBOARDS, () => times(bare)))
    return sampleOf(await doneBy(school.program.pid, DASHBOARDS, ask), reference)
  })
}

export const moneyRows: readonly (Row & { measure: typeof billingRun })[] = [
  {
    name: 'billing-run',
    what: '2,000 students billed for a month in one request',
    against: 'the rows in synced transactions of 20 students, in process',
    unit: '/s',
    better: 'higher',
    waitsForDisk: true,
    floor: 0.2,
    goal: 0.4,
    measure: billingRun,
  },
  {
    name: 'dashboard',
    what: 'the dashboard of 200,000 students',
    against: 'the same figures by prepared statements, in process',
    unit: '/s',
    better: 'higher',
    floor: 0.5,
    goal: 0.8,
    measure: dashboard,
  },
]
