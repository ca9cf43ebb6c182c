import { pipeline } from 'node:stream/promises'
import { startLimited, type ProcessLimits } from '#executable/limited-process.ts'
import { ReaderEnded, type OpenTable, type Table } from './port.ts'
import type { HeadsAsked, ReadAnswer, RowsWanted } from './read.process.ts'

/** 50,000 rows of twenty columns take some 200 MB in all, and fifteen seconds of a slow processor. */
const LIMITS: ProcessLimits = { heapMegabytes: 384, otherMegabytes: 256, cpuSeconds: 120 }

/** A file that is not read by then, however busy the others are, is not worth waiting for. */
const READ_MILLIS = 300_000

/**
 * Reads the table of a file in a process of its own. What the file does to that process, it does to nothing else: the
 * system ends one that needs too much.
 */
export const openTable = async (
  file: Parameters<OpenTable>[0],
  { headsAt, signal, limits = LIMITS }: Parameters<OpenTable>[1] & { limits?: ProcessLimits },
): ReturnType<OpenTable> => {
  const child = startLimited('ports/tables/read.process.ts', limits)
  let answered: ((answer: ReadAnswer) => void) | undefined
  let failed: ((error: Error) => void) | undefined
  /** Why there is no process any more; undefined: there is one. */
  let gone: Error | undefined
  const end = (error: Error): void => {
    gone ??= error
    failed?.(gone)
  }
  child.on('message', (answer: ReadAnswer) => answered?.(answer))
  child.on('error', end)
  child.on('exit', (code, killedBy) =>
    end(signal.aborted ? new Error('the reading was ended') : new ReaderEnded(String(killedBy ?? code))),
  )
  const stop = (): void => void child.kill('SIGKILL')
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', stop)
    stop()
  }
  /** @param question undefined: the process tells by itself what it has read first */
  const ask = (question?: HeadsAsked | RowsWanted): Promise<ReadAnswer> =>
    new Promise((resolve, reject) => {
      answered = resolve
      failed = reject
      if (gone) reject(gone)
      // One that is gone says so by its `exit`.
      else if (question) child.send(question, () => {})
    })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, READ_MILLIS)
  try {
    const answer = ask()
    // The file may break off, and the process may end before it has all of it: then that is what is told.
    const [first] = await Promise.all([
      answer,
      child.stdin &&
        pipeline(file, child.stdin).catch((error: unknown) => {
          const { code } = error as NodeJS.ErrnoException
          if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
        }),
    ])
    const found = 'top' in first ? await ask({ headsAt: headsAt(first.top) }) : first
    if ('error' in found) throw new Error(found.error)
    if ('problem' in found) {
      await close()
      return { problem: found.problem }
    }
    if (!('heads' in found)) throw new Error('the process that reads a file answered out of turn')
    const rows: Table['rows'] = async (wanted) => {
      const given = await ask(wanted)
      if (!('rows' in given)) throw new Error('the process that reads a file answered out of turn')
      return given.rows
    }
    return { heads: found.heads, count: found.count, totals: found.totals, rows, close }
  } catch (error) {
    await close()
    if (isLate) return { problem: 'too_large' }
    throw error
  } finally {
    clearTimeout(timer)
  }
}
