import { isDeepStrictEqual } from 'node:util'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { InstallDeps } from './deps.ts'
import { merged, type LicenseState } from './state.ts'
import { adopt, findLicense, stateOf, updateConversation } from './store.ts'

type Where = Pick<InstallDeps, 'stateFile' | 'log'>

/** Writes the file. Where the disk takes nothing, the database alone remembers, and the log says so. */
export const writeBeside = (
  { stateFile, log }: Where,
  { id }: Pick<TenantInfo, 'id'>,
  make: (kept: LicenseState | undefined) => LicenseState,
): void => {
  try {
    stateFile.change(id, make)
  } catch (error) {
    log.error({ err: error }, 'the licence’s state could not be written beside the database')
  }
}

/**
 * Compares the licence's state in the database with the file beside it, and adds to each what only the other knows.
 * Nothing is reset in silence: where the file is gone or the database has no licence any more, heartbeats count from
 * 1 again, and the issuer sees that. A database from a backup has an older counter, which shows the same.
 */
export const reconcile = async (
  where: Where,
  { change }: Pick<JobContext, 'change'>,
  tenant: TenantInfo,
): Promise<void> => {
  const row = await change((system) => findLicense(system.inTenant(tenant).whole))
  const kept = where.stateFile.read(tenant.id)
  if (row && kept) await bringTogether(where, { change, tenant }, { state: stateOf(row), kept })
  else if (row) {
    if (row.counter > 0) {
      await change((system) => updateConversation(system.inTenant(tenant), { counter: 0 }))
      where.log.warn('the licence’s state beside the database is missing or cannot be read: it is written anew')
    }
    writeBeside(where, tenant, () => stateOf(row))
  } else if (kept) {
    await change((system) => adopt(system.inTenant(tenant), kept))
    where.log.warn('the database has no licence any more: it is taken from the copy beside it')
  }
}

const bringTogether = async (
  where: Where,
  { change, tenant }: Pick<JobContext, 'change'> & { tenant: TenantInfo },
  { state, kept }: { state: LicenseState; kept: LicenseState },
): Promise<void> => {
  const both = merged(state, kept)
  if (!isDeepStrictEqual(both, kept)) writeBeside(where, tenant, (now) => (now ? merged(both, now) : both))
  if (isDeepStrictEqual(both, state)) return
  const steps = await change((system) => adopt(system.inTenant(tenant), both))
  where.log.warn({ steps }, 'the database knew less of the licence than the copy beside it, and took over the rest')
}
