import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { vi } from 'vitest'

export interface Received {
  headers: Record<string, string | string[] | undefined>
  body: string
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

export type WebhookReceiver = Awaited<ReturnType<typeof startReceiver>>

/** Starts a webhook receiver that answers with the given statuses, and repeats the last one. */
export const startReceiver = async (...statuses: number[]) => {
  const received: Received[] = []
  let held = Promise.resolve()
  let answerSpecially: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  const statusOf = (index: number): number => statuses[Math.min(index, statuses.length - 1)] ?? 204

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const index = received.push({ headers: request.headers, body }) - 1
    await held
    if (answerSpecially) answerSpecially(request, response)
    else response.writeHead(statusOf(index)).end('noted')
  }
  const server = createServer((request, response) => {
    // Ignore senders that hang up.
    take(request, response).catch(() => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** Answers with these statuses from now on, and repeats the last one. */
    answer: (...next: number[]): void => {
      answerSpecially = undefined
      statuses.splice(0, statuses.length, ...Array.from({ length: received.length }, () => 0), ...next)
    },
    /** Answers with this function from now on. */
    answerBy: (how: (request: IncomingMessage, response: ServerResponse) => void): void => {
      answerSpecially = how
    },
    /** Accepts requests and answers none of them until the returned function is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Checks a delivery's signature with an independent verifier (Stripe's). @returns the event @throws for a wrong
 * signature
 */
export const verified = ({ headers, body }: Received, secret: string, atMillis: number) =>
  Stripe.webhooks.constructEvent(
    body,
    headers['x-service-signature'] as string,
    secret,
    300,
    undefined,
    atMillis,
  ) as unknown as { id: string; type: string; data: Record<string, unknown> }

/** Checks a delivery with the library of Standard Webhooks. @returns the event @throws for a wrong signature */
export const verifiedByStandard = ({ headers, body }: Received, secret: string, atMillis: number) => {
  // The library asks the system's clock.
  vi.useFakeTimers({ toFake: ['Date'], now: atMillis })
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) as ReturnType<typeof verified>
  } finally {
    vi.useRealTimers()
  }
}
