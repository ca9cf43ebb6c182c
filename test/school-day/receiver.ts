import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import type { Point } from './killer.ts'

/** Called when a delivery reaches a point, as far as its receiver can see. */
type Reached = (point: Point, deliveryId?: string) => void

export interface ReceivedEvent {
  id: string
  type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each event has its own fields
  data: any
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** An integrator's server: fails at first, then accepts deliveries with a valid signature. */
export class Receiver {
  readonly #server: Server
  readonly #reached: Reached
  #failFirst: number
  secret = ''
  /** By event id: a second delivery of one event counts once. */
  readonly events = new Map<string, ReceivedEvent>()
  deliveries = 0
  failed = 0
  badSignatures = 0

  constructor(failFirst: number, reached: Reached) {
    this.#failFirst = failFirst
    this.#reached = reached
    this.#server = createServer((request, response) => {
      // Ignore a sender that was killed meanwhile.
      this.#answer(request, response).catch(() => {})
    })
    this.#server.on('connection', () => reached('claim'))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    this.#reached('send')
    response.statusCode = this.#take(body, request.headers['x-service-signature'])
    response.end()
    await once(response, 'finish')
    this.#reached('answer')
    if (response.statusCode === 204) this.#reached('mark', request.headers['x-service-delivery'] as string)
  }

  #take(body: string, signature: string | string[] | undefined): number {
    if (this.#failFirst > 0) {
      this.#failFirst -= 1
      this.failed += 1
      return 503
    }
    try {
      Stripe.webhooks.constructEvent(body, signature ?? '', this.secret)
    } catch {
      this.badSignatures += 1
      return 400
    }
    const event = JSON.parse(body) as ReceivedEvent
    this.deliveries += 1
    this.events.set(event.id, event)
    return 204
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  ofType(type: string): ReceivedEvent[] {
    return [...this.events.values()].filter((event) => event.type === type)
  }

  /** Closes idle connections, so that the sender connects anew. */
  closeIdle(): void {
    this.#server.closeIdleConnections()
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
