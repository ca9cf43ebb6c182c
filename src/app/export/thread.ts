import path from 'node:path'
import { migrations } from '#migrations'
import type { DatabaseLocation } from '#db/copies/tenant-snapshot.ts'
import { StorageProblem } from '#kernel/values/errors.ts'
import type { TableRules } from '#kernel/contract/tables.ts'
import type { MakeArchive } from '#modules/export/index.ts'
import type { FileStore } from '#ports/files/port.ts'
import { DATABASE } from '#app/data-dir/layout.ts'
import type { Config } from '#app/config/config.ts'
import { startThread } from '#executable/start-thread.ts'
import { version } from '#executable/version.ts'
import type { ArchiveTask } from './archive.ts'
import type { ExportMessage, ExportOrder, ExportThreadData, StoredArchive } from './export.worker.ts'
import { exportedTables } from './plan.ts'

/** The thread makes many short-lived objects. A small young generation has them collected early. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 }

type Where = Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>

const locationOf = ({ dataDir, databaseUrl: url }: Where): DatabaseLocation =>
  url === undefined ? { file: path.join(dataDir, DATABASE) } : { url }

/** @param rules of all tables of the program */
export const taskOf = (
  where: Where,
  { rules, tenantId, now }: { rules: TableRules; tenantId: string; now: string },
): ArchiveTask => ({
  place: locationOf(where),
  tenantId,
  tables: exportedTables(rules),
  schema: Object.keys(migrations).toSorted().at(-1) ?? '',
  version,
  now,
})

/**
 * Makes archives in a worker thread, which has its own connection to the database.
 * @param rules of all tables; read when an archive is made, because modules are still being combined before
 */
export const archiveThread =
  ({ config, files, rules }: { config: Where; files: FileStore; rules: () => TableRules }): MakeArchive =>
  async ({ tenantId, key, now }, { onProgress, signal }) => {
    // What a program that was killed, or an earlier try, has left.
    await files.discardUnfinished(key)
    signal.throwIfAborted()
    const task = taskOf(config, { rules: rules(), tenantId, now })
    const { dataDir, s3 } = config
    const data: ExportThreadData = { dataDir, s3, key, task }
    const worker = startThread('app/export/export.worker.ts', data, MEMORY)
    // The thread ends itself. To be terminated between two steps of making a zlib stream would abort the whole process.
    const stop = (): void => {
      worker.ref()
      worker.postMessage('stop' satisfies ExportOrder)
    }
    signal.addEventListener('abort', stop)
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    try {
      return await new Promise<StoredArchive>((resolve, reject) => {
        worker.on('message', (message: ExportMessage) => {
          if ('percent' in message) return onProgress(message.percent)
          if ('done' in message) return resolve(message.done)
          const { message: text, isOfStorage } = message.problem
          reject(isOfStorage ? new StorageProblem(text) : new Error(text))
        })
        worker.once('error', reject)
        worker.once('exit', () => reject(new Error('the thread of the export ended before it was done')))
      })
    } catch (error) {
      stop()
      await ended
      await files.discardUnfinished(key)
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      await ended
    }
  }
