import { ApiError, invalid } from '#kernel/values/errors.ts'
import { guardedAddress } from '#ports/outbound/guarded.ts'
import { ADDRESS_REFUSED, type UrlPolicy } from '#ports/outbound/port.ts'
import { StoreTrouble, type AddressOf } from '#ports/files/s3/requests.ts'
import { readS3Folder, s3UrlOf } from '#ports/files/s3/settings.ts'
import type { BucketListing, TypedBucket, TypedBucketReason } from '#modules/setup/index.ts'
import { bucketReasonOf, lookInBucket, type BucketContents, type ReachedBucket } from './bucket.ts'
import { reasonOf } from './cannot-restore.ts'

/** A bucket that somebody typed before there is anybody who could sign in. */

const REFUSED = 'address refused'

/** Requests to what somebody typed go where webhooks may. */
const guarded = (policy: UrlPolicy): AddressOf => {
  const addressOf = guardedAddress(policy)
  return async (host) => {
    try {
      return await addressOf(host)
    } catch (error) {
      const { message } = error as Error
      throw new StoreTrouble(message === ADDRESS_REFUSED ? REFUSED : 'ENOTFOUND', { cause: error })
    }
  }
}

const wrongAddress = () =>
  invalid(['store', 'address'], 'Must be the address of the store, such as https://s3.example.com.')

/** @throws VALIDATION_ERROR for an address that is none */
const settingsOf = (typed: TypedBucket, policy: UrlPolicy): ReachedBucket => {
  const { address, bucket, folder, keyId, secret } = typed
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`)
  const { protocol, host = '', pathname = '', username, search, hash } = url ?? {}
  // Some providers show the address of the bucket rather than that of the store.
  const isOfStore = pathname === '/' || pathname.replace(/\/$/, '') === `/${bucket}`
  const isPlain = protocol === 'http:'
  if ((!isPlain && protocol !== 'https:') || !isOfStore || username || search || hash) throw wrongAddress()
  const s3 = { isPlain, isVirtual: false, host, bucket, region: typed.region || 'us-east-1', keyId, secret }
  const read = readS3Folder(s3UrlOf(s3, folder))
  if (!read) throw wrongAddress()
  return { ...read, addressOf: guarded(policy) }
}

/** What stores answer that want the bucket in the name of the host. */
const WANTS_VIRTUAL = new Set(['NoSuchKey', 'NoSuchBucket', 'NoListing', 'HTTP 404', 'SecondLevelDomainForbidden'])

/** The same bucket, named in the host; undefined: nothing says that it is. */
const virtualOf = (to: ReachedBucket, error: unknown): ReachedBucket | undefined => {
  const { s3 } = to
  const { cause } = error as Error
  if (!(cause instanceof StoreTrouble) || !WANTS_VIRTUAL.has(cause.code)) return undefined
  const host = s3.host.startsWith(`${s3.bucket}.`) ? s3.host.slice(s3.bucket.length + 1) : undefined
  if (host === undefined && cause.code !== 'SecondLevelDomainForbidden') return undefined
  return { ...to, s3: { ...s3, host: host ?? s3.host, isVirtual: true } }
}

/** Somebody waits before a page for what the bucket answers. */
const ATTEMPTS = 2

/** A bucket that answered, and what is in it. */
export interface FoundBucket extends BucketContents {
  to: ReachedBucket
}

/** @throws VALIDATION_ERROR, or an Error that says what is wrong with the bucket */
export const lookInTyped = async (typed: TypedBucket, policy: UrlPolicy): Promise<FoundBucket> => {
  const to = settingsOf(typed, policy)
  try {
    return { to, ...(await lookInBucket(to, ATTEMPTS)) }
  } catch (error) {
    const virtual = virtualOf(to, error)
    if (!virtual) throw error
    return { to: virtual, ...(await lookInBucket(virtual, ATTEMPTS)) }
  }
}

/** Why nothing came out of a bucket. */
export interface BucketFailure {
  reason: TypedBucketReason | 'disk_full'
  region: string | null
  detail: string
}

export const bucketFailureOf = (error: unknown, refused: 'may_not_list' | 'may_not_read'): BucketFailure => {
  if (reasonOf(error) === 'disk_full') return { reason: 'disk_full', region: null, detail: '' }
  const { cause } = error as Error
  const trouble = cause instanceof StoreTrouble ? cause : undefined
  const reason = trouble?.code === REFUSED ? 'address_refused' : bucketReasonOf(error, refused)
  // What the store said: without the address, and without the key.
  const detail = reason === 'failed' ? (trouble ?? (error as Error)).message : ''
  return { reason, region: trouble?.region ?? null, detail }
}

const MOST_FOLDERS = 10

/** What is in a bucket that somebody typed, or why that is not known. @throws VALIDATION_ERROR */
export const listTyped = async (typed: TypedBucket, policy: UrlPolicy): Promise<BucketListing> => {
  const found = await lookInTyped(typed, policy).catch((error: unknown) => ({ error }))
  if ('error' in found) {
    const { error } = found
    if (error instanceof ApiError) throw error
    const { reason, ...more } = bucketFailureOf(error, 'may_not_list')
    return { kept: [], others: 0, folders: [], reason: reason === 'disk_full' ? 'failed' : reason, ...more }
  }
  return {
    kept: found.kept.map(({ name, createdAt, bytes }) => ({ name, createdAt, sizeBytes: bytes })),
    others: found.others,
    folders: found.folders.slice(0, MOST_FOLDERS),
    reason: null,
    region: null,
    detail: '',
  }
}
