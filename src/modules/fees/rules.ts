import type { Locale } from '#shared/locale.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { readSettings, type Settings } from '#modules/settings/index.ts'
import type { Term } from './period.ts'

/** What the institute's settings say on the day on which something is charged. */
export interface RunRules {
  terms: readonly Term[]
  invoiceDueDays: number
  invoiceFooter: string | null
  siblingDiscounts: Settings['siblingDiscounts']
  currency: Currency
  timezone: string
  /** In which invoices are written of students without a payer of record. */
  locale: Locale
  today: string
}

export const rulesOf = async ({
  whole,
  tenant,
  today,
}: {
  whole: ScopedDb
  tenant: TenantInfo
  today: string
}): Promise<RunRules> => {
  const { terms, invoiceDueDays, invoiceFooter, siblingDiscounts, currency } = await readSettings(whole)
  const { timezone, defaultLocale: locale } = tenant
  return { terms, invoiceDueDays, invoiceFooter, siblingDiscounts, currency, timezone, locale, today }
}
