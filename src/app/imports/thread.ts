import type { OpenTable, Table } from '#modules/imports/index.ts'
import { startThread } from '#app/threads/start-thread.ts'
import type { ReadAnswer, ReadThreadData, RowsWanted } from './read.worker.ts'

/** 50,000 rows of twenty columns take some 150 MB while an XLSX file is read. */
const MEGABYTES = 512

/** A file that is not read by then is not worth waiting for. */
const READ_MILLIS = 120_000

/**
 * Reads the table of a file in a worker thread. What the file does to the thread, it does to nothing else: a thread that
 * needs too much memory or time is ended, and the file counts as too large.
 */
export const openTable = async (
  bytes: Uint8Array,
  { isWorkbook, signal, megabytes = MEGABYTES }: Parameters<OpenTable>[1] & { megabytes?: number },
): ReturnType<OpenTable> => {
  const worker = startThread('app/imports/read.worker.ts', { bytes, isWorkbook } satisfies ReadThreadData, {
    maxYoungGenerationSizeMb: 32,
    maxOldGenerationSizeMb: megabytes,
  })
  let answered: ((answer: ReadAnswer) => void) | undefined
  let failed: ((error: Error) => void) | undefined
  worker.on('message', (answer: ReadAnswer) => answered?.(answer))
  worker.on('error', (error) => failed?.(error))
  worker.on('exit', () => failed?.(new Error('the thread that reads a file ended')))
  const stop = (): void => void worker.terminate()
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
  const next = (): Promise<ReadAnswer> =>
    new Promise((resolve, reject) => {
      answered = resolve
      failed = reject
    })
  signal.addEventListener('abort', stop)
  const timer = setTimeout(stop, READ_MILLIS)
  try {
    const first = await next()
    if ('problem' in first) {
      await close()
      return { problem: first.problem }
    }
    if (!('heads' in first)) throw new Error('the thread that reads a file answered out of turn')
    const rows: Table['rows'] = async (wanted) => {
      const answer = next()
      worker.postMessage(wanted satisfies RowsWanted)
      const given = await answer
      if (!('rows' in given)) throw new Error('the thread that reads a file answered out of turn')
      return given.rows
    }
    return { heads: first.heads, count: first.count, rows, close }
  } catch (error) {
    await close()
    if (signal.aborted) throw error
    return { problem: 'too_large' }
  } finally {
    clearTimeout(timer)
  }
}
