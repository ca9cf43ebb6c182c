import type { Caller } from '#kernel/who/actor.ts'
import type { RecordNames } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { reachedHandle } from '#runtime/records/handles.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import type { NameOf } from './cells.ts'
import type { Column } from './columns.ts'

/** A list of an institute names few groups and branches, and each of its students on few pages. */
const REMEMBERED = 10_000

interface Known {
  field: string
  names: Map<string, string | null>
  read(ids: readonly string[]): Promise<{ id: string; name: string }[]>
}

/**
 * The names of records that a list has by their ids alone: read once for each page, by the rights of the caller, who may
 * read a list and not those whom it names.
 */
export class NamesOfRecords {
  readonly #known: Known[] = []

  /** @param caller as they are when the file begins: what they may not read any more ends the list itself */
  static async of(
    runtime: Runtime,
    all: readonly RecordNames[],
    { caller, columns }: { caller: Caller | null; columns: readonly Column[] },
  ): Promise<NamesOfRecords> {
    const names = new NamesOfRecords()
    const tenant = caller?.tenant
    if (!caller || !tenant) return names
    for (const { namesOf: field } of columns) {
      const found = all.find(({ fields }) => field !== undefined && fields.includes(field))
      if (field === undefined || !found) continue
      const reach = found.permission === undefined ? 'all' : caller.grants.reach(found.permission)
      const db: ScopedDb | undefined = await reachedHandle(runtime, tenant.id, reach)
      if (db) names.#known.push({ field, names: new Map(), read: (ids) => found.read(db, ids) })
    }
    return names
  }

  /** Reads the names that the records of a page need. */
  async read(records: readonly unknown[]): Promise<NameOf> {
    for (const { field, names, read } of this.#known) {
      if (names.size > REMEMBERED) names.clear()
      const ids = records
        .map((record) => (record as Record<string, unknown>)[field])
        .filter((id) => typeof id === 'string')
      const wanted = [...new Set(ids)].filter((id) => !names.has(id))
      if (wanted.length === 0) continue
      for (const id of wanted) names.set(id, null)
      for (const { id, name } of await read(wanted)) names.set(id, name)
    }
    return (field, id) => this.#known.find((one) => one.field === field)?.names.get(id) ?? null
  }
}
