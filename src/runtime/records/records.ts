import { isDeepStrictEqual } from 'node:util'
import type { SelectQueryBuilder } from 'kysely'
import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import { forKeyShare, forUpdate, forNoKeyUpdate, refusing } from '#db/dialect.ts'
import { found, VersionConflict, type Failure } from '#kernel/values/errors.ts'
import { columnOf, fieldOf } from '#kernel/values/fields.ts'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import { ok } from '#kernel/values/schema.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { AuditNote, Exactly, Tx } from '#kernel/contract/unit-of-work.ts'
import { insertColumns, updateColumns } from '#runtime/change/row-writes.ts'
import type { NewFields, Row, TableWithId, Wanted } from './record-types.ts'

export type { Row, Wanted } from './record-types.ts'

/**
 * Reads, adds, changes and deletes records. A module declares each of its records once with `recordOf`, and writes the
 * rules of a change as a plain function between `lockRow` and `changeRecord`.
 */

/** The part of a transaction that records need; it may be inside an institute or outside all. */
export type RecordTx = Pick<Tx, 'db' | 'now' | 'id' | 'audit'>

declare const lockMode: unique symbol

/** A row that is locked for update: no other transaction can change it until this one ends. */
export type LockedRow<T extends TableWithId> = Row<T> & { readonly [lockMode]: 'change' | 'delete' }

/** A row that is locked for deletion: no other transaction can change it or add a reference to it. */
export type RowToDelete<T extends TableWithId> = LockedRow<T> & { readonly [lockMode]: 'delete' }

interface RecordOptions<T extends TableWithId, D extends keyof Row<T>> {
  /** Computes columns that depend on others, such as the text that search uses. */
  derived?: (row: Row<T>) => Pick<Row<T>, D>
  /** The refusals for broken database constraints on insert and update; see `refusing`. */
  refusals?: { unique?: Record<string, Failure>; foreignKey?: Failure }
  /** The refusal when other records still refer to the record on delete. */
  inUse?: Failure
  /** Throws for a row that nobody changes any more, and to which nothing new may refer. */
  refuseEnded?: (row: Row<T>) => void
}

/** Required for tables without the column updated_at, and for no others. */
type Stamps<T extends TableWithId> = 'updated_at' extends keyof Tables[T]
  ? { withoutUpdatedAt?: never }
  : { withoutUpdatedAt: true }

type Shown<T extends TableWithId, Reply> =
  | { show: (row: Row<T>) => Reply }
  /** For a reply that needs more than the row. */
  | { read: (db: ScopedDb, id: string) => Promise<Reply> }

type ById<T extends TableWithId> = (db: ScopedDb, values: { id: string }) => Promise<Row<T>[]>

export interface RecordOf<T extends TableWithId, Reply, D extends keyof Row<T> = never> extends RecordOptions<T, D> {
  readonly table: T
  readonly withoutUpdatedAt?: true
  readonly read: (db: ScopedDb, id: string) => Promise<Reply>
  readonly reply: (db: ScopedDb, row: Row<T>) => Reply | Promise<Reply>
  readonly byId: ById<T>
  readonly byIdForKeyShare: ById<T>
  readonly byIdForUpdate: ById<T>
  readonly byIdsForUpdate: (db: ScopedDb, ids: readonly string[]) => Promise<Row<T>[]>
}

/** Table names are values in this file: queries are typed for this table and run on any table. */
type AnyTable = 'audit_entry'

const rowById = (db: ScopedDb, table: TableWithId, id: string) =>
  db
    .selectFrom(table as AnyTable)
    .selectAll()
    .where('id', '=', id)

/** In the order in which all who lock several lock them. */
const rowsByIds = (db: ScopedDb, table: TableWithId, ids: readonly string[]) =>
  db
    .selectFrom(table as AnyTable)
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')

type IdQuery = SelectQueryBuilder<Tables, AnyTable, { id: string }>

/** Compiles the query once: many changes start with it. */
const compiledById = <T extends TableWithId>(
  query: (db: ScopedDb, id: string) => ReturnType<typeof rowById>,
): ById<T> => compiledInTenant((db, { id }: { id: string }) => query(db, id)) as unknown as ById<T>

