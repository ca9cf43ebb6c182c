import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { spending, type Spent } from './processor.ts'

/** The bytes of one request. */
export const requestBytes = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

/** undefined: no more requests. */
export type NextRequest = () => Buffer | undefined

export interface Load {
  /** Requests a second. */
  rate: number
  /** Latency of each request in milliseconds, in the order of the replies. */
  latencies: number[]
}

/** A load, and what it cost the process that served it. */
export interface CostedLoad extends Load, Spent {}

const HEAD_END = Buffer.from('\r\n\r\n')
/** Of a reply in chunks. JSON contains no line break like this one. */
const LAST_CHUNK = '\r\n0\r\n\r\n'

/**
 * A keep-alive connection. It reads only the status and the end of a reply, so that on two cores the client is never
 * the bottleneck.
 */
class Connection {
  readonly #socket: Socket
  #reply: Buffer | undefined
  #head = -1
  #end = -1
  #isChunked = false
  #answered: ((reply: Buffer) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')))
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new Connection(socket)
  }

  send(request: Buffer, answered: (reply: Buffer) => void, failed: (error: Error) => void): void {
    this.#answered = answered
    this.#failed = failed
    this.#socket.write(request)
  }

  #read(chunk: Buffer): void {
    const reply = this.#reply ? Buffer.concat([this.#reply, chunk]) : chunk
    if (this.#head < 0) {
      this.#head = reply.indexOf(HEAD_END)
      if (this.#head >= 0) {
        const head = reply.toString('latin1', 0, this.#head)
        const [, length] = /content-length: (\d+)/i.exec(head) ?? []
        this.#isChunked = /transfer-encoding: chunked/i.test(head)
        this.#end = this.#head + HEAD_END.length + Number(length ?? 0)
      }
    }
    const isWhole = this.#isChunked
      ? reply.toString('latin1', reply.length - LAST_CHUNK.length) === LAST_CHUNK
      : reply.length >= this.#end
    if (this.#head < 0 || !isWhole) {
      this.#reply = reply
      return
    }
    this.#reply = undefined
    this.#head = -1
    const status = reply.toString('latin1', 9, 12)
    if (status.startsWith('2')) this.#answered?.(reply)
    else this.#failed?.(new Error(`the server answered ${reply.toString()}`))
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }
}

export const CONNECTIONS = 16

/**
 * Sends the requests of `next` over so many connections at once, until there are no more. @throws when a request fails
 */
export const drive = async (url: string, next: NextRequest, connections = CONNECTIONS): Promise<Load> => {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)))
  const latencies: number[] = []
  const started = performance.now()
  try {
    await Promise.all(
      open.map(
        (connection) =>
          new Promise<void>((resolve, reject) => {
            const send = (): void => {
              const request = next()
              if (request === undefined) {
                resolve()
                return
              }
              const sent = performance.now()
              connection.send(
                request,
                () => {
                  latencies.push(performance.now() - sent)
                  send()
                },
                reject,
              )
            }
            send()
          }),
      ),
    )
    return { rate: (latencies.length / (performance.now() - started)) * 1000, latencies }
  } finally {
    for (const connection of open) connection.close()
  }
}

/** Requests from `make` for so many milliseconds. */
export const during = (millis: number, make: () => Buffer): NextRequest => {
  const end = performance.now() + millis
  return () => (performance.now() < end ? make() : undefined)
}

/** Each of these once. */
export const eachOnce = (requests: readonly Buffer[]): NextRequest => {
  let sent = 0
  return () => requests[sent++]
}

/** Drives a load on the server that is the process `pid`. */
export const driveCosted = async (server: { url: string; pid: number }, next: NextRequest): Promise<CostedLoad> => {
  const { result, spent } = await spending(server.pid, () => drive(server.url, next))
  return { ...result, ...spent }
}

/** Warms the server's caches and compiled code with a load, then measures it. */
export const measured = async (
  server: { url: string; pid: number },
  make: () => Buffer,
  millis: number,
): Promise<CostedLoad> => {
  await drive(server.url, during(millis / 4, make))
  return driveCosted(server, during(millis, make))
}
