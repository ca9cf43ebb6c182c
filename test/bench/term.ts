import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { newId } from '#kernel/basics/ids.ts'
import { SecondClient } from '#kit/second-client.ts'
import { API_ROOT } from '#http/server/server.ts'
import type { Measured, Row, Sample } from './figures.ts'
import { openSchool, type School } from './school.ts'
import type { Workbench } from './workbench.ts'

/** What an office waits for at the turn of a month, and how long others wait beside it. */

const STUDENTS = 10_000
/** Students whom a run bills: in families of one to four children. */
const BILLED = 2000
const OPEN_INVOICES = 100_000
const SETTLED_MILLIS = 300

interface Both {
  own: Sample[]
  others: Sample[]
}

const inserting = (database: Database, table: string, names: readonly string[]) => {
  const statement = database.prepare(
    `insert into "${table}" (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`,
  )
  return (row: Record<string, unknown>) => void statement.run(row)
}

/** Rows of a table of the institute, all in one transaction. */
const fill = ({ database }: School, table: string, rows: Iterable<Record<string, unknown>>): void => {
  const tenantId = database.prepare('select tenant_id from branch').pluck().get() as string
  let insert: ((row: Record<string, unknown>) => void) | undefined
  database.transaction(() => {
    for (const row of rows) {
      const whole = { tenant_id: tenantId, ...row }
      insert ??= inserting(database, table, Object.keys(whole))
      insert(whole)
    }
  })()
}

const stamped = (): { created_at: string; updated_at: string } => {
  const now = new Date().toISOString()
  return { created_at: now, updated_at: now }
}

/** Parents who each pay for the next one to four students. @returns their ids, by the position of the student */
const makeFamilies = (school: School): string[] => {
  const payers: string[] = []
  const guardians: Record<string, unknown>[] = []
  const links: Record<string, unknown>[] = []
  for (let at = 0; at < BILLED;) {
    const id = newId()
    guardians.push({
      id,
      first_name: 'Huda',
      last_name: `Haddad ${at}`,
      phone: `+97252${String(1_000_000 + at)}`,
      preferred_locale: 'ar',
      search_text: `huda haddad ${at}`,
      ...stamped(),
    })
    for (let child = 0; child <= guardians.length % 4 && at < BILLED; child += 1, at += 1) {
      payers.push(id)
      const link = { id: newId(), student_id: school.studentIds[at], guardian_id: id, relationship: 'mother' }
      links.push({ ...link, is_primary: 1, is_payer: 1, created_at: stamped().created_at })
    }
  }
  fill(school, 'guardian', guardians)
  fill(school, 'guardian_link', links)
  return payers
}

/** Every fourth student pays less, and so do siblings. */
const agreeDiscounts = async (school: School): Promise<void> => {
  const rows = school.studentIds.slice(0, BILLED).filter((_id, index) => index % 4 === 0)
  fill(
    school,
    'discount',
    rows.map((studentId) => ({
      id: newId(),
      student_id: studentId,
      kind: 'percent',
      value: 1000,
      label: 'Child of staff',
      valid_from: '2020-01-01',
      ...stamped(),
    })),
  )
  const siblingDiscounts = [
    { child: 2, percent: 10 },
    { child: 3, percent: 15 },
  ]
  await school.call('PATCH', '/settings', { siblingDiscounts })
}

/** Twenty groups of a hundred, of whom every third joined within the month of the round. @returns their fees */
const openGroups = async (school: School, courseId: string, round: number): Promise<string[]> => {
  const { call, branchId } = school
  const month = monthOf(round)
  const fees: string[] = []
  for (let nth = 0; nth < 20; nth += 1) {
    const group = await call<{ id: string }>('POST', '/groups', { courseId, branchId, name: `Round ${round}, ${nth}` })
    fill(
      school,
      'enrollment',
      school.studentIds.slice(nth * 100, nth * 100 + 100).map((studentId, index) => ({
        id: newId(),
        student_id: studentId,
        group_id: group.id,
        status: 'active',
        price_minor: 45_000,
        currency: 'ILS',
        price_overridden: 0,
        enrolled_at: index % 3 === 0 ? `${month}-11T08:00:00.000Z` : '2026-01-01T08:00:00.000Z',
        ...stamped(),
      })),
    )
    const schedule = { kind: 'per_group', recurrence: 'monthly', proration: 'days', price: 'enrollment' }
    const amount = { amountMinor: 45_000, currency: 'ILS', groupId: group.id }
    const { id } = await call<{ id: string }>('POST', '/fee-schedules', { name: 'Tuition', ...schedule, ...amount })
    fees.push(id)
  }
  return fees
}

const monthOf = (round: number): string =>
  `${2040 + Math.floor(round / 12)}-${String((round % 12) + 1).padStart(2, '0')}`