const idOf = (row: object): string => (row as { id: string }).id

/** Declares the record of a table, inside an institute or outside all: how it is shown, which columns are derived, and which refusals its writes have. */
export const recordOf = <T extends TableWithId, Reply, D extends keyof Row<T> = never>(
  table: T,
  options: RecordOptions<T, D> & Shown<T, Reply> & Stamps<T>,
): RecordOf<T, Reply, D> => {
  const find = compiledById<T>((db, id) => rowById(db, table, id))
  const shown =
    'show' in options
      ? {
          read: async (db: ScopedDb, id: string) => options.show(found((await find(db, { id }))[0])),
          reply: (_: ScopedDb, row: Row<T>) => options.show(row),
        }
      : { read: options.read, reply: (db: ScopedDb, row: Row<T>) => options.read(db, idOf(row)) }
  return {
    ...(options as RecordOptions<T, D>),
    ...shown,
    table,
    byId: find,
    byIdForKeyShare: compiledById<T>((db, id) => forKeyShare(db, rowById(db, table, id))),
    byIdForUpdate: compiledById<T>((db, id) => forNoKeyUpdate(db, rowById(db, table, id))),
    byIdsForUpdate: compiledByIds((db, ids) => forNoKeyUpdate(db, rowsByIds(db, table, ids))) as never,
  }
}

/** Returns the row. @throws NotFound when the caller reaches no such row */
export const findRow = async <T extends TableWithId, Reply>(
  db: ScopedDb,
  of: RecordOf<T, Reply>,
  id: string,
): Promise<Row<T>> => found((await of.byId(db, { id }))[0])

type IdById = (db: ScopedDb, values: { id: string }) => Promise<{ id: string }[]>

/** Compiles one query per table. */
const idQueries = (make: (db: ScopedDb, query: IdQuery) => IdQuery) => {
  const queries = new BoundedCache<TableWithId, IdById>(100)
  return (table: TableWithId): IdById =>
    queries.get(table, () =>
      compiledInTenant((db, { id }: { id: string }) =>
        make(
          db,
          db
            .selectFrom(table as AnyTable)
            .select('id')
            .where('id', '=', id),
        ),
      ),
    )
}
const idQueryOf = idQueries((_, query) => query)
const idForKeyShareQueryOf = idQueries(forKeyShare)

/** Checks that the caller reaches a row of any module's table. @throws NotFound */
export const checkReached = async (db: ScopedDb, table: TableWithId, id: string): Promise<void> => {
  found((await idQueryOf(table)(db, { id }))[0])
}

/**
 * Locks a row for key share, before this change stores a reference to it: others may change the row, but not delete it.
 * @throws NotFound
 */
export const lockReferenced = async ({ db }: Pick<Tx, 'db'>, table: TableWithId, id: string): Promise<void> => {
  found((await idForKeyShareQueryOf(table)(db, { id }))[0])
}

/** Like `lockReferenced`, and returns the row. @throws NotFound, and what `refuseEnded` of the record throws */
export const lockReferencedRow = async <T extends TableWithId, Reply>(
  { db }: Pick<Tx, 'db'>,
  of: RecordOf<T, Reply>,
  id: string,
): Promise<Row<T>> => {
  const row = found((await of.byIdForKeyShare(db, { id }))[0])
  of.refuseEnded?.(row)
  return row
}

/** Returns the record as the API shows it. @throws NotFound when the caller reaches no such record */
export const readRecord = <T extends TableWithId, Reply>(
  db: ScopedDb,
  of: RecordOf<T, Reply>,
  id: string,
): Promise<Reply> => of.read(db, id)

/**
 * Begins a change: locks the row for update.
 * @param version the version that the caller has seen; undefined: the caller did not send one
 * @throws NotFound; VersionConflict when the row has another version
 */
export const lockRow = async <T extends TableWithId, Reply>(
  { db }: Pick<Tx, 'db'>,
  of: RecordOf<T, Reply>,
  id: string,
  version?: number,
): Promise<LockedRow<T>> => {
  const row = found((await of.byIdForUpdate(db, { id }))[0]) as LockedRow<T> & { version?: number }
  of.refuseEnded?.(row)
  if (version !== undefined && version !== row.version) {
    throw VersionConflict({ expected: version, current: row.version })
  }
  return row
}

