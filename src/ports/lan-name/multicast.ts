import type { RemoteInfo } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Packet } from 'dns-packet'
import multicastDns, { type MulticastDNS } from 'multicast-dns'
import type { Logger } from 'pino'
import type { LanName, Network } from './port.ts'
import { ANY, isOnLink, othersOf, recordsOf, replyTo, yieldsTo } from './records.ts'

const GROUP = '224.0.0.251'
const PORT = 5353
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

interface Options {
  /** Without `.local`. */
  wanted: string
  networks: () => readonly Network[]
  log: Logger
  /** Default: 5353. */
  port?: number
}

interface Link {
  network: Network
  socket: MulticastDNS
}

const sameNetworks = (a: readonly Network[], b: readonly Network[]): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Answers for NAME.local on every network of this machine. It takes NAME-2 where somebody has it, gives it up where somebody
 * takes it, and goes on by itself when the networks change.
 */
class MulticastName implements LanName {
  readonly #wanted: string
  readonly #networks: () => readonly Network[]
  readonly #log: Logger
  readonly #port: number
  readonly #closing = new AbortController()
  readonly #work: Promise<void>
  #links: Link[] = []
  #name: string | undefined
  /** The name that is asked for before it is taken. */
  #probing: string | undefined
  #isTaken = false
  #mustYield = false
  /** Ends the wait between two looks at the networks. */
  #wake: () => void = () => {}

  constructor({ wanted, networks, log, port = PORT }: Options) {
    this.#wanted = wanted
    this.#networks = networks
    this.#log = log
    this.#port = port
    this.#work = this.#run().catch((error: unknown) => {
      if (!this.#closing.signal.aborted) log.warn({ err: error }, 'the network is not told the name of this server')
    })
  }

  current(): string | undefined {
    return this.#name
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#work
    if (this.#name !== undefined) {
      this.#tell(0)
      await pause(GOODBYE_MILLIS)
    }
    this.#name = undefined
    this.#hangUp()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    let known: readonly Network[] = []
    while (!signal.aborted) {
      const now = this.#networks()
      if (!sameNetworks(known, now)) {
        known = now
        this.#hangUp()
        this.#links = now.map((network) => this.#connect(network))
        this.#name = undefined
      }
      const isNamed = this.#links.length === 0 || this.#name !== undefined || (await this.#take())
      // It may be lost while it is told.
      if (isNamed && this.#links.length > 0 && this.#name === undefined) continue
      await this.#wait(isNamed ? LOOK_MILLIS : ALL_TAKEN_MILLIS)
    }
  }

  /** Ends early where something is to be done. */
  async #wait(millis: number): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await pause(millis, undefined, { signal: AbortSignal.any([woken.signal, this.#closing.signal]), ref: false }).catch(
      () => {},
    )
  }

  #connect(network: Network): Link {
    const socket = multicastDns({
      interface: network.address,
      // What is sent to the group arrives at no other address.
      bind: '0.0.0.0',
      ip: GROUP,
      port: this.#port,
    })
    const told = (error: Error) => this.#log.debug({ err: error, network: network.address }, 'multicast DNS')
    socket.on('warning', told).on('error', told)
    const link = { network, socket }
    socket.on('query', (query, from) => this.#onQuery(link, query, from))
    socket.on('response', (reply) => this.#onResponse(reply))
    return link
  }

  #hangUp(): void {
    for (const { socket } of this.#links) socket.destroy()
    this.#links = []
  }

  /** Takes the first name of wanted, wanted-2, … that nobody has, and says so. @returns false: all are taken */
  async #take(): Promise<boolean> {
    for (let nth = 1; nth <= MOST_NAMES; nth += 1) {
      const name = `${this.#wanted}${nth === 1 ? '' : `-${nth}`}.local`
      if (!(await this.#isFree(name))) continue
      this.#name = name
      this.#log.info({ name }, 'the network finds this server by its name')
      for (let told = 0; told < ANNOUNCEMENTS; told += 1) {
        this.#tell()
        await this.#pause(ANNOUNCE_MILLIS)
      }
      return true
    }
    return false
  }

  async #isFree(name: string): Promise<boolean> {
    this.#probing = name
    this.#isTaken = false
    try {
      for (let probe = 0; probe < PROBES && !this.#isTaken; probe += 1) {
        this.#mustYield = false
        for (const { socket, network } of this.#links) {
          socket.query({ questions: [{ name, type: ANY }], authorities: recordsOf(name, network) })
        }
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

  /** @throws AbortError when it closes */
  async #pause(millis: number): Promise<void> {
    await pause(millis, undefined, { signal: this.#closing.signal, ref: false })
  }

  /** @param ttl 0: that the name is given up */
  #tell(ttl?: number): void {
    for (const { socket, network } of this.#links) {
      if (this.#name !== undefined) socket.respond({ answers: recordsOf(this.#name, network, ttl) })
    }
  }

  #own(): string[] {
    return this.#links.flatMap(({ network: { address, ipv6 } }) => [address, ...ipv6])
  }

  #onQuery({ socket, network }: Link, query: Packet, from: RemoteInfo): void {
    if (!isOnLink(from.address, network)) return
    if (this.#probing !== undefined) {
      const others = othersOf(query.authorities ?? [], this.#probing, this.#own())
      this.#mustYield ||= others.some((other) => yieldsTo(network.address, other))
    }
    if (this.#name === undefined) return
    const reply = replyTo(query, { name: this.#name, network, isPlain: from.port !== this.#port })
    if (reply === undefined) return
    if (reply.questions) socket.respond({ id: query.id ?? 0, ...reply }, from)
    else socket.respond(reply)
  }

  #onResponse({ answers = [], additionals = [] }: Packet): void {
    const records: Answer[] = [...answers, ...additionals]
    const isOthers = (name: string): boolean => othersOf(records, name, this.#own()).length > 0
    if (this.#probing !== undefined && isOthers(this.#probing)) this.#isTaken = true
    if (this.#name !== undefined && isOthers(this.#name)) {
      // Both may say so; whoever had it first answers the questions that follow.
      this.#log.warn({ name: this.#name }, 'another machine has the name of this server in the network')
      this.#name = undefined
      this.#wake()
    }
  }
}

/** Asks for the name in the background: a network that is not there yet, or closed to it, keeps nobody from starting. */
export const openLanName = (options: Options): LanName => new MulticastName(options)
