import type { RemoteInfo } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Packet } from 'dns-packet'
import type { Logger } from 'pino'
import { Links, PORT } from './links.ts'
import type { Chosen, LanName, LanNameOptions, Network, OpenLanName } from './port.ts'
import { isOnLink, othersOf, replyTo, yieldsTo, type Reply } from './records.ts'

/** Three questions, a quarter of a second apart, before a name is taken (RFC 6762, section 8.1). */
const PROBES = 3
const PROBE_MILLIS = 250
/** Said twice, a second apart (section 8.3). */
const ANNOUNCEMENTS = 2
const ANNOUNCE_MILLIS = 1000
/** Whoever yields in a tie asks again after a second. */
const YIELD_MILLIS = 1000
/** How often the cards are looked at: a laptop moves, a router gives another address. */
const LOOK_MILLIS = 30_000
const ALL_TAKEN_MILLIS = 10_000
const GOODBYE_MILLIS = 50
/** So many others of the name in one network are no accident. */
const MOST_NAMES = 20
/** How often a name is asked for anew because the networks changed meanwhile. */
const MOST_MOVES = 3

const nameOf = (label: string): string => `${label}.local`

/** The names of a label, in the order in which they are tried: office, office-2, office-3, … */
const likeIt = (label: string): string[] => {
  const [, stem = label, nth = '1'] = /^(.+)-(\d{1,2})$/.exec(label) ?? []
  return Array.from({ length: MOST_NAMES - 1 }, (_, more) => `${stem}-${Number(nth) + more + 1}`)
}

interface Wish {
  label: string
  settle: (chosen: Chosen) => void
}

/**
 * Answers for NAME.local on every network of this machine. It takes NAME-2 where somebody has it, gives it up where somebody
 * takes it, and goes on by itself when the networks change. One loop does all that sends: what somebody wishes meanwhile is
 * done in its turn.
 */
class MulticastName implements LanName {
  #wanted: string | undefined
  readonly #links: Links
  readonly #log: Logger
  readonly #port: number
  readonly #closing = new AbortController()
  readonly #work: Promise<void>
  #name: string | undefined
  /** The name that is asked for before it is taken. */
  #probing: string | undefined
  #isTaken = false
  #mustYield = false
  #wishes: Wish[] = []
  #isOver = false
  /** The name that is being announced. */
  #coming: string | undefined
  /** Names of before that are to be answered, those that are, and those that somebody else has. */
  #former: readonly string[] = []
  readonly #answered = new Set<string>()
  readonly #lost = new Set<string>()
  /** Whether somebody wants something since the loop began anew. */
  #hasMore = false
  /** Ends the wait between two looks at the networks. */
  #wake: () => void = () => {}

