import { createHash } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { StorageProblem } from '#kernel/values/errors.ts'
import type { StoredKey } from '#ports/files/port.ts'
import type { Config } from '#app/config/config.ts'
import { openFiles } from '#app/data-dir/files.ts'
import { loadNative } from '#app/data-dir/native.ts'
import { archiveOf, type ArchiveTask } from './archive.ts'

/** The worker thread makes one archive, puts it into the storage under `key`, and ends. */
export interface ExportThreadData {
  dataDir: string
  /** The bucket, where there is one. */
  s3: Config['s3']
  key: StoredKey
  task: ArchiveTask
}

export interface StoredArchive {
  sizeBytes: number
  sha256: string
}

export type ExportMessage =
  | { percent: number }
  | { done: StoredArchive }
  | { problem: { message: string; isOfStorage: boolean } }

export type ExportOrder = 'stop'

const LOWEST_PRIORITY = 19

const { dataDir, s3, key, task } = workerData as ExportThreadData
const tell = (message: ExportMessage): void => parentPort?.postMessage(message)

const yieldToOthers = (): void => {
  try {
    // On Linux a priority belongs to a thread: the threads that answer requests keep theirs.
    setPriority(LOWEST_PRIORITY)
  } catch {
    // Where the system does not allow it, the export is made all the same.
  }
}

const make = async (): Promise<StoredArchive> => {
  yieldToOthers()
  loadNative(dataDir)
  const files = await openFiles({ dataDir, s3 })
  const hash = createHash('sha256')
  let sizeBytes = 0
  let told = 0
  const onProgress = (fraction: number): void => {
    const percent = Math.floor(fraction * 100)
    if (percent > told) tell({ percent })
    told = Math.max(told, percent)
  }
  const archive = archiveOf(task, files, onProgress)
  const measured = async function* () {
    for await (const part of archive) {
      const bytes = part as Buffer
      hash.update(bytes)
      sizeBytes += bytes.length
      yield bytes
    }
  }
  await files.put(key, measured())
  await files.close()
  return { sizeBytes, sha256: hash.digest('hex') }
}

// The only order is to stop. It is taken between two steps of the work.
parentPort?.on('message', () => process.exit())

make()
  .then(
    (done) => tell({ done }),
    (error: unknown) => {
      const { message } = error as Error
      tell({ problem: { message, isOfStorage: error instanceof StorageProblem } })
    },
  )
  .finally(() => parentPort?.close())
