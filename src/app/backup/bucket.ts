import { createReadStream } from 'node:fs'
import path from 'node:path'
import { passed, wrong, type CheckResult } from '#kernel/contract/check.ts'
import { createdAtOf } from '#app/data-dir/backup-names.ts'
import { troubleWith } from '#ports/files/s3/check.ts'
import { listObjects, putObject, removeObject } from '#ports/files/s3/objects.ts'
import { Bucket, StoreTrouble } from '#ports/files/s3/requests.ts'
import { hostOf } from '#ports/files/s3/settings.ts'
import type { BackupBucket } from '#app/config/config.ts'
import { decrypted, encrypted, ENCRYPTED } from './encryption.ts'
import { writeWhole } from './write-whole.ts'

const SETTING = 'INSTITUTE_BACKUP_TO'

/** The bucket in words, without its key. */
export const nameOfBucket = ({ s3, under }: BackupBucket): string =>
  `${[s3.bucket, ...under.split('/').slice(0, -1)].join('/')} at ${hostOf(s3)}`

const isRefusal = (error: unknown): boolean => error instanceof StoreTrouble && error.code === 'AccessDenied'

/** What is wrong with the bucket, and what to do; another error as it is. */
const explained = (to: BackupBucket, right: string, error: unknown): unknown => {
  if (!(error instanceof StoreTrouble)) return error
  const why = isRefusal(error)
    ? `the key ${to.s3.keyId} may not ${right}: give it that right in the store`
    : troubleWith(to.s3, error, SETTING)
  return new Error(`${nameOfBucket(to)} (${SETTING}): ${why}`, { cause: error })
}

const GET = 'get (s3:GetObject)'

/** Works with the bucket. @throws an Error that says what is wrong with it, and what to do */
const within = async <T>(
  to: BackupBucket,
  right: string,
  work: (bucket: Bucket, nameIn: (name: string) => string) => Promise<T>,
): Promise<T> => {
  const bucket = new Bucket(to.s3)
  try {
    return await work(bucket, (name) => `${to.under}${name}`)
  } catch (error) {
    throw explained(to, right, error)
  } finally {
    bucket.close()
  }
}

export interface BucketCopy {
  /** The backup. */
  file: string
  to: BackupBucket
  /** The public key. */
  recipient: string
  /** Names of backups whose copies are removed once this one is there. */
  remove: readonly string[]
}

/**
 * Encrypts a backup and sends it into the bucket, whole or not at all, and removes what is too old there. A key that may
 * not delete is enough, so that nobody can who breaks into this server: the bucket then forgets by a rule of its own.
 * @throws an Error that says what is wrong with the bucket
 */
export const copyToBucket = ({ file, to, recipient, remove }: BucketCopy): Promise<void> =>
  within(to, 'put (s3:PutObject)', async (bucket, nameIn) => {
    const name = nameIn(`${path.basename(file)}${ENCRYPTED}`)
    await putObject(bucket, name, await encrypted(createReadStream(file), recipient))
    for (const old of remove) {
      await removeObject(bucket, nameIn(`${old}${ENCRYPTED}`)).catch((error: unknown) => {
        if (!isRefusal(error)) throw error
      })
    }
  })

/** Written and removed to see whether the key may. */
const PROBE = 'institute-doctor'

/** Looks whether the bucket takes backups. */
export const lookAtBackupBucket = async (to: BackupBucket): Promise<CheckResult> => {
  try {
    const mayDelete = await within(to, 'put (s3:PutObject)', async (bucket, nameIn) => {
      await bucket.ask({ method: 'PUT', attempts: 1, key: nameIn(PROBE), body: Buffer.from(PROBE) })
      return removeObject(bucket, nameIn(PROBE)).then(
        () => true,
        (error: unknown) => {
          if (isRefusal(error)) return false
          throw error
        },
      )
    })
    const stays = mayDelete ? '' : '; the key may not delete there: a rule of the bucket has to remove old ones'
    return passed(`${nameOfBucket(to)} takes backups${stays}`)
  } catch (error) {
    return wrong((error as Error).message)
  }
}

