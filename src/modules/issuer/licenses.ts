import { randomBytes } from 'node:crypto'
import { invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { signLicenseToken, type LicenseClaims } from '#modules/licensing/index.ts'
import { PlanArchived, planRecord } from '#modules/plans/index.ts'
import { findTenant, TenantArchived, TenantNotFound } from '#modules/tenants/index.ts'
import { newestFirst, systemListOf } from '#runtime/records/lists.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  findRow,
  isEmpty,
  lockReferencedRow,
  lockRow,
  recordOf,
  type RecordTx,
} from '#runtime/records/records.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { licenseKey } from './license-key.ts'
import { License, type LicenseChanges, type NewLicense } from './schemas.ts'

export interface LicensesDeps {
  vault: Vault
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

/** What a licence takes from its plan now, which may differ from its token; all null without a plan. @throws NotFound */
export const grantedBy = async (
  db: OutsideDb,
  planId: string | null,
): Promise<Pick<LicenseClaims, 'plan' | 'features' | 'quotas'>> => {
  if (planId === null) return { plan: null, features: null, quotas: null }
  const { code: plan, features, quotas } = await findRow(db, planRecord, planId)
  return { plan, features, quotas }
}

/** @throws NotFound, PlanArchived: an archived plan is only kept by who has it */
const checkOffered = async (tx: SystemTx, planId: string): Promise<void> => {
  const plan = await lockReferencedRow(tx, planRecord, planId)
  if (plan.archived_at !== null) throw PlanArchived()
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
  const token = signLicenseToken(
    {
      iss: await licenses.baseUrl(db),
      jti,
      licenseId: id,
      tenantName,
      ...(await grantedBy(db, planId)),
      maxInstalls,
      iat: seconds(now),
      ...(expiresAt !== null && { exp: seconds(expiresAt) }),
    },
    await licenseKey(db, licenses.vault),
  )
  return licenses.vault.seal(TOKEN, token)
}

/** @throws TenantNotFound, TenantArchived, NotFound for the plan, PlanArchived, NoLicenseKey, VALIDATION_ERROR */
export const createLicense = async (
  tx: SystemTx,
  licenses: Licenses,
  { tenantId, planId = null, maxInstalls, expiresAt = null }: NewLicense,
): Promise<License> => {
  const inTenant = await licensedTenant(tx, tenantId)
  if (inTenant.tenant.status === 'archived') throw TenantArchived()
  if (expiresAt !== null && expiresAt <= tx.now) throw invalid(['expiresAt'], 'Must be in the future.')
  if (planId !== null) await checkOffered(tx, planId)
  const id = tx.id()
  const granted = { jti: randomBytes(24).toString('base64url'), planId, maxInstalls, expiresAt }
  const token = await sealedToken(tx, licenses, inTenant.tenant.name, { id, ...granted })
  // The token names the licence's id, so the id is made before the row.
  const withId: RecordTx = { ...auditedIn(tx, inTenant), id: () => id }
  return createRecord(withId, licenses.record, {
    tenantId,
    ...granted,
    token,
    state: 'active',
    lockedAt: null,
    lockedReason: null,
  })
}

/**
 * Changes a licence and makes its token anew, with the same `jti`: installs that have the earlier token go on, and get what
 * changed with their next heartbeat.
 * @throws NotFound for the licence or the plan, PlanArchived, NoLicenseKey
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
  if (wanted.planId && wanted.planId !== row.plan_id) await checkOffered(tx, wanted.planId)
  const { planId = row.plan_id, maxInstalls = row.max_installs, expiresAt = row.expires_at } = wanted
  const granted = { planId, maxInstalls, expiresAt }
  const token = await sealedToken(tx, licenses, inTenant.tenant.name, { id, jti: row.jti, ...granted })
  return changeRecord(audited, licenses.record, row, { ...granted, token })
}
