import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type JobKind } from '#kernel/contract/module.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { partsOf, type FileStore, type StoredKey } from '#ports/files/port.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { arrivedJob, discard, discardJob, discardUpload } from './discard.ts'
import { uploadKey } from './record.ts'

/** An upload that was not completed within a day is deleted. */
const KEPT_SECONDS = 24 * 3600
const WAIT_FOR_BACKUP_SECONDS = 60

export const sweepUploadsJob = declareJob('files.sweep', noPayload)

const isNamed = async (db: SystemDb, key: StoredKey): Promise<boolean> => {
  const { place, area, institute, id } = partsOf(key)
  const found =
    area === 'objects'
      ? await db
          .selectFrom('file')
          .select('id')
          .where('tenant_id', '=', institute)
          .where('object_name', '=', id)
          .where('place', '=', place)
          .executeTakeFirst()
      : await db
          .selectFrom('file_upload')
          .select('id')
          .where('tenant_id', '=', institute)
          .where('id', '=', id)
          .where('place', '=', place)
          .executeTakeFirst()
  return found !== undefined
}

/** Deletes at most `limit` abandoned uploads. @returns how many */
const deleteAbandoned = async (tx: SystemTx, before: string, limit: number): Promise<number> => {
  const old = await tx.everywhere
    .selectFrom('file_upload')
    .select(['tenant_id', 'id', 'place', 'expires_at'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  for (const upload of old) {
    const { tenant_id: institute, id } = upload
    const { numDeletedRows } = await tx.everywhere
      .deleteFrom('file_upload')
      .where('tenant_id', '=', institute)
      .where('id', '=', id)
      .executeTakeFirst()
    if (numDeletedRows > 0n) discardUpload(tx, upload)
  }
  return old.length
}

/**
 * @param isBackingUp whether a backup is running. It has copied the database and will copy the files that this copy
 * names, so no object may be removed until the backup is done.
 */
export const fileJobs = (files: FileStore, isBackingUp: () => boolean): readonly JobKind[] => [
  jobKind(discardJob, {
    handle: async ({ payload, everywhere, change, now }) => {
      const key = payload.key as StoredKey
      if (await isNamed(everywhere, key)) return
      if (isBackingUp()) {
        await change(async (tx) => discard(tx, key, plusSeconds(now, WAIT_FOR_BACKUP_SECONDS)))
      } else {
        await files.remove(key)
      }
    },
  }),
  jobKind(arrivedJob, {
    handle: async ({ payload: { tenantId, id }, everywhere, change, now }) => {
      const upload = await everywhere
        .selectFrom('file_upload')
        .select(['id', 'tenant_id', 'place', 'received_at'])
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (!upload || upload.received_at !== null || (await files.size(uploadKey(upload))) === undefined) return
      await change((tx) =>
        tx.everywhere
          .updateTable('file_upload')
          .set({ received_at: now })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', id)
          .execute(),
      )
    },
  }),
  jobKind(sweepUploadsJob, {
    handle: async ({ everywhere, change, now }) => {
      const before = plusSeconds(now, -KEPT_SECONDS)
      await sweepInBatches((limit) => change((tx) => deleteAbandoned(tx, before, limit)))
      // Bytes that arrived after their upload was completed or deleted have no row and no job.
      for await (const { key, writtenAt } of files.list('uploads')) {
        if (writtenAt < before && !(await isNamed(everywhere, key))) await files.remove(key)
      }
      await files.sweepUnfinished(before)
    },
  }),
]