/** A backup in the bucket. What it holds only the key tells. */
export interface Sealed {
  /** Without the ending that says that it is encrypted. */
  name: string
  bytes: number
  createdAt: string
}

/**
 * The backups in the bucket, the newest first.
 * @param attempts how often it is asked where it fails; undefined: as often as a copy is tried
 * @throws an Error that says what is wrong with the bucket
 */
export const listBucket = (to: BackupBucket, attempts?: number): Promise<Sealed[]> =>
  within(to, 'list (s3:ListBucket)', async (bucket) => {
    const found: Sealed[] = []
    for await (const { name, size, writtenAt } of listObjects(bucket, to.under, attempts)) {
      const short = name.slice(to.under.length)
      if (!short.endsWith(`.tar.gz${ENCRYPTED}`) || short.includes('/')) continue
      const inner = short.slice(0, -ENCRYPTED.length)
      found.push({ name: inner, bytes: size, createdAt: createdAtOf(inner) ?? writtenAt })
    }
    return found.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
  })

/**
 * Where a backup that was brought back lies in a folder of backups: under a name that none of this server's own has, since
 * whoever may write to the bucket can put one there under any name.
 */
const placeOf = (folder: string, name: string): string => path.join(folder, `fetched-${name}`)

/** Brings a backup out of the bucket into a folder. @returns its path @throws an Error; nothing was changed then */
export const fetchFromBucket = (to: BackupBucket, name: string, identity: string, folder: string): Promise<string> =>
  within(to, GET, async (bucket, nameIn) => {
    const file = placeOf(folder, name)
    const sealed = await bucket.send({ method: 'GET', key: nameIn(`${name}${ENCRYPTED}`) }, [200])
    await writeWhole(decrypted(sealed, identity), file)
    return file
  })

/**
 * The bytes of a copy as they lie in the bucket, encrypted.
 * @param signal ends it, also while the store is silent
 * @throws an Error that says what is wrong with the bucket
 */
export async function* sealedIn(to: BackupBucket, name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted()
  const bucket = new Bucket(to.s3)
  const end = (): void => bucket.close()
  signal.addEventListener('abort', end)
  try {
    const reply = await bucket.send({ method: 'GET', attempts: 1, key: `${to.under}${name}${ENCRYPTED}` }, [200])
    yield* reply as AsyncIterable<Uint8Array>
  } catch (error) {
    throw explained(to, GET, error)
  } finally {
    signal.removeEventListener('abort', end)
    bucket.close()
  }
}

/** What is wrong with a bucket, for those who are told what to do. */
export const BUCKET_REASONS = [
  'unreachable',
  'no_answer',
  'wrong_key',
  'wrong_secret',
  'no_bucket',
  'other_region',
  'may_not_list',
  'may_not_read',
  'failed',
] as const
export type BucketReason = (typeof BUCKET_REASONS)[number]

const REASONS: Readonly<Record<string, BucketReason>> = {
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNRESET: 'no_answer',
  ETIMEDOUT: 'no_answer',
  InvalidAccessKeyId: 'wrong_key',
  SignatureDoesNotMatch: 'wrong_secret',
  NoSuchBucket: 'no_bucket',
  AuthorizationHeaderMalformed: 'other_region',
  PermanentRedirect: 'other_region',
  TemporaryRedirect: 'other_region',
  'HTTP 301': 'other_region',
  'HTTP 307': 'other_region',
}

/** What an error of `listBucket` or `sealedIn` is. @param refused what the key lacks where the store says no more than that */
export const bucketReasonOf = (error: unknown, refused: 'may_not_list' | 'may_not_read'): BucketReason => {
  const trouble = (error as Error).cause
  if (isRefusal(trouble)) return refused
  return (trouble instanceof StoreTrouble && REASONS[trouble.code]) || 'failed'
}

/** Decrypts a backup that somebody took out of the bucket. @returns its path in the folder @throws an Error */
export const openSealed = async (from: number, name: string, identity: string, folder: string): Promise<string> => {
  const file = placeOf(folder, name.slice(0, -ENCRYPTED.length))
  await writeWhole(decrypted(createReadStream('', { fd: from }), identity), file)
  return file
}
