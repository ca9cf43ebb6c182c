import type { Currency } from '#kernel/values/money.ts'
import type { Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { OnPage } from '#ports/payments/port.ts'

export const PROVIDER_NAMES = ['stripe', 'payplus'] as const
export type ProviderName = (typeof PROVIDER_NAMES)[number]

/** `opening`: the provider was asked for a page and has not answered yet. `pending`: the payer's bank has yet to pay. */
export const STATES = ['opening', 'open', 'pending', 'paid', 'failed', 'expired'] as const
/** Those in which something may still come of it by itself. */
export const LIVE_STATES = ['opening', 'open', 'pending'] as const

/** What the desk has to look at. */
export const PROBLEMS = [
  'other_amount',
  'other_currency',
  'became_credit',
  'not_booked',
  'refunded',
  'disputed',
] as const
export type Problem = (typeof PROBLEMS)[number]

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** The institute's account at a provider. One at most is on; notices of the others are taken all the same. */
    payment_provider: {
      id: Fixed<string>
      tenant_id: TenantId
      provider: Fixed<ProviderName>
      is_on: boolean
      settings: Json<Record<string, string>>
      /** Sealed: its secrets. */
      secret: string
      secret_set_at: string
      created_at: Fixed<string>
      updated_at: string
    }
    /** A page at a provider on which an invoice is paid, and what came of it. */
    online_payment: {
      id: Fixed<string>
      tenant_id: TenantId
      invoice_id: Fixed<string>
      /** The guardian who opened it; null: whoever pays the invoice. */
      payer_guardian_id: string | null
      /** What was asked for. */
      amount_minor: Fixed<number>
      currency: Fixed<Currency>
      provider: Fixed<ProviderName>
      state: (typeof STATES)[number]
      page_id: string | null
      page_url: string | null
      expires_at: Fixed<string>
      provider_payment_id: string | null
      /** What the provider says was paid, in whatever currency. */
      paid_minor: number | null
      paid_currency: string | null
      paid_at: string | null
      receipt_id: string | null
      problem: Problem | null
      problem_at: string | null
      /** When somebody at the desk saw to the problem. */
      settled_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    /** What a provider sent by itself, kept before it is acted on. */
    payment_notice: {
      id: Fixed<string>
      tenant_id: TenantId
      provider: Fixed<ProviderName>
      notice_id: Fixed<string>
      tells: Fixed<OnPage>
      done_at: string | null
      created_at: Fixed<string>
    }
  }
}

export const onlinePaymentTables: TableRules = {
  payment_provider: { kind: 'tenant' },
  online_payment: { kind: 'tenant', branch: { column: 'invoice_id', of: 'invoice' } },
  payment_notice: { kind: 'tenant' },
}
