import type { Selectable } from 'kysely'
import { ApiError } from '#kernel/values/errors.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockInstitute, lockTenant, setEntitlements, TenantArchived, unlockTenant } from '#modules/tenants/index.ts'
import {
  appliedOf,
  entitlementsOf,
  lockSteps,
  merged,
  type Command,
  type LicenseState,
  type LockStep,
} from './state.ts'

export type LicenseRow = Selectable<Tables['installed_license']>

/** What the database alone knows of the conversation with the issuer. */
type Conversation = Partial<
  Pick<
    LicenseRow,
    | 'counter'
    | 'acknowledge'
    | 'max_observed_at'
    | 'last_server_at'
    | 'last_heartbeat_at'
    | 'last_error'
    | 'next_heartbeat_at'
  >
>

/** @returns undefined when the institute has no licence */
export const findLicense = (db: ScopedDb): Promise<LicenseRow | undefined> =>
  db.selectFrom('installed_license').selectAll().executeTakeFirst()

/** The part of the row that is kept beside the database too. */
export const stateOf = (row: LicenseRow): LicenseState => ({
  installId: row.install_id,
  installSecret: row.install_secret,
  activation: row.activation,
  activatedAt: row.activated_at,
  license: row.license,
  applied: row.applied,
  maxObservedAt: row.max_observed_at,
})

const columnsOf = (state: LicenseState) => ({
  install_id: state.installId,
  install_secret: state.installSecret,
  activation: state.activation,
  activated_at: state.activatedAt,
  license: state.license,
  applied: state.applied,
  max_observed_at: state.maxObservedAt,
})

/** Locks or unlocks the institute. An archived one stays as it is. */
const take = async (tx: Tx, { locked, reason }: LockStep): Promise<void> => {
  try {
    if (locked) await lockTenant(tx, { reason, source: 'manual', subscriptionId: null })
    else await unlockTenant(tx, { subscriptionId: null })
  } catch (error) {
    if (!(error instanceof ApiError && error.spec === TenantArchived.spec)) throw error
  }
}

export const updateConversation = async ({ whole }: Tx, changes: Conversation): Promise<void> => {
  await whole.updateTable('installed_license').set(changes).execute()
}

/**
 * Adds to the database what only `wanted` knows: stores the licence and what was applied of its commands, locks
 * and unlocks the institute, and grants the licence's features and quotas. It forgets nothing that the database knows,
 * so that it may run twice, and after another change.
 * @param commands those that led to `wanted`, where they are at hand
 * @param conversation written with it
 * @returns what was done to the institute
 */
export const adopt = async (
  tx: Tx,
  wanted: LicenseState,
  { commands = [], conversation = {} }: { commands?: readonly Command[]; conversation?: Conversation } = {},
): Promise<LockStep[]> => {
  await lockInstitute(tx)
  const row = await findLicense(tx.whole)
  const before = row && stateOf(row)
  const after = before ? merged(wanted, before) : wanted
  const columns = { ...columnsOf(after), ...conversation }
  if (row) await tx.whole.updateTable('installed_license').set(columns).execute()
  else
    await tx.whole
      .insertInto('installed_license')
      .values({ counter: 0, acknowledge: [], ...columns })
      .execute()
  const steps = lockSteps(before, after, commands)
  for (const step of steps) await take(tx, step)
  await setEntitlements(tx, tx.tenant.id, entitlementsOf(after.license))
  if (steps.length > 0) {
    const { licenseId } = after.license
    tx.audit({ entityType: 'license', entityId: licenseId, metadata: { sequence: appliedOf(after).sequence, steps } })
  }
  return steps
}
