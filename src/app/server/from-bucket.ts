import type { Logger } from 'pino'
import * as v from 'valibot'
import { NotFound } from '#kernel/values/errors.ts'
import { bucketReasonOf, listBucket, sealedIn, type Sealed } from '#app/backup/bucket.ts'
import { named } from '#kernel/values/named.ts'
import { count, list, orNull, ts } from '#kernel/values/schema.ts'
import { BUCKET_REASONS, RestoreBusy } from '#modules/setup/index.ts'
import { reasonOf } from '#app/backup/cannot-restore.ts'
import type { BackupBucket, Config } from '#app/config/config.ts'
import type { Brought } from './brought.ts'

/** Why nothing came out of the bucket. */
const FETCH_REASONS = [...BUCKET_REASONS, 'disk_full'] as const

const FAILURE_WORDS = {
  reason:
    'Why the last one did not come, or why it is not known what is there; null: it came, or it is known. unreachable: nothing is at the address; no_answer: the store does not answer; wrong_key: it does not know the key; wrong_secret: the key has another secret; no_bucket: there is none of this name; no_store: something else is at the address; other_region: the bucket is in another; other_protocol: the store wants https, or http; certificate: that of the store is not trusted, or for another name; clock: that of this server differs too much from the store’s; may_not_list, may_not_read: the key lacks the right; disk_full: there is no room here; failed: see `detail`.',
  detail: 'The same in English, for whoever looks after the server; empty: there is no more to say.',
}

const BucketFetch = named('BucketFetch', v.object({ name: v.string(), sizeBytes: count, gotBytes: count }), {
  name: 'By which it is listed.',
  sizeBytes: 'The size of its file.',
  gotBytes: 'How much of it is here.',
})

export const BucketState = named(
  'BucketState',
  v.object({
    name: v.string(),
    fetched: orNull(BucketFetch),
    reason: orNull(v.picklist(FETCH_REASONS)),
    detail: v.string(),
  }),
  {
    ...FAILURE_WORDS,
    name: 'The name of the bucket.',
    fetched: 'The one that is being fetched, and how much of it has come; null: none is.',
  },
)

const BucketBackup = named('BucketBackup', v.object({ name: v.string(), createdAt: ts, sizeBytes: count }), {
  name: 'By which it is fetched.',
  createdAt: 'When it was made, by its name.',
  sizeBytes: 'The size of its file.',
})

export const BucketBackups = named(
  'BucketBackups',
  v.object({ kept: list(BucketBackup), reason: orNull(v.picklist(FETCH_REASONS)), detail: v.string() }),
  { ...FAILURE_WORDS, kept: 'Those that there are, the newest first. What is in them their key tells.' },
)

interface Failure {
  reason: (typeof FETCH_REASONS)[number]
  detail: string
}

/** Those whose words say more, and not the access key. */
const SAYS_MORE: ReadonlySet<string> = new Set(['other_region', 'failed'])

/** Somebody waits before a page for what the bucket answers. */
const ATTEMPTS = 2

const failureOf = (error: unknown, refused: 'may_not_list' | 'may_not_read'): Failure => {
  const reason = reasonOf(error) === 'disk_full' ? 'disk_full' : bucketReasonOf(error, refused)
  return { reason, detail: SAYS_MORE.has(reason) ? (error as Error).message : '' }
}

/** Copies of backups that come back out of the bucket of the settings, one at a time, as they lie there: encrypted. */
export class FromBucket {
  readonly #config: Config
  readonly #brought: Brought
  readonly #log: Logger
  readonly #end = new AbortController()
  #running: Promise<void> | undefined
  #fetched: { name: string; sizeBytes: number; gotBytes: number } | undefined
  #failure: Failure | undefined

  constructor({ config, brought, log }: { config: Config; brought: Brought; log: Logger }) {
    this.#config = config
    this.#brought = brought
    this.#log = log
  }

  get #to(): BackupBucket | undefined {
    const { to } = this.#config.backups
    return to && !('folder' in to) ? to : undefined
  }

  /** null: the settings name no bucket. */
  state(): v.InferOutput<typeof BucketState> | null {
    const to = this.#to
    if (!to) return null
    return {
      name: to.s3.bucket,
      fetched: this.#fetched ?? null,
      reason: this.#failure?.reason ?? null,
      detail: this.#failure?.detail ?? '',
    }
  }

  /** What is in it, the newest first. @throws NotFound where the settings name none */
  async list(): Promise<{ kept: Sealed[]; failure: Failure | undefined }> {
    const to = this.#to
    if (!to) throw NotFound()
    try {
      return { kept: await listBucket(to, ATTEMPTS), failure: undefined }
    } catch (error) {
      return { kept: [], failure: failureOf(error, 'may_not_list') }
    }
  }

  /** Begins to fetch one, in the place of whatever was brought before. @throws NotFound, RestoreBusy, NoRoomForBackup */
  async begin(name: string): Promise<void> {
    const to = this.#to
    const { kept, failure } = await this.list()
    if (this.#running) throw RestoreBusy()
    this.#failure = failure
    if (!to || failure) return
    const found = kept.find((one) => one.name === name)
    if (!found) throw NotFound()
    this.#brought.makeWay(found.bytes)
    this.#running = this.#fetch(to, found)
      .catch((error: unknown) => {
        this.#failure = failureOf(error, 'may_not_read')
        this.#log.warn({ ...this.#failure, name }, 'a backup did not come out of the bucket')
      })
      .finally(() => {
        this.#running = undefined
        this.#fetched = undefined
      })
  }

  /** Until its first await nobody else gets in: the place is taken with it. */
  async #fetch(to: BackupBucket, { name, bytes }: Sealed): Promise<void> {
    const fetched = { name, sizeBytes: bytes, gotBytes: 0 }
    this.#fetched = fetched
    const onGot = (gotBytes: number): void => {
      fetched.gotBytes = gotBytes
    }
    await this.#brought.take(sealedIn(to, { name, bytes }, { signal: this.#end.signal, onGot }), bytes)
  }

  /** Gives up what is on its way. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#running
  }
}
