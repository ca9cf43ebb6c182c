import { closeSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '#db/database.ts'
import { systemClock } from '#kernel/clock.ts'
import type { TableRules } from '#kernel/tables.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { writeInSteps } from '#ports/files/disk.ts'
import { syncToDisk, stampOf } from '#app/data-dir/layout.ts'
import { assertFolderOf, assertNew, placeIn } from '#app/backup/output-file.ts'
import { RESERVE_BYTES } from '#app/backup/free-space.ts'
import { PARTIAL } from '#app/data-dir/unfinished.ts'
import { rulesOf } from '#app/combine-modules.ts'
import type { Config } from '#app/config/config.ts'
import { allModules } from '#app/modules.ts'
import { openPresent } from './operator.ts'
import { asCaller } from '#app/data-dir/owner.ts'
import { openServicesReadOnly, outboundPolicy } from '#app/services.ts'
import { filesOf } from '#app/data-dir/files.ts'
import { archiveOf, type OnProgress } from '#app/export/archive.ts'
import { taskOf } from '#app/export/thread.ts'

const NAMED = 5

/** @throws an Error that names the institutes, where they are few */
const findTenantId = async ({ read }: Database, slug: string): Promise<string> => {
  const tenant = await read.selectFrom('tenant').select('id').where('slug', '=', slug).executeTakeFirst()
  if (tenant) return tenant.id
  const others = await read
    .selectFrom('tenant')
    .select('slug')
    .orderBy('slug')
    .limit(NAMED + 1)
    .execute()
  const list = others.length > NAMED ? '' : ` There is ${others.map((other) => other.slug).join(', ') || 'none yet'}.`
  throw new Error(`There is no institute with the slug ${JSON.stringify(slug)}.${list}`)
}

const rulesOfProgram = async (config: Config, database: Database): Promise<TableRules> => {
  const outbound = guardedOutbound({ policy: outboundPolicy(config) })
  try {
    return rulesOf(allModules(await openServicesReadOnly(config, database, { clock: systemClock, outbound })))
  } finally {
    await outbound.close()
  }
}

/** A full disk would stop the institute, if its data are on the same one. @throws an Error */
const assertRoom = (folder: string, bytes: number): void => {
  const { bavail, bsize } = asCaller(() => statfsSync(folder))
  if (bavail * bsize >= bytes + RESERVE_BYTES) return
  throw new Error(`There is no room for the export on the disk of ${folder}: make room, or name another with --to.`)
}

const discard = (partial: string): void => asCaller(() => rmSync(partial, { force: true }))

/** Runs `work`. When a signal ends the program meanwhile, no part of the file is left. */
const interruptible = async (file: string, work: () => Promise<void>): Promise<void> => {
  const interrupted = (): void => {
    discard(file + PARTIAL)
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted)
  try {
    await work()
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupted)
  }
}

/** Writes the archive beside its place, and gives it its name when it is complete. It is readable by its owner only. */
const writeArchive = async (file: string, archive: AsyncIterable<Uint8Array>): Promise<void> => {
  const partial = file + PARTIAL
  const folder = path.dirname(file)
  const handle = asCaller(() => {
    rmSync(partial, { force: true })
    return openSync(partial, 'wx', 0o600)
  })
  try {
    try {
      await writeInSteps(handle, archive, (bytes) => assertRoom(folder, bytes))
    } finally {
      closeSync(handle)
    }
    asCaller(() => {
      renameSync(partial, file)
      syncToDisk(folder)
    })
  } catch (error) {
    discard(partial)
    throw error
  }
}

export interface WantedExport {
  slug: string
  /** A file or a folder, reached with the rights of whoever runs the command. */
  to: string
  /** Overwrites a file that is there. */
  force: boolean
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
  const file = asCaller(() => placeIn(to, `${slug}-${stampOf(now)}.zip`))
  await interruptible(file, async () => {
    asCaller(() => {
      // This writes and removes a file, to see whether it may.
      assertFolderOf(file, { given: to, what: 'export' })
      if (!force) assertNew(file)
    })
    await writeArchive(file, archiveOf(taskOf(config, { rules, tenantId, now }), filesOf(config), tell))
  })
  return file
}
