import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { MACHINE } from '#executable/platform.ts'
import { moveFile, syncToDisk } from '#executable/to-disk.ts'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { localTime } from '#kernel/time/zone.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Config } from '#app/config/config.ts'
import { replaceFile } from '#app/config/replace-file.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import { lookAt, type Found } from './look.ts'
import { compareVersions } from './manifest.ts'
import { bootId, readOutcome, settled } from './outcome.ts'
import { installerIn, stagedIn } from './places.ts'
import { UpdateRefused, type UpdateReason } from './refused.ts'
import { failedBy, fetchFile, sourceOf, type Source } from './source.ts'
import { UpdateStateFile, type Done, type UpdateSettings, type UpdateState } from './state-file.ts'

const DAY_SECONDS = 24 * 3600
/** How much of the day is left to chance, so that installs do not all ask at once. */
const JITTER = 0.2
/** After a look that reached nobody the next comes sooner. */
const RETRY_SECONDS = 2 * 3600
/** The updater takes what is laid for it at once; after so long there is none. */
const TAKEN_MILLIS = 15 * 60 * 1000
/** What putting a version in takes on the disk, as a multiple of what was downloaded: unpacked, kept and backed up. */
const ROOM = 6

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

/** What the owner is told of. */
export interface UpdateNews {
  kind: 'available' | 'installed' | 'failed'
  version: string
}

/** What another try would meet again. */
const isOfVersion = (reason: UpdateReason | null | undefined): boolean =>
  reason === 'went_back' || reason === 'installer_refused' || reason === 'file_differs'

const freeOn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Looks for updates of an installed program, and lays what is to be put in for the updater, which is root. */
export class Updater {
  readonly #deps: Required<UpdaterDeps>
  readonly #file: UpdateStateFile
  readonly #end = new AbortController()
  #fetching: Promise<void> | undefined
  #looking: Promise<void> | undefined

  constructor(deps: UpdaterDeps) {
    this.#deps = { free: freeOn, chance: Math.random, ...deps }
    this.#file = new UpdateStateFile(deps.config.dataDir)
  }

  get #staged() {
    return stagedIn(this.#deps.config.dataDir)
  }

  /** Whether anybody said where to look. */
  get isConfigured(): boolean {
    return this.#deps.config.updates.from !== undefined
  }

  state(): UpdateState {
    return this.#file.read()
  }

