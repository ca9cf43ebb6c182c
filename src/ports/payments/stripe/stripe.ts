import * as v from 'valibot'
import type { Locale } from '#shared/locale.ts'
import { askProvider, unanswered, type Question, type Requests } from '../ask.ts'
import type { Account, Asked, OnPage, PaymentPort } from '../port.ts'
import { readEvent } from './events.ts'
import { Session, stateOf } from './session.ts'

/**
 * Stripe Checkout, over its API of https://docs.stripe.com/api/checkout/sessions. The account has `secretKey` (sk_… or
 * rk_… with rights to write Checkout Sessions) and `webhookSecret` (whsec_… of the endpoint that the institute adds in
 * Stripe's dashboard).
 */

const API = 'https://api.stripe.com/v1'
/** The version that the fields read here are of. Without it the account's own counts, which may change. */
const VERSION = '2026-10-28.endive'
const AT_ONCE = 100
const MOST_PAGES = 50

/**
 * The languages of its page. Hebrew and Arabic are not among them, though Stripe's form fields speak both: asking for one
 * is an error (`locale`), so the page follows the payer's browser then.
 */
const LOCALES: Readonly<Record<Locale, string>> = { ar: 'auto', he: 'auto', en: 'en' }

const Failure = v.object({ error: v.object({ message: v.optional(v.string()), code: v.optional(v.string()) }) })
const wordsOf = (json: unknown): string | undefined => {
  if (!v.is(Failure, json)) return undefined
  const { message = '', code } = json.error
  return code === undefined ? message : `${message} (${code})`
}

const Opened = v.object({ id: v.string(), url: v.pipe(v.string(), v.startsWith('https://')) })
const Sessions = v.object({ data: v.array(Session), has_more: v.boolean() })

const seconds = (instant: string): string => String(Math.floor(Date.parse(instant) / 1000))

export const stripePayments = (requests: Requests): PaymentPort => {
  const ask = <T>(
    account: Account,
    path: string,
    { form, key, read }: { form?: Record<string, string>; key?: string; read: Question<T>['read'] },
  ): Promise<Asked<T>> => {
    const secretKey = account['secretKey'] ?? ''
    return askProvider(requests, {
      url: `${API}/${path}`,
      headers: {
        Authorization: `Bearer ${secretKey}`,
        'Stripe-Version': VERSION,
        ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
      secrets: Object.values(account),
      wordsOf,
      read,
    })
  }
  const readSession = (json: unknown) => (v.is(Session, json) ? stateOf(json) : undefined)

  return {
    open: (account, page) => {
      const { reference, about, amountMinor, currency, words, locale, returnUrl, expiresAt } = page
      const marks = (name: string) => ({ [`${name}[reference]`]: reference, [`${name}[about]`]: about })
      return ask(account, 'checkout/sessions', {
        key: reference,
        form: {
          mode: 'payment',
          client_reference_id: reference,
          ...marks('metadata'),
          ...marks('payment_intent_data[metadata]'),
          'payment_intent_data[description]': words,
          'line_items[0][quantity]': '1',
          // Of the currencies of this program each has two decimals, in which Stripe counts too.
          'line_items[0][price_data][currency]': currency.toLowerCase(),
          'line_items[0][price_data][unit_amount]': String(amountMinor),
          'line_items[0][price_data][product_data][name]': words,
          locale: LOCALES[locale],
          success_url: returnUrl,
          cancel_url: returnUrl,
          expires_at: seconds(expiresAt),
        },
        read: (json) => (v.is(Opened, json) ? { pageId: json.id, url: json.url } : undefined),
      })
    },
    close: async (account, pageId) => {
      const path = `checkout/sessions/${encodeURIComponent(pageId)}/expire`
      const closed = await ask(account, path, { form: {}, read: (json) => readSession(json) && null })
      if (closed.ok || closed.mayPass) return closed
      // Only an open page can be ended; whether this one has ended, or was paid meanwhile, is what it says itself.
      const asked = await ask(account, `checkout/sessions/${encodeURIComponent(pageId)}`, { read: readSession })
      return asked.ok && asked.value.is !== 'open' ? { ok: true, value: null } : closed
    },
    ask: (account, pageId) => ask(account, `checkout/sessions/${encodeURIComponent(pageId)}`, { read: readSession }),
    listPaid: async (account, { from, to }) => {
      const found: OnPage[] = []
      let after: string | undefined
      for (let page = 0; page < MOST_PAGES; page++) {
        const query = new URLSearchParams({
          'created[gte]': seconds(from),
          'created[lte]': seconds(to),
          status: 'complete',
          limit: String(AT_ONCE),
          ...(after !== undefined && { starting_after: after }),
        })
        const asked = await ask(account, `checkout/sessions?${query.toString()}`, {
          read: (json) => (v.is(Sessions, json) ? json : undefined),
        })
        if (!asked.ok) return asked
        const { data, has_more: hasMore } = asked.value
        for (const session of data) {
          const says = stateOf(session)
          if (says.is === 'paid') found.push({ ...namedIn(session), says })
        }
        after = data.at(-1)?.id
        if (!hasMore || after === undefined) return { ok: true, value: found }
      }
      return unanswered(`There are more than ${MOST_PAGES * AT_ONCE} payments in this time.`, false)
    },
    readNotice: (account, sent) => readEvent(sent, account['webhookSecret'] ?? ''),
    check: (account) =>
      ask(account, 'checkout/sessions?limit=1', { read: (json) => (v.is(Sessions, json) ? null : undefined) }),
  }
}

const namedIn = (session: Session) => ({
  pageId: session.id,
  reference: session.client_reference_id,
  about: session.metadata?.['about'] ?? null,
})
