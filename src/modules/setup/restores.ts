import * as v from 'valibot'
import { count, orNull, ts } from '#kernel/values/schema.ts'
import { TYPED_BUCKET_REASONS, type BucketListing, type CopiesTo, type TypedBucket } from './typed-bucket.ts'

/** Why a backup cannot be put in the place of what is there. */
export const RESTORE_REASONS = [
  'not_a_backup',
  'damaged',
  'newer',
  'postgres_dump',
  'postgres_here',
  'needs_key',
  'wrong_key',
  'no_master_key',
  'disk_full',
  'set_up_meanwhile',
  'interrupted',
  'failed',
] as const
export type RestoreReason = (typeof RESTORE_REASONS)[number]

/** What a backup holds. */
export const Held = v.object({
  institute: orNull(v.string()),
  createdAt: ts,
  version: v.string(),
  students: orNull(count),
  invoices: orNull(count),
  files: count,
  sizeBytes: count,
})
export type Held = v.InferOutput<typeof Held>

/** How far a restore has come that a browser asked for. */
export const RestoreState = v.object({
  /** fetching: it comes out of a bucket; uploaded: its file is here; ready: it was checked, every byte of it, and waits for a yes. */
  step: v.picklist(['none', 'fetching', 'uploaded', 'checking', 'ready', 'restoring', 'failed']),
  /** The largest file for which the disk has room, with what it holds beside it. */
  mostBytes: count,
  /** Whether the file is encrypted. */
  needsKey: v.boolean(),
  /** How much of it has come out of the bucket; null: none is on its way. */
  fetched: orNull(v.object({ sizeBytes: count, gotBytes: count })),
  held: orNull(Held),
  /** Whether a bucket can be kept for the copies of each night: the settings name no place for them. */
  canKeepCopies: v.boolean(),
  reason: orNull(v.picklist([...RESTORE_REASONS, ...TYPED_BUCKET_REASONS])),
  /** In English, for whoever looks after the server. */
  detail: v.string(),
})
export type RestoreState = v.InferOutput<typeof RestoreState>

/** Restores on a server that has no institute yet. */
export interface SetupRestores {
  /** Whether this server can: pg_restore brings the database of a Postgres back. */
  readonly canRestore: boolean
  state(): RestoreState
  /** Keeps a file, whole or not at all. @throws RestoreBusy, NoRoomForBackup, or what the stream throws */
  take(bytes: AsyncIterable<Uint8Array>, length: number): Promise<void>
  /** What lies in a bucket, or why that is not known. */
  list(bucket: TypedBucket): Promise<BucketListing>
  /** Begins to fetch a copy out of a bucket. @throws NotFound, RestoreBusy, NoRoomForBackup */
  fetch(bucket: TypedBucket, name: string): Promise<void>
  /** Begins to check the file. @param key the text of the file with the key @throws RestoreBusy, NothingToRestore */
  check(key: string | undefined): void
  /**
   * Begins to put what was checked in the place of what is there.
   * @param copiesTo the bucket that is to get the copies of each night from then on
   * @throws NothingToRestore, BucketTakesNone
   */
  begin(copiesTo: CopiesTo | undefined): Promise<void>
  /** Removes the file: the institute was set up without it. */
  forget(): void
}
