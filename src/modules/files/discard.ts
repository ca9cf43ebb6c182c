import * as v from 'valibot'
import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { StoragePlace, StoredKey } from '#ports/files/port.ts'
import { uploadKey } from './record.ts'

/** Removes an object, unless a row names it when the job runs. */
export const discardJob = declareJob('files.discard', v.object({ key: v.string() }))

/** Looks whether the bytes of an upload have arrived in a bucket, where the program does not see them come. */
export const arrivedJob = declareJob('files.arrived', v.object({ tenantId: v.string(), id: v.string() }))

export const discard = (tx: Pick<Tx, 'enqueue'>, key: StoredKey, runAt?: string): void =>
  tx.enqueue(discardJob, { key }, runAt === undefined ? {} : { runAt })

/** How long an upload that began in time may go on after its address has expired. */
const ARRIVING_SECONDS = 15 * 60

/**
 * Uploads whose address expired before this instant without bytes reserve no storage: their bytes cannot come any more.
 */
export const arrivalCutoff = (now: string): string => plusSeconds(now, -ARRIVING_SECONDS)

/** From then on no bytes come to an address that expires at this instant. */
export const lateUntil = (expiresAt: string): string => plusSeconds(expiresAt, ARRIVING_SECONDS)

interface UploadInStore {
  id: string
  tenant_id: string
  place: StoragePlace
  expires_at: string
}

/** Removes the bytes of an upload whose row is gone; in a bucket also those that its address may still let in. */
export const discardUpload = (tx: Pick<Tx, 'enqueue' | 'now'>, upload: UploadInStore): void => {
  discard(tx, uploadKey(upload))
  const late = lateUntil(upload.expires_at)
  if (upload.place === 's3' && late > tx.now) discard(tx, uploadKey(upload), late)
}
