import { existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { MACHINE } from '#executable/platform.ts'
import { syncToDisk } from '#executable/to-disk.ts'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { localTime } from '#kernel/time/zone.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Config } from '#app/config/config.ts'
import { replaceFile } from '#app/config/replace-file.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import { layRelease } from './lay.ts'
import { lookAt, type Found } from './look.ts'
import { compareVersions, type Offer } from './manifest.ts'
import { bootId, readOutcome, settled, type Outcome } from './outcome.ts'
import { installerIn, stagedIn } from './places.ts'
import { UpdateRefused, type UpdateReason } from './refused.ts'
import { reportOf } from './report.ts'
import { assertRoomFor, freeOn } from './room.ts'
import { failedBy, sourceOf, type Source } from './source.ts'
import { UpdateStateFile, type Done, type UpdateSettings, type UpdateState } from './state-file.ts'
import { assertOnStick, Stick, stickSource } from './stick.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
/** How much of the day is left to chance, so that installs do not all ask at once. */
const JITTER = 0.2
/** After a look that reached nobody the next comes sooner. */
const RETRY_SECONDS = 2 * 3600
/** The updater takes what is laid for it at once; after so long there is none. */
const TAKEN_MILLIS = 15 * 60 * 1000

export interface UpdaterDeps {
  config: Config
  clock: Clock
  log: Logger
  outbound: Outbound
  machine: Machine
  /** Of the program that runs. */
  version: string
  /** Bytes that are free on the disk of a folder. */
  free?(folder: string): Promise<number>
  /** A number from 0 up to 1, for the jitter. */
  chance?(): number
}

/** What the owner decides. */
interface UpdateChanges extends UpdateSettings {
  /** Whether what is offered is put in at the hour, whatever the mode says. */
  isPlanned: boolean
}

/** A stick is received, or a version is put in. */
export class UpdaterBusy extends Error {}

/** What the owner is told of. */
export interface UpdateNews {
  kind: 'available' | 'installed' | 'failed'
  version: string
}

/** What another try would meet again. */
const isOfVersion = (reason: UpdateReason | null | undefined): boolean =>
  reason === 'went_back' || reason === 'installer_refused' || reason === 'file_differs'

/** What a look has found takes the place of what was offered, unless somebody brought as much on a stick. */
const newestOf = (before: UpdateState['offer'], found: Offer | undefined): Partial<UpdateState> => {
  if (before?.isFromStick && (!found || compareVersions(found.version, before.version) <= 0)) return {}
  const offer = found ? { ...found, isFromStick: false } : null
  return found && found.version === before?.version ? { offer } : { offer, isPlanned: false }
}

/** Looks for updates of an installed program, and lays what is to be put in for the updater, which is root. */
export class Updater {
  readonly #deps: Required<UpdaterDeps>
  readonly #file: UpdateStateFile
  readonly #end = new AbortController()
  readonly #stick: Stick
  #fetching: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #isReceiving = false

  constructor(deps: UpdaterDeps) {
    this.#deps = { free: freeOn, chance: Math.random, ...deps }
    this.#file = new UpdateStateFile(deps.config.dataDir)
    this.#stick = new Stick(deps.config.dataDir, this.#deps.free)
  }

  get #staged() {
    return stagedIn(this.#deps.config.dataDir)
  }

  /** Whether anybody said where to look. */
  get isConfigured(): boolean {
    return this.#deps.config.updates.from !== undefined
  }

  /** With what the updater has done since, whether or not the owner was told. */
  state(): UpdateState {
    const state = this.#file.read()
    return { ...state, ...this.#newsOf(state).changes }
  }

  /** @param changes what is undefined stays */
  set(changes: { [Name in keyof UpdateChanges]?: UpdateChanges[Name] | undefined }): void {
    this.#file.change(({ settings, offer, nextCheckAt, isPlanned: wasPlanned }) => {
      const { mode = settings.mode, hour = settings.hour, channel = settings.channel } = changes
      const isOther = channel !== settings.channel
      return {
        settings: { mode, hour, channel },
        // What another channel offers says nothing of this one.
        offer: isOther ? null : offer,
        nextCheckAt: isOther ? null : nextCheckAt,
        isPlanned: !isOther && offer !== null && (changes.isPlanned ?? wasPlanned),
      }
    })
    this.#removeUnoffered()
  }

  /** Why nothing is put in by itself here; undefined: it can be. */
  obstacle(): UpdateReason | undefined {
    const { config, machine } = this.#deps
    if (config.databaseUrl !== undefined) return 'postgres'
    if (machine.isInContainer()) return 'container'
    if (!machine.hasSystemd()) return 'no_systemd'
    return existsSync(installerIn(config.updates.programDir)) ? undefined : 'not_installed'
  }

  /** Whether a version is being fetched or put in. */
  get isInstalling(): boolean {
    if (this.#fetching !== undefined || existsSync(this.#staged.wanted)) return true
    const outcome = readOutcome(this.#deps.config.updates.programDir)
    return outcome?.state === 'applying' && outcome.boot === bootId()
  }

  /** Whether the next look is due. A time further ahead than any wait was written while the clock was wrong. */
  #isDue({ nextCheckAt }: UpdateState): boolean {
    const now = this.#deps.clock.now()
    return nextCheckAt === null || nextCheckAt <= now || nextCheckAt > plusSeconds(now, DAY_SECONDS)
  }

  #next(reason: UpdateReason | null): string {
    const seconds = reason === 'unreachable' ? RETRY_SECONDS : DAY_SECONDS
    return plusSeconds(this.#deps.clock.now(), seconds * (1 - JITTER * this.#deps.chance()))
  }

  /** What becomes of a look that went well. */
  #resultOf({ offer, obstacle, newest }: Found): Omit<Done, 'at'> {
    const reason = obstacle ?? (offer && this.obstacle()) ?? null
    const version = offer?.version ?? newest
    return { result: reason === null ? 'ok' : 'skipped', reason, detail: '', version }
  }

  #lookAt(source: Source, mayBeExpired: boolean): Promise<Found> {
    const { config, clock, version } = this.#deps
    const { settings, seen, keys: known } = this.#file.read()
    return lookAt(source, {
      programDir: config.updates.programDir,
      channel: settings.channel,
      version,
      target: MACHINE,
      now: clock.millis(),
      seen,
      known,
      mayBeExpired,
    })
  }

  async #look(): Promise<void> {
    const { config, clock, outbound, log } = this.#deps
    const { from } = config.updates
    if (from === undefined) return
    const at = clock.now()
    try {
      const found = await this.#lookAt(sourceOf(from, outbound), false)
      this.#file.change(({ offer }) => ({
        seen: found.seen,
        keys: found.chain,
        ...newestOf(offer, found.offer),
        check: { at, ...this.#resultOf(found) },
        nextCheckAt: this.#next(null),
      }))
    } catch (error) {
      const { reason, detail } = failedBy(error)
      log.warn({ reason, detail }, 'looking for a new version failed')
      this.#file.change(({ offer }) => ({
        check: { at, result: 'failed', reason, detail, version: null },
        // What was offered by a vendor who can be believed stays good while nobody can be reached, and a stick is another way.
        offer: reason === 'unreachable' || offer?.isFromStick ? offer : null,
        nextCheckAt: this.#next(reason),
      }))
    }
    this.#removeUnoffered()
  }

  /** Looks at once, and keeps what became of it. It does not throw for anything that is offered. */
  check(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /**
   * Gets what a source offers, and lays it for the updater.
   * @returns which version it is, and whether the vendor's list has passed its end
   * @throws UpdateRefused, or the system's error
   */
  async lay(
    source: Source,
    { mayBeExpired }: { mayBeExpired: boolean },
  ): Promise<{ version: string; isExpired: boolean }> {
    const { offer, obstacle, envelope, chain, isExpired, seen } = await this.#lookAt(source, mayBeExpired)
    if (!offer) throw new UpdateRefused(obstacle ?? 'not_newer')
    this.#file.change(() => ({ seen, keys: chain }))
    const { config, free } = this.#deps
    await layRelease(source, { dataDir: config.dataDir, offer, envelope, chain, free, signal: this.#end.signal })
    return { version: offer.version, isExpired }
  }

  /** What came from a stick lies no longer than it is offered. */
  #removeUnoffered(): void {
    if (!this.#isReceiving && this.#stick.isThere && !this.#file.read().offer?.isFromStick) this.#stick.remove()
  }

  /**
   * Takes a version that an owner sends from a stick, and offers it once it is whole, signed and for this server.
   * @param bytes a tar file of the vendor's folder
   * @throws UpdateRefused, UpdaterBusy, or what `bytes` throws; nothing is left of it then
   */
  async takeStick(bytes: AsyncIterable<Uint8Array>, length: number): Promise<void> {
    if (this.#isReceiving || this.isInstalling) throw new UpdaterBusy()
    const obstacle = this.obstacle()
    if (obstacle !== undefined) throw new UpdateRefused(obstacle)
    this.#isReceiving = true
    try {
      // The one before it goes first.
      this.#file.change(({ offer }) => (offer?.isFromStick ? { offer: null, isPlanned: false } : {}))
      await this.#stick.receive(bytes, length)
      const { folder } = this.#stick
      const found = await this.#lookAt(stickSource(folder, this.state().settings.channel), false)
      if (!found.offer) throw new UpdateRefused(found.obstacle ?? 'not_newer')
      const { file } = found.offer
      await assertOnStick(folder, file)
      await assertRoomFor(folder, file.size, this.#deps.free)
      const offer = { ...found.offer, isFromStick: true }
      this.#file.change(() => ({ seen: found.seen, keys: found.chain, offer, isPlanned: false }))
    } finally {
      this.#isReceiving = false
      this.#removeUnoffered()
    }
  }

  /** Where what is offered comes from. @throws UpdateRefused where there is nothing to put in */
  #offered(): Source {
    const { config, outbound } = this.#deps
    const { offer, settings } = this.#file.read()
    if (offer?.isFromStick) return stickSource(this.#stick.folder, settings.channel)
    if (config.updates.from === undefined) throw new UpdateRefused('not_newer')
    return sourceOf(config.updates.from, outbound)
  }

  /** Lays what is offered, and last of all the wish, which starts the updater. */
  async #fetch(): Promise<void> {
    const obstacle = this.obstacle()
    if (obstacle !== undefined) throw new UpdateRefused(obstacle)
    const { version } = await this.lay(this.#offered(), { mayBeExpired: false })
    const { wanted, folder } = this.#staged
    replaceFile(wanted, `${JSON.stringify({ version })}\n`)
    syncToDisk(folder)
  }

  #keepFailure(error: unknown): void {
    const { clock, log } = this.#deps
    const { reason, detail } = failedBy(error)
    log.error({ reason, detail }, 'a new version could not be fetched')
    // What this server never takes has not failed.
    const result = reason === this.obstacle() ? 'skipped' : 'failed'
    try {
      this.#file.change(({ offer }) => ({
        install: { at: clock.now(), result, reason, detail, version: offer?.version ?? null },
      }))
    } catch (cannotWrite) {
      // Nobody waits for it, and the institute goes on.
      log.error({ err: cannotWrite }, 'what became of a new version could not be kept')
    }
  }

  /** Begins to fetch what is offered, unless that goes on already, and does not throw. @returns once it is laid, or failed */
  install(): Promise<void> {
    if (this.#fetching === undefined && this.isInstalling) return Promise.resolve()
    this.#fetching ??= this.#fetch()
      .catch((error: unknown) => this.#keepFailure(error))
      .finally(() => {
        this.#fetching = undefined
      })
    return this.#fetching
  }

  /** What the updater has done since it was last taken note of. */
  #newsOf({ offer, install, current }: UpdateState): { changes: Partial<UpdateState>; outcome: Outcome | undefined } {
    const { config, version } = this.#deps
    const found = readOutcome(config.updates.programDir)
    const outcome = found && settled(found, { boot: bootId(), running: version })
    const isPast = offer !== null && compareVersions(offer.version, version) <= 0
    const past: Partial<UpdateState> = isPast
      ? {
          offer: null,
          isPlanned: false,
          current: offer.version === version ? { version, news: offer.news } : current,
        }
      : {}
    if (!outcome || outcome.state === 'applying' || outcome.at === install?.at)
      return { changes: past, outcome: undefined }
    const { at, state: result, reason, detail } = outcome
    return { changes: { ...past, install: { at, result, reason, detail, version: outcome.version } }, outcome }
  }

  /** Takes note of what the updater has done. @returns what is news to the owner */
  #settle(): UpdateNews[] {
    const { log, clock } = this.#deps
    const { wanted } = this.#staged
    if (existsSync(wanted) && clock.millis() - statSync(wanted).mtimeMs > TAKEN_MILLIS) {
      void rm(wanted, { force: true })
      this.#keepFailure(new UpdateRefused('not_installed', 'no updater took what was laid for it'))
    }
    const { changes, outcome } = this.#newsOf(this.#file.read())
    if (Object.keys(changes).length > 0) this.#file.change(() => changes)
    this.#removeUnoffered()
    if (!outcome || outcome.version === null) return []
    const { state, reason, detail } = outcome
    log[state === 'ok' ? 'info' : 'error']({ version: outcome.version, reason, detail }, `an update: ${state}`)
    return [{ kind: state === 'ok' ? 'installed' : 'failed', version: outcome.version }]
  }

  /** Whether what is offered is to be put in by itself now. */
  #isHour({ settings: { mode, hour }, isPlanned, install }: UpdateState, zone: string): boolean {
    const now = this.#deps.clock.now()
    const isHour = Number(localTime(now, zone).slice(11, 13)) === hour
    // This comes round more often than hourly while one is put in, and a night has one try.
    const isTried = install !== null && install.at <= now && now < plusSeconds(install.at, HOUR_SECONDS)
    return (mode === 'install' || isPlanned) && isHour && !isTried
  }

  /** What an hour brings. @returns what is news to the owner; `told` is said once they were told */
  async hourly(zone: string): Promise<UpdateNews[]> {
    const news = this.#settle()
    const { settings } = this.state()
    const looks = this.isConfigured && settings.mode !== 'off'
    if (looks && this.#isDue(this.state())) await this.check()
    const state = this.state()
    const { offer, told, install } = state
    // Whoever sent it knows of it.
    if (looks && offer && !offer.isFromStick && offer.version !== told) {
      news.push({ kind: 'available', version: offer.version })
    }
    // A version that went back once is put in again by a person alone.
    const hasFailed = install?.version === offer?.version && isOfVersion(install?.reason)
    if (offer && !hasFailed && this.obstacle() === undefined && this.#isHour(state, zone)) {
      await this.install()
      news.push(...this.#failureOf(install))
    }
    return news
  }

  /** What kept a version from being fetched in the night, unless the owner heard the same the night before. */
  #failureOf(before: UpdateState['install']): UpdateNews[] {
    const { install } = this.#file.read()
    if (!install || install.result !== 'failed' || install.version === null || install.at === before?.at) return []
    const isKnown = before?.version === install.version && before.reason === install.reason
    return isKnown ? [] : [{ kind: 'failed', version: install.version }]
  }

  told(news: readonly UpdateNews[]): void {
    const available = news.find(({ kind }) => kind === 'available')
    if (available) this.#file.change(() => ({ told: available.version }))
  }

  /** For the vendor, with a heartbeat; undefined: this server looks for nothing. */
  report() {
    if (!this.isConfigured) return undefined
    return reportOf(this.state())
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#fetching
  }
}