  /** @param changes what is undefined stays */
  set(changes: { [Name in keyof UpdateSettings]?: UpdateSettings[Name] | undefined }): void {
    this.#file.change(({ settings, offer, nextCheckAt }) => {
      const { mode = settings.mode, hour = settings.hour, channel = settings.channel } = changes
      const isOther = channel !== settings.channel
      return {
        settings: { mode, hour, channel },
        // What another channel offers says nothing of this one.
        offer: isOther ? null : offer,
        nextCheckAt: isOther ? null : nextCheckAt,
      }
    })
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
      const { offer = null } = found
      this.#file.change(() => ({
        seen: found.seen,
        keys: found.chain,
        offer,
        check: { at, ...this.#resultOf(found) },
        nextCheckAt: this.#next(null),
      }))
    } catch (error) {
      const { reason, detail } = failedBy(error)
      log.warn({ reason, detail }, 'looking for a new version failed')
      this.#file.change(({ offer }) => ({
        check: { at, result: 'failed', reason, detail, version: null },
        // What was offered by a vendor who can be believed stays good while nobody can be reached.
        offer: reason === 'unreachable' ? offer : null,
        nextCheckAt: this.#next(reason),
      }))
    }
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
    const staged = this.#staged
    await mkdir(staged.folder, { recursive: true, mode: 0o700 })
    const part = `${offer.file.sha256}.part`
    for (const name of await readdir(staged.folder)) {
      if (name !== part) await rm(path.join(staged.folder, name), { recursive: true, force: true })
    }
    if ((await this.#deps.free(staged.folder)) < offer.file.size * ROOM) throw new UpdateRefused('disk_full')
    const file = path.join(staged.folder, part)
    await fetchFile(source, offer.file, file, this.#end.signal)
    syncToDisk(file)
    await moveFile(file, staged.release)
    replaceFile(staged.manifest, JSON.stringify(envelope))
    replaceFile(staged.keys, JSON.stringify(chain))
    syncToDisk(staged.folder)
    return { version: offer.version, isExpired }
  }

  /** Lays what is offered, and last of all the wish, which starts the updater. */
  async #fetch(): Promise<void> {
    const { config, outbound } = this.#deps
    const obstacle = this.obstacle()
    if (obstacle !== undefined) throw new UpdateRefused(obstacle)
    const { from } = config.updates
    if (from === undefined) throw new UpdateRefused('not_newer')
    const { version } = await this.lay(sourceOf(from, outbound), { mayBeExpired: false })
    const { wanted, folder } = this.#staged
    replaceFile(wanted, `${JSON.stringify({ version })}\n`)
    syncToDisk(folder)
  }

  #keepFailure(error: unknown): void {
    const { clock, log } = this.#deps
    const { reason, detail } = failedBy(error)
    log.error({ reason, detail }, 'a new version could not be fetched')
    this.#file.change(({ offer }) => ({
      install: {
        at: clock.now(),
        // What this server never takes has not failed.
        result: reason === this.obstacle() ? 'skipped' : 'failed',
        reason,
        detail,
        version: offer?.version ?? null,
      },
    }))
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

  /** Takes note of what the updater has done. @returns what is news to the owner */
  #settle(): UpdateNews[] {
    const { config, version, log, clock } = this.#deps
    const { wanted } = this.#staged
    if (existsSync(wanted) && clock.millis() - statSync(wanted).mtimeMs > TAKEN_MILLIS) {
      void rm(wanted, { force: true })
      this.#keepFailure(new UpdateRefused('not_installed', 'no updater took what was laid for it'))
    }
    const found = readOutcome(config.updates.programDir)
    const outcome = found && settled(found, { boot: bootId(), running: version })
    const before = this.state()
    const isNews = outcome !== undefined && outcome.state !== 'applying' && outcome.at !== before.install?.at
    const isPast = before.offer !== null && compareVersions(before.offer.version, version) <= 0
    if (!isNews && !isPast) return []
    this.#file.change(({ offer, install, current }) => ({
      offer: isPast ? null : offer,
      current: isPast && offer?.version === version ? { version, news: offer.news } : current,
      install:
        isNews && outcome.state !== 'applying'
          ? {
              at: outcome.at,
              result: outcome.state,
              reason: outcome.reason,
              detail: outcome.detail,
              version: outcome.version,
            }
          : install,
    }))
    if (!isNews || outcome.version === null) return []
    const { state, reason, detail } = outcome
    log[state === 'ok' ? 'info' : 'error']({ version: outcome.version, reason, detail }, `an update: ${state}`)
    return [{ kind: state === 'ok' ? 'installed' : 'failed', version: outcome.version }]
  }

  #isHour({ mode, hour }: UpdateSettings, zone: string): boolean {
    return mode === 'install' && Number(localTime(this.#deps.clock.now(), zone).slice(11, 13)) === hour
  }

  /** What an hour brings. @returns what is news to the owner; `told` is said once they were told */
  async hourly(zone: string): Promise<UpdateNews[]> {
    if (!this.isConfigured) return []
    const news = this.#settle()
    const { settings } = this.state()
    if (settings.mode === 'off') return news
    if (this.#isDue(this.state())) await this.check()
    const { offer, told, install } = this.state()
    if (offer && offer.version !== told) news.push({ kind: 'available', version: offer.version })
    // A version that went back once is put in again by a person alone.
    const hasFailed = install?.version === offer?.version && isOfVersion(install?.reason)
    if (offer && !hasFailed && this.obstacle() === undefined && this.#isHour(settings, zone)) await this.install()
    return news
  }

  told(news: readonly UpdateNews[]): void {
    const available = news.find(({ kind }) => kind === 'available')
    if (available) this.#file.change(() => ({ told: available.version }))
  }

  /** For the vendor, with a heartbeat; undefined: this server looks for nothing. */
  report() {
    if (!this.isConfigured) return undefined
    const { settings, check, install } = this.state()
    const last = install && (!check || install.at >= check.at) ? install : check
    const isOff = settings.mode === 'off'
    return {
      channel: settings.channel,
      lastCheckAt: check?.at ?? null,
      lastResult: isOff ? ('skipped' as const) : (last?.result ?? null),
      lastReason: isOff ? 'switched_off' : (last?.reason ?? null),
      targetVersion: last?.version ?? null,
    }
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#fetching
  }
}
