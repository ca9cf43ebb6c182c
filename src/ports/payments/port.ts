import type { Currency } from '#kernel/values/money.ts'
import type { Locale } from '#shared/locale.ts'

/**
 * A provider on whose own page people pay by card: no card number comes near this server. Each adapter is a few requests
 * over the guarded outbound client, written after the provider's public documents. Stripe's own library would add 23 MB to
 * a single executable and a second HTTP client that asks no policy about addresses; PayPlus publishes none. Tests hold the
 * adapters against a local stand-in that signs with Stripe's library. They were not tried against the services themselves.
 */
export interface PaymentPort {
  /** Opens a page. The same reference opens the same page again where the provider can (`Idempotency-Key`). */
  open(account: Account, page: NewPage): Promise<Asked<OpenedPage>>
  /** Ends a page on which nothing was paid; one that has ended already is fine. */
  close(account: Account, pageId: string): Promise<Asked<null>>
  /** How a page stands. */
  ask(account: Account, pageId: string): Promise<Asked<PageState>>
  /**
   * All that was paid on pages which were opened from one instant to another, whether they are known here or not; null: the
   * provider's documents name no list that could be relied on, so each page is asked for.
   */
  readonly listPaid: ((account: Account, time: { from: string; to: string }) => Promise<Asked<OnPage[]>>) | null
  /** Reads what the provider sends by itself. It throws for nothing that is sent. */
  readNotice(account: Account, sent: Sent): Notice | Refused
  /** Whether the account is taken, without paying anything. */
  check(account: Account): Promise<Asked<null>>
}

/** What the institute has at the provider, with its secrets. The names of its fields are the adapter's. */
export type Account = Readonly<Record<string, string>>

export interface NewPage {
  /** The id of the payment here: a UUID. */
  reference: string
  /** The id of what is paid: a UUID. With it a payment finds its place again after a backup was restored. */
  about: string
  /** In minor units. */
  amountMinor: number
  currency: Currency
  /** What is paid, in the payer's language: one line of at most 250 characters. */
  words: string
  locale: Locale
  /** Where the payer comes back to, paid or not. */
  returnUrl: string
  /** Where the provider sends its notices, if it is told so with each page. */
  noticeUrl: string
  /** When the page ends: half an hour to a day from now. */
  expiresAt: string
  now: string
}

interface OpenedPage {
  pageId: string
  /** An https address at the provider. */
  url: string
}

/** What somebody paid. */
export interface Taken {
  /** By which the provider knows it. */
  paymentId: string
  /** In minor units, whatever was asked for. */
  amountMinor: number
  /** Three capital letters. */
  currency: string
  paidAt: string
}

export type PageState =
  | { is: 'open' }
  /** The payer did their part, and the bank has yet to do its own. */
  | { is: 'pending' }
  | { is: 'expired' }
  | { is: 'failed' }
  | ({ is: 'paid' } & Taken)

/** What becomes of a payment later, at the provider or the bank. */
export interface TakenBack {
  is: 'refunded' | 'disputed'
  paymentId: string
  amountMinor: number
  currency: string
}

/** Which page it was, and what the page was given when it was opened; null: it is not said. */
interface PageNamed {
  pageId: string | null
  reference: string | null
  about: string | null
}

export type OnPage = PageNamed & { says: PageState | TakenBack }

export interface Sent {
  /** Exactly as they came. */
  bytes: Uint8Array
  header(name: string): string | undefined
  now: string
}

export type Notice = {
  is: 'notice'
  /** By which the same notice is known when it is sent again. */
  id: string
  /** null: it is about something that is of no concern here. */
  tells: OnPage | null
}

export interface Refused {
  is: 'refused'
  why: 'not_signed' | 'wrong_signature' | 'too_old' | 'not_readable'
}

/** What a question to the provider came to. */
export type Asked<T> = { ok: true; value: T } | Unanswered

export interface Unanswered {
  ok: false
  /** Whether asking the same again may help: the provider did not answer, or had too much to do. */
  mayPass: boolean
  /** In the provider's words, without secrets: one line of at most 300 characters. */
  words: string
}
