import { createReadStream } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { passed, wrong, type CheckResult } from '#kernel/contract/check.ts'
import { createdAtOf } from '#app/data-dir/backup-names.ts'
import { isNoTls, isUntrusted, troubleWith } from '#ports/files/s3/check.ts'
import { listFolder, putObject, removeObject } from '#ports/files/s3/objects.ts'
import { Bucket, StoreTrouble, type AddressOf } from '#ports/files/s3/requests.ts'
import { hostOf } from '#ports/files/s3/settings.ts'
import type { BucketReason } from '#modules/setup/index.ts'
import type { BackupBucket } from '#app/config/config.ts'
import { decrypted, encrypted, ENCRYPTED } from './encryption.ts'
import { writeWhole } from './write-whole.ts'

const SETTING = 'INSTITUTE_BACKUP_TO'

/** How a bucket is reached: one that somebody typed, by the rules for such addresses. */
export interface ReachedBucket extends BackupBucket {
  addressOf?: AddressOf
}

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
  to: ReachedBucket,
  right: string,
  work: (bucket: Bucket, nameIn: (name: string) => string) => Promise<T>,
): Promise<T> => {
  const bucket = new Bucket(to.s3, to.addressOf)
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
export const lookAtBackupBucket = async (to: ReachedBucket): Promise<CheckResult> => {
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

/** What lies in the bucket, or in its folder. */
export interface BucketContents {
  /** The backups, the newest first. */
  kept: Sealed[]
  /** How many other files there are. */
  others: number
  folders: string[]
}

/**
 * Looks what is in the bucket.
 * @param attempts how often it is asked where it fails; undefined: as often as a copy is tried
 * @throws an Error that says what is wrong with the bucket
 */
export const lookInBucket = (to: ReachedBucket, attempts?: number): Promise<BucketContents> =>
  within(to, 'list (s3:ListBucket)', async (bucket) => {
    const { objects, folders } = await listFolder(bucket, to.under, attempts)
    const kept = objects.flatMap(({ name, size, writtenAt }): Sealed[] => {
      const short = name.slice(to.under.length)
      if (!short.endsWith(`.tar.gz${ENCRYPTED}`)) return []
      const inner = short.slice(0, -ENCRYPTED.length)
      return [{ name: inner, bytes: size, createdAt: createdAtOf(inner) ?? writtenAt }]
    })
    // Some stores keep an empty object for the folder itself.
    const others = objects.filter(({ name }) => name !== to.under).length - kept.length
    return { kept: kept.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)), others, folders }
  })

/** The backups in the bucket, the newest first. @throws an Error that says what is wrong with the bucket */
export const listBucket = async (to: BackupBucket, attempts?: number): Promise<Sealed[]> =>
  (await lookInBucket(to, attempts)).kept

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

/** How often a copy that is cut on its way goes on where it stopped, without a whole one being asked for. */
const MOST_CUTS = 5
const PAUSE_AFTER_CUT_MILLIS = 500

/** Whether the store, or the way to it, gave out while it sent: it refused nothing. */
const isCut = (error: unknown): boolean => {
  const code = error instanceof StoreTrouble ? error.code : (error as NodeJS.ErrnoException).code
  return code === 'ECONNRESET' || code === 'ETIMEDOUT' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** The bytes of an object, from the first to the last, also where the connection is cut on the way. */
async function* bytesOf(bucket: Bucket, key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let got = 0
  let first: string | undefined
  for (let cuts = 0; ; cuts += 1) {
    const headers: Record<string, string> = got === 0 ? {} : { range: `bytes=${got}-` }
    const request = { method: 'GET', key, headers, ...(cuts === 0 && { attempts: 1 }) } as const
    const reply = await bucket.send(request, [got === 0 ? 200 : 206])
    const { etag } = reply.headers
    first ??= etag
    if (etag !== first) throw new StoreTrouble('replaced meanwhile')
    try {
      for await (const chunk of reply as AsyncIterable<Uint8Array>) {
        got += chunk.length
        yield chunk
      }
      return
    } catch (error) {
      if (signal.aborted || !isCut(error)) throw error
      if (cuts === MOST_CUTS) throw new StoreTrouble('ECONNRESET', { cause: error })
      await pause(PAUSE_AFTER_CUT_MILLIS, undefined, { signal })
    }
  }
}

/**
 * The bytes of a copy as they lie in the bucket, encrypted, and no more of them than there were when it was listed.
 * @param signal ends it, also while the store is silent
 * @throws an Error that says what is wrong with the bucket
 */
export async function* sealedIn(
  to: ReachedBucket,
  { name, bytes }: Pick<Sealed, 'name' | 'bytes'>,
  { signal, onGot }: { signal: AbortSignal; onGot: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted()
  const bucket = new Bucket(to.s3, to.addressOf)
  const end = (): void => bucket.close()
  signal.addEventListener('abort', end)
  let got = 0
  try {
    for await (const chunk of bytesOf(bucket, `${to.under}${name}${ENCRYPTED}`, signal)) {
      got += chunk.length
      // The room for it was looked at by the size that the bucket told.
      if (got > bytes) break
      onGot(got)
      yield chunk
    }
    if (got !== bytes) throw new Error('the copy in the bucket is of another size than it was')
  } catch (error) {
    throw explained(to, GET, error)
  } finally {
    signal.removeEventListener('abort', end)
    bucket.close()
  }
}

const REASONS: Readonly<Record<string, BucketReason>> = {
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNRESET: 'no_answer',
  ETIMEDOUT: 'no_answer',
  EPROTO: 'other_protocol',
  'HTTP 400': 'other_protocol',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
  InvalidAccessKeyId: 'wrong_key',
  SignatureDoesNotMatch: 'wrong_secret',
  RequestTimeTooSkewed: 'clock',
  NoSuchBucket: 'no_bucket',
  NoListing: 'no_store',
  'HTTP 404': 'no_store',
  'HTTP 405': 'no_store',
  AuthorizationHeaderMalformed: 'other_region',
  IllegalLocationConstraintException: 'other_region',
  PermanentRedirect: 'other_region',
  TemporaryRedirect: 'other_region',
  'HTTP 301': 'other_region',
  'HTTP 307': 'other_region',
}

/** What an error of `lookInBucket` or `sealedIn` is. @param refused what the key lacks where the store says no more than that */
export const bucketReasonOf = (error: unknown, refused: 'may_not_list' | 'may_not_read'): BucketReason => {
  const trouble = (error as Error).cause
  if (isRefusal(trouble)) return refused
  if (!(trouble instanceof StoreTrouble)) return 'failed'
  if (isUntrusted(trouble)) return 'certificate'
  return REASONS[trouble.code] ?? (isNoTls(trouble) ? 'other_protocol' : 'failed')
}

/** Decrypts a backup that somebody took out of the bucket. @returns its path in the folder @throws an Error */
export const openSealed = async (from: number, name: string, identity: string, folder: string): Promise<string> => {
  const file = placeOf(folder, name.slice(0, -ENCRYPTED.length))
  await writeWhole(decrypted(createReadStream('', { fd: from }), identity), file)
  return file
}
