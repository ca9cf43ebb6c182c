import type { FeatureFlags } from '#kernel/rights/features.ts'
import type { Locale } from '#shared/locale.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { PlanQuotas } from '#kernel/who/quota.ts'
import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'

/** The institute's settings that have no column of their own; the module `settings` reads and changes them. */
export interface StoredSettings {
  baseUrl?: string | null
  invoiceDueDays?: number
  applyCredit?: boolean
  siblingDiscounts?: { child: number; percent: number }[]
  offerDays?: number
  teacherMessagesPerDay?: number
  reportsApproval?: boolean
  invoiceFooter?: string | null
  terms?: { name: string; startsOn: string }[]
  attendance?: { lateAfterMinutes?: number }
  curriculum?: { allowTerabox?: boolean }
  registration?: {
    enabled?: boolean
    captcha?: { provider: 'turnstile' | 'hcaptcha' | 'recaptcha'; sealedSecret: string } | null
  }
  papers?: { taxNumber?: string | null; address?: string | null; inMails?: boolean }
  quietHours?: { from: string; to: string } | null
  quietDays?: { weekdays?: number[]; onClosedDays?: boolean }
  branding?: { logoFileId?: string | null; color?: string | null }
}

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    tenant: {
      id: Fixed<string>
      slug: Fixed<string>
      name: string
      status: 'active' | 'suspended' | 'archived'
      default_locale: Locale
      timezone: string
      currency: Currency
      deployment_mode: Fixed<'cloud' | 'self_hosted'>
      auto_lock_override: 'inherit' | 'on' | 'off'
      locked_at: string | null
      locked_reason: string | null
      locked_by_platform_admin_id: string | null
      /** When it was closed for good; null: it is not. */
      archived_at: string | null
      created_by: Fixed<string | null>
      feature_overrides: Json<Partial<FeatureFlags>>
      settings: Json<StoredSettings>
      /** The features that the plan or the licence switches on or off; null: neither says anything. */
      plan_features: Json<Partial<FeatureFlags> | null>
      /** The limits of the plan or the licence; null: unlimited. */
      plan_quotas: Json<PlanQuotas | null>
      /** From this time on only reads are allowed; null: never. */
      writes_end_at: string | null
      /** When the trial of the institute's plan ends; null: it is on none. */
      trial_ends_at: string | null
      /** By which edition of the zones' rules its sessions stand; null: nobody has looked. */
      zone_rules: Defaulted<string | null>
      /** The folded name and slug, for search. */
      search_text: Defaulted<string>
      /** Set by the first invoice: from then on the currency cannot change. */
      currency_fixed: Defaulted<boolean>
      version: Defaulted<number>
      created_at: Fixed<string>
      updated_at: string
    }
    tenant_counter: {
      tenant_id: TenantId
      name: Fixed<string>
      value: number
    }
  }
}

export const tenantTables: TableRules = {
  tenant: { kind: 'self' },
  tenant_counter: { kind: 'tenant' },
}
