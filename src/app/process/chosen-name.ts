import type { Logger } from 'pino'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { NO_LAN_NAME, type Chosen, type LanName, type OpenLanName } from '#ports/lan-name/port.ts'
import type { Config, FormerLanName } from '#app/config/config.ts'
import { saveLanName } from '#app/config/lan-name-settings.ts'
import { servedNetworks } from './lan-addresses.ts'
import type { Machine } from './own-hosts.ts'

/** For how long a name of before leads here: tabs are open, and posters hang. */
export const FORMER_DAYS = 30
const DAY_SECONDS = 86_400
/** The oldest goes where the owner tries one after the other. */
const MOST_FORMER = 8
const LOOK_MILLIS = 600_000

const LOCAL = '.local'
const labelOf = (name: string): string => name.slice(0, -LOCAL.length)

interface Deps {
  config: Config
  clock: Pick<Clock, 'now'>
  log: Logger
  machine: Pick<Machine, 'isInContainer'>
  openLanName: OpenLanName
  /** Follows a change, such as with a certificate for the new name. @param from undefined: there was none */
  changed(from: string | undefined, to: string): Promise<void>
}

/** The name by which the local network finds this server, as the settings give it and as the owner chooses it while it runs. */
export class ChosenName {
  readonly #deps: Deps
  #open: LanName = NO_LAN_NAME
  #wanted: string | undefined
  #former: readonly FormerLanName[]
  #turn: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: Deps) {
    this.#deps = deps
    this.#wanted = deps.config.lanName
    this.#former = deps.config.formerLanNames
  }

  /** Whether the owner chooses: a flag or the environment comes first. */
  get isFixed(): boolean {
    return this.#deps.config.lanNameIsFixed
  }

  /** A container's network is not the one that people are in, and a cloud has its domains. */
  get isPossible(): boolean {
    return this.#deps.config.mode === 'self_hosted' && !this.#deps.machine.isInContainer()
  }

  /** Such as institute.local, or institute-2.local where somebody has that; undefined: none, or not yet. */
  current(): string | undefined {
    return this.#open.current()
  }

  /** What it should be called; undefined: nothing. */
  wanted(): string | undefined {
    return this.#wanted === undefined ? undefined : this.#wanted + LOCAL
  }

  /** Names of before that lead here today. */
  former(): { name: string; until: string }[] {
    const today = this.#deps.clock.now().slice(0, 10)
    return this.#former
      .filter(({ label, until }) => until >= today && label + LOCAL !== this.current())
      .map(({ label, until }) => ({ name: label + LOCAL, until }))
  }

  /** The name in place of one of before; null: it is none. */
  movesFrom(host: string): { name: string; until: string } | null {
    const name = this.current()
    const former = this.former().find((one) => one.name === host.toLowerCase())
    return name !== undefined && former ? { name, until: former.until } : null
  }

  /** Begins, once the server listens. */
  open(): void {
    if (!this.isPossible) return
    const { config, log, openLanName } = this.#deps
    this.#open = openLanName({ wanted: this.#wanted, networks: () => servedNetworks(config.host), log })
    this.look()
    this.#timer = setInterval(() => this.look(), LOOK_MILLIS)
    this.#timer.unref()
  }

  /** Gives up names whose time is over. */
  look(): void {
    this.#open.answerToo(this.former().map(({ name }) => labelOf(name)))
  }

  /** Takes another name, keeps it in the settings, and has all that follows from it follow. @throws the system's error */
  choose(label: string): Promise<Chosen> {
    const chosen = this.#turn.then(() => this.#choose(label))
    this.#turn = chosen.catch(() => {})
    return chosen
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#open.close(), this.#turn])
  }

  async #choose(label: string): Promise<Chosen> {
    const { config, changed } = this.#deps
    const before = this.current() ?? this.wanted()
    const chosen = await this.#open.choose(label)
    if (chosen.result !== 'named') return chosen
    const former = this.#formerAfter(label, before)
    try {
      saveLanName(config, { label, former })
    } catch (error) {
      // What the next start would not know is not left standing until then.
      if (before !== undefined) await this.#open.choose(labelOf(before))
      this.look()
      throw error
    }
    this.#wanted = label
    this.#former = former
    this.look()
    await changed(before, label + LOCAL)
    return chosen
  }

  #formerAfter(label: string, before: string | undefined): FormerLanName[] {
    const now = this.#deps.clock.now()
    const until = plusSeconds(now, FORMER_DAYS * DAY_SECONDS).slice(0, 10)
    const names = new Map(this.#former.map((one) => [one.label, one]))
    if (before !== undefined) names.set(labelOf(before), { label: labelOf(before), until })
    names.delete(label)
    return [...names.values()].filter((one) => one.until >= now.slice(0, 10)).slice(-MOST_FORMER)
  }
}
