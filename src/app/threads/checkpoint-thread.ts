import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Checkpointer } from '#db/sqlite/checkpoints.ts'
import { startThread } from '#executable/start-thread.ts'

/**
 * Runs checkpoints in a worker thread, which starts with the first checkpoint. A failed checkpoint (on a full disk, for
 * example) ends the thread; the next checkpoint starts a new one. Until one succeeds, SQLite itself checkpoints when
 * the write-ahead log grows beyond its limit.
 */
export const checkpointThread = (dataDir: string, file: string, log: Logger): Checkpointer => {
  let thread: Worker | undefined
  let done = () => {}

  const failed = (error: unknown): void => log.warn({ err: error }, 'a checkpoint of the database failed')

  const start = (): Worker => {
    const worker = startThread('app/threads/checkpoint.worker.ts', { dataDir, file })
    worker.on('message', () => done())
    worker.on('error', failed)
    worker.on('exit', () => {
      thread = undefined
      done()
    })
    return worker
  }

  return {
    checkpoint: () =>
      new Promise((resolve) => {
        done = resolve
        try {
          thread ??= start()
          thread.postMessage('checkpoint')
        } catch (error) {
          failed(error)
          done()
        }
      }),
    close: async () => {
      if (!thread) return
      thread.ref()
      const ended = once(thread, 'exit')
      thread.postMessage('end')
      await ended
    },
  }
}
