import type { TenantInfo } from '#kernel/who/actor.ts'
import { ApiError } from '#kernel/values/errors.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { TableRow } from '#ports/tables/port.ts'
import { callerOf } from './caller.ts'
import { complaintOfError, ImportFailed, RowRefused, type Complaint, type Note, type Reason } from './complaints.ts'
import type { Kind, Slice } from './kinds/kind.ts'
import { differences, type Outcome, type PreviewRow, type Standing } from './preview.ts'
import type { RowReader, Values } from './rows.ts'
import type { Counts, ImportRow, Refusal } from './state.ts'

/** What became of the rows of a slice. */
export interface SliceDone {
  counts: Counts
  refusals: Refusal[]
  told: Note[]
  preview: PreviewRow[]
  /** What its rows took that there is not without end: room in the plan, places in groups. */
  taken: Map<string, number>
}

/** Rolls a transaction back, and carries what it would have done. */
class TakenBack extends Error {
  readonly done: SliceDone

  constructor(done: SliceDone) {
    super('A try ends without a change.')
    this.name = 'TakenBack'
    this.done = done
  }
}

const sliceOf = async (
  system: SystemTx,
  tenant: TenantInfo,
  run: ImportRow,
  { taken, tell }: Pick<Slice, 'tell'> & { taken: Map<string, number> },
): Promise<Slice> => {
  const caller = await callerOf(system, tenant, run.asker)
  const handles = new Map<Permission, Tx>()
  const known = new Map<string, Promise<unknown>>()
  return {
    caller,
    knownPhone: run.known_phone,
    branchId: run.branch_id,
    tell,
    as: (permission) => {
      const made = handles.get(permission)
      if (made) return made
      const reach = caller.grants.reach(permission)
      if (reach === undefined) throw new ImportFailed('permission_missing')
      const tx = system.inTenant(tenant, reach)
      handles.set(permission, tx)
      return tx
    },
    once: <T>(what: string, read: () => Promise<T>) => {
      const found = known.get(what) ?? read()
      known.set(what, found)
      return found as Promise<T>
    },
    take: (what, count) => void taken.set(what, (taken.get(what) ?? 0) + count),
  }
}

export interface SliceWork {
  row: ImportRow
  kind: Kind
  reader: RowReader
  rows: readonly TableRow[]
  /** Those that are too many of one person. */
  tooMany: ReadonlySet<TableRow>
  /** Those of which is shown how they would stand. */
  shown: ReadonlySet<TableRow>
  /** Set for a slice that is rolled back: what the slices before it would have taken. */
  tried?: ReadonlyMap<string, number>
  /** Runs a transaction in the name of whoever asked. */
  transaction<T>(work: (system: SystemTx) => Promise<T>): Promise<T>
  /** Stores the progress, in the transaction that wrote the rows. */
  store(tx: Tx, done: SliceDone): Promise<void>
}

/** Where something stands, and what. */
const placeOf = (reader: RowReader, row: TableRow, field: string | null) => ({
  row: row.line,
  column: reader.columnOf(field),
  field,
  value: field === null ? null : reader.textOf(row, field).slice(0, 100) || null,
})

/** What is wrong with no field of a row, but with all that would be more. */
const OF_INSTITUTE: ReadonlySet<Reason> = new Set(['quota_exceeded', 'student_numbers_used_up'])

const complaintOf = (
  reader: RowReader,
  row: TableRow,
  { reason, field }: { reason: Reason; field: string | null },
): Complaint => {
  const of = field ?? (OF_INSTITUTE.has(reason) ? null : reader.whoseField(row))
  return { ...placeOf(reader, row, of), reason }
}

/** @throws what is no fault of the row */
const complaintIn = (reader: RowReader, row: TableRow, error: unknown): Complaint =>
  complaintOf(reader, row, complaintOfError(error))

const guardiansIn = ({ guardians }: Standing): readonly string[] =>
  Array.isArray(guardians) ? (guardians as string[]) : []

interface Tried {
  slice: Slice
  row: TableRow
  values: Values
}

/** Looks at what there is of a row that is shown. @returns how to tell what became of it */
const beginPreview = async (
  { kind, reader, shown }: SliceWork,
  { slice, row, values }: Tried,
): Promise<(outcome: Outcome | undefined) => Promise<PreviewRow[]>> => {
  if (!shown.has(row)) return async () => []
  const before = await kind.stands(slice, values).catch((error: unknown) => {
    // What is wrong with the row is told where it is written.
    if (error instanceof RowRefused) return {}
    throw error
  })
  const holders = (await kind.holders?.(slice, values)) ?? []
  return async (outcome) => {
    if (outcome === undefined) {
      return [{ row: row.line, outcome: 'refused', ...differences({}, reader.textsOf(row)), known: [] }]
    }
    const after = await kind.stands(slice, values)
    const [linked, linkedBefore] = [guardiansIn(after), guardiansIn(before)]
    const known = holders.filter((one) => linked.includes(one) && !linkedBefore.includes(one))
    return [{ row: row.line, outcome, ...differences(before, after), known }]
  }
}

/** How rows are written. */
interface Manner {
  /** Whether each is written by itself: one that is refused takes back what it has written, alone. */
  isApart: boolean
  attempt(system: SystemTx, work: () => Promise<Outcome[]>): Promise<Outcome[]>
}

interface ReadRow {
  row: TableRow
  values: Values
  complaints: Complaint[]
}

/** Writes the rows of a slice, and notes what became of them. */
class Writing {
  readonly #work: SliceWork
  readonly #manner: Manner
  readonly #slice: Slice
  readonly #system: SystemTx
  readonly #notes: Map<Values, Pick<Note, 'reason' | 'field'>[]>
  readonly #done: SliceDone
  #waiting: ReadRow[] = []

