import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const LOOK_EVERY_MILLIS = 250
const LOOK_MILLIS = 1000

/**
 * The balancer before the processes of a cloud, as its vendor runs one: in turn to each process that calls itself ready,
 * which it asks four times a second; where none does, to each that lives. It asks none a second time: what a process
 * leaves unanswered gets 502.
 */
export class Door {
  readonly #server: http.Server
  readonly #ports: readonly number[]
  readonly #ready = new Set<number>()
  readonly #live = new Set<number>()
  readonly #agent = new http.Agent({ keepAlive: true })
  #looking: NodeJS.Timeout | undefined
  #turn = 0

  constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = http.createServer((request, response) => {
      const port = this.#next()
      if (port === undefined) {
        response.writeHead(503).end('{"error":{"code":"NOBODY"}}')
        return
      }
      const { method, url, headers } = request
      const onward = http.request(
        { host: '127.0.0.1', port, method, path: url, headers, agent: this.#agent },
        (reply) => {
          response.writeHead(reply.statusCode ?? 502, reply.headers)
          reply.once('error', () => response.destroy())
          reply.pipe(response)
        },
      )
      onward.on('error', () => {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end('{"error":{"code":"GONE"}}')
      })
      response.once('close', () => onward.destroy())
      request.pipe(onward)
    })
  }

  #next(): number | undefined {
    const open = this.#ports.filter((port) => (this.#ready.size > 0 ? this.#ready : this.#live).has(port))
    this.#turn += 1
    return open[this.#turn % open.length]
  }

  async #look(port: number): Promise<void> {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/health/ready`, {
      signal: AbortSignal.timeout(LOOK_MILLIS),
    }).catch(() => undefined)
    for (const [ports, isIn] of [
      [this.#ready, reply?.ok === true],
      [this.#live, reply !== undefined],
    ] as const) {
      if (isIn) ports.add(port)
      else ports.delete(port)
    }
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#looking = setInterval(() => {
      for (const port of this.#ports) void this.#look(port)
    }, LOOK_EVERY_MILLIS)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** How many processes it leads to. */
  get readyCount(): number {
    return this.#ready.size
  }

  close(): void {
    clearInterval(this.#looking)
    this.#server.close()
    this.#server.closeAllConnections()
    this.#agent.destroy()
  }
}
