import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Stripe from 'stripe'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import { askPayplus, PAYPLUS, type PayplusPage } from './payments/payplus.ts'
import { askStripe, sessionObject, STRIPE, type StripeSession } from './payments/stripe.ts'

export { PAYPLUS, STRIPE }

/** How a broken or busy provider behaves; null: as it should. */
type Trouble = { status: number; body: string } | 'hangs' | 'cut' | null

/** What a provider sends by itself, ready to be sent, also twice. */
export interface SignedNotice {
  body: string
  headers: Record<string, string>
}

let numbered = 0
const next = (prefix: string): string => `${prefix}${String(++numbered).padStart(8, '0')}`

/**
 * Stands in for Stripe and PayPlus, on this machine, behind the program's own outbound guard: it answers what their public
 * documents say, refuses what they refuse, and signs as they do, Stripe’s notices with Stripe’s own library.
 * @param millis the time of the test’s clock
 */
export const startPaymentProviders = async (millis: () => number) => {
  const sessions = new Map<string, StripeSession>()
  const pages = new Map<string, PayplusPage>()
  const keys = new Map<string, string>()
  const asked: string[] = []
  let trouble: Trouble = null
  let held: Promise<void> | undefined

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(request)).toString()
    const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? []
    asked.push(`${request.method} ${host}${path}`)
    await held
    if (trouble === 'hangs') return
    if (trouble === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 }).write('{"id": ')
      setImmediate(() => request.socket.destroy())
      return
    }
    if (trouble) {
      response.writeHead(trouble.status).end(trouble.body)
      return
    }
    const ask = { method: request.method ?? '', path, headers: request.headers, body, now: millis(), next }
    const reply =
      host === 'api.stripe.com'
        ? askStripe(ask, { sessions, keys })
        : host === 'restapidev.payplus.co.il'
          ? askPayplus(ask, pages)
          : { status: 404, json: {} }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const guarded = guardedOutbound({ policy: { blockPrivate: false, requireHttps: false } })
  const here = <R extends { url: string; deadlineMs?: number }>(request: R): R => ({
    ...request,
    url: request.url.replace('https:/', `http://127.0.0.1:${port}`),
    deadlineMs: Math.min(request.deadlineMs ?? 2000, 2000),
  })
  const outbound: Outbound = {
    post: (request) => guarded.post(here(request)),
    get: (request) => guarded.get(here(request)),
    close: () => guarded.close(),
  }

  const sessionOf = (id: string): StripeSession => {
    const session = sessions.get(id)
    if (!session) throw new Error(`no session ${id}`)
    return session
  }
  const signed = (type: string, object: unknown, at = millis(), id = next('evt_')): SignedNotice => {
    const seconds = Math.floor(at / 1000)
    const body = JSON.stringify({ id, object: 'event', created: seconds, type, data: { object } }, null, 2)
    const header = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: STRIPE.webhookSecret,
      timestamp: seconds,
    })
    return { body, headers: { 'stripe-signature': header, 'content-type': 'application/json; charset=utf-8' } }
  }

  return {
    outbound,
    sessions,
    pages,
    /** The requests that came, such as `POST api.stripe.com/v1/checkout/sessions`. */
    asked,
    /** As a new account. */
    forget: (): void => {
      for (const kept of [sessions, pages, keys]) kept.clear()
      trouble = null
    },
    behave: (now: Trouble): void => {
      trouble = now
    },
    /** Lets requests wait until the returned function is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    },
    stripe: {
      /** Somebody pays by card; or by another way, whose bank answers later. */
      pay: (id: string, paid: { amount?: number; currency?: string; later?: boolean } = {}): void => {
        const session = sessionOf(id)
        session.status = 'complete'
        session.payment_intent = next('pi_')
        session.payment_status = paid.later === true ? 'unpaid' : 'paid'
        if (paid.amount !== undefined) session.amount_total = paid.amount
        if (paid.currency !== undefined) session.currency = paid.currency
      },
      arrive: (id: string): void => {
        sessionOf(id).payment_status = 'paid'
      },
      expire: (id: string): void => {
        sessionOf(id).status = 'expired'
      },
      /** The event of this type about a session, as it stands now. */
      notice: (type: string, id: string, at?: number): SignedNotice =>
        signed(`checkout.session.${type}`, sessionObject(sessionOf(id)), at),
      about: (type: string, object: unknown): SignedNotice => signed(type, object),
    },
    payplus: {
      pay: (id: string, paid: { amount?: number | string; currency?: string; code?: string } = {}): void => {
        const page = pages.get(id)
        if (!page) throw new Error(`no page ${id}`)
        page.transaction = {
          uid: next('tx-'),
          status_code: paid.code ?? '000',
          amount: paid.amount ?? page.amount,
          currency: paid.currency ?? page.currency,
        }
      },
      notice: (id: string, type = 'Charge'): SignedNotice => {
        const page = pages.get(id)
        if (!page?.transaction) throw new Error(`nothing was tried on ${id}`)
        const transaction = {
          ...page.transaction,
          payment_page_request_uid: id,
          more_info: page.more_info,
          more_info_2: page.more_info_2,
        }
        const body = JSON.stringify({ transaction_type: type, transaction, data: { customer_uid: 'c-1' } })
        const hash = createHmac('sha256', PAYPLUS.secretKey).update(body).digest('base64')
        return { body, headers: { hash, 'user-agent': 'PayPlus', 'content-type': 'application/json' } }
      },
    },
    close: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await guarded.close()
    },
  }
}

export type PaymentProviders = Awaited<ReturnType<typeof startPaymentProviders>>
