import type { IncomingHttpHeaders } from 'node:http'

export const STRIPE = {
  secretKey: `rk_test_${'0a'.repeat(16)}`,
  webhookSecret: `whsec_${'1b'.repeat(16)}`,
}

export interface StripeSession {
  id: string
  created: number
  expires_at: number
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  payment_intent: string | null
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Record<string, string>
}

export interface Ask {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  now: number
  next(prefix: string): string
}

export interface Reply {
  status: number
  json: unknown
}

const error = (status: number, message: string, code?: string): Reply => ({
  status,
  json: { error: { type: 'invalid_request_error', message, ...(code && { code }) } },
})

/** As https://docs.stripe.com/api/checkout/sessions/object has it, with some of the fields that are of no concern here. */
export const sessionObject = (session: StripeSession) => ({
  ...session,
  object: 'checkout.session',
  livemode: false,
  mode: 'payment',
  url: session.status === 'open' ? `https://checkout.stripe.com/c/pay/${session.id}` : null,
})

/** Those of the parameter `locale`, from https://docs.stripe.com/api/checkout/sessions/create. */
const LOCALES =
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'.split(
    ' ',
  )
const HALF_AN_HOUR = 1800
const A_DAY = 86_400

interface State {
  sessions: Map<string, StripeSession>
  /** By Idempotency-Key: the parameters, and the session that came of them. */
  keys: Map<string, string>
}

const create = ({ headers, body, now, next }: Ask, { sessions, keys }: State): Reply => {
  const form = new URLSearchParams(body)
  const key = headers['idempotency-key'] as string | undefined
  const known = key === undefined ? undefined : keys.get(key)
  if (known !== undefined) {
    const [params = '', id = ''] = known.split('\n')
    if (params !== body) {
      return error(
        400,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      )
    }
    return { status: 200, json: sessionObject(sessions.get(id) as StripeSession) }
  }
  const unit = Number(form.get('line_items[0][price_data][unit_amount]'))
  const currency = form.get('line_items[0][price_data][currency]') ?? ''
  const expiresAt = Number(form.get('expires_at'))
  const seconds = Math.floor(now / 1000)
  if (form.get('mode') !== 'payment') return error(400, 'Missing required param: mode.')
  if (!Number.isSafeInteger(unit)) return error(400, 'Invalid integer: unit_amount')
  if (!/^[a-z]{3}$/.test(currency)) return error(400, `Invalid currency: ${currency}.`)
  if (unit < 200) {
    return error(400, 'The Checkout Session’s total amount due must add up to at least ₪2.00 ils', 'amount_too_small')
  }
  if (!LOCALES.includes(form.get('locale') ?? 'auto')) {
    return error(400, `Invalid locale: must be one of ${LOCALES.join(', ')}`)
  }
  if (expiresAt < seconds + HALF_AN_HOUR || expiresAt > seconds + A_DAY) {
    return error(
      400,
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.',
    )
  }
  for (const url of ['success_url', 'cancel_url']) {
    if (URL.parse(form.get(url) ?? '') === null) return error(400, `Not a valid URL: ${url}`, 'url_invalid')
  }
  const metadata = Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const [, field] = /^metadata\[(\w+)\]$/.exec(name) ?? []
      return field === undefined ? [] : [[field, value]]
    }),
  )
  const session: StripeSession = {
    id: next('cs_test_'),
    created: seconds,
    expires_at: expiresAt,
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    amount_total: unit * Number(form.get('line_items[0][quantity]')),
    currency,
    client_reference_id: form.get('client_reference_id'),
    metadata,
  }
  sessions.set(session.id, session)
  if (key !== undefined) keys.set(key, `${body}\n${session.id}`)
  return { status: 200, json: sessionObject(session) }
}

const list = (query: URLSearchParams, { sessions }: State): Reply => {
  const all = [...sessions.values()]
    .toReversed()
    .filter(
      (session) =>
        session.created >= Number(query.get('created[gte]') ?? 0) &&
        session.created <= Number(query.get('created[lte]') ?? Infinity) &&
        (query.get('status') === null || session.status === query.get('status')),
    )
  const after = query.get('starting_after')
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  const limit = Number(query.get('limit') ?? 10)
  const data = all.slice(from, from + limit)
  const json = { object: 'list', data: data.map(sessionObject), has_more: from + limit < all.length }
  return { status: 200, json }
}

export const askStripe = (ask: Ask, state: State): Reply => {
  const { method, headers } = ask
  if (headers.authorization !== `Bearer ${STRIPE.secretKey}`) {
    return error(401, `Invalid API Key provided: ${headers.authorization?.slice('Bearer '.length)}`)
  }
  const { pathname, searchParams } = new URL(ask.path, 'https://api.stripe.com')
  if (pathname === '/v1/checkout/sessions') return method === 'POST' ? create(ask, state) : list(searchParams, state)
  const [, id = '', expire] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(pathname) ?? []
  const session = state.sessions.get(id)
  if (!session) return error(404, `No such checkout.session: ${id}`, 'resource_missing')
  if (expire !== undefined && method === 'POST') {
    if (session.status !== 'open') {
      return error(
        400,
        `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
      )
    }
    session.status = 'expired'
  }
  return { status: 200, json: sessionObject(session) }
}
