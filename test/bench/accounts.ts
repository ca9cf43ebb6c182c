import { drive, eachOnce } from './client.ts'
import { median, type Measured, type Row } from './figures.ts'
import { inRounds } from './rounds.ts'
import type { School } from './school.ts'
import type { Workbench } from './workbench.ts'

const STUDENTS = 10_000
/** Each is an invoice and its payment. */
const INVOICES = 250
const CHILDREN = 3
const READS = 20

/** A family of two parents and three children, of which 500 things happened. @returns the id of the one who pays */
const openFamily = async ({ call, branchId }: School): Promise<string> => {
  const parent = async (firstName: string, phone: string): Promise<string> =>
    (await call<{ id: string }>('POST', '/guardians', { firstName, lastName: 'Haddad', phone })).id
  const payerId = await parent('Huda', '+972529999901')
  const parents = [payerId, await parent('Sami', '+972529999902')]
  const childIds: string[] = []
  for (let nth = 0; nth < CHILDREN; nth += 1) {
    const child = { branchId, firstName: `Child ${nth}`, lastName: 'Haddad' }
    const { id } = await call<{ id: string }>('POST', '/students', child)
    for (const guardianId of parents) {
      const isFirst = guardianId === payerId
      const link = { guardianId, relationship: 'guardian', isPrimary: isFirst, isPayer: isFirst }
      await call('POST', `/students/${id}/guardians`, link)
    }
    childIds.push(id)
  }
  for (let nth = 0; nth < INVOICES; nth += 1) {
    const lines = [{ description: 'Lessons', unitAmountMinor: 45_000 }]
    const studentId = childIds[nth % CHILDREN]
    const { id } = await call<{ id: string }>('POST', '/invoices', { studentId, lines })
    await call('POST', `/invoices/${id}/issue`)
    await call('POST', `/invoices/${id}/payments`, { amountMinor: 45_000, currency: 'ILS', method: 'cash' })
  }
  return payerId
}

/** The first page of the account of that family, in the middle. */
const account = async (bench: Workbench, rounds: number): Promise<Measured> => {
  const school = await bench.school(STUDENTS)
  const guardianId = await openFamily(school)
  const request = school.request('GET', `/guardians/${guardianId}/account?scope=family`)
  const requests = Array.from({ length: READS }, () => request)
  return inRounds(rounds, async () => ({
    ours: median((await drive(school.program.url, eachOnce(requests), 1)).latencies),
  }))
}

export const accountRows: readonly (Row & { measure: typeof account })[] = [
  {
    name: 'account',
    what: 'the account of a family of which 500 things happened',
    against: '',
    unit: 'ms',
    better: 'lower',
    floor: 60,
    goal: 25,
    measure: account,
  },
]
