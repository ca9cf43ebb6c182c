import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Reply } from './client.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * A connection on which a test can send what no client would, and see replies that no client would report. When the
 * server closes it, that is not an error: the replies before still count.
 */
export class RawConnection {
  readonly socket: Socket
  /** Resolves when the server has closed the connection, in any way. */
  readonly closed: Promise<void>
  #heard = Buffer.alloc(0)
  #isClosed = false
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      this.#heard = Buffer.concat([this.#heard, chunk])
      this.#wake()
    })
    this.closed = new Promise((resolve) => {
      const end = (): void => {
        this.#isClosed = true
        this.#wake()
        resolve()
      }
      socket.once('end', end).once('close', end)
    })
  }

  /** `from`: another loopback address such as 127.0.0.2, which the server takes for another client. */
  static async open(url: string, from = '127.0.0.1'): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), localAddress: from })
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** @returns whether more can be sent at once; false also when the connection is closed */
  write(bytes: string | Buffer): boolean {
    return !this.#isClosed && this.socket.writable && this.socket.write(bytes)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The next response, 1xx included. @returns undefined when the connection ends before it is complete */
  async reply(): Promise<Reply | undefined> {
    for (;;) {
      const found = this.#takeReply()
      if (found) return found
      if (this.#isClosed) return undefined
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #takeReply(): Reply | undefined {
    const headEnd = this.#heard.indexOf(HEAD_END)
    if (headEnd < 0) return undefined
    const [first = '', ...lines] = this.#heard.toString('latin1', 0, headEnd).split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(/:\s*/, 2) as [string, string]))
    const start = headEnd + HEAD_END.length
    const end = start + Number(headers.get('content-length') ?? 0)
    if (this.#heard.length < end) return undefined
    const text = this.#heard.toString('utf8', start, end)
    this.#heard = this.#heard.subarray(end)
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return {
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]),
      headers,
      body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
    }
  }

  destroy(): void {
    this.socket.destroy()
  }
}

/** The head of a request, with the empty line after it. */
export const headOf = (method: string, path: string, headers: Record<string, string | number>): string =>
  [`${method} ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )

/** Sends one request with a body on its own connection. @returns undefined when no response comes */
export const sendRaw = async (
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body: Buffer },
): Promise<Reply | undefined> => {
  const connection = await RawConnection.open(url)
  try {
    connection.write(
      headOf(method, path, {
        host: 'localhost',
        'content-type': 'application/json',
        ...headers,
        'content-length': body.length,
      }),
    )
    connection.write(body)
    return await connection.reply()
  } finally {
    connection.destroy()
  }
}
