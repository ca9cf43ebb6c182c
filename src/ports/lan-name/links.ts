import type { RemoteInfo } from 'node:dgram'
import type { Packet } from 'dns-packet'
import multicastDns, { type MulticastDNS } from 'multicast-dns'
import type { LanNameOptions, Network } from './port.ts'
import { ANY, recordsOf, type Reply } from './records.ts'

const GROUP = '224.0.0.251'
export const PORT = 5353

interface Link {
  network: Network
  socket: MulticastDNS
  /** Whether the card of the network takes part in multicast. */
  isJoined: boolean
}

interface Listeners {
  onQuery(network: Network, query: Packet, from: RemoteInfo): readonly Reply[]
  onResponse(reply: Packet): void
}

const sameNetworks = (a: readonly Network[], b: readonly Network[]): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The networks of this machine, each with a socket of its own: each is told the address there. */
export class Links {
  readonly #options: Omit<LanNameOptions, 'wanted'> & Listeners
  #known: readonly Network[] = []
  #open: Link[] = []

  constructor(options: Omit<LanNameOptions, 'wanted'> & Listeners) {
    this.#options = options
  }

  get isNone(): boolean {
    return this.#open.length === 0
  }

  /** This machine's addresses in them. */
  get addresses(): string[] {
    return this.#open.flatMap(({ network: { address, ipv6 } }) => [address, ...ipv6])
  }

  /** Goes over to the networks of now. @returns whether they are others than before */
  follow(): boolean {
    const now = this.#options.networks()
    if (sameNetworks(this.#known, now)) return false
    this.hangUp()
    this.#known = now
    this.#open = now.map((network) => this.#connect(network))
    return true
  }

  hangUp(): void {
    for (const { socket } of this.#open) socket.destroy()
    this.#open = []
    this.#known = []
  }

  /** Asks everywhere whether somebody has the name, and says that this machine wants it. */
  probe(name: string): void {
    for (const { socket, network } of this.#open) {
      socket.query({ questions: [{ name, type: ANY }], authorities: recordsOf(name, network) })
    }
  }

  /** @param ttl 0: that the names are given up @returns whether any network heard it */
  async tell(names: readonly string[], ttl?: number): Promise<boolean> {
    if (names.length === 0) return true
    const sent = await Promise.all(
      this.#open.map(async (link) => {
        const answers = names.flatMap((name) => recordsOf(name, link.network, ttl))
        const error = await new Promise((resolve) => {
          link.socket.respond({ answers }, undefined, resolve)
        })
        return !error && link.isJoined
      }),
    )
    return sent.includes(true)
  }

  #connect(network: Network): Link {
    const { log, port = PORT, onQuery, onResponse } = this.#options
    const socket = multicastDns({
      interface: network.address,
      // What is sent to the group arrives at no other address.
      bind: '0.0.0.0',
      ip: GROUP,
      port,
    })
    const link = { network, socket, isJoined: false }
    const told = (error: Error) => log.debug({ err: error, network: network.address }, 'multicast DNS')
    socket.on('warning', told).on('error', told)
    socket.on('networkInterface', () => {
      link.isJoined = true
    })
    socket.on('query', (query, from) => {
      for (const reply of onQuery(network, query, from)) {
        if (reply.questions) socket.respond({ id: query.id ?? 0, ...reply }, from)
        else socket.respond(reply)
      }
    })
    socket.on('response', (reply) => onResponse(reply))
    return link
  }
}
