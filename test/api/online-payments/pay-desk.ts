import { afterAll, beforeAll, beforeEach } from 'vitest'
import { reconcileAllJob } from '#modules/online-payments/reconcile.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import {
  PAYPLUS,
  startPaymentProviders,
  STRIPE,
  type PaymentProviders,
  type SignedNotice,
} from '#kit/payment-providers.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newPhone } from '../examples/people.ts'

export { PAYPLUS, STRIPE }
export { ils, reasonOf } from '../billing/cheque-desk.ts'

const ACCOUNTS = { stripe: STRIPE, payplus: PAYPLUS }

/** Before each test a new institute, on a morning of March, in which a mother pays by card for her daughter. */
export const payDesk = (options: TestAppOptions = {}) => {
  let app: TestApp
  let providers: PaymentProviders
  let school: TestInstitute
  let world: World
  let mother: string
  let studentId: string
  beforeAll(async () => {
    providers = await startPaymentProviders(() => Date.parse(app.clock.now()))
    const config = { ...NO_LIMITS, accessTokenSeconds: 31_536_000, ...options.config }
    app = await startApp({ ...options, config, outbound: providers.outbound })
  })
  afterAll(async () => {
    await app.close()
    await providers.close()
  })
  beforeEach(async () => {
    providers.forget()
    app.clock.set('2026-03-02T08:00:00.000Z')
    school = await makeInstitute(app)
    world = worldOf(app, school)
    const { owner, branchId } = school
    mother = (
      await owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone(), preferredLocale: 'en' })
    ).body.id
    studentId = (await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })).body.id
    const link = { guardianId: mother, relationship: 'mother', isPrimary: true, isPayer: true }
    await owner.post(`/students/${studentId}/guardians`, link)
  })
  const pathOf = (url: string): string => `/${new URL(url).pathname}`
  return {
    get app() {
      return app
    },
    get providers() {
      return providers
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
    /** Switches a provider on. @returns where it sends its notices */
    setUp: async (name: 'stripe' | 'payplus' = 'stripe'): Promise<string> => {
      const { body } = await school.owner.put(`/payment-providers/${name}`, { isOn: true, ...ACCOUNTS[name] })
      return new URL(body.noticeUrl).pathname.replace('/api/v1', '')
    },
    owes: async (unitAmountMinor = 45_000): Promise<string> =>
      (await issuedInvoice(world, { studentId, lines: [{ description: 'March', unitAmountMinor }] })).id,
    /** The path of the link to pay. */
    link: async (invoiceId: string): Promise<string> =>
      pathOf((await school.owner.get(`/invoices/${invoiceId}/pay-link`)).body.url),
    /** Opens a page as the office does. @returns its id at the provider */
    open: async (invoiceId: string): Promise<string> => {
      const { body } = await school.owner.post(`/invoices/${invoiceId}/pay`)
      return String(body.url).split('/').at(-1) as string
    },
    send: (path: string, { body, headers }: SignedNotice) => app.send('POST', path, { raw: body, headers }),
    reconcile: async (): Promise<void> => {
      await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
        unit.system().enqueue(reconcileAllJob, {})
      })
      await app.drain()
    },
    payments: async (invoiceId: string) =>
      (await school.owner.get(`/payments?invoiceId=${invoiceId}`)).body.data.map(
        (one: { amount: { amountMinor: number }; method: string }) => [one.amount.amountMinor, one.method],
      ),
    online: async (invoiceId: string) => (await school.owner.get(`/online-payments?invoiceId=${invoiceId}`)).body.data,
    /** Its state, what is paid of it, and what is open. */
    invoice: async (id: string) => {
      const { status, paid, balance } = (await school.owner.get(`/invoices/${id}`)).body
      return [status, paid.amountMinor, balance.amountMinor]
    },
    credit: async () => (await school.owner.get(`/guardians/${mother}/account`)).body.credit.amountMinor,
  }
}
