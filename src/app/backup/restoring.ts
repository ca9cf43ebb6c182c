import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { ApiError, NotFound } from '#kernel/values/errors.ts'
import {
  NoRoomForBackup,
  NothingToRestore,
  RestoreBusy,
  type BucketListing,
  type CopiesTo,
  type Held,
  type RestoreState,
  type SetupRestores,
  type TypedBucket,
} from '#modules/setup/index.ts'
import type { UrlPolicy } from '#ports/outbound/port.ts'
import { makesNightly, type Config } from '#app/config/config.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { abandonSwap } from '#app/data-dir/swap.ts'
import type { BackupSummary } from './backup-summary.ts'
import { sealedIn, type Sealed } from './bucket.ts'
import { reasonOf } from './cannot-restore.ts'
import { keepBucket } from './keep-bucket.ts'
import { mostBytesIn } from './free-space.ts'
import { identityOf, kindOfFile, type Laid } from './lay.ts'
import { startBackupProcess } from './process.ts'
import { forgetFailure, keepFailure, readFailure, type Failure } from './restore-failure.ts'
import type { RestoredFrom } from './restored-from.ts'
import { bucketFailureOf, listTyped, lookInTyped, type BucketFailure, type FoundBucket } from './typed-bucket.ts'
import { writeWhole } from './write-whole.ts'

const FOLDER = '.restore-from'
const FILE = 'upload'

const heldIn = (summary: BackupSummary): Held => {
  const { institute, createdAt, version, students, invoices, files, bytes } = summary
  return { institute, createdAt, version, students, invoices, files, sizeBytes: bytes }
}

type Step = RestoreState['step']

/** A backup that is to take the place of the institute that is here. */
export type Replacing = Pick<RestoredFrom, 'backup' | 'askedBy'>

/** What the program has to make room for. */
export interface RestoreOrder {
  laid: Laid
  /** undefined: no institute is here yet. */
  replacing: Replacing | undefined
  /** What is written into institute.conf once it is in place. */
  settings: Readonly<Record<string, string>>
}

/** How far a backup has come that is to take the place of the institute that is here. */
interface Progress {
  step: 'none' | 'checking' | 'restoring' | 'failed' | 'done'
  failure: Failure | undefined
  done: RestoredFrom | undefined
}

/** Restores that a browser asks for, one at a time. */
export class Restoring implements SetupRestores {
  readonly #config: Config
  readonly #log: Logger
  readonly #policy: UrlPolicy
  readonly #end = new AbortController()
  readonly #order = Promise.withResolvers<RestoreOrder>()
  #step: Step = 'none'
  #isReceiving = false
  #fetched: RestoreState['fetched'] = null
  #fetchFailure: BucketFailure | undefined
  #endOfFetch = new AbortController()
  #needsKey = false
  #laid: Laid | undefined
  #failure: Failure | undefined
  #done: RestoredFrom | undefined
  #running: Promise<void> | undefined

  /** @param policy where a bucket may be that somebody types */
  constructor({ config, log, policy }: { config: Config; log: Logger; policy: UrlPolicy }) {
    this.#config = config
    this.#log = log
    this.#policy = policy
  }

  /** Resolves once the program has to make room for a backup that lies ready. */
  get order(): Promise<RestoreOrder> {
    return this.#order.promise
  }

  get canRestore(): boolean {
    return this.#config.databaseUrl === undefined
  }

