import { buffer } from 'node:stream/consumers'
import { goFirst } from '#executable/go-first.ts'
import type { TableProblem, TableRow } from './port.ts'
import { readTable } from './read-table.ts'
import { UnreadableSheet, type Rows, type Sheet } from './sheet.ts'

/**
 * The process reads one file from its standard input, keeps its rows, and hands out those that it is asked for, until its
 * parent ends it or is gone. A file may be hostile: what it does, it does to this process alone.
 */
export interface HeadsAsked {
  headsAt: number
}

/** The places of the rows that are asked for, from 0. */
export type RowsWanted = readonly number[]

export type ReadAnswer =
  | { top: TableRow[] }
  | { heads: string[]; count: number; totals: TableRow[] }
  | { rows: TableRow[] }
  | { problem: TableProblem }
  | { error: string }

let all: Rows | undefined
let sheet: Sheet | undefined

// A parent that is gone needs no answer: the process ends by its `disconnect`.
const tell = (answer: ReadAnswer): void => void process.send?.(answer, undefined, undefined, () => {})

/** Tells what a part of the work comes to, or what is wrong with the file. */
const answer = async (work: () => Promise<ReadAnswer> | ReadAnswer): Promise<void> => {
  try {
    tell(await work())
  } catch (error) {
    tell(error instanceof UnreadableSheet ? { problem: error.problem } : { error: (error as Error).stack ?? '' })
  }
}

goFirst()
process.once('disconnect', () => process.exit())
process.on('message', (asked: HeadsAsked | RowsWanted) => {
  void answer(() => {
    if (!('headsAt' in asked)) return { rows: sheet?.rows(asked) ?? [] }
    sheet = (all as Rows).under(asked.headsAt)
    return { heads: sheet.heads, count: sheet.count, totals: sheet.totals }
  })
})
void answer(async () => {
  all = await readTable(await buffer(process.stdin))
  return { top: all.top }
})
