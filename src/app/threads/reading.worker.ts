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

export type Question = { sql: string; parameters: readonly unknown[] } | 'end'

/** `code` is the database's error code. */
export type Answer = { rows: Record<string, unknown>[] } | { error: { message: string; code: string | undefined } }

/** A small cache: long reads go through too much of the file to be worth caching. */
const CACHE_KILOBYTES = 4096

const { dataDir, file, queryMillis } = workerData as ReadingThreadData
loadNative(dataDir)
const raw = openReader(file, CACHE_KILOBYTES)
const statements = new Statements(raw)
const budget = new TimeBudget(raw)

const answer = (question: Exclude<Question, 'end'>): Answer => {
  try {
    budget.renew(queryMillis)
    return { rows: statements.run<Record<string, unknown>>(question.sql, question.parameters).rows }
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