  get canKeepCopies(): boolean {
    return makesNightly(this.#config) && this.#config.backups.to === undefined
  }

  get #folder(): string {
    return path.join(this.#config.dataDir, FOLDER)
  }

  get #file(): string {
    return path.join(this.#folder, FILE)
  }

  /** Whether a backup is being received, checked or put in place. */
  get isBusy(): boolean {
    return this.#isReceiving || this.#step === 'checking' || this.#step === 'restoring'
  }

  state(): RestoreState {
    if (!this.canRestore) return this.#shown('failed', { reason: 'postgres_here', detail: '' })
    // The one before this start: the program came back with what was there.
    const before = this.#step === 'none' ? readFailure(this.#config.dataDir) : undefined
    if (before) return this.#shown('failed', before)
    if (this.#fetched) return this.#shown('fetching', undefined)
    return this.#shown(this.#step, this.#failure ?? this.#fetchFailure)
  }

  #shown(step: Step, failure: Failure | BucketFailure | undefined): RestoreState {
    return {
      step,
      mostBytes: mostBytesIn(this.#config.dataDir),
      needsKey: this.#needsKey,
      fetched: this.#fetched && { ...this.#fetched },
      canKeepCopies: this.canKeepCopies,
      held: this.#laid ? heldIn(this.#laid.summary) : null,
      reason: failure?.reason ?? null,
      detail: failure?.detail ?? '',
    }
  }

  #begin(step: Step): void {
    if (this.isBusy) throw RestoreBusy()
    this.#step = step
    this.#failure = undefined
    this.#fetchFailure = undefined
    this.#laid = undefined
  }

  async take(bytes: AsyncIterable<Uint8Array>, length: number): Promise<void> {
    this.#makeWay(length)
    await this.#receive(bytes)
  }

  list(bucket: TypedBucket): Promise<BucketListing> {
    return listTyped(bucket, this.#policy)
  }

  async fetch(bucket: TypedBucket, name: string): Promise<void> {
    if (this.isBusy) throw RestoreBusy()
    const found = await lookInTyped(bucket, this.#policy).catch((error: unknown) => {
      if (error instanceof ApiError) throw error
      return bucketFailureOf(error, 'may_not_list')
    })
    if ('reason' in found) {
      this.#begin('failed')
      this.#fetchFailure = found
      return
    }
    const copy = found.kept.find((one) => one.name === name)
    if (!copy) throw NotFound()
    this.#makeWay(copy.bytes)
    this.#running = this.#fetch(found, copy)
      .catch((error: unknown) => {
        this.#fetchFailure = bucketFailureOf(error, 'may_not_read')
        this.#step = 'failed'
        this.#log.warn({ ...this.#fetchFailure, name }, 'a backup did not come out of the bucket')
      })
      .finally(() => {
        this.#running = undefined
        this.#fetched = null
      })
  }

  /** Until its first await nobody else gets in: the place is taken with it. */
  async #fetch({ to }: FoundBucket, copy: Sealed): Promise<void> {
    const fetched = { sizeBytes: copy.bytes, gotBytes: 0 }
    this.#fetched = fetched
    const onGot = (gotBytes: number): void => {
      fetched.gotBytes = gotBytes
    }
    this.#endOfFetch = new AbortController()
    const signal = AbortSignal.any([this.#end.signal, this.#endOfFetch.signal])
    await this.#receive(sealedIn(to, copy, { signal, onGot }))
  }

  /** Removes what came before, for one of this length. @throws RestoreBusy, NoRoomForBackup */
  #makeWay(length: number): void {
    this.#begin('none')
    abandonSwap(this.#config.dataDir)
    forgetFailure(this.#config.dataDir)
    this.forget()
    const mostBytes = mostBytesIn(this.#config.dataDir)
    if (length > mostBytes) throw NoRoomForBackup({ mostBytes })
  }

  async #receive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    this.#isReceiving = true
    try {
      makeFolders(this.#folder)
      await writeWhole(bytes, this.#file)
      this.#needsKey = kindOfFile(this.#file) === 'sealed'
      this.#step = 'uploaded'
    } finally {
      this.#isReceiving = false
    }
  }

  check(key: string | undefined): void {
    if (this.isBusy) throw RestoreBusy()
    if (this.#step === 'none') throw NothingToRestore()
    this.#begin('checking')
    this.#run(this.#file, key, (laid) => {
      this.#laid = laid
      this.#step = 'ready'
    })
  }

  progress(): Progress {
    const before = this.#step === 'none' ? readFailure(this.#config.dataDir) : undefined
    const failure = before ?? this.#failure
    const done = this.#done
    if (failure) return { step: 'failed', failure, done: undefined }
    if (this.#step === 'checking' || this.#step === 'restoring') return { step: this.#step, failure, done: undefined }
    return { step: done ? 'done' : 'none', failure, done }
  }

  /**
   * Begins to put a backup in the place of the institute that is here: it is checked first, and what is here is kept.
   * @param key the text of the file with the key, where it is encrypted
   * @throws RestoreBusy
   */
  replace(file: string, key: string | undefined, replacing: Replacing): void {
    this.#begin('checking')
    this.#done = undefined
    const { dataDir } = this.#config
    forgetFailure(dataDir)
    this.#run(file, key, (laid) => {
      // Told where the program is killed before it has come back; whatever comes of it replaces this.
      keepFailure(dataDir, { reason: 'interrupted', detail: '' })
      this.#step = 'restoring'
      this.#order.resolve({ laid, replacing, settings: {} })
    })
  }

  /** What is here was brought back from a backup, says the program that has started on it. */
  cameBack(from: RestoredFrom): void {
    this.#done = from
    forgetFailure(this.#config.dataDir)
  }

  async begin(copiesTo: CopiesTo | undefined): Promise<void> {
    const settings = copiesTo && this.canKeepCopies ? await keepBucket(copiesTo, this.#config, this.#policy) : {}
    if (this.#step !== 'ready' || !this.#laid) throw NothingToRestore()
    this.#step = 'restoring'
    this.#order.resolve({ laid: this.#laid, replacing: undefined, settings })
  }

  /** Has a backup laid beside what is there. */
  #run(file: string, key: string | undefined, then: (laid: Laid) => void): void {
    this.#running = this.#lay(file, key)
      .then(then)
      .catch((error: unknown) => {
        abandonSwap(this.#config.dataDir)
        this.#failure = { reason: reasonOf(error), detail: (error as Error).message }
        this.#step = 'failed'
        this.#log.warn(this.#failure, 'a backup cannot be restored')
      })
      .finally(() => {
        this.#running = undefined
      })
  }

  async #lay(file: string, key: string | undefined): Promise<Laid> {
    const { dataDir, masterKey } = this.#config
    makeFolders(this.#folder)
    const identity = key !== undefined && kindOfFile(file) === 'sealed' ? identityOf(key) : undefined
    const task = { lay: { config: { dataDir, masterKey }, file, identity, folder: this.#folder } }
    return startBackupProcess<Laid>(task, this.#end.signal).answer
  }

  forget(): void {
    if (this.#step !== 'restoring') this.#step = 'none'
    this.#needsKey = false
    this.#endOfFetch.abort()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Gives up a check that is under way. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#running
  }
}
