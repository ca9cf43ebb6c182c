import { parentPort, workerData } from 'node:worker_threads'
import { TimeBudget } from '#db/queries/long-reads.ts'
import { openReader, Statements } from '#db/sqlite/sqlite.ts'
import { loadNative } from '#app/data-dir/native.ts'

/** The worker thread has its own connection. It answers every query, until `end`. */
export interface ReadingThreadData {
  dataDir: string
  file: string
  queryMillis: number
}

/** `rest`: the rows that follow those of the last answer. */
export type Question = { sql: string; parameters: readonly unknown[] } | 'rest' | 'end'

/** @property code the database's error code */
export type Answer =
  | { rows: Record<string, unknown>[]; isFirst: boolean; isLast: boolean }
  | { error: { message: string; code: string | undefined } }

/** Taking so many rows out of a message blocks the main thread for a few milliseconds. */
const ROWS_AT_ONCE = 2000

/** A small cache: long reads go through too much of the file to be worth caching. */
const CACHE_KILOBYTES = 4096

const { dataDir, file, queryMillis } = workerData as ReadingThreadData
loadNative(dataDir)
const raw = openReader(file, CACHE_KILOBYTES)
const statements = new Statements(raw)
const budget = new TimeBudget(raw)

let rows: Record<string, unknown>[] = []
let given = 0

const following = (): Answer => {
  const isFirst = given === 0
  const some = rows.slice(given, given + ROWS_AT_ONCE)
  given += some.length
  const isLast = given === rows.length
  if (isLast) rows = []
  return { rows: some, isFirst, isLast }
}

const answer = (question: Exclude<Question, 'end'>): Answer => {
  if (question === 'rest') return following()
  try {
    budget.renew(queryMillis)
    rows = statements.run<Record<string, unknown>>(question.sql, question.parameters).rows
    given = 0
    return following()
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return { error: { message, code } }
  }
}

parentPort?.on('message', (question: Question) => {
  if (question === 'end') {
    raw.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(answer(question))
})
