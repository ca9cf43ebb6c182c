import type { Schemas } from './client.ts'
import { seal, unseal } from './device-seal.ts'
import { sessionOwner } from './session.ts'

/**
 * Attendance that is kept in this browser, by whom it was taken: IndexedDB, which survives the tab. In the clear stand the
 * ids of the person, of the institute and of the class; all else is sealed.
 */

export interface Mark {
  studentId: string
  status: Schemas['AttendanceStatus']
  minutesLate: number
  note: string | null
  /** Nobody chose it: whoever is not marked is present. */
  isProposed?: boolean
}

/** The session that marks belong to, as far as a notice names it. */
export interface MarkedSession {
  sessionId: string
  groupName: string
  scheduledStart: string
}

/** Marks that somebody has not saved yet. */
export interface Draft {
  sessionId: string
  /** Of the roster from which they were taken. */
  version: number
  marks: readonly Mark[]
}

/** Why the server did not take marks. They stay until somebody decides what becomes of them. */
export interface Refusal {
  status: number
  code: string
  message: string
  details: Readonly<Record<string, unknown>>
}

/** Marks that somebody has saved and the server does not have yet, as far as this browser knows. */
export interface Unsent extends MarkedSession {
  /** Counts up: what was saved first is sent first. */
  id?: number
  version: number
  marks: readonly Mark[]
  savedAt: string
  /** The Idempotency-Key under which they are sent, however often. */
  key: string
  /** Whether a request left whose reply nobody saw: the server may have them. */
  isTried: boolean
  refusal?: Refusal
}

const NAME = 'institute'
const UNSENT = 'unsent'
const DRAFTS = 'drafts'
const BY_OWNER = 'owner'

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })

let opening: Promise<IDBDatabase> | undefined
const open = (): Promise<IDBDatabase> => {
  opening ??= (() => {
    const request = indexedDB.open(NAME, 1)
    request.addEventListener('upgradeneeded', () => {
      const unsent = request.result.createObjectStore(UNSENT, { keyPath: 'id', autoIncrement: true })
      unsent.createIndex(BY_OWNER, BY_OWNER)
      request.result.createObjectStore(DRAFTS, { keyPath: ['owner', 'sessionId'] })
    })
    return settled(request)
  })().catch((error: unknown) => {
    // The next use tries again.
    opening = undefined
    throw error
  })
  return opening
}

const stored = async (name: string, mode: IDBTransactionMode): Promise<IDBObjectStore> =>
  // What was marked outlasts a battery that is empty the moment after.
  (await open()).transaction(name, mode, { durability: 'strict' }).objectStore(name)

/** A tab that is closed earlier takes the change with it. */
const committed = ({ transaction }: IDBObjectStore): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB')))
  })

export interface Stored extends Unsent {
  id: number
  /** `<user>/<institute>` */
  owner: string
}

/** What lies there of it; what an earlier version kept has no seal. */
type Row = { id: number; owner: string; sealed: Uint8Array } | Stored

const rowOf = ({ id, ...unsent }: Unsent) => ({
  ...(id !== undefined && { id }),
  owner: sessionOwner(),
  sealed: seal(unsent),
})

const shown = (row: Row): Stored[] => {
  if (!('sealed' in row)) return [row]
  const unsent = unseal(row.sealed) as Unsent | undefined
  return unsent ? [{ ...unsent, id: row.id, owner: row.owner }] : []
}

/** In the order in which it was saved. */
const allUnsent = async (from: IDBObjectStore): Promise<Stored[]> => {
  const rows = await settled<Row[]>(from.index(BY_OWNER).getAll(sessionOwner()))
  return rows.flatMap(shown)
}

/** Everything here is of whoever is signed in: what another left in this browser is neither read nor changed. */
export const store = {
  /** Seals what an earlier version left in the clear. */
  sealFormer: async (): Promise<void> => {
    const owner = sessionOwner()
    const unsent = await stored(UNSENT, 'readwrite')
    const rows = await settled<Row[]>(unsent.index(BY_OWNER).getAll(owner))
    for (const row of rows) if (!('sealed' in row)) unsent.put(rowOf(row))
    await committed(unsent)
    const drafts = await stored(DRAFTS, 'readwrite')
    const left = await settled<Draft[]>(drafts.getAll(IDBKeyRange.bound([owner], [owner, []])))
    for (const draft of left) {
      if (!('sealed' in draft)) drafts.put({ owner, sessionId: draft.sessionId, sealed: seal(draft) })
    }
    await committed(drafts)
  },

  unsent: async (): Promise<Stored[]> => allUnsent(await stored(UNSENT, 'readonly')),

  /**
   * Keeps marks of a session. @returns the id
   * @param make gets what was kept of the session before, within the same transaction, and says what of it to forget
   */
  save: async (
    sessionId: string,
    make: (before: readonly Stored[]) => { marks: Unsent; forget?: readonly Stored[] },
  ): Promise<number> => {
    const unsent = await stored(UNSENT, 'readwrite')
    const { marks, forget = [] } = make((await allUnsent(unsent)).filter((one) => one.sessionId === sessionId))
    for (const { id } of forget) unsent.delete(id)
    const put = unsent.put(rowOf(marks))
    await committed(unsent)
    return put.result as number
  },

  /** Changes what is kept, unless it was saved anew meanwhile. @returns whether it did */
  change: async (kept: Stored, changes: Partial<Unsent>): Promise<boolean> => {
    const unsent = await stored(UNSENT, 'readwrite')
    const row = await settled<Row | undefined>(unsent.get(kept.id))
    const [now] = row ? shown(row) : []
    if (now?.key !== kept.key) return false
    unsent.put(rowOf({ ...now, ...changes }))
    await committed(unsent)
    return true
  },

  drop: async (ids: readonly number[]): Promise<void> => {
    const unsent = await stored(UNSENT, 'readwrite')
    for (const id of ids) unsent.delete(id)
    await committed(unsent)
  },

  draft: async (sessionId: string): Promise<Draft | undefined> => {
    const drafts = await stored(DRAFTS, 'readonly')
    const row = await settled<{ sealed: Uint8Array } | Draft | undefined>(drafts.get([sessionOwner(), sessionId]))
    return row && 'sealed' in row ? (unseal(row.sealed) as Draft | undefined) : row
  },

  /** Without marks there is no draft. */
  keepDraft: async (draft: Draft): Promise<void> => {
    const drafts = await stored(DRAFTS, 'readwrite')
    const owner = sessionOwner()
    const { sessionId } = draft
    if (draft.marks.length > 0) drafts.put({ owner, sessionId, sealed: seal(draft) })
    else drafts.delete([owner, sessionId])
    await committed(drafts)
  },
}
