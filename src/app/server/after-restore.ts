import type { Module } from '#kernel/contract/module.ts'
import { endAllSessions } from '#modules/identity/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { forgetRestored, readRestored } from '#app/backup/restored-from.ts'
import type { Restoring } from '#app/backup/restoring.ts'
import type { Brought } from './brought.ts'

/**
 * What is left to do on a backup that was put in the place of what was here, before anybody is served: the sessions of that
 * day are over, also those that were ended since, and its log says what happened. After a kill it is done again.
 */
export const afterRestore = (
  dataDir: string,
  { restoring, brought }: { restoring: Restoring; brought: Brought },
): NonNullable<Module['beforeRequests']> => {
  return async ({ everywhere, change }) => {
    const from = readRestored(dataDir)
    if (!from) return
    const installed = await everywhere.selectFrom('installation').select('tenant_id').executeTakeFirst()
    await change(async (tx) => {
      const endedSessions = await endAllSessions(tx)
      const institute = installed && (await findTenant(tx.db, installed.tenant_id))
      const metadata = { ...from, endedSessions }
      if (institute) {
        tx.inTenant(institute).audit({ action: 'server.restored', entityType: 'backup', entityId: null, metadata })
      }
    })
    brought.forget(from.backup)
    forgetRestored(dataDir)
    restoring.cameBack(from)
  }
}
