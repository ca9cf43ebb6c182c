import { isDeepStrictEqual } from 'node:util'
import { Forbidden, invalid } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { CurrencyFixed, type StoredSettings } from '#modules/tenants/index.ts'
import { changeRecord, lockRow } from '#runtime/records/records.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { sealCaptchaSecret, settingsRecord, toSettings } from './record.ts'
import type { ChangedSettings, SettingsChanges } from './schemas.ts'

/** Drops fields that were not sent: undefined means untouched, null is a value. */
const given = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

type StoredCaptcha = NonNullable<StoredSettings['registration']>['captcha']

/** @returns undefined when it is untouched @throws VALIDATION_ERROR for a captcha without a secret */
const captchaChange = (
  vault: Vault,
  wanted: NonNullable<SettingsChanges['registration']>['captcha'],
  current: StoredCaptcha,
): StoredCaptcha | undefined => {
  if (wanted === undefined || wanted === null) return wanted
  if (wanted.secret !== undefined) {
    return { provider: wanted.provider, sealedSecret: sealCaptchaSecret(vault, wanted.secret) }
  }
  if (current?.provider !== wanted.provider) {
    throw invalid(['registration', 'captcha', 'secret'], 'Is required with a new provider.')
  }
  return undefined
}

const merged = (vault: Vault, stored: StoredSettings, changes: SettingsChanges): StoredSettings => {
  const { baseUrl, invoiceDueDays, applyCredit, siblingDiscounts, offerDays, reportsApproval } = changes
  const { teacherMessagesPerDay, invoiceFooter, terms, quietHours } = changes
  const { attendance, curriculum, registration, papers, quietDays, branding } = changes
  const captcha = captchaChange(vault, registration?.captcha, stored.registration?.captcha ?? null)
  return {
    ...stored,
    ...given({ baseUrl, invoiceDueDays, applyCredit, siblingDiscounts, offerDays, reportsApproval }),
    ...given({ teacherMessagesPerDay, invoiceFooter, terms, quietHours }),
    attendance: { ...stored.attendance, ...given({ ...attendance }) },
    curriculum: { ...stored.curriculum, ...given({ ...curriculum }) },
    registration: { ...stored.registration, ...given({ enabled: registration?.enabled, captcha }) },
    papers: { ...stored.papers, ...given({ ...papers }) },
    quietDays: { ...stored.quietDays, ...given({ ...quietDays }) },
    branding: { ...stored.branding, ...given({ ...branding }) },
  }
}

/**
 * Checks the file that the settings will show as the logo. @throws NotFound, VALIDATION_ERROR for a file that is not a
 * picture
 */
export type NameLogo = (tx: Tx, fileId: string) => Promise<void>

/** Moves the sessions of the weekly times to the zone that the institute has from now on. @returns how many */
export type FollowZone = (tx: Tx, zone: string) => Promise<number>

interface Changing {
  vault: Vault
  nameLogo: NameLogo
  followZone: FollowZone
  isOwner: boolean
}

/** Has links begin with another host of the server where they began with this one. */
export const followHost = async (tx: Tx, from: string, to: string): Promise<void> => {
  const row = await lockRow(tx, settingsRecord, tx.tenant.id)
  const { baseUrl } = row.settings
  if (!baseUrl || new URL(baseUrl).hostname !== from) return
  const address = new URL(baseUrl)
  address.hostname = to
  const settings = { ...row.settings, baseUrl: address.href.replace(/\/$/, '') }
  await changeRecord(tx, settingsRecord, row, { settings }, { entityType: 'settings' })
}

/** @throws VersionConflict, Forbidden, CurrencyFixed, NotFound for the logo, VALIDATION_ERROR */
export const changeSettings = async (
  tx: Tx,
  { vault, nameLogo, followZone, isOwner }: Changing,
  changes: SettingsChanges,
): Promise<ChangedSettings> => {
  const row = await lockRow(tx, settingsRecord, tx.tenant.id, changes.version)
  // Links that open accounts begin with this address: whoever points it to their own host can read the owner's tokens.
  const newBase = changes.baseUrl !== undefined && changes.baseUrl !== (row.settings.baseUrl ?? null)
  if (newBase && !isOwner) throw Forbidden({ reason: 'owner_only' })
  if (row.currency_fixed && changes.currency !== undefined && changes.currency !== row.currency) throw CurrencyFixed()
  if (changes.branding?.logoFileId) await nameLogo(tx, changes.branding.logoFileId)
  const { name, defaultLocale, timezone, currency, registration } = changes
  const settings = merged(vault, row.settings, changes)
  // Storing a value that equals the current default is no visible change; a new secret always is one.
  const differs =
    registration?.captcha?.secret !== undefined || !isDeepStrictEqual(toSettings({ ...row, settings }), toSettings(row))
  const hasNewZone = timezone !== undefined && timezone !== row.timezone
  const movedSessions = hasNewZone ? await followZone(tx, timezone) : null
  const changed = await changeRecord(
    tx,
    settingsRecord,
    row,
    { name, defaultLocale, timezone, currency, settings: differs ? settings : undefined },
    { entityType: 'settings', ...(hasNewZone && { metadata: { movedSessions } }) },
  )
  return { ...changed, movedSessions }
}
