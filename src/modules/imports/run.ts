import { setImmediate, setTimeout } from 'node:timers/promises'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { localDate } from '#kernel/time/zone.ts'
import { objectKey } from '#modules/files/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { NoSuchFile, type FileStore } from '#ports/files/port.ts'
import { ReaderEnded, type OpenTable, type Table, type TableRow } from '#ports/tables/port.ts'
import { callerOf } from './caller.ts'
import { ImportFailed, type Note } from './complaints.ts'
import { hasGuardians } from './guardian-fields.ts'
import { KINDS } from './kinds/all.ts'
import { orderOf, type RowOrder } from './order.ts'
import { SHOWN_ROWS } from './preview.ts'
import { columnNames, dateOrdersOf, headsAt, matchColumns, rowReader, type RowReader } from './rows.ts'
import { runSlice, type SliceDone, type SliceWork } from './slices.ts'
import {
  endRun,
  readerStayed,
  startReading,
  startRun,
  startWriting,
  storeColumns,
  storeContent,
  storeStep,
  type ImportRow,
} from './state.ts'
import type { ImportKind, Mapping } from './tables.ts'

/** How an import leaves others their turn. */
export interface Pace {
  /** What a slice of rows should take. */
  sliceMillis: number
  /** How many rows it has at the most, but for those that belong together. */
  mostRows: number
  /** How long it waits at the most after a slice that took longer. */
  pauseMillis: number
}

export interface RunDeps {
  files: FileStore
  openTable: OpenTable
  pace: Pace
}

export interface OneImport {
  tenantId: string
  importId: string
}

const FIRST_SLICE = 5

type Context = Pick<JobContext<OneImport>, 'payload' | 'change' | 'changeFor' | 'finish' | 'signal' | 'now'>

/** Runs a transaction inside the institute of the import. @throws ImportFailed when the institute is gone */
const inTenant = async <T>(system: SystemTx, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const tenant = await findTenant(system.db, tenantId)
  if (!tenant) throw new ImportFailed('no_longer_allowed')
  return work(system.inTenant(tenant))
}

const openFile = async ({ change, payload, signal }: Context, deps: RunDeps, row: ImportRow): Promise<Table> => {
  const { files, openTable } = deps
  const { object_name } = row
  const key = await change((system) =>
    inTenant(system, payload.tenantId, async ({ whole }) => {
      const file = whole.selectFrom('file').select(['tenant_id', 'object_name', 'place'])
      const found = await file.where('object_name', '=', object_name).executeTakeFirst()
      return found && objectKey(found)
    }),
  )
  if (!key) throw new ImportFailed('file_gone')
  const stream = await files.open(key).catch((error: unknown) => {
    throw error instanceof NoSuchFile ? new ImportFailed('file_gone') : error
  })
  try {
    const table = await openTable(stream, { headsAt: (top) => headsAt(row.kind, top, row.given_mapping), signal })
    if ('problem' in table) throw new ImportFailed(table.problem)
    return table
  } finally {
    stream.destroy()
  }
}

/** Counts the process that reads the file where that ends by it, and where this process ends meanwhile. */
const openCounted = async (context: Context, deps: RunDeps, row: ImportRow): Promise<Table> => {
  const store = (step: typeof startReading): Promise<void> =>
    context.change((system) => inTenant(system, context.payload.tenantId, (tx) => step(tx, row.id)))
  await store(startReading)
  try {
    const table = await openFile(context, deps, row)
    await store(readerStayed)
    const rows: Table['rows'] = async (places) => {
      try {
        return await table.rows(places)
      } catch (error) {
        if (error instanceof ReaderEnded) await store(startReading)
        throw error
      }
    }
    return { ...table, rows }
  } catch (error) {
    if (!(error instanceof ReaderEnded)) await store(readerStayed)
    throw error
  }
}

/** @throws ImportFailed for columns that the file does not have, and for a file that lacks what its kind needs */
const checkMapping = (kind: ImportKind, columns: readonly string[], mapping: Mapping): void => {
  const unknown = Object.keys(mapping).filter((column) => !columns.includes(column))
  if (unknown.length > 0) {
    throw new ImportFailed(
      'column_unknown',
      unknown.map((column) => ({ column })),
    )
  }
  const fields = new Set(Object.values(mapping))
  const missing = KINDS[kind].required.filter((choice) => !choice.some((field) => fields.has(field)))
  if (missing.length > 0) {
    throw new ImportFailed(
      'column_missing',
      missing.map(([field = null]) => ({ field })),
    )
  }
}

/** Notes what the rows hold, before any of them is read. @throws ImportFailed for columns that the caller may not fill */
const checkRights = (
  { changeFor }: Context,
  { row, tenant, reader }: { row: ImportRow; tenant: TenantInfo; reader: RowReader },
): Promise<void> =>
  changeFor(row.asker, async (system) => {
    const { grants } = await callerOf(system, tenant, row.asker)
    const lacked = KINDS[row.kind].needs(reader).filter(({ permission }) => !grants.holds(permission))
    if (lacked.length > 0) {
      throw new ImportFailed(
        'permission_missing',
        lacked.map(({ field }) => ({ column: reader.columnOf(field), field })),
      )
    }
    if (hasGuardians(reader)) await storeContent(system.inTenant(tenant), row.id, 'families')
  })

/** The positions of the next slice. */
const endOfSlice = (order: RowOrder, start: number, size: number): number => {
  let end = Math.min(order.places.length, start + size)
  while (order.isTogether(end)) end += 1
  return end
}

class Run {
  readonly #context: Context
  readonly #table: Table
  readonly #order: RowOrder
  readonly #reader: RowReader
  readonly #pace: Pace
  #row: ImportRow
  #size = 1
  /** What the tries so far would have taken. */
  readonly #tried = new Map<string, number>()

