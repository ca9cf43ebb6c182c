import type { Database } from '#db/database.ts'
import { systemClock } from '#kernel/time/clock.ts'
import type { TableRules } from '#kernel/contract/tables.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { stampOf } from '#app/data-dir/layout.ts'
import { rulesOf } from '#app/combine-modules.ts'
import type { Config } from '#app/config/config.ts'
import { allModules } from '#app/modules.ts'
import { findTenantId, openPresent } from './operator.ts'
import { writeOut, type OutputTarget } from './write-out.ts'
import { openServicesReadOnly, outboundPolicy } from '#app/services.ts'
import { openFiles } from '#app/data-dir/files.ts'
import { archiveOf, type OnProgress } from '#app/export/archive.ts'
import { taskOf } from '#app/export/thread.ts'

export const rulesOfProgram = async (config: Config, database: Database): Promise<TableRules> => {
  const outbound = guardedOutbound({ policy: outboundPolicy(config) })
  try {
    return rulesOf(allModules(await openServicesReadOnly(config, database, { clock: systemClock, outbound })))
  } finally {
    await outbound.close()
  }
}

export interface WantedExport extends OutputTarget {
  slug: string
}

/**
 * Writes everything of an institute into a ZIP archive. The program may be running meanwhile; nothing is changed.
 * @returns the path of the archive
 * @throws an Error that says what is wrong, a Mistake for a wrong place; then no file is left
 */
export const exportInstitute = async (
  config: Config,
  { slug, to, force }: WantedExport,
  tell: OnProgress,
): Promise<string> => {
  const now = systemClock.now()
  const database = await openPresent(config)
  let tenantId, rules
  try {
    tenantId = await findTenantId(database, slug)
    rules = await rulesOfProgram(config, database)
  } finally {
    await database.close()
  }
  const files = await openFiles(config)
  const archive = () => archiveOf(taskOf(config, { rules, tenantId, now }), files, tell)
  return writeOut({ to, force, what: 'export', name: `${slug}-${stampOf(now)}.zip` }, archive)
}
