import { jobKind, type Module } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { PAY_LINK, PAYMENT_ACCOUNT } from './credentials.ts'
import { onlinePaymentEndpoints, paymentProviderEndpoints } from './endpoints.ts'
import { payCode, PAY_PATH } from './link.ts'
import { actOnNotice, noticeJob } from './notices.ts'
import { payPages, type PageDeps } from './pages.ts'
import { providerOn, type ProviderDeps } from './providers.ts'
import { reconcile, reconcileAll, reconcileAllJob, reconcileJob } from './reconcile.ts'
import { onlinePaymentTables } from './tables.ts'

export { deskNoticeJob } from './desk-notice.ts'
export type { Problem } from './tables.ts'

/** Makes links to pay; undefined: nobody pays by card in this institute now. */
export type PayLinks = (
  whole: ScopedDb,
  tenant: Pick<TenantInfo, 'id'>,
) => Promise<((invoiceId: string) => string) | undefined>

export const payLinks =
  ({ vault, baseUrl }: Pick<ProviderDeps, 'vault' | 'baseUrl'>): PayLinks =>
  async (whole, { id }) => {
    if (!(await providerOn(whole))) return undefined
    const base = await baseUrl(id)
    return (invoiceId) => `${base}/${PAY_PATH}/${payCode(vault, id, invoiceId)}`
  }

/** Whether somebody can pay by card in this institute now. */
export const isPaidOnline = async (whole: ScopedDb): Promise<boolean> => (await providerOn(whole)) !== undefined

/** Invoices that people pay by card, on the page of a provider. Off until an owner switches a provider on. */
export const onlinePaymentsModule = (deps: PageDeps): Module => ({
  name: 'online-payments',
  tags: {
    'online-payments': 'What people pay by card, on the page of a provider.',
    'payment-providers': 'Over whom people pay by card.',
  },
  tables: onlinePaymentTables,
  persons: [{ of: 'guardian', table: 'online_payment', column: 'payer_guardian_id' }],
  credentials: [PAY_LINK, PAYMENT_ACCOUNT],
  reads: { billing: ['invoice', 'receipt'], people: ['guardian', 'guardian_link'] },
  endpoints: [...paymentProviderEndpoints(deps), ...onlinePaymentEndpoints(deps), ...payPages(deps)],
  jobs: [
    jobKind(noticeJob, { handle: actOnNotice, maxAttempts: 12 }),
    jobKind(reconcileAllJob, { handle: reconcileAll }),
    jobKind(reconcileJob, { handle: reconcile(deps) }),
  ],
  cronJobs: [{ cron: '23 3 * * *', job: reconcileAllJob }],
})
