import type { Logger } from 'pino'
import type { ReadingThread } from '#db/queries/long-reads.ts'
import { WAITING, helperLine, helpingThread, type Bounds } from '#executable/helper.ts'
import { startThread } from '#executable/start-thread.ts'
import { requester } from '#runtime/change/requester.ts'
import type { Answer, Question, ReadingThreadData } from './reading.worker.ts'

/** An idle thread takes some 20 MB of memory. */
const BOUNDS = { queryMillis: 30_000, idleMillis: 30_000, waiting: WAITING }

/** A query that counts its rows stops itself at its limit; any other is abandoned this much later, with the thread. */
const GRACE_MILLIS = 1000

/** Runs long reads of a SQLite file, one at a time, in a worker thread that starts with the first read. */
export const readingThread = (
  { dataDir, file }: { dataDir: string; file: string },
  log: Logger,
  given: Partial<Omit<Bounds, 'runMillis'> & { queryMillis: number }> = {},
): ReadingThread => {
  const { queryMillis, ...bounds } = { ...BOUNDS, ...given }
  let rows: Record<string, unknown>[] = []
  const { ask, close } = helperLine({
    name: 'long reads',
    start: () =>
      helpingThread(
        startThread('app/threads/reading.worker.ts', { dataDir, file, queryMillis } satisfies ReadingThreadData),
      ),
    rest: (answer: Answer) => {
      if ('error' in answer) return undefined
      if (answer.isFirst) rows = answer.rows
      else for (const row of answer.rows) rows.push(row)
      return answer.isLast ? undefined : ('rest' satisfies Question)
    },
    result: (answer: Answer) => {
      if ('rows' in answer) {
        const all = rows
        rows = []
        return all
      }
      throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
    },
    about: ({ sql }: Exclude<Question, string>) => ({ sql }),
    requester,
    bounds: { ...bounds, runMillis: queryMillis + GRACE_MILLIS },
    log,
  })
  return { run: ({ sql, parameters }) => ask({ sql, parameters }), close }
}
