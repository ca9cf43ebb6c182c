import { once } from 'node:events'
import path from 'node:path'
import { isSea } from 'node:sea'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Checkpointer } from '#db/checkpoints.ts'
import { readAsset } from './assets.ts'

const SCRIPT = 'app/checkpoint.worker.ts'

/**
 * Checkpoints in a thread, which the first of them starts. One that fails (the disk is full, say) ends the thread; the
 * next starts another. Until one succeeds, SQLite copies by itself what gathers beyond its limit.
 */
export const checkpointThread = (dataDir: string, file: string, log: Logger): Checkpointer => {
  let thread: Worker | undefined
  let done = () => {}

  const failed = (error: unknown): void => log.warn({ err: error }, 'a checkpoint of the database failed')

  const start = (): Worker => {
    const options = { workerData: { dataDir, file }, execArgv: [] }
    const worker = isSea()
      ? new Worker(readAsset(`workers/${SCRIPT}`).toString(), { ...options, eval: true })
      : new Worker(path.resolve(import.meta.dirname, '..', SCRIPT), options)
    worker.on('message', () => done())
    worker.on('error', failed)
    worker.on('exit', () => {
      thread = undefined
      done()
    })
    worker.unref()
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
