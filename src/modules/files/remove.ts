import * as v from 'valibot'
import { forUpdate } from '#db/dialect.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { isAvatarOf } from '#modules/identity/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import { discard } from './discard.ts'
import { askingIn } from './class-files.ts'
import { mayChangeAsOwn, reachedFile } from './own-files.ts'
import { describeFile, objectKey, type FileRow } from './record.ts'

const USES = ['avatar', 'logo', 'paper'] as const
type UsedAs = (typeof USES)[number]

export const FileInUse = failure(
  'CONFLICT',
  'file_in_use',
  'The file is somebody’s avatar or the institute’s logo: name another one there first. Or it is the logo of papers that were issued, which keep it.',
  {
    details: {
      schema: explained(v.object({ namedBy: v.picklist(USES) }), { namedBy: 'What the file is.' }),
      example: { namedBy: 'logo' },
    },
  },
)

/**
 * Whether a profile or the settings show this file. Its row must be locked: a change that refers to it locks it too.
 */
export const usedAs = async (whole: ScopedDb, row: FileRow): Promise<UsedAs | undefined> => {
  const uploader = row.uploaded_by_user_id
  if (uploader !== null && (await isAvatarOf(whole, uploader, row.id))) return 'avatar'
  const { branding } = await readSettings(whole)
  if (branding.logoFileId === row.id) return 'logo'
  const kept = await whole.selectFrom('kept_logo').select('file_id').where('file_id', '=', row.id).executeTakeFirst()
  return kept && 'paper'
}

/** Deletes a file that is locked and that nothing refers to. A job removes its bytes after the commit. */
export const dropFile = async (tx: Tx, row: FileRow, action?: string): Promise<void> => {
  await tx.whole.deleteFrom('file').where('id', '=', row.id).execute()
  discard(tx, objectKey(row))
  tx.audit({ ...(action !== undefined && { action }), entityType: 'file', entityId: row.id, before: describeFile(row) })
}

/** @throws NotFound, Forbidden, FileInUse */
export const deleteFile = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  const row = await reachedFile({
    caller,
    permission: 'files.write',
    find: (where) => {
      const db = where === 'whole' ? tx.whole : tx.db
      return forUpdate(db, db.selectFrom('file').selectAll().where('id', '=', id)).executeTakeFirst()
    },
    isOwn: (file) => mayChangeAsOwn(askingIn(tx, caller), file),
  })
  const by = await usedAs(tx.whole, row)
  if (by) throw FileInUse({ namedBy: by })
  await dropFile(tx, row)
}
