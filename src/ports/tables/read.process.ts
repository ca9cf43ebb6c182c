import { buffer } from 'node:stream/consumers'
import { goFirst } from '#executable/go-first.ts'
import { readCsv } from './csv.ts'
import type { TableProblem, TableRow } from './port.ts'
import { UnreadableSheet, type Sheet } from './sheet.ts'

/**
 * The process reads one file from its standard input, keeps its rows, and hands out those that it is asked for, until its
 * parent ends it or is gone. A file may be hostile: what it does, it does to this process alone.
 */
export interface FileAsked {
  isWorkbook: boolean
}

/** The places of the rows that are asked for, from 0. */
export type RowsWanted = readonly number[]

export type ReadAnswer =
  | { heads: string[]; count: number }
  | { rows: TableRow[] }
  | { problem: TableProblem }
  | { error: string }

let sheet: Sheet | undefined

// A parent that is gone needs no answer: the process ends by its `disconnect`.
const tell = (answer: ReadAnswer): void => void process.send?.(answer, undefined, undefined, () => {})

const read = async ({ isWorkbook }: FileAsked): Promise<void> => {
  try {
    const bytes = await buffer(process.stdin)
    sheet = isWorkbook ? await (await import('./xlsx/read.ts')).readXlsx(bytes) : readCsv(bytes)
    tell({ heads: sheet.heads, count: sheet.count })
  } catch (error) {
    tell(error instanceof UnreadableSheet ? { problem: error.problem } : { error: (error as Error).stack ?? '' })
  }
}

goFirst()
process.once('disconnect', () => process.exit())
process.on('message', (asked: FileAsked | RowsWanted) => {
  if ('isWorkbook' in asked) void read(asked)
  else tell({ rows: sheet?.rows(asked) ?? [] })
})