/**
 * Begins a change of several rows: locks those that the caller reaches for update.
 * @returns one of them by its id, as `lockRow` does @throws NotFound where it was not reached
 */
export const lockRows = async <T extends TableWithId, Reply>(
  { db }: Pick<Tx, 'db'>,
  of: RecordOf<T, Reply>,
  ids: readonly string[],
): Promise<(id: string) => LockedRow<T>> => {
  const rows = new Map((await of.byIdsForUpdate(db, ids)).map((row) => [idOf(row), row]))
  return (id) => {
    const row = found(rows.get(id)) as LockedRow<T>
    of.refuseEnded?.(row)
    return row
  }
}

/**
 * Begins a delete: locks the row, so that no other transaction can change it or add a reference to it. @throws NotFound
 */
export const lockToDelete = async <T extends TableWithId, Reply>(
  { db }: Pick<Tx, 'db'>,
  of: RecordOf<T, Reply>,
  id: string,
): Promise<RowToDelete<T>> => {
  const row = found(await forUpdate(db, rowById(db, of.table, id)).executeTakeFirst()) as unknown as RowToDelete<T>
  of.refuseEnded?.(row)
  return row
}

const toColumns = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[columnOf(field), value]])),
  )

interface Inserted {
  table: TableWithId
  withoutUpdatedAt?: true
  derived?: (row: never) => object
}

/**
 * Inserts rows. @param unique a column; a row whose value another one has is not inserted
 * @returns the rows in order; undefined: it was not inserted
 */
const insert = async (
  tx: RecordTx,
  of: Inserted,
  { fields, unique }: { fields: readonly object[]; unique?: string },
): Promise<(object | undefined)[]> => {
  const rows = fields.map((one) => {
    const given = {
      id: tx.id(),
      ...toColumns(one),
      created_at: tx.now,
      ...(!of.withoutUpdatedAt && { updated_at: tx.now }),
    }
    return { ...given, ...of.derived?.(given as never) }
  })
  const inserted = new Map((await insertColumns(tx.db, of.table, { rows, unique })).map((row) => [idOf(row), row]))
  return rows.map(({ id }) => inserted.get(id))
}

/** Inserts the row without an audit entry, for records that have parts in other tables. */
export const insertRow = async <T extends TableWithId, Reply, D extends keyof Row<T>, Given extends NewFields<T, D>>(
  tx: RecordTx,
  of: RecordOf<T, Reply, D>,
  fields: Exactly<NewFields<T, D>, Given>,
): Promise<Row<T>> => {
  return (await insert(tx, of, { fields: [fields] }).catch(refusing(of.refusals ?? {})))[0] as Row<T>
}

/**
 * Inserts rows without audit entries, but checks a column that must be unique in the institute. Use it when the
 * transaction must go on after a conflict: in Postgres, a broken constraint would end it.
 * @returns the rows in order; undefined: another row has this value
 */
export const insertUnlessTaken = async <
  T extends TableWithId,
  Reply,
  D extends keyof Row<T>,
  Given extends NewFields<T, D>,
>(
  tx: Tx,
  of: RecordOf<T, Reply, D>,
  unique: keyof Row<T> & string,
  fields: readonly Exactly<NewFields<T, D>, Given>[],
): Promise<(Row<T> | undefined)[]> => {
  return (await insert(tx, of, { fields, unique }).catch(refusing(of.refusals ?? {}))) as (Row<T> | undefined)[]
}

/**
 * Inserts records and the audit entry of each, to which its `note` may add. @returns the records as the API shows them, in
 * order
 */
export const createRecords = async <
  T extends TableWithId,
  Reply,
  D extends keyof Row<T>,
  Given extends NewFields<T, D>,
