import { BucketTakesNone, type CopiesTo } from '#modules/setup/index.ts'
import type { UrlPolicy } from '#ports/outbound/port.ts'
import { s3UrlOf } from '#ports/files/s3/settings.ts'
import type { Config } from '#app/config/config.ts'
import { lookAtBackupBucket } from './bucket.ts'
import { recipientOf } from './encryption.ts'
import { lookInTyped } from './typed-bucket.ts'

/**
 * The settings with which a bucket gets the copies of each night, encrypted as those that lie in it are.
 * @throws BucketTakesNone where it would take none
 */
export const keepBucket = async (
  { store, key }: CopiesTo,
  { backups }: Config,
  policy: UrlPolicy,
): Promise<Readonly<Record<string, string>>> => {
  const found = await lookInTyped(store, policy).catch(() => undefined)
  const recipient = await recipientOf(key).catch(() => undefined)
  if (!found || recipient === undefined) throw BucketTakesNone()
  if ((await lookAtBackupBucket(found.to)).state !== 'ok') throw BucketTakesNone()
  return {
    INSTITUTE_BACKUP_TO: s3UrlOf(found.to.s3, found.to.under.slice(0, -1)),
    ...(backups.key === undefined && { INSTITUTE_BACKUP_KEY: recipient }),
  }
}
