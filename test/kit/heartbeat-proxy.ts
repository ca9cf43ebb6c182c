import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  INSTALL_KEY_HEADER,
  INSTALL_SIGNATURE_HEADER,
  type Envelope,
  type EnvelopePayload,
  type HeartbeatInput,
} from '#modules/licensing/protocol.ts'

const PATH = '/api/v1/platform/licenses/heartbeat'

/** What an envelope says, believed or not. */
export const saidIn = ({ payload }: Envelope): EnvelopePayload =>
  JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as EnvelopePayload

/** A heartbeat, and what the vendor answered. */
export interface Exchange {
  heartbeat: HeartbeatInput
  envelope: Envelope
}

/** @returns what the install gets in place of the vendor's answer; undefined: its connection breaks */
export type Interference = (exchange: Exchange) => unknown

/** Stands between an install and its vendor's server, and can do there what anybody on the way could. */
export class HeartbeatProxy {
  /** The heartbeats that the vendor answered, and its answers, also those that did not reach the install. */
  readonly exchanges: Exchange[] = []
  readonly #vendorUrl: string
  readonly #server = createServer((request, response) => {
    this.#take(request, response).catch(() => response.destroy())
  })
  #isCut = false
  #interference: Interference = ({ envelope }) => envelope

  private constructor(vendorUrl: string) {
    this.#vendorUrl = vendorUrl
  }

  static async start(vendorUrl: string): Promise<HeartbeatProxy> {
    const proxy = new HeartbeatProxy(vendorUrl)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** From now on the install gets the vendor's answers. */
  pass(): void {
    this.answerBy(({ envelope }) => envelope)
  }

  /** From now on nothing reaches the vendor, and nothing the install. */
  cut(): void {
    this.answerBy(() => undefined)
    this.#isCut = true
  }

  /** From now on the vendor hears the install, and the install gets something else for an answer. */
  answerBy(interference: Interference): void {
    this.#isCut = false
    this.#interference = interference
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    if (this.#isCut) {
      response.destroy()
      return
    }
    const headers = [INSTALL_KEY_HEADER, INSTALL_SIGNATURE_HEADER].map((name) => {
      return [name, String(request.headers[name.toLowerCase()])] as const
    })
    const reply = await fetch(`${this.#vendorUrl}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
      body,
    })
    const exchange = {
      heartbeat: JSON.parse(body.toString('utf8')) as HeartbeatInput,
      envelope: (await reply.json()) as Envelope,
    }
    if (reply.ok) this.exchanges.push(exchange)
    const answer = await this.#interference(exchange)
    if (answer === undefined) response.destroy()
    else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
}
