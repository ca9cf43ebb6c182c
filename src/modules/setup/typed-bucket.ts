import * as v from 'valibot'
import { count, line, list, orNull, secret, text, ts } from '#kernel/values/schema.ts'

/** What is wrong with a bucket of backups. */
export const BUCKET_REASONS = [
  'unreachable',
  'no_answer',
  'other_protocol',
  'certificate',
  'no_store',
  'wrong_key',
  'wrong_secret',
  'clock',
  'no_bucket',
  'other_region',
  'may_not_list',
  'may_not_read',
  'failed',
] as const
export type BucketReason = (typeof BUCKET_REASONS)[number]

/** The same of one that somebody typed: requests may not go to every address. */
export const TYPED_BUCKET_REASONS = [...BUCKET_REASONS, 'address_refused'] as const
export type TypedBucketReason = (typeof TYPED_BUCKET_REASONS)[number]

const REGION = /^[\w-]+$/
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const FOLDER = /^[\w.-]+(?:\/[\w.-]+)*$/

const withoutSlashes = (folder: string): string => folder.replaceAll(/^\/+|\/+$/g, '')

/** A bucket with copies of backups, as somebody types it off the page of whoever keeps it. */
export const TypedBucket = v.object({
  /** A host, or the address of a page: https://s3.example.com. http:// is for a store in the same house. */
  address: text(300),
  /** Empty: the provider names none. */
  region: v.pipe(
    line(64),
    v.check((region) => region === '' || REGION.test(region), 'Must be the name of a region, such as eu-central-1.'),
  ),
  bucket: v.pipe(line(63), v.regex(BUCKET, 'Must be the name of a bucket: lower-case letters, digits, dots, hyphens.')),
  /** Empty: the copies lie right in the bucket. */
  folder: v.pipe(
    line(300),
    v.transform(withoutSlashes),
    v.check(
      (folder) => folder === '' || FOLDER.test(folder),
      'Must be the name of a folder: letters, digits, dots, hyphens.',
    ),
  ),
  keyId: text(300),
  secret: v.pipe(v.string(), v.trim(), secret(1, 300)),
})
export type TypedBucket = v.InferOutput<typeof TypedBucket>

/** What lies in a bucket that somebody typed, or why that is not known. */
export const BucketListing = v.object({
  kept: list(v.object({ name: v.string(), createdAt: ts, sizeBytes: count })),
  /** How many files of something else there are. */
  others: count,
  /** The first folders beside them: the copies may lie in one. */
  folders: list(v.string()),
  reason: orNull(v.picklist(TYPED_BUCKET_REASONS)),
  /** Where the bucket is, as the store says; null: it says nothing of that. */
  region: orNull(v.string()),
  /** In English, for whoever looks after the server. */
  detail: v.string(),
})
export type BucketListing = v.InferOutput<typeof BucketListing>

/** A bucket that is to get a copy of each night's backup, encrypted for the key by which this one was opened. */
export const CopiesTo = v.object({ store: TypedBucket, key: secret(1, 2000) })
export type CopiesTo = v.InferOutput<typeof CopiesTo>