const secondOf = (school: School): SecondClient =>
  new SecondClient(school.program.url, school.token, [
    `${API_ROOT}/health/live`,
    `${API_ROOT}/students/${school.studentIds.at(-1)}`,
  ])

/** How long a work takes, and how long others wait at worst meanwhile. */
const timed = async (second: SecondClient, work: () => Promise<unknown>): Promise<[own: number, others: number]> => {
  let own = 0
  const { worst, refused } = await second.beside(async () => {
    await pause(SETTLED_MILLIS)
    const started = performance.now()
    await work()
    own = performance.now() - started
  })
  return [own, refused.length > 0 ? Number.POSITIVE_INFINITY : worst]
}

const inRounds = async (
  school: School,
  rounds: number,
  workOf: (round: number) => Promise<() => Promise<unknown>>,
): Promise<Both> => {
  const second = secondOf(school)
  const both: Both = { own: [], others: [] }
  try {
    // The first one of a program that has just started is slower.
    for (let round = 0; round <= rounds; round += 1) {
      const [own, others] = await timed(second, await workOf(round))
      if (round === 0) continue
      both.own.push({ ours: own })
      both.others.push({ ours: others })
    }
    return both
  } finally {
    second.stop()
    await school.close()
  }
}

const measureRun = async (bench: Workbench, rounds: number): Promise<Both> => {
  const school = await openSchool(await bench.executable(), bench.emptyFolder(), STUDENTS)
  makeFamilies(school)
  await agreeDiscounts(school)
  const category = await school.call<{ id: string }>('POST', '/course-categories', { name: 'Term', slug: 'term' })
  const { id } = await school.call<{ id: string }>('POST', '/courses', { categoryId: category.id, name: 'Maths' })
  return inRounds(school, rounds, async (round) => {
    const body = { month: monthOf(round), feeScheduleIds: await openGroups(school, id, round) }
    return async () => {
      const { created } = await school.call<{ created: number }>('POST', '/billing/runs', body)
      if (created !== BILLED) throw new Error(`the run made ${created} invoices`)
    }
  })
}

const measureDebts = async (bench: Workbench, rounds: number): Promise<Both> => {
  const school = await openSchool(await bench.executable(), bench.emptyFolder(), STUDENTS)
  const payers = makeFamilies(school)
  const day = (index: number) => new Date(Date.now() + (20 - (index % 160)) * 86_400_000).toISOString().slice(0, 10)
  fill(
    school,
    'invoice',
    Array.from({ length: OPEN_INVOICES }, (_, index) => ({
      id: newId(),
      branch_id: school.branchId,
      student_id: school.studentIds[index % BILLED],
      payer_guardian_id: payers[index % BILLED],
      number: `OPEN-${index}`,
      status: 'issued',
      issue_date: day(index + 30),
      due_date: day(index),
      currency: 'ILS',
      subtotal_minor: 45_000,
      discount_minor: 0,
      tax_minor: 0,
      total_minor: 45_000,
      issued_at: stamped().created_at,
      ...stamped(),
    })),
  )
  await school.call('PATCH', '/feature-flags', { advanced_reports: true })
  const pages = ['payer', 'family']
  return inRounds(
    school,
    rounds,
    async (round) => () => school.call('GET', `/reports/debts?by=${pages[round % pages.length]}`),
  )
}

const measured = new WeakMap<Workbench, Map<typeof measureRun, Promise<Both>>>()

/** Both figures come of the same rounds. */
const figure =
  (measure: typeof measureRun, of: keyof Both) =>
  async (bench: Workbench, rounds: number): Promise<Measured> => {
    const made = measured.get(bench) ?? new Map<typeof measureRun, Promise<Both>>()
    measured.set(bench, made)
    const both = made.get(measure) ?? measure(bench, rounds)
    made.set(measure, both)
    return { samples: (await both)[of] }
  }

const millis = { against: '', unit: 'ms', better: 'lower' } as const
const OTHERS = { ...millis, floor: 50, goal: 25 }

export const termRows: readonly (Row & { measure: ReturnType<typeof figure> })[] = [
  {
    ...millis,
    name: 'term-run',
    what: '2,000 students billed, with discounts, siblings and parts of the month',
    floor: 10_000,
    goal: 4000,
    measure: figure(measureRun, 'own'),
  },
  {
    ...OTHERS,
    name: 'beside-term-run',
    what: 'worst wait of a second client beside that run',
    measure: figure(measureRun, 'others'),
  },
  {
    ...millis,
    name: 'debts',
    what: 'debts by age of 100,000 open invoices, by payer and by family',
    floor: 400,
    goal: 150,
    measure: figure(measureDebts, 'own'),
  },
  {
    ...OTHERS,
    name: 'beside-debts',
    what: 'worst wait of a second client beside those debts',
    measure: figure(measureDebts, 'others'),
  },
]
