import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { unseal } from '../device-seal.ts'
import { sessionOwner } from '../session.ts'

/** The database in which a former version of the console kept attendance; one before that sealed nothing. */
interface Former extends DBSchema {
  unsent: { key: number; value: { id: number; owner: string; sealed?: Uint8Array }; indexes: { owner: string } }
  drafts: { key: [owner: string, sessionId: string]; value: { owner: string; sessionId: string; sealed?: Uint8Array } }
}

const open = async (): Promise<IDBPDatabase<Former> | undefined> => {
  try {
    return await openDB<Former>('institute', 1, {
      // There is none, and none is to be made.
      upgrade: (_, __, ___, tx) => {
        tx.done.catch(() => {})
        tx.abort()
      },
    })
  } catch {
    return undefined
  }
}

/**
 * Hands over what is left there of whoever is signed in, one after the other, and forgets each once it is taken. The
 * database stays: a tab of the former version may still use it.
 */
export const takeFormerMarks = async (take: {
  marks: (marks: unknown) => Promise<unknown>
  draft: (sessionId: string, draft: unknown) => Promise<unknown>
}): Promise<void> => {
  const db = await open()
  if (!db) return
  try {
    const owner = sessionOwner()
    for (const row of await db.getAllFromIndex('unsent', 'owner', owner)) {
      const { id, owner: _, sealed, ...clear } = row
      const marks = sealed ? unseal(sealed) : clear
      if (!marks) continue
      await take.marks(marks)
      await db.delete('unsent', id)
    }
    for (const { sessionId, sealed, ...clear } of await db.getAll('drafts', IDBKeyRange.bound([owner], [owner, []]))) {
      const draft = sealed ? unseal(sealed) : clear
      if (!draft) continue
      await take.draft(sessionId, draft)
      await db.delete('drafts', [owner, sessionId])
    }
  } finally {
    db.close()
  }
}
