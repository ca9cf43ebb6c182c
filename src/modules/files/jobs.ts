import * as v from 'valibot'
import { plusSeconds } from '#kernel/clock.ts'
import { declareJob, noPayload } from '#kernel/job.ts'
import { jobKind, type JobKind } from '#kernel/module.ts'
import type { SystemDb } from '#kernel/tables.ts'
import type { SystemTx, Tx } from '#kernel/unit-of-work.ts'
import { partsOf, type FileStore, type StoredKey } from '#ports/files/port.ts'
import { sweepInBatches } from '#runtime/batches.ts'
import { uploadKey } from './record.ts'

/** An upload that was not completed within a day is deleted. */
const KEPT_SECONDS = 24 * 3600
const WAIT_FOR_BACKUP_SECONDS = 60

/** Removes an object, unless a row names it when the job runs. */
export const discardJob = declareJob('files.discard', v.object({ key: v.string() }))
export const sweepUploadsJob = declareJob('files.sweep', noPayload)

export const discard = (tx: Pick<Tx, 'enqueue'>, key: StoredKey, runAt?: string): void =>
  tx.enqueue(discardJob, { key }, runAt === undefined ? {} : { runAt })

const isNamed = async (db: SystemDb, key: StoredKey): Promise<boolean> => {
  const { area, institute, id } = partsOf(key)
  const found =
    area === 'objects'
      ? await db
          .selectFrom('file')
          .select('id')
          .where('tenant_id', '=', institute)
          .where('object_name', '=', id)
          .executeTakeFirst()
      : await db
          .selectFrom('file_upload')
          .select('id')
          .where('tenant_id', '=', institute)
          .where('id', '=', id)
          .executeTakeFirst()
  return found !== undefined
}

/** Deletes at most `limit` abandoned uploads. @returns how many */
const deleteAbandoned = async (tx: SystemTx, before: string, limit: number): Promise<number> => {
  const old = await tx.everywhere
    .selectFrom('file_upload')
    .select(['tenant_id', 'id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  for (const { tenant_id: institute, id } of old) {
    const { numDeletedRows } = await tx.everywhere
      .deleteFrom('file_upload')
      .where('tenant_id', '=', institute)
      .where('id', '=', id)
      .executeTakeFirst()
    if (numDeletedRows > 0n) discard(tx, uploadKey(institute, id))
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
