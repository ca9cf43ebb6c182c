import { quoted } from '#kernel/basics/quote.ts'
import type { OutboundResult } from '#ports/outbound/port.ts'
import type { Outcome } from '../channels/channel.ts'

/** What is wrong when a provider refuses: the message or its recipient, the institute's account, or only the moment. */
export type Meaning = 'message' | 'account' | 'moment'

/** A refusal in a provider's own format. */
export interface Refusal {
  words: string
  /** undefined: its code is not a known one; the HTTP status decides. */
  meaning: Meaning | undefined
}

const LONGEST_WORDS = 300
const LONGEST_WAIT_SECONDS = 86_400
const REQUEST_TIMEOUT = 408
const TOO_EARLY = 425
const TOO_MANY = 429

/** The seconds of a header Retry-After, which is a number of seconds or a date; at most a day. */
export const waitOf = (retryAfter: string | undefined, now: string): { retryAfterSeconds?: number } => {
  if (retryAfter === undefined) return {}
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.parse(now)) / 1000)
  return seconds > 0 ? { retryAfterSeconds: Math.min(seconds, LONGEST_WAIT_SECONDS) } : {}
}

const meaningOf = (status: number): Meaning => {
  if (status === 401 || status === 403) return 'account'
  return status >= 500 || [REQUEST_TIMEOUT, TOO_EARLY, TOO_MANY].includes(status) ? 'moment' : 'message'
}

/** The JSON of an answer; undefined: it is not JSON. */
export const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

interface Reading {
  now: string
  /** They are taken out of the provider's words. */
  secrets: readonly string[]
  /** @returns undefined: the answer is not in the provider's format */
  refusalOf: (json: unknown) => Refusal | undefined
}

/** The outcome of a request to a provider. If it refuses the account, the message is tried again: the account may be mended. */
export const outcomeOf = (result: OutboundResult, { now, secrets, refusalOf }: Reading): Outcome => {
  if (result.status === null) return { kind: 'later', reason: `The provider could not be reached: ${result.error}.` }
  if (result.ok) return { kind: 'sent' }
  const { status } = result
  const refusal = refusalOf(jsonOf(result.body))
  const words = quoted(refusal?.words ?? result.excerpt, secrets, LONGEST_WORDS)
  const said = words === '' ? `The provider answered ${status}.` : `The provider answered ${status}: ${words}`
  const meaning = refusal?.meaning ?? meaningOf(status)
  if (meaning === 'message') return { kind: 'failed', reason: said }
  if (meaning === 'moment') return { kind: 'later', reason: said, ...waitOf(result.retryAfter, now) }
  return { kind: 'later', reason: `The provider refuses the institute’s account. ${said}` }
}
