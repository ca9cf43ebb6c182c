import type { Selectable } from 'kysely'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'
import { ImportFailed, SHOWN_ERRORS, type Complaint, type Note } from './complaints.ts'
import type { PreviewRow } from './preview.ts'
import type { ImportContent, Mapping } from './tables.ts'

export type ImportRow = Selectable<Tables['import']>

export interface Refusal {
  line: number
  cells: readonly string[]
  reasons: readonly Complaint[]
}

export interface Counts {
  created: number
  updated: number
  unchanged: number
}

/** Another worker has gone on with this import, whose row is not as it was. */
export class ImportTaken extends Error {
  constructor() {
    super('another worker has gone on with this import')
    this.name = 'ImportTaken'
  }
}

export const findImport = (whole: ScopedDb, id: string): Promise<ImportRow | undefined> =>
  whole.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirst()

const NOTHING_DONE = {
  position: 0,
  checked: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  errors: [],
  preview: [],
  told: [],
  kept_bytes: 0,
}

/**
 * The import that is to be worked on. Rows that were written stay; a pass that only tries them begins anew, because it
 * has to know what the rows before would do.
 * @returns undefined: it has ended, or is gone
 */
export const startRun = async (tx: Tx, id: string): Promise<ImportRow | undefined> => {
  const before = await findImport(tx.whole, id)
  const beginsAnew = before?.pass === 'check' && before.position > 0
  const row = await tx.whole
    .updateTable('import')
    .set({ status: 'running', ...(beginsAnew && NOTHING_DONE), updated_at: tx.now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst()
  if (row && beginsAnew) await tx.whole.deleteFrom('import_refusal').where('import_id', '=', id).execute()
  return row
}

/** So many times an import may end the process that reads its file. */
const MOST_READERS = 2

/**
 * Stores that a process is about to read the file: should all end with it, the next one knows.
 * @throws ImportFailed when it ended as many as it may
 */
export const startReading = async (tx: Tx, id: string): Promise<void> => {
  const counted = await tx.whole
    .updateTable('import')
    .set((eb) => ({ readers_ended: eb('readers_ended', '+', 1) }))
    .where('id', '=', id)
    .where('readers_ended', '<', MOST_READERS)
    .executeTakeFirst()
  if (counted.numUpdatedRows === 0n) throw new ImportFailed('reader_ended')
}

/** Stores that the process that read the file did not end by it. */
export const readerStayed = async (tx: Tx, id: string): Promise<void> => {
  await tx.whole
    .updateTable('import')
    .set((eb) => ({ readers_ended: eb('readers_ended', '-', 1) }))
    .where('id', '=', id)
    .execute()
}

/** @returns the import with what it has told so far */
export const storeColumns = async (
  tx: Tx,
  id: string,
  { columns, mapping, rows, totals }: { columns: readonly string[]; mapping: Mapping; rows: number; totals: Note[] },
): Promise<ImportRow> => {
  const read = { columns: [...columns], mapping, row_count: rows, updated_at: tx.now }
  await tx.whole.updateTable('import').set(read).where('id', '=', id).execute()
  // What a resumed import has told stays.
  await tx.whole
    .updateTable('import')
    .set({ told: totals.slice(0, SHOWN_ERRORS) })
    .where('id', '=', id)
    .where('position', '=', 0)
    .execute()
  return tx.whole.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Notes what the rows hold, before any of them is read. */
export const storeContent = async (tx: Tx, id: string, content: ImportContent): Promise<void> => {
  await tx.whole.updateTable('import').set({ content, updated_at: tx.now }).where('id', '=', id).execute()
}

const bytesOf = ({ cells, reasons }: Refusal): number => Buffer.byteLength(JSON.stringify([cells, reasons]))

const firstOnes = (before: readonly Complaint[], refusals: readonly Refusal[]): Complaint[] =>
  [...before, ...refusals.flatMap(({ reasons }) => reasons)].slice(0, SHOWN_ERRORS)

export interface Step {
  refusals: readonly Refusal[]
  counts: Counts
  told: readonly Note[]
  preview: readonly PreviewRow[]
  /** How many rows of the pass are done now. */
  position: number
  /** What the numbers of this pass are; the first pass of an import that writes all counts only what it looked at. */
  counted: 'as_done' | 'as_checked'
}

/**
 * Stores that the next rows are done, with those that were refused: in the transaction that wrote them.
 * @throws ImportTaken when they were done by another worker meanwhile
 */
export const storeStep = async (tx: Tx, row: ImportRow, step: Step): Promise<ImportRow> => {
  const { refusals, counts, told, preview, position, counted } = step
  const done = position - row.position
  const isDone = counted === 'as_done'
  const stored = await tx.whole
    .updateTable('import')
    .set({
      position,
      checked: row.pass === 'check' ? row.checked + done : row.checked,
      ...(isDone && {
        created: row.created + counts.created,
        updated: row.updated + counts.updated,
        unchanged: row.unchanged + counts.unchanged,
      }),
      refused: row.refused + refusals.length,
      ...(told.length > 0 && isDone && { told: [...row.told, ...told].slice(0, SHOWN_ERRORS) }),
      ...(preview.length > 0 && { preview: [...row.preview, ...preview].toSorted((a, b) => a.row - b.row) }),
      ...(refusals.length > 0 && {
        errors: firstOnes(row.errors, refusals),
        kept_bytes: row.kept_bytes + refusals.reduce((sum, refusal) => sum + bytesOf(refusal), 0),
      }),
      updated_at: tx.now,
    })
    .where('id', '=', row.id)
    .where('status', '=', 'running')
    .where('pass', '=', row.pass)
    .where('position', '=', row.position)
    .returningAll()
    .executeTakeFirst()
  if (!stored) throw new ImportTaken()
  await inBatches(refusals, (batch) =>
    tx.whole
      .insertInto('import_refusal')
      .values(
        batch.map(({ line, cells, reasons }) => ({
          import_id: row.id,
          line,
          cells: [...cells],
          reasons: [...reasons],
        })),
      )
      .execute(),
  )
  return stored
}

/** Begins the second pass of an import that writes all rows or none. @throws ImportTaken */
export const startWriting = async (tx: Tx, row: ImportRow): Promise<ImportRow> => {
  const stored = await tx.whole
    .updateTable('import')
    .set({ pass: 'write', position: 0, updated_at: tx.now })
    .where('id', '=', row.id)
    .where('status', '=', 'running')
    .where('pass', '=', 'check')
    .returningAll()
    .executeTakeFirst()
  if (!stored) throw new ImportTaken()
  return stored
}

/** Forgets what stood in the rows that an import refused. */
export const forgetRefused = async ({ whole }: Tx, id: string): Promise<void> => {
  await whole.deleteFrom('import_refusal').where('import_id', '=', id).execute()
  await whole
    .updateTable('import')
    .set({ errors: [], preview: [], told: [], kept_bytes: 0 })
    .where('id', '=', id)
    .execute()
}

/** Of how many imports that wrote nothing the refused rows are kept: whoever mends a file tries it again and again. */
const KEPT_TRIES = 3
/** There is one too many each time; a restored backup may hold more. */
const FORGOTTEN_AT_ONCE = 100

const forgetOlderTries = async (tx: Tx): Promise<void> => {
  const older = await tx.whole
    .selectFrom('import')
    .select('id')
    .where('finished_at', 'is not', null)
    .where('kept_bytes', '>', 0)
    .where('pass', '=', 'check')
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(FORGOTTEN_AT_ONCE)
    .offset(KEPT_TRIES)
    .execute()
  for (const { id } of older) await forgetRefused(tx, id)
}

/**
 * Ends an import, well or with what is wrong with the whole of it. Of those that only tried the rows, the last few keep what
 * they refused.
 */
export const endRun = async (
  tx: Tx,
  id: string,
  status: 'done' | 'failed',
  complaints: readonly Omit<Complaint, 'row'>[] = [],
): Promise<void> => {
  const row = await findImport(tx.whole, id)
  if (!row || row.finished_at !== null) return
  const errors = [...complaints.map((complaint) => ({ row: null, ...complaint })), ...row.errors]
  await tx.whole
    .updateTable('import')
    .set({
      status,
      ...(complaints.length > 0 && { errors: errors.slice(0, SHOWN_ERRORS) }),
      finished_at: tx.now,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute()
  if (row.pass === 'check') await forgetOlderTries(tx)
}