>(
  tx: RecordTx,
  of: RecordOf<T, Reply, D>,
  records: readonly { fields: Exactly<NewFields<T, D>, Given>; note?: Partial<AuditNote> }[],
): Promise<Reply[]> => {
  const fields = records.map((record) => record.fields)
  const rows = (await insert(tx, of, { fields }).catch(refusing(of.refusals ?? {}))) as Row<T>[]
  const made: Reply[] = []
  for (const [at, row] of rows.entries()) {
    const after = await of.reply(tx.db, row)
    tx.audit({ entityType: of.table, entityId: idOf(row), after, ...records[at]?.note })
    made.push(after)
  }
  return made
}

/** Inserts the record and its audit entry, to which `note` may add. @returns the record as the API shows it */
export const createRecord = async <T extends TableWithId, Reply, D extends keyof Row<T>, Given extends NewFields<T, D>>(
  tx: RecordTx,
  of: RecordOf<T, Reply, D>,
  fields: Exactly<NewFields<T, D>, Given>,
  note: Partial<AuditNote> = {},
): Promise<Reply> => (await createRecords(tx, of, [{ fields, note }]))[0] as Reply

const differing = (row: object, fields: object): [column: string, value: unknown][] =>
  Object.entries(toColumns(fields)).filter(
    ([column, value]) => column !== 'version' && !isDeepStrictEqual((row as Record<string, unknown>)[column], value),
  )

/** field → [old value, new value] */
export type Changes<Fields> = { [F in keyof Fields]?: [old: Fields[F], new: Exclude<Fields[F], undefined>] }

/** Returns the fields whose wanted value differs from the row. */
export const changesOf = <Fields extends object>(row: object, wanted: Fields): Changes<Fields> =>
  Object.fromEntries(
    differing(row, wanted).map(([column, value]) => [
      fieldOf(column),
      [(row as Record<string, unknown>)[column], value],
    ]),
  ) as Changes<Fields>

/** Whether nothing differs. */
export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0

interface ChangeOptions<Reply> extends Partial<AuditNote> {
  /**
   * The record as the API showed it before this change: for records with parts in other tables that have already been
   * changed.
   */
  before?: Reply
  partsChanged?: boolean
}

/**
 * Ends a change: writes the fields that differ from the locked row, and the audit entry. If nothing differs, it writes
 * nothing and the version stays the same.
 * @param options `before` and `partsChanged` for records with parts in other tables; the rest adds to the audit entry,
 *   or replaces what follows from the record
 * @returns the record as the API shows it
 */
export const changeRecord = async <T extends TableWithId, Reply, D extends keyof Row<T>, Given extends Wanted<T, D>>(
  tx: RecordTx,
  of: RecordOf<T, Reply, D>,
  row: LockedRow<T>,
  wanted: Exactly<Wanted<T, D>, Given>,
  { before: known, partsChanged = false, ...note }: ChangeOptions<Reply> = {},
): Promise<Reply> => {
  const id = idOf(row)
  const { version } = row as { version?: number }
  const before = known ?? (await of.reply(tx.db, row))
  const different = Object.fromEntries(differing(row, wanted))
  let after = before
  if (partsChanged || !isEmpty(different)) {
    const columns = {
      ...different,
      ...of.derived?.({ ...row, ...different }),
      ...(version !== undefined && { version: version + 1 }),
      ...(!of.withoutUpdatedAt && { updated_at: tx.now }),
    }
    const changed = await updateColumns(tx.db, of.table, { id, columns }).catch(refusing(of.refusals ?? {}))
    after = await of.reply(tx.db, changed as Row<T>)
  }
  tx.audit({ entityType: of.table, entityId: id, before, after, ...note })
  return after
}

/** Deletes the record and writes the audit entry. @throws the record's `inUse` while other records refer to it */
export const deleteRecord = async <T extends TableWithId, Reply>(
  tx: RecordTx,
  of: RecordOf<T, Reply>,
  row: RowToDelete<T>,
): Promise<typeof ok> => {
  const id = idOf(row)
  const before = await of.reply(tx.db, row)
  await tx.db
    .deleteFrom(of.table as AnyTable)
    .where('id', '=', id)
    .execute()
    .catch(refusing(of.inUse ? { foreignKey: of.inUse } : {}))
  tx.audit({ entityType: of.table, entityId: id, before })
  return ok
}
