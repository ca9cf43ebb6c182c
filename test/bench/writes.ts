import { drive, driveCosted, eachOnce } from './client.ts'
import { doneBy, doneIn, sampleOf } from './done.ts'
import type { Row } from './figures.ts'
import { FORGET_HELD, HOLD_TELLING } from './hold-telling.ts'
import { inRounds, type Measure } from './rounds.ts'
import type { School } from './school.ts'

const SMALL = 10_000

/** The same change over HTTP, and as bare transactions in this process, each so many times. */
const writes =
  (change: 'create' | 'attendance' | 'payment', times: number, make: (school: School) => () => Buffer): Measure =>
  async (bench, rounds) => {
    const school = await bench.school(SMALL)
    const reference = await bench.reference('writes', school)
    const request = make(school)
    const requests = () => eachOnce(Array.from({ length: times }, request))
    await drive(school.program.url, eachOnce(Array.from({ length: times / 4 }, request)))
    await reference.ask({ change, times: times / 4 })
    return inRounds(rounds, async () => {
      const raw = await doneBy(reference.pid, times, () => reference.ask({ change, times }))
      return sampleOf(doneIn(await driveCosted(school.program, requests())), raw)
    })
  }

const taken = (ids: string[]): string => {
  const id = ids.pop()
  if (id === undefined) throw new Error('that are more rounds than there are records: name fewer')
  return id
}

let created = 0
export const newStudent = (request: School['request'], branchId: string) => () => {
  created += 1
  return request('POST', '/students', { branchId, firstName: 'Dana', lastName: `Levi ${created}` })
}
const create = writes('create', 2000, ({ request, branchId }) => newStudent(request, branchId))

const MARKS = [{ status: 'absent' }, { status: 'absent' }, { status: 'late', minutesLate: 5 }] as readonly Record<
  string,
  unknown
>[]

const attendance = writes('attendance', 600, ({ request, sessionIds, roster }) => {
  const entries = roster.map((studentId, index) => ({ studentId, ...(MARKS[index] ?? { status: 'present' }) }))
  return () => request('PUT', `/sessions/${taken(sessionIds)}/attendance`, { entries })
})

/** Measures a change without the jobs that tell people of it. */
const untold =
  (measure: Measure): Measure =>
  async (bench, rounds) => {
    const { database } = await bench.school(SMALL)
    for (const statement of HOLD_TELLING.sqlite) database.exec(statement)
    try {
      return await measure(bench, rounds)
    } finally {
      for (const statement of FORGET_HELD) database.exec(statement)
    }
  }

const PAYMENT = { amountMinor: 10_000, currency: 'ILS', method: 'cash' }
const payment = writes(
  'payment',
  1200,
  ({ request, invoiceIds }) =>
    () =>
      request('POST', `/invoices/${taken(invoiceIds)}/payments`, PAYMENT),
)

const written = {
  unit: '/s',
  better: 'higher',
  waitsForDisk: true,
  against: 'the rows in one synced transaction each, in process',
} as const

/** Changes that people make, against their rows alone. */
export const writeRows: readonly (Row & { measure: Measure })[] = [
  { ...written, name: 'create', what: 'a student added', floor: 0.55, goal: 1.2, measure: create },
  {
    ...written,
    name: 'attendance',
    what: 'attendance of 30 marked',
    floor: 0.6,
    goal: 0.9,
    measure: attendance,
  },
  {
    ...written,
    name: 'payment',
    what: 'a payment recorded',
    floor: 0.5,
    goal: 1,
    measure: untold(payment),
  },
  // The reference tells nobody. A job looks up who pays, how they wish to hear of it, and notes the message.
  {
    ...written,
    name: 'payment-told',
    what: 'a payment recorded, and its payer told',
    floor: 0.4,
    goal: 1,
    measure: payment,
  },
]
