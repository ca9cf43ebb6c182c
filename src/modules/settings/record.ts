import type { Selectable } from 'kysely'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { found } from '#kernel/values/errors.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import { tenantShownAs, type StoredSettings } from '#modules/tenants/index.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { Settings } from './schemas.ts'

type TenantRow = Pick<
  Selectable<Tables['tenant']>,
  'name' | 'default_locale' | 'timezone' | 'currency' | 'settings' | 'version'
>

const SETTINGS_COLUMNS = ['name', 'default_locale', 'timezone', 'currency', 'settings', 'version'] as const

/** When nothing goes out that can wait. */
export const quietSettings = ({
  quietHours = null,
  quietDays: { weekdays = [], onClosedDays = false } = {},
}: StoredSettings): Pick<Settings, 'quietHours' | 'quietDays'> => ({
  quietHours,
  quietDays: { weekdays, onClosedDays },
})

/** The settings with defaults for what the institute has not set. They contain no secrets. */
export const toSettings = ({ settings: stored, ...row }: TenantRow): Settings => {
  const captcha = stored.registration?.captcha
  return {
    name: row.name,
    defaultLocale: row.default_locale,
    timezone: row.timezone,
    currency: row.currency,
    baseUrl: stored.baseUrl ?? null,
    invoiceDueDays: stored.invoiceDueDays ?? 14,
    applyCredit: stored.applyCredit ?? true,
    siblingDiscounts: stored.siblingDiscounts ?? [],
    offerDays: stored.offerDays ?? 3,
    teacherMessagesPerDay: stored.teacherMessagesPerDay ?? 3,
    reportsApproval: stored.reportsApproval ?? false,
    invoiceFooter: stored.invoiceFooter ?? null,
    terms: stored.terms ?? [],
    attendance: { lateAfterMinutes: stored.attendance?.lateAfterMinutes ?? 10 },
    curriculum: { allowTerabox: stored.curriculum?.allowTerabox ?? false },
    registration: {
      enabled: stored.registration?.enabled ?? true,
      captcha: captcha ? { provider: captcha.provider } : null,
    },
    papers: {
      taxNumber: stored.papers?.taxNumber ?? null,
      address: stored.papers?.address ?? null,
      inMails: stored.papers?.inMails ?? false,
    },
    ...quietSettings(stored),
    branding: { logoFileId: stored.branding?.logoFileId ?? null, color: stored.branding?.color ?? null },
    version: row.version,
  }
}

export const settingsRecord = tenantShownAs(toSettings)

const tenantRow = compiledInTenant((db) => db.selectFrom('tenant').select(SETTINGS_COLUMNS))

/** The institute's settings as they are now. */
export const readSettings = async (db: ScopedDb): Promise<Settings> => toSettings(found((await tenantRow(db, {}))[0]))

const trialEnd = compiledInTenant((db) => db.selectFrom('tenant').select('trial_ends_at'))

/** When the institute's trial ends, or ended; null: it is on none. */
export const readTrialEnd = async (db: ScopedDb): Promise<string | null> =>
  found((await trialEnd(db, {}))[0]).trial_ends_at

const storedSettings = compiledInTenant((db) => db.selectFrom('tenant').select('settings'))

/** The text below invoices as it is set now; null: none. */
export const readInvoiceFooter = async (db: ScopedDb): Promise<string | null> =>
  // An empty text counts as no text.
  found((await storedSettings(db, {}))[0]).settings.invoiceFooter || null

const CAPTCHA_PURPOSE = 'captcha-secret'

export const sealCaptchaSecret = (vault: Vault, secret: string): string => vault.seal(CAPTCHA_PURPOSE, secret)

/** The captcha that registrations must solve; null: none. */
export const readCaptcha = async (
  db: ScopedDb,
  vault: Vault,
): Promise<{ provider: 'turnstile' | 'hcaptcha' | 'recaptcha'; secret: string } | null> => {
  const { settings } = found((await storedSettings(db, {}))[0])
  const captcha = settings.registration?.captcha
  return captcha ? { provider: captcha.provider, secret: vault.open(CAPTCHA_PURPOSE, captcha.sealedSecret) } : null
}
