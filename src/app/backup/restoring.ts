import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import {
  NoRoomForBackup,
  NothingToRestore,
  RestoreBusy,
  type Held,
  type RestoreState,
  type SetupRestores,
} from '#modules/setup/index.ts'
import type { Config } from '#app/config/config.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import { abandonSwap } from '#app/data-dir/swap.ts'
import type { BackupSummary } from './backup-summary.ts'
import { reasonOf } from './cannot-restore.ts'
import { mostBytesIn } from './free-space.ts'
import { identityOf, kindOfFile, type Laid } from './lay.ts'
import { startBackupProcess } from './process.ts'
import { forgetFailure, keepFailure, readFailure, type Failure } from './restore-failure.ts'
import type { RestoredFrom } from './restored-from.ts'
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
  readonly #end = new AbortController()
  readonly #order = Promise.withResolvers<RestoreOrder>()
  #step: Step = 'none'
  #isReceiving = false
  #needsKey = false
  #laid: Laid | undefined
  #failure: Failure | undefined
  #done: RestoredFrom | undefined
  #running: Promise<void> | undefined

  constructor({ config, log }: { config: Config; log: Logger }) {
    this.#config = config
    this.#log = log
  }

  /** Resolves once the program has to make room for a backup that lies ready. */
  get order(): Promise<RestoreOrder> {
    return this.#order.promise
  }

  get canRestore(): boolean {
    return this.#config.databaseUrl === undefined
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
    return before ? this.#shown('failed', before) : this.#shown(this.#step, this.#failure)
  }

  #shown(step: Step, failure: Failure | undefined): RestoreState {
    return {
      step,
      mostBytes: mostBytesIn(this.#config.dataDir),
      needsKey: this.#needsKey,
      held: this.#laid ? heldIn(this.#laid.summary) : null,
      reason: failure?.reason ?? null,
      detail: failure?.detail ?? '',
    }
  }

  #begin(step: Step): void {
    if (this.isBusy) throw RestoreBusy()
    this.#step = step
    this.#failure = undefined
    this.#laid = undefined
  }

  async take(bytes: AsyncIterable<Uint8Array>, length: number): Promise<void> {
    this.#begin('none')
    this.#isReceiving = true
    try {
      abandonSwap(this.#config.dataDir)
      forgetFailure(this.#config.dataDir)
      this.forget()
      makeFolders(this.#folder)
      const mostBytes = mostBytesIn(this.#config.dataDir)
      if (length > mostBytes) throw NoRoomForBackup({ mostBytes })
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
      this.#order.resolve({ laid, replacing })
    })
  }

  /** What is here was brought back from a backup, says the program that has started on it. */
  cameBack(from: RestoredFrom): void {
    this.#done = from
    forgetFailure(this.#config.dataDir)
  }

  begin(): void {
    if (this.#step !== 'ready' || !this.#laid) throw NothingToRestore()
    this.#step = 'restoring'
    this.#order.resolve({ laid: this.#laid, replacing: undefined })
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
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Gives up a check that is under way. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#running
  }
}