  constructor(
    context: Context,
    {
      row,
      table,
      order,
      reader,
      pace,
    }: { row: ImportRow; table: Table; order: RowOrder; reader: RowReader; pace: Pace },
  ) {
    this.#context = context
    this.#row = row
    this.#table = table
    this.#order = order
    this.#reader = reader
    this.#pace = pace
  }

  /** Does what is left of both passes. */
  async finish(): Promise<void> {
    const { change, payload } = this.#context
    if (this.#row.pass === 'check') {
      await this.#pass()
      if (this.#row.is_dry_run) return
      if (this.#row.refused > 0) throw new ImportFailed('rows_refused')
      this.#row = await change((system) => inTenant(system, payload.tenantId, (tx) => startWriting(tx, this.#row)))
    }
    await this.#pass()
  }

  async #pass(): Promise<void> {
    const { sliceMillis, mostRows, pauseMillis } = this.#pace
    this.#size = Math.min(FIRST_SLICE, mostRows)
    while (this.#row.position < this.#order.places.length) {
      this.#context.signal.throwIfAborted()
      const start = this.#row.position
      const end = endOfSlice(this.#order, start, this.#size)
      const places = this.#order.places.slice(start, end)
      const rows = await this.#table.rows(places)
      const tooMany = new Set(rows.filter((_, at) => this.#order.tooMany.has(places[at] as number)))
      const shown = new Set(this.#row.is_dry_run ? rows.filter((_, at) => (places[at] as number) < SHOWN_ROWS) : [])
      const millis = await this.#slice({ rows, tooMany, shown }, end)
      this.#size = Math.max(1, Math.min(mostRows, Math.round((rows.length * sliceMillis) / Math.max(1, millis))))
      // Lets others have the database and the processor.
      if (millis > sliceMillis && pauseMillis > 0) await setTimeout(Math.min(millis, pauseMillis))
      else await setImmediate()
    }
  }

  /** @returns for how long it held others up */
  async #slice(slice: Pick<SliceWork, 'rows' | 'tooMany' | 'shown'>, position: number): Promise<number> {
    const { changeFor, change, payload } = this.#context
    const isTry = this.#row.pass === 'check'
    const counted = isTry && !this.#row.is_dry_run ? 'as_checked' : 'as_done'
    let millis = 0
    let stored: ImportRow | undefined
    const store = async (tx: Tx, done: SliceDone): Promise<void> => {
      stored = await storeStep(tx, this.#row, { ...done, position, counted })
    }
    const done = await runSlice({
      row: this.#row,
      kind: KINDS[this.#row.kind],
      reader: this.#reader,
      ...slice,
      ...(isTry && { tried: this.#tried }),
      transaction: (work) =>
        changeFor(this.#row.asker, async (system) => {
          const began = performance.now()
          try {
            return await work(system)
          } finally {
            millis = Math.max(millis, performance.now() - began)
          }
        }),
      store,
    })
    if (isTry) {
      for (const [what, count] of done.taken) this.#tried.set(what, (this.#tried.get(what) ?? 0) + count)
      await change((system) => inTenant(system, payload.tenantId, (tx) => store(tx, done)))
    }
    this.#row = stored ?? this.#row
    return millis
  }
}

/** Tells of a row that was taken for a total. */
const noteOfTotal = ({ line, cells }: TableRow): Note => ({
  row: line,
  column: null,
  field: null,
  value: (cells.find((cell) => cell !== '') ?? '').slice(0, 100) || null,
  reason: 'totals',
})

/** Does the import, from where it was left. @throws ImportFailed, and whatever may pass on another try */
const work = async (context: Context, deps: RunDeps, row: ImportRow, tenant: TenantInfo): Promise<void> => {
  const { change, payload } = context
  const table = await openCounted(context, deps, row)
  try {
    const columns = columnNames(table.heads)
    const mapping = row.given_mapping ?? matchColumns(row.kind, columns)
    const read = await change((system) =>
      inTenant(system, payload.tenantId, (tx) =>
        storeColumns(tx, row.id, { columns, mapping, rows: table.count, totals: table.totals.map(noteOfTotal) }),
      ),
    )
    // What the file has is told also where it is not enough.
    checkMapping(row.kind, columns, mapping)
    const { timezone, currency } = tenant
    const place = { timezone, currency, today: localDate(row.created_at, timezone) }
    const orders = await dateOrdersOf(row.kind, { columns, mapping }, table)
    const reader = rowReader(row.kind, { columns, mapping }, place, orders)
    await checkRights(context, { row, tenant, reader })
    const order = await orderOf(table, KINDS[row.kind].keys, reader)
    await new Run(context, { row: read, table, order, reader, pace: deps.pace }).finish()
  } finally {
    await table.close()
  }
}

/** Does one import, and stores how it ended. @throws whatever may pass on another try */
export const runImport = async (context: Context, deps: RunDeps): Promise<void> => {
  const { change, finish, payload } = context
  const { tenantId, importId } = payload
  const begun = await change(async (system) => {
    const tenant = await findTenant(system.db, tenantId)
    const row = tenant && (await startRun(system.inTenant(tenant), importId))
    return row && { tenant, row }
  })
  if (!begun) return
  const end = (status: 'done' | 'failed', complaints?: ImportFailed['complaints']): Promise<void> =>
    finish((system) => inTenant(system, tenantId, (tx) => endRun(tx, importId, status, complaints)))
  try {
    await work(context, deps, begun.row, begun.tenant)
  } catch (error) {
    if (!(error instanceof ImportFailed)) throw error
    await end('failed', error.complaints)
    return
  }
  await end('done')
}
