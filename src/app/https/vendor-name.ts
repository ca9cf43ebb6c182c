import type { Logger } from 'pino'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { plainAddress } from '#kernel/basics/network.ts'
import { isLanAddress, MOST_LAN_ADDRESSES, type AskForLanName } from '#modules/licensing/index.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import { OrderFailed } from './acme.ts'
import type { HttpsFiles, HttpsReason, VendorNameState } from './state-file.ts'

const DAY_SECONDS = 24 * 3600
/** After the first failure; doubled with each. */
const RETRY_SECONDS = 60
const MOST_RETRY_SECONDS = 6 * 3600
/** How much of a wait is left to chance, so that installs do not all ask at once. */
const JITTER = 0.1

export interface VendorNameDeps {
  files: HttpsFiles
  clock: Clock
  log: Logger
  machine: Pick<Machine, 'resolve'>
  /** The addresses at which other machines of its network reach this one. */
  lanAddresses(): readonly string[]
  ask: AskForLanName
  /** A number from 0 up to 1, for the jitter. */
  chance(): number
}

/**
 * Where the name leads, as seen from here: to this server; elsewhere; or nowhere, as many routers hide names of the internet
 * that lead into their own network (protection against DNS rebinding), and as it is without the internet.
 */
export const NAME_LEADS = ['here', 'elsewhere', 'nowhere'] as const
export type NameLeads = (typeof NAME_LEADS)[number]

/**
 * The name of this server in the zone of the vendor. It is asked for again when an address changes and every day; a challenge
 * of an order goes along with each request, so that none takes it back.
 */
export class VendorName {
  readonly #deps: VendorNameDeps
  #challenge: string | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #asking = 0
  #leads: NameLeads | null = null
  #isClosed = false

  constructor(deps: VendorNameDeps) {
    this.#deps = deps
  }

  get isAsking(): boolean {
    return this.#asking > 0
  }

  /** null: it is not known yet. */
  get leads(): NameLeads | null {
    return this.#leads
  }

  /** The addresses to which the name is to lead. */
  addresses(): string[] {
    const fit = this.#deps
      .lanAddresses()
      .flatMap((one) => plainAddress(one) ?? [])
      .filter(isLanAddress)
    return [...new Set(fit)].toSorted().slice(0, MOST_LAN_ADDRESSES)
  }

  /** Whether the vendor is to be asked now. A time further ahead than any wait was written by a wrong clock. */
  isDue(): boolean {
    const { files, clock } = this.#deps
    const { choice, vendorName } = files.state()
    if (choice.way !== 'vendor') return false
    const { nextAskAt, failure, addresses } = vendorName
    const now = clock.now()
    if (nextAskAt === null || nextAskAt <= now || nextAskAt > plusSeconds(now, DAY_SECONDS)) return true
    return failure === null && addresses.join() !== this.addresses().join()
  }

  /** Asks where it is time. @throws the system's error where the answer cannot be kept, OrderFailed when it is closed */
  async follow(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.isDue()) await this.#ask()
    })
  }

  /** The name, with the vendor knowing the addresses of now. @throws OrderFailed */
  async ensured(): Promise<string> {
    return this.#inTurn(async () => {
      const { failure, name } = this.#deps.files.state().vendorName
      return name === null || failure !== null || this.isDue() ? this.#asked() : name
    })
  }

  /** Has authorities find a digest, until the function that it returns is called. @throws OrderFailed */
  async prove(digest: string): Promise<() => Promise<void>> {
    const set = async (challenge: string | null) => {
      this.#challenge = challenge
      await this.#asked()
    }
    await this.#inTurn(() => set(digest))
    // What could not be taken back ends by itself within the hour.
    return () => this.#inTurn(() => set(null)).catch(() => {})
  }

  /** Looks where the name leads, by the resolver that devices of this network have too, as a rule. */
  async look(): Promise<void> {
    const { files, machine } = this.#deps
    const { choice, vendorName } = files.state()
    if (choice.way !== 'vendor' || vendorName.name === null) {
      this.#leads = null
      return
    }
    const found = await machine.resolve(vendorName.name)
    const own = this.addresses()
    if (found.length === 0) this.#leads = 'nowhere'
    else this.#leads = found.some((one) => own.includes(plainAddress(one) ?? one)) ? 'here' : 'elsewhere'
  }

  /** Lets the request end that is under way, and sends no more: a challenge ends by itself. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#turn
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#asking += 1
    const done = this.#turn
      .then(() => {
        if (this.#isClosed) throw new OrderFailed('vendor_failed', 'The server is stopping.')
        return work()
      })
      .finally(() => {
        this.#asking -= 1
      })
    this.#turn = done.catch(() => {})
    return done
  }

  /** @throws OrderFailed */
  async #asked(): Promise<string> {
    const { name, failure } = await this.#ask()
    if (failure === null && name !== null) return name
    throw new OrderFailed(failure?.reason ?? 'vendor_failed', failure?.detail ?? 'It gave no name.')
  }

  /** Asks, and notes what became of it. */
  async #ask(): Promise<VendorNameState> {
    const { files, log, ask } = this.#deps
    const addresses = this.addresses()
    const answer =
      addresses.length === 0
        ? { reason: 'no_lan_address' as const, detail: 'This machine has no address of a private network.' }
        : await ask({ addresses, challenge: this.#challenge })
    const { vendorName: before } = files.state()
    const after = 'name' in answer ? this.#named(answer.name, addresses) : this.#refused(before, answer)
    // A certificate for another name is no use.
    const isOther = after.name !== before.name
    files.change(() => ({ vendorName: after, ...(isOther && { nextOrderAt: null }) }))
    if (after.failure && after.failure.reason !== before.failure?.reason) {
      log.warn({ ...after.failure }, 'the vendor gives this server no name; what was before goes on')
    } else if (isOther) log.info({ name: after.name }, 'the vendor gave this server a name')
    return after
  }

  #named(name: string, addresses: readonly string[]): VendorNameState {
    const { clock, chance } = this.#deps
    const nextAskAt = plusSeconds(clock.now(), Math.round(DAY_SECONDS * (1 - JITTER * chance())))
    return { name, addresses: [...addresses], askedAt: clock.now(), failure: null, failures: 0, nextAskAt }
  }

  #refused(before: VendorNameState, { reason, detail }: { reason: HttpsReason; detail: string }): VendorNameState {
    const { clock, chance } = this.#deps
    const now = clock.now()
    const wait = Math.min(RETRY_SECONDS * 2 ** before.failures, MOST_RETRY_SECONDS) * (1 - JITTER * chance())
    return {
      ...before,
      failure: { at: now, reason, detail },
      failures: before.failures + 1,
      nextAskAt: plusSeconds(now, Math.round(wait)),
    }
  }
}
