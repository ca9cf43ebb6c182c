import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb'
import { seal, unseal } from '../device-seal.ts'
import type { Problem } from '../problem.ts'
import { sessionOwner } from '../session.ts'

/**
 * What must outlast the tab until the server has answered it, in IndexedDB. In the clear stand the ids of the person, of
 * the institute and, for a draft, of the class; all else is sealed. Everything here is of whoever is signed in: what
 * another left in this browser is neither read nor changed.
 */

/** Why the server refused something. */
export interface Refusal {
  status: number
  code: string
  message: string
  details: Readonly<Record<string, unknown>>
}

export const refusalOf = ({ status, code, message, details }: Problem): Refusal => ({ status, code, message, details })

/** What is kept of every kind, beside its content. */
export interface Kept {
  /** Counts up: what was saved first is sent first. Below zero: it is in memory alone. */
  id: number
  kind: string
  /** The Idempotency-Key under which it is sent, however often. */
  key: string
  savedAt: string
  /** Whether a request left whose reply nobody saw: the server may have it. */
  isTried: boolean
  /** It stays, until somebody decides what becomes of it. */
  refusal?: Refusal
}

/** Something to be kept, or to replace what has its id. */
export type Saved<K extends Kept> = Omit<K, 'id' | 'kind'> & { id?: number }

interface Tables extends DBSchema {
  unanswered: {
    key: number
    value: { id?: number; owner: string; sealed: Uint8Array }
    indexes: { owner: string }
  }
  drafts: { key: [owner: string, name: string]; value: { owner: string; name: string; sealed: Uint8Array } }
}

let opening: Promise<IDBPDatabase<Tables>> | undefined

const close = (): void => {
  // The next use opens it anew.
  opening = undefined
}

/** @throws where the browser keeps nothing */
const open = async (): Promise<IDBPDatabase<Tables>> => {
  opening ??= openDB<Tables>('institute-intents', 1, {
    upgrade: (db) => {
      db.createObjectStore('unanswered', { keyPath: 'id', autoIncrement: true }).createIndex('owner', 'owner')
      db.createObjectStore('drafts', { keyPath: ['owner', 'name'] })
    },
    // A later version of the console waits in another tab.
    blocking: (_, __, event) => {
      ;(event.target as IDBDatabase).close()
      close()
    },
    terminated: close,
  }).catch((error: unknown) => {
    close()
    throw error
  })
  return opening
}

/** What was saved outlasts a battery that is empty the moment after. */
const STRICT = { durability: 'strict' } as const

type Unanswered<M extends IDBTransactionMode> = IDBPTransaction<Tables, ['unanswered'], M>['store']

const writing = async () => {
  const tx = (await open()).transaction('unanswered', 'readwrite', STRICT)
  return { rows: tx.store, done: tx.done }
}

const rowOf = ({ id, ...content }: Partial<Kept>) => ({
  ...(id !== undefined && { id }),
  owner: sessionOwner(),
  sealed: seal(content),
})

const shown = ({ id = 0, sealed }: Tables['unanswered']['value']): Kept[] => {
  const content = unseal(sealed) as Omit<Kept, 'id'> | undefined
  return content ? [{ ...content, id }] : []
}

const allOf = async <K extends Kept>(kind: string, from: Unanswered<IDBTransactionMode>): Promise<K[]> => {
  const rows = await from.index('owner').getAll(sessionOwner())
  return rows.flatMap(shown).filter((kept): kept is K => kept.kind === kind)
}

/**
 * What is kept of one kind.
 * @param options.isKeptInMemory where the browser keeps nothing, it is in memory as long as the page is there; else
 *   saving throws there
 */
export const shelfOf = <K extends Kept>(kind: K['kind'], { isKeptInMemory = false } = {}) => {
  let inMemory: readonly K[] = []
  let lastInMemory = 0
  return {
    /** In the order in which it was saved. */
    all: async (): Promise<K[]> => {
      const stored = await open()
        .then((db) => allOf<K>(kind, db.transaction('unanswered').store))
        .catch((error: unknown) => {
          if (isKeptInMemory) return []
          throw error
        })
      return [...stored, ...inMemory]
    },

    /**
     * @returns the id
     * @param make gets what is kept, within the same transaction, and says what of it to forget
     */
    save: async (make: (before: readonly K[]) => { kept: Saved<K>; forget?: readonly K[] }): Promise<number> => {
      try {
        const { rows, done } = await writing()
        const { kept, forget = [] } = make(await allOf<K>(kind, rows))
        const [id] = await Promise.all([
          rows.put(rowOf({ ...kept, kind })),
          ...forget.map((one) => rows.delete(one.id)),
          done,
        ])
        return id
      } catch (error) {
        if (!isKeptInMemory) throw error
        lastInMemory -= 1
        inMemory = [...inMemory, { ...make(inMemory).kept, kind, id: lastInMemory } as K]
        return lastInMemory
      }
    },

    /** Changes what is kept, unless it was saved anew meanwhile. @returns whether it did */
    change: async (kept: K, changes: Partial<K>): Promise<boolean> => {
      if (kept.id < 0) {
        inMemory = inMemory.map((one) => (one.id === kept.id ? { ...one, ...changes } : one))
        return true
      }
      const { rows, done } = await writing()
      const row = await rows.get(kept.id)
      const [now] = row ? shown(row) : []
      if (now?.key !== kept.key) return false
      await Promise.all([rows.put(rowOf({ ...now, ...changes })), done])
      return true
    },

    drop: async (ids: readonly number[]): Promise<void> => {
      inMemory = inMemory.filter(({ id }) => !ids.includes(id))
      const stored = ids.filter((id) => id >= 0)
      if (stored.length === 0) return
      const { rows, done } = await writing()
      await Promise.all([...stored.map((id) => rows.delete(id)), done])
    },
  }
}

/** What somebody has not saved yet, by a name of its own. */
export const drafts = {
  of: async <D>(name: string): Promise<D | undefined> => {
    const row = await (await open()).get('drafts', [sessionOwner(), name])
    return row && (unseal(row.sealed) as D | undefined)
  },

  /** @param draft undefined: there is none any more */
  keep: async (name: string, draft: unknown): Promise<void> => {
    const owner = sessionOwner()
    const tx = (await open()).transaction('drafts', 'readwrite', STRICT)
    const change =
      draft === undefined ? tx.store.delete([owner, name]) : tx.store.put({ owner, name, sealed: seal(draft) })
    await Promise.all([change, tx.done])
  },
}
