import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Client } from 'pg'

/**
 * A pooler as PgBouncer is in transaction mode, by its documentation: it refuses settings at the start of a connection
 * but for a few, which it keeps for each client, and lends a connection of the server for one transaction. It lends the
 * one that has rested longest, so that what a client leaves on a connection is soon met by another.
 */

const SSL_REQUEST = 80_877_103
/** PgBouncer 1.18 keeps these for each client. */
const KEPT = ['client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings', 'application_name']
const TAKEN = new Set(['user', 'database', ...KEPT])

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const text = (...parts: string[]): Buffer => Buffer.from(parts.map((part) => `${part}\0`).join(''))

const AUTHENTICATED = message('R', Buffer.alloc(4))
const KEY = message('K', Buffer.alloc(8))
const READY = message('Z', Buffer.from('I'))
const refusal = (words: string) => message('E', Buffer.concat([text('SFATAL', 'C08P01', `M${words}`), Buffer.alloc(1)]))

/** Cuts a stream of bytes into messages. `hasType`: whether one begins with a letter, as all but the first of a client do. */
class Messages {
  #rest = Buffer.alloc(0)

  push(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
  }

  next(hasType: boolean): Buffer | undefined {
    const start = hasType ? 1 : 0
    if (this.#rest.length < start + 4) return undefined
    const length = start + this.#rest.readInt32BE(start)
    if (this.#rest.length < length) return undefined
    const one = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return one
  }
}

/** A connection of the server. */
class Backend {
  readonly #stream: Socket
  readonly #read = new Messages()
  /** Gets each message of the server. */
  take: (one: Buffer) => void = () => {}
  settings = ''

  constructor(stream: Socket) {
    this.#stream = stream
    stream.removeAllListeners('data')
    stream.on('error', () => {})
    stream.on('data', (bytes: Buffer) => {
      this.#read.push(bytes)
      for (let one = this.#read.next(true); one; one = this.#read.next(true)) this.take(one)
    })
  }

  static async open(url: string): Promise<Backend> {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return new Backend((client as unknown as { connection: { stream: Socket } }).connection.stream)
  }

  send(bytes: Buffer): void {
    this.#stream.write(bytes)
  }

  /** Sets what the next client wants. */
  async set(settings: string): Promise<void> {
    if (settings === this.settings) return
    await new Promise<void>((resolve) => {
      this.take = (one) => one[0] === READY[0] && resolve()
      this.send(message('Q', text(settings)))
    })
    this.settings = settings
  }

  end(): void {
    this.#stream.destroy()
  }
}

export class TransactionPooler {
  readonly #server: Server
  readonly #resting: Backend[]
  readonly #all: readonly Backend[]
  readonly #waiting: ((backend: Backend) => void)[] = []
  readonly #clients = new Set<Socket>()
  readonly #url: URL

  private constructor(url: string, backends: Backend[]) {
    this.#url = new URL(url)
    this.#all = backends
    this.#resting = [...backends]
    this.#server = createServer((socket) => void this.#serve(socket))
  }

  /** Starts one with `size` connections to the database. */
  static async start(url: string, size: number): Promise<TransactionPooler> {
    const backends = await Promise.all(Array.from({ length: size }, () => Backend.open(url)))
    const pooler = new TransactionPooler(url, backends)
    pooler.#server.listen(0, '127.0.0.1')
    await once(pooler.#server, 'listening')
    return pooler
  }

  /** The address of the database through this pooler, without the parameter `pgbouncer`. */
  get url(): string {
    const url = new URL(this.#url)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  close(): void {
    for (const client of this.#clients) client.destroy()
    for (const backend of this.#all) backend.end()
    this.#server.close()
  }

  #borrow(): Promise<Backend> {
    const backend = this.#resting.shift()
    return backend ? Promise.resolve(backend) : new Promise((resolve) => void this.#waiting.push(resolve))
  }

  #giveBack(backend: Backend): void {
    backend.take = () => {}
    const next = this.#waiting.shift()
    if (next) next(backend)
    else this.#resting.push(backend)
  }

  async #serve(socket: Socket): Promise<void> {
    this.#clients.add(socket)
    socket.on('error', () => {})
    const read = new Messages()
    let settings: string | undefined
    let backend: Backend | undefined
    /** Messages that came while none was lent; the first of them asked for one. */
    let held: Buffer[] | undefined
    const lend = async (first: Buffer, wanted: string): Promise<void> => {
      held = [first]
      const lent = await this.#borrow()
      await lent.set(wanted)
      lent.take = (one) => {
        socket.write(one)
        // Between two transactions.
        if (one[0] !== READY[0] || one[5] !== READY[5]) return
        backend = undefined
        this.#giveBack(lent)
      }
      backend = lent
      for (const one of held) lent.send(one)
      held = undefined
    }
    const takes = (one: Buffer): void => {
      if (settings === undefined) settings = begin(socket, one)
      else if (one[0] === 'X'.charCodeAt(0)) socket.end()
      else if (backend) backend.send(one)
      else if (held) held.push(one)
      else void lend(one, settings)
    }
    socket.on('data', (bytes: Buffer) => {
      read.push(bytes)
      for (let one = read.next(settings !== undefined); one; one = read.next(settings !== undefined)) takes(one)
    })
    socket.on('close', () => {
      this.#clients.delete(socket)
      // PgBouncer ends the transaction of a client that is gone.
      backend?.send(message('Q', text('rollback')))
    })
  }
}

/** Answers the first message of a client. @returns the statement that sets what it wants; undefined: it is to try again */
const begin = (socket: Socket, first: Buffer): string | undefined => {
  if (first.readInt32BE(4) === SSL_REQUEST) {
    socket.write('N')
    return undefined
  }
  const words = first.toString('utf8', 8).split('\0')
  const wanted = new Map<string, string>()
  for (let at = 0; words[at]; at += 2) wanted.set((words[at] as string).toLowerCase(), words[at + 1] as string)
  const refused = [...wanted.keys()].find((name) => !TAKEN.has(name))
  if (refused !== undefined) {
    socket.end(refusal(`unsupported startup parameter: ${refused}`))
    return undefined
  }
  socket.write(Buffer.concat([AUTHENTICATED, KEY, READY]))
  return KEPT.filter((name) => wanted.has(name))
    .map((name) => `set ${name} = '${wanted.get(name)}'`)
    .join('; ')
}