  constructor({ wanted, networks, log, port = PORT }: LanNameOptions) {
    this.#wanted = wanted
    this.#log = log
    this.#port = port
    this.#links = new Links({
      // Whoever wants no name opens no port.
      networks: () => (this.#wanted === undefined && this.#wishes.length === 0 ? [] : networks()),
      log,
      port,
      onQuery: (...asked) => this.#onQuery(...asked),
      onResponse: (reply) => this.#onResponse(reply),
    })
    this.#work = this.#run()
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) log.warn({ err: error }, 'the network is not told the name of this server')
      })
      .finally(() => {
        this.#isOver = true
        for (const { settle } of this.#wishes.splice(0)) settle({ result: 'not_announced' })
      })
  }

  current(): string | undefined {
    return this.#name
  }

  choose(label: string): Promise<Chosen> {
    if (this.#isOver) return Promise.resolve({ result: 'not_announced' })
    const chosen = new Promise<Chosen>((settle) => {
      this.#wishes.push({ label, settle })
    })
    this.#goOn()
    return chosen
  }

  answerToo(labels: readonly string[]): void {
    this.#former = labels.map(nameOf)
    this.#goOn()
  }

  #goOn(): void {
    this.#hasMore = true
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#work
    const names = this.#names()
    if (names.length > 0) {
      await this.#links.tell(names, 0)
      await pause(GOODBYE_MILLIS)
    }
    this.#forget()
    this.#links.hangUp()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      this.#hasMore = false
      this.#follow()
      const [wish] = this.#wishes
      if (wish) {
        wish.settle(await this.#change(wish.label))
        this.#wishes.shift()
        continue
      }
      const isNamed = this.#links.isNone || this.#name !== undefined || (await this.#take())
      // It may be lost while it is told.
      if (isNamed && !this.#links.isNone && this.#name === undefined) continue
      await this.#keepFormer()
      if (!this.#hasMore) await this.#wait(isNamed ? LOOK_MILLIS : ALL_TAKEN_MILLIS)
    }
  }

  /** In other networks no name is this server's yet. @returns whether they are others than before */
  #follow(): boolean {
    if (!this.#links.follow()) return false
    this.#forget()
    return true
  }

  #forget(): void {
    this.#name = undefined
    this.#coming = undefined
    this.#answered.clear()
    this.#lost.clear()
  }

  /** Ends early where something is to be done. */
  async #wait(millis: number): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await pause(millis, undefined, { signal: AbortSignal.any([woken.signal, this.#closing.signal]), ref: false }).catch(
      () => {},
    )
  }

  /** Takes the first name of wanted, wanted-2, … that nobody has, and says so. @returns false: all are taken */
  async #take(): Promise<boolean> {
    if (this.#wanted === undefined) return true
    const label = await this.#firstFree([this.#wanted, ...likeIt(this.#wanted)])
    if (label === undefined) return false
    this.#name = nameOf(label)
    this.#log.info({ name: this.#name }, 'the network finds this server by its name')
    await this.#announce(this.#name)
    return true
  }

  /** Takes another name in place of the one that there is, which is answered from then on too. */
  async #change(label: string): Promise<Chosen> {
    const name = nameOf(label)
    if (name === this.#name) {
      this.#wanted = label
      return { result: 'named' }
    }
    for (let moves = 0; moves < MOST_MOVES; moves += 1) {
      if (this.#links.isNone) return { result: 'no_network' }
      if (!(await this.#isFree(name))) return { result: 'taken', free: await this.#firstFree(likeIt(label)) }
      // In a network that came meanwhile nobody was asked.
      if (this.#follow()) continue
      this.#coming = name
      const isAnnounced = await this.#announce(name)
      const isLost = this.#coming === undefined
      this.#coming = undefined
      const isElsewhere = this.#follow()
      if (isAnnounced && !isLost && !isElsewhere) {
        this.#goOver(label)
        return { result: 'named' }
      }
      await this.#links.tell([name], 0)
      if (isLost) return { result: 'taken', free: await this.#firstFree(likeIt(label)) }
      if (!isElsewhere) return { result: 'not_announced' }
    }
    return { result: 'not_announced' }
  }

  #goOver(label: string): void {
    const [name, before] = [nameOf(label), this.#name]
    this.#wanted = label
    this.#name = name
    this.#answered.delete(name)
    if (before !== undefined) {
      this.#answered.add(before)
      this.#former = [...this.#former, before]
    }
    this.#log.info({ name, before }, 'the network finds this server by another name')
  }

  /** Answers for the names of before, unless somebody else has one, and gives up what is none any more. */
  async #keepFormer(): Promise<void> {
    const wanted = this.#former.filter((name) => name !== this.#name)
    for (const name of this.#answered) {
      if (wanted.includes(name)) continue
      this.#answered.delete(name)
      await this.#links.tell([name], 0)
    }
    if (this.#links.isNone) return
    for (const name of wanted) {
      if (this.#answered.has(name) || this.#lost.has(name)) continue
      if (await this.#isFree(name)) {
        this.#answered.add(name)
        await this.#links.tell([name])
      } else this.#lost.add(name)
    }
  }

  async #firstFree(labels: readonly string[]): Promise<string | undefined> {
    for (const label of labels) if (await this.#isFree(nameOf(label))) return label
    return undefined
  }

  async #isFree(name: string): Promise<boolean> {
    this.#probing = name
    this.#isTaken = false
    try {
      for (let probe = 0; probe < PROBES && !this.#isTaken; probe += 1) {
        this.#mustYield = false
        this.#links.probe(name)
        await this.#pause(PROBE_MILLIS)
        if (this.#mustYield) {
          await this.#pause(YIELD_MILLIS)
          probe = -1
        }
      }
      return !this.#isTaken
    } finally {
      this.#probing = undefined
    }
  }

  /** @returns whether any network heard it */
  async #announce(name: string): Promise<boolean> {
    let isHeard = false
    for (let told = 0; told < ANNOUNCEMENTS; told += 1) {
      isHeard = (await this.#links.tell([name])) || isHeard
      await this.#pause(ANNOUNCE_MILLIS)
    }
    return isHeard
  }

  /** @throws AbortError when it closes */
  async #pause(millis: number): Promise<void> {
    await pause(millis, undefined, { signal: this.#closing.signal, ref: false })
  }

  /** All that is answered for. */
  #names(): string[] {
    return [this.#name, this.#coming, ...this.#answered].filter((name) => name !== undefined)
  }

  #onQuery(network: Network, query: Packet, from: RemoteInfo): Reply[] {
    if (!isOnLink(from.address, network)) return []
    if (this.#probing !== undefined) {
      const others = othersOf(query.authorities ?? [], this.#probing, this.#links.addresses)
      this.#mustYield ||= others.some((other) => yieldsTo(network.address, other))
    }
    const isPlain = from.port !== this.#port
    return this.#names().flatMap((name) => replyTo(query, { name, network, isPlain }) ?? [])
  }

  #onResponse({ answers = [], additionals = [] }: Packet): void {
    const records: Answer[] = [...answers, ...additionals]
    const isOthers = (name: string | undefined): boolean =>
      name !== undefined && othersOf(records, name, this.#links.addresses).length > 0
    if (isOthers(this.#probing)) this.#isTaken = true
    for (const name of this.#names().filter(isOthers)) {
      // Both may say so; whoever had it first answers the questions that follow.
      this.#log.warn({ name }, 'another machine has a name of this server in the network')
      if (this.#answered.delete(name)) this.#lost.add(name)
      if (this.#coming === name) this.#coming = undefined
      if (this.#name === name) {
        this.#name = undefined
        this.#goOn()
      }
    }
  }
}

/** Asks for the name in the background: a network that is not there yet, or closed to it, keeps nobody from starting. */
export const openLanName: OpenLanName = (options) => new MulticastName(options)