  constructor(
    work: SliceWork,
    manner: Manner,
    {
      slice,
      system,
      notes,
      done,
    }: { slice: Slice; system: SystemTx; notes: Map<Values, Pick<Note, 'reason' | 'field'>[]>; done: SliceDone },
  ) {
    this.#work = work
    this.#manner = manner
    this.#slice = slice
    this.#system = system
    this.#notes = notes
    this.#done = done
  }

  #refuse({ row, complaints }: ReadRow): void {
    this.#done.refusals.push({ line: row.line, cells: row.cells, reasons: complaints })
  }

  #noteDone({ row, values }: ReadRow, outcome: Outcome): void {
    const { reader } = this.#work
    const notes = this.#notes.get(values) ?? []
    this.#done.counts[outcome] += 1
    this.#done.told.push(...notes.map(({ reason, field }) => ({ ...placeOf(reader, row, field), reason })))
  }

  /** Writes those that wait. @returns what became of the last; undefined: it was refused */
  async #writeWaiting(): Promise<Outcome | undefined> {
    const rows = this.#waiting
    this.#waiting = []
    if (rows.length === 0) return undefined
    const { kind, reader } = this.#work
    const all = rows.map(({ values }) => values)
    try {
      const outcomes = await this.#manner.attempt(this.#system, () => kind.apply(this.#slice, all))
      for (const [nth, outcome] of outcomes.entries()) this.#noteDone(rows[nth] as ReadRow, outcome)
      return outcomes.at(-1)
    } catch (error) {
      if (!this.#manner.isApart) throw error
      const [refused] = rows as [ReadRow]
      refused.complaints.push(complaintIn(reader, refused.row, error))
      this.#refuse(refused)
      return undefined
    }
  }

  async #writeShown(one: ReadRow): Promise<void> {
    await this.#writeWaiting()
    const endPreview = await beginPreview(this.#work, { slice: this.#slice, ...one })
    if (one.complaints.length > 0) {
      this.#refuse(one)
      this.#done.preview.push(...(await endPreview(undefined)))
      return
    }
    this.#waiting.push(one)
    this.#done.preview.push(...(await endPreview(await this.#writeWaiting())))
  }

  async writeAll(rows: readonly ReadRow[]): Promise<void> {
    const { shown } = this.#work
    for (const one of rows) {
      if (shown.has(one.row)) await this.#writeShown(one)
      else if (one.complaints.length > 0) this.#refuse(one)
      else {
        this.#waiting.push(one)
        if (this.#manner.isApart) await this.#writeWaiting()
      }
    }
    await this.#writeWaiting()
  }
}

/** @throws TakenBack where nothing is kept */
const inTransaction = (work: SliceWork, manner: Manner): Promise<SliceDone> => {
  const { row: run, kind, reader, rows, tooMany, tried } = work
  return work.transaction(async (system) => {
    // What the institute is now: it may have been locked, and its plan changed.
    const tenant = await findTenant(system.db, run.tenant_id)
    if (!tenant) throw new ImportFailed('no_longer_allowed')
    const taken = new Map<string, number>()
    const counts = { created: 0, updated: 0, unchanged: 0 }
    const done: SliceDone = { counts, refusals: [], told: [], preview: [], taken }
    const notes = new Map<Values, Pick<Note, 'reason' | 'field'>[]>()
    const tell: Slice['tell'] = (values, reason, field) =>
      void notes.set(values, [...(notes.get(values) ?? []), { reason, field }])
    const slice = await sliceOf(system, tenant, run, { taken, tell })
    const readRows = rows.map((row): ReadRow => {
      const { values, complaints } = reader.read(row)
      const isTooMuch = tooMany.has(row)
      const refusal = complaintOf(reader, row, { reason: 'too_many_of_one', field: null })
      return { row, values, complaints: isTooMuch ? [...complaints, refusal] : complaints }
    })
    const all = readRows.map((one) => one.values)
    if (tried) await kind.recall?.(slice, all, tried)
    else await kind.begin?.(slice, all)
    await new Writing(work, manner, { slice, system, notes, done }).writeAll(readRows)
    if (tried) throw new TakenBack(done)
    await work.store(system.inTenant(tenant), done)
    return done
  })
}

/** A row that is refused takes back what it has written, alone. */
const apart: Manner = { isApart: true, attempt: (system, work) => system.attempt(work) }

/** Ends a transaction in which a row was refused without a savepoint. */
class RefusedTogether extends Error {
  constructor() {
    super('A row was refused among others.')
    this.name = 'RefusedTogether'
  }
}

/**
 * Writes a slice of rows in one transaction, or tries it and takes it back. Most files have no row that is refused, and a
 * savepoint is two more statements for each. So the rows are written together first, which also takes few statements for all
 * of them; where one is refused, they are written once more, each apart.
 * @throws ImportFailed, and what the database throws
 */
export const runSlice = async (work: SliceWork): Promise<SliceDone> => {
  let isRefused = false
  const together: Manner = {
    isApart: false,
    attempt: async (_system, apply) => {
      try {
        return await apply()
      } catch (error) {
        isRefused = true
        // What the database says may be that the transaction has to be tried again.
        throw error instanceof RowRefused || error instanceof ApiError ? new RefusedTogether() : error
      }
    },
  }
  const run = async (manner: Manner): Promise<SliceDone> => {
    try {
      return await inTransaction(work, manner)
    } catch (error) {
      if (error instanceof TakenBack) return error.done
      throw error
    }
  }
  try {
    return await run(together)
  } catch (error) {
    if (!isRefused) throw error
    return run(apart)
  }
}
