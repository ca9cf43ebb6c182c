import { parentPort, workerData } from 'node:worker_threads'
import { readCsv } from './csv.ts'
import { UnreadableSheet, type Sheet, type SheetProblem, type SheetRow } from './sheet.ts'
import { readXlsx } from './xlsx.ts'

/**
 * The worker thread reads one file, keeps its rows, and hands out those that it is asked for. A file may be hostile: the
 * thread may take as much memory as its limit and as much time as whoever started it waits, and then it is gone.
 */
export interface ReadThreadData {
  bytes: Uint8Array
  isWorkbook: boolean
}

/** The places of the rows that are asked for, from 0. */
export type RowsWanted = readonly number[]

export type ReadAnswer = { heads: string[]; count: number } | { rows: SheetRow[] } | { problem: SheetProblem }

const { bytes, isWorkbook } = workerData as ReadThreadData
const tell = (answer: ReadAnswer): void => parentPort?.postMessage(answer)

const serve = ({ heads, rows }: Sheet): void => {
  parentPort?.on('message', (wanted: RowsWanted) => {
    tell({ rows: wanted.flatMap((place) => rows[place] ?? []) })
  })
  tell({ heads, count: rows.length })
}

const read = async (): Promise<void> => {
  try {
    serve(isWorkbook ? await readXlsx(bytes) : readCsv(bytes))
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error
    tell({ problem: error.problem })
  }
}

void read()
