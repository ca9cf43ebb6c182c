import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type AddressInfo, type Server, type Socket } from 'node:net'
import { networkOf } from '#kernel/basics/network.ts'
import { answerTo, comeByTcp } from './answer.ts'
import type { LanZone, LanZoneOptions } from './port.ts'
import { ReplyRate } from './rate.ts'

/** No question is longer, also with what EDNS puts into it. */
const LONGEST_QUESTION = 1024
/** Questions whose records are being looked up; more are left to be asked again. */
const MOST_AT_ONCE = 200
const MOST_CONNECTIONS = 200
const MOST_CONNECTIONS_OF_NETWORK = 16
const MOST_OF_CONNECTION = 50
const IDLE_MILLIS = 5000
const LONGEST_MILLIS = 30_000
const MOST_TCP_BYTES = 65_535
const LENGTH_BYTES = 2
const RETRY_MILLIS = 30_000

interface Opened {
  udp: Datagrams
  tcp: Server
}

/** Answers for the zone over UDP and TCP (RFC 1035, RFC 7766). It knows no other names and asks nobody. */
class NameServer implements LanZone {
  readonly #options: LanZoneOptions
  readonly #rate: ReplyRate
  readonly #connections = new Map<Socket, string>()
  #opened: Opened | undefined
  #retry: NodeJS.Timeout | undefined
  #running = 0
  #told: string | undefined
  #isClosed = false

  constructor(options: LanZoneOptions) {
    this.#options = options
    this.#rate = new ReplyRate(options.now)
  }

  get port(): number | undefined {
    return this.#opened && (this.#opened.tcp.address() as AddressInfo).port
  }

  async open(): Promise<void> {
    const { log, zone, listen } = this.#options
    try {
      this.#opened = await this.#listen()
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
      if (code !== this.#told)
        log.error({ err: error, zone: zone.name, ...listen }, 'names of the zone are not answered')
      this.#told = code
      if (this.#isClosed) return
      this.#retry = setTimeout(() => void this.open(), RETRY_MILLIS)
      this.#retry.unref()
      return
    }
    log.info({ zone: zone.name, host: listen.host, port: this.port }, 'names of the zone are answered')
    if (this.#isClosed) await this.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    const opened = this.#opened
    this.#opened = undefined
    if (!opened) return
    for (const socket of this.#connections.keys()) socket.destroy()
    const closed = [once(opened.udp, 'close'), once(opened.tcp, 'close')]
    opened.udp.close()
    opened.tcp.close()
    await Promise.all(closed)
  }

  /** @throws the system's error */
  async #listen(): Promise<Opened> {
    const { host, port } = this.#options.listen
    const tcp = createServer((socket) => this.#accept(socket))
    tcp.maxConnections = MOST_CONNECTIONS
    tcp.listen(port, host)
    await once(tcp, 'listening')
    const udp = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    try {
      udp.bind((tcp.address() as AddressInfo).port, host)
      await once(udp, 'listening')
    } catch (error) {
      tcp.close()
      throw error
    }
    const told = (error: Error) => this.#options.log.debug({ err: error }, 'a name server’s socket')
    tcp.on('error', told)
    udp.on('error', told)
    udp.on(
      'message',
      (message, { address, port: from }) => void this.#onDatagram(udp, message, { address, port: from }),
    )
    return { udp, tcp }
  }

  async #onDatagram(udp: Datagrams, message: Buffer, from: { address: string; port: number }): Promise<void> {
    // Nobody receives at port 0.
    if (from.port === 0 || message.length > LONGEST_QUESTION) return
    const turn = this.#rate.turn(from.address)
    if (turn === 'nothing') return
    const reply = turn === 'tcp' ? comeByTcp(message) : await this.#answer(message)
    if (reply && this.#opened?.udp === udp) udp.send(reply, from.port, from.address, () => {})
  }

  async #answer(message: Buffer, most?: number): Promise<Buffer | undefined> {
    if (this.#running >= MOST_AT_ONCE) return undefined
    this.#running += 1
    try {
      return await answerTo(this.#options, message, most)
    } finally {
      this.#running -= 1
    }
  }

  #accept(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '')
    const others = [...this.#connections.values()].filter((one) => one === network)
    socket.on('error', () => socket.destroy())
    if (others.length >= MOST_CONNECTIONS_OF_NETWORK) {
      socket.destroy()
      return
    }
    this.#connections.set(socket, network)
    const end = setTimeout(() => socket.destroy(), LONGEST_MILLIS)
    end.unref()
    socket.on('close', () => {
      clearTimeout(end)
      this.#connections.delete(socket)
    })
    socket.setTimeout(IDLE_MILLIS, () => socket.destroy())
    this.#converse(socket).catch(() => socket.destroy())
  }

  /** One question after another, each behind its length. */
  async #converse(socket: Socket): Promise<void> {
    let rest: Buffer = Buffer.alloc(0)
    let asked = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= LENGTH_BYTES) {
        const length = rest.readUInt16BE(0)
        if (length > LONGEST_QUESTION) throw new Error('This is no question.')
        if (rest.length < LENGTH_BYTES + length) break
        const message = rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length)
        rest = rest.subarray(LENGTH_BYTES + length)
        asked += 1
        const reply = asked > MOST_OF_CONNECTION ? undefined : await this.#answer(message, MOST_TCP_BYTES)
        if (!reply) throw new Error('This gets no answer.')
        const head = Buffer.alloc(LENGTH_BYTES)
        head.writeUInt16BE(reply.length, 0)
        socket.write(Buffer.concat([head, reply]))
      }
    }
  }
}

export const openNameServer = (options: LanZoneOptions): LanZone => new NameServer(options)
