import { createECDH, randomBytes } from 'node:crypto'
import type { Outbound, OutboundRequest, OutboundResult, PolicedOutbound } from '#ports/outbound/port.ts'

const ANSWERED: OutboundResult = {
  ok: true,
  status: 201,
  body: Buffer.alloc(0),
  truncated: false,
  excerpt: '',
  durationMs: 1,
}
const UNANSWERED: OutboundResult = { ok: false, status: null, error: 'no complete answer', durationMs: 5000 }

/** A browser's subscription at a push service. */
export const subscriptionAt = (host: string) => ({
  endpoint: `https://${host}/push/${randomBytes(12).toString('hex')}`,
  keys: {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
})

/** Push services by host: all take messages, but those that hang, whose requests end when the test says so. */
export class FakePushServices implements PolicedOutbound {
  readonly policy = { blockPrivate: true, requireHttps: true }
  readonly asked: OutboundRequest[] = []
  readonly #hanging = new Set<string>()
  #held: (() => void)[] = []

  readonly outbound: Outbound = {
    post: async (request) => {
      this.asked.push(request)
      if (!this.#hanging.has(new URL(request.url).host)) return ANSWERED
      await new Promise<void>((resolve) => this.#held.push(resolve))
      return UNANSWERED
    },
    get: async () => UNANSWERED,
    close: async () => this.giveUp(),
  }

  /** How many requests a host got so far. */
  askedAt(host: string): number {
    return this.asked.filter(({ url }) => new URL(url).host === host).length
  }

  hang(host: string): void {
    this.#hanging.add(host)
  }

  recover(host: string): void {
    this.#hanging.delete(host)
  }

  /** Ends the requests that hang, as their deadline would. */
  giveUp(): void {
    for (const end of this.#held.splice(0)) end()
  }
}
