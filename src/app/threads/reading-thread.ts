import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { ReadingThread } from '#db/long-reads.ts'
import { RateLimited } from '#kernel/errors.ts'
import type { Answer, Question, ReadingThreadData } from './reading.worker.ts'
import { startThread } from './start-thread.ts'

type Rows = Record<string, unknown>[]

interface Asked {
  question: Exclude<Question, 'end'>
  succeed: (rows: Rows) => void
  fail: (error: unknown) => void
}

interface Bounds {
  /** The longest that a query may run, in milliseconds. */
  queryMillis: number
  /** The thread ends after this time without a query, because it takes some 20 MB of memory. */
  idleMillis: number
  /** The most queries that may wait; beyond that the caller gets 429. */
  waiting: number
}

const BOUNDS: Bounds = { queryMillis: 30_000, idleMillis: 30_000, waiting: 64 }

/** A query that counts its rows stops itself at its limit; any other is abandoned this much later, with the thread. */
const GRACE_MILLIS = 1000

const RETRY_AFTER_SECONDS = 2

/**
 * Runs long reads of a SQLite file, one at a time, in a worker thread that starts with the first read. A thread that
 * dies fails the query that it ran; the next read starts a new one.
 */
export const readingThread = (
  { dataDir, file }: { dataDir: string; file: string },
  log: Logger,
  bounds: Partial<Bounds> = {},
): ReadingThread => {
  const { queryMillis, idleMillis, waiting } = { ...BOUNDS, ...bounds }
  const line: Asked[] = []
  let thread: Worker | undefined
  let running: Asked | undefined
  let timer: NodeJS.Timeout | undefined

  const finished = (): Asked | undefined => {
    clearTimeout(timer)
    const asked = running
    running = undefined
    return asked
  }

  const start = (): Worker => {
    const worker = startThread('app/threads/reading.worker.ts', {
      dataDir,
      file,
      queryMillis,
    } satisfies ReadingThreadData)
    worker.on('message', (answer: Answer) => {
      if (worker !== thread) return
      const asked = finished()
      if ('rows' in answer) asked?.succeed(answer.rows)
      else asked?.fail(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
      next()
    })
    worker.on('error', (error) => {
      log.warn({ err: error }, 'the thread for long reads failed')
      if (worker !== thread) return
      thread = undefined
      finished()?.fail(error)
      next()
    })
    worker.on('exit', () => {
      if (worker !== thread) return
      thread = undefined
      finished()?.fail(new Error('the thread for long reads ended'))
      next()
    })
    return worker
  }

  /** A running SQLite query cannot be stopped from outside: abandon the thread, which ends when the query does. */
  const giveUp = (): void => {
    const worker = thread
    thread = undefined
    log.warn({ sql: running?.question.sql }, 'a long read was given up')
    finished()?.fail(new Error('a query took too long'))
    void worker?.terminate()
    next()
  }

  const endIdle = (): void => {
    thread?.postMessage('end' satisfies Question)
    thread = undefined
  }

  const next = (): void => {
    if (running) return
    running = line.shift()
    if (!running) {
      clearTimeout(timer)
      timer = thread && setTimeout(endIdle, idleMillis).unref()
      return
    }
    clearTimeout(timer)
    timer = setTimeout(giveUp, queryMillis + GRACE_MILLIS).unref()
    try {
      thread ??= start()
      thread.postMessage(running.question satisfies Question)
    } catch (error) {
      finished()?.fail(error)
      next()
    }
  }

  return {
    run: ({ sql, parameters }) =>
      new Promise<Rows>((succeed, fail) => {
        if (line.length >= waiting) {
          fail(RateLimited(undefined, { 'Retry-After': String(RETRY_AFTER_SECONDS) }))
          return
        }
        line.push({ question: { sql, parameters }, succeed, fail })
        next()
      }),
    close: async () => {
      const closing = new Error('the database was closed')
      for (const asked of line.splice(0)) asked.fail(closing)
      const worker = thread
      thread = undefined
      const asked = finished()
      asked?.fail(closing)
      if (!worker) return
      worker.ref()
      const ended = once(worker, 'exit')
      if (asked) void worker.terminate()
      else worker.postMessage('end' satisfies Question)
      await ended
    },
  }
}
