import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { discard } from './discard.ts'
import { objectKey } from './record.ts'

type Stored = Parameters<typeof objectKey>[0] & { id: string }

/** Deletes files of somebody who is erased. A job removes their bytes after the commit. */
export const eraseFiles = async (tx: Tx, rows: readonly Stored[]): Promise<void> => {
  for (const row of rows) {
    await tx.whole.deleteFrom('file').where('id', '=', row.id).execute()
    discard(tx, objectKey(row))
  }
}

/** The pictures that somebody chose for their account. */
export const avatarsOf = (whole: ScopedDb, userId: string): Promise<Stored[]> =>
  whole
    .selectFrom('file')
    .select(['id', 'tenant_id', 'object_name', 'place'])
    .where('kind', '=', 'avatar')
    .where('uploaded_by_user_id', '=', userId)
    .execute()
