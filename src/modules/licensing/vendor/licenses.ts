import { randomBytes } from 'node:crypto'
import { invalid, NotFound } from '#kernel/errors.ts'
import type { FeatureFlags } from '#kernel/features.ts'
import { shows } from '#kernel/fields.ts'
import type { PlanQuotas } from '#kernel/quota.ts'
import type { OutsideDb } from '#kernel/tables.ts'
import type { SystemTx, Tx } from '#kernel/unit-of-work.ts'
import { findTenant } from '#modules/settings/index.ts'
import { TenantArchived, TenantNotFound } from '#modules/tenants/index.ts'
import { newestFirst, systemListOf } from '#runtime/lists.ts'
import { changeRecord, changesOf, createRecord, isEmpty, lockRow, recordOf, type RecordTx } from '#runtime/records.ts'
import type { Vault } from '#runtime/vault.ts'
import { signLicenseToken } from '../protocol.ts'
import { License, type LicenseChanges, type NewLicense } from './schemas.ts'
import { licenseKey } from './vendor-key.ts'
import './tables.ts'

/** What a licence takes from its plan. */
export interface LicensedPlan {
  code: string
  features: Partial<FeatureFlags>
  quotas: PlanQuotas
}

export interface LicensesDeps {
  vault: Vault
  /** Finds a plan; undefined: there is none of that id. */
  planOf(db: OutsideDb, id: string): Promise<LicensedPlan | undefined>
  /** The address of this server, which its tokens name. */
  baseUrl(db: OutsideDb): Promise<string>
}

const TOKEN = 'license-token'

const showLicense = shows(License)

/** The licence record and list of a server, which alone can open the tokens in them. */
export const licensesOf = (deps: LicensesDeps) => {
  const show = (row: Parameters<typeof showLicense>[0]): License =>
    showLicense({ ...row, token: deps.vault.open(TOKEN, row.token) })
  return {
    ...deps,
    record: recordOf('license', { show }),
    /** Newest first. */
    list: systemListOf({
      from: (db) => db.selectFrom('license').selectAll(),
      filters: { tenantId: 'license.tenant_id' },
      order: newestFirst('license'),
      show,
    }),
  }
}
export type Licenses = ReturnType<typeof licensesOf>

/** The institute that a licence is for. @throws TenantNotFound */
export const licensedTenant = async (tx: SystemTx, tenantId: string): Promise<Tx> => {
  const tenant = await findTenant(tx.db, tenantId)
  if (!tenant) throw TenantNotFound()
  return tx.inTenant(tenant)
}

/** Records of the platform whose audit entries stand in the log of the institute that they concern. */
const auditedIn = (tx: SystemTx, { audit }: Tx): RecordTx => ({ ...tx, audit })

/** @throws NotFound */
const planFor = async ({ planOf }: Licenses, db: OutsideDb, planId: string | null): Promise<LicensedPlan | null> => {
  if (planId === null) return null
  const plan = await planOf(db, planId)
  if (!plan) throw NotFound()
  return plan
}

interface Granted {
  id: string
  jti: string
  planId: string | null
  maxInstalls: number
  expiresAt: string | null
}

const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000)

/** Makes the token of a licence. @returns it, encrypted @throws NotFound for the plan, NoLicenseKey */
const sealedToken = async (
  { db, now }: SystemTx,
  licenses: Licenses,
  tenantName: string,
  { id, jti, planId, maxInstalls, expiresAt }: Granted,
): Promise<string> => {
  const plan = await planFor(licenses, db, planId)
  const token = signLicenseToken(
    {
      iss: await licenses.baseUrl(db),
      jti,
      licenseId: id,
      tenantName,
      plan: plan?.code ?? null,
      features: plan?.features ?? null,
      quotas: (plan?.quotas as Record<string, number | null> | undefined) ?? null,
      maxInstalls,
      iat: seconds(now),
      ...(expiresAt !== null && { exp: seconds(expiresAt) }),
    },
    await licenseKey(db, licenses.vault),
  )
  return licenses.vault.seal(TOKEN, token)
}

/** @throws TenantNotFound, TenantArchived, NotFound for the plan, NoLicenseKey, VALIDATION_ERROR */
export const createLicense = async (
  tx: SystemTx,
  licenses: Licenses,
  { tenantId, planId = null, maxInstalls, expiresAt = null }: NewLicense,
): Promise<License> => {
  const inTenant = await licensedTenant(tx, tenantId)
  if (inTenant.tenant.status === 'archived') throw TenantArchived()
  if (expiresAt !== null && expiresAt <= tx.now) throw invalid(['expiresAt'], 'Must be in the future.')
  const id = tx.id()
  const granted = { jti: randomBytes(24).toString('base64url'), planId, maxInstalls, expiresAt }
  const token = await sealedToken(tx, licenses, inTenant.tenant.name, { id, ...granted })
  // The token names the licence's id, so the id is made before the row.
  const withId: RecordTx = { ...auditedIn(tx, inTenant), id: () => id }
  return createRecord(withId, licenses.record, { tenantId, ...granted, token, state: 'active' })
}

/**
 * Changes a licence and makes its token anew, with the same `jti`: installs that have the earlier token go on, and get what
 * changed with their next heartbeat.
 * @throws NotFound for the licence or the plan, NoLicenseKey
 */
export const changeLicense = async (
  tx: SystemTx,
  licenses: Licenses,
  id: string,
  wanted: LicenseChanges,
): Promise<License> => {
  const row = await lockRow(tx, licenses.record, id)
  const inTenant = await licensedTenant(tx, row.tenant_id)
  const audited = auditedIn(tx, inTenant)
  if (isEmpty(changesOf(row, wanted))) return changeRecord(audited, licenses.record, row, {})
  const { planId = row.plan_id, maxInstalls = row.max_installs, expiresAt = row.expires_at } = wanted
  const granted = { planId, maxInstalls, expiresAt }
  const token = await sealedToken(tx, licenses, inTenant.tenant.name, { id, jti: row.jti, ...granted })
  return changeRecord(audited, licenses.record, row, { ...granted, token })
}

/** What a licence grants now, which may differ from its token. A plan that is gone grants nothing. */
export const grantedBy = async (
  { planOf }: Licenses,
  db: OutsideDb,
  planId: string | null,
): Promise<Pick<LicensedPlan, 'features' | 'quotas'> | undefined> => (planId === null ? undefined : planOf(db, planId))
