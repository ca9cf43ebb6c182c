import { afterAll, beforeAll, beforeEach } from 'vitest'
import { sweepChequesJob } from '#modules/billing/cheques/due.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newPhone } from '../examples/people.ts'

export const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })

export const reasonOf = ({ status, body }: { status: number; body: { error: { details?: { reason?: string } } } }) => [
  status,
  body.error.details?.reason,
]

/** Before each test a new institute, on a morning of March, in which a mother brings cheques for her daughter. */
export const chequeDesk = () => {
  let app: TestApp
  let school: TestInstitute
  let world: World
  let mother: string
  let studentId: string
  beforeAll(async () => {
    app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 31_536_000 } })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    app.clock.set('2026-03-02T08:00:00.000Z')
    school = await makeInstitute(app)
    world = worldOf(app, school)
    const { owner, branchId } = school
    mother = (await owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() })).body.id
    studentId = (await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })).body.id
    const link = { guardianId: mother, relationship: 'mother', isPrimary: true, isPayer: true }
    await owner.post(`/students/${studentId}/guardians`, link)
  })
  const enqueue = (job: typeof sweepChequesJob) =>
    runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
      unit.system().enqueue(job, {})
    })
  return {
    get app() {
      return app
    },
    get school() {
      return school
    },
    get world() {
      return world
    },
    get mother() {
      return mother
    },
    get studentId() {
      return studentId
    },
    enqueue,
    /** Lets the sweeps run at noon of a day, in Jerusalem. */
    sweepOn: async (day: string): Promise<void> => {
      app.clock.set(`${day}T10:00:00.000Z`)
      await enqueue(sweepChequesJob)
      await enqueue(sweepOverdueJob)
      await app.drain()
    },
    /** An issued invoice, of so much. @returns its id */
    owes: async (unitAmountMinor: number, more: object = {}): Promise<string> =>
      (await issuedInvoice(world, { studentId, lines: [{ description: 'March', unitAmountMinor }], ...more })).id,
    take: (cheques: object[], more: object = {}) =>
      school.owner.post('/cheques', { currency: 'ILS', paidBy: { guardianId: mother }, cheques, ...more }),
    did: (id: string, what: string, body?: object) => school.owner.post(`/cheques/${id}/${what}`, body),
    cheque: async (id: string) => (await school.owner.get(`/cheques/${id}`)).body,
    /** Its state, what is paid of it, and what is open. */
    invoice: async (id: string) => {
      const { status, paid, balance } = (await school.owner.get(`/invoices/${id}`)).body
      return [status, paid.amountMinor, balance.amountMinor]
    },
    /** The balance of the mother, what she owes, her credit, and what is held of hers. */
    account: async () => {
      const { balance, owed, credit, held } = (await school.owner.get(`/guardians/${mother}/account`)).body
      return [balance, owed, credit, held].map((sum) => sum.amountMinor)
    },
  }
}
