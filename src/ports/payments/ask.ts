import { quoted } from '#kernel/basics/quote.ts'
import type { Asked, Unanswered } from './port.ts'

/** A provider may take its time to open a page, and a payer waits for it. */
const DEADLINE_MS = 15_000
const MAX_RESPONSE_BYTES = 900_000
const LONGEST_WORDS = 300

interface Request {
  url: string
  headers: Readonly<Record<string, string>>
  deadlineMs: number
  maxResponseBytes: number
}
type Result =
  | { ok: boolean; status: number; body: Buffer; excerpt: string }
  | { ok: false; status: null; error: string }

/** What of the program's guarded client for requests to other servers is needed here. */
export interface Requests {
  get(request: Request): Promise<Result>
  post(request: Request & { body: string }): Promise<Result>
}

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

export interface Question<T> {
  url: string
  headers: Readonly<Record<string, string>>
  /** undefined: it is a GET. */
  body?: string
  /** They are taken out of the provider's words. */
  secrets: readonly string[]
  /** Reads an answer whose status is 2xx. @returns undefined: it is not what the documents say */
  read(json: unknown): T | Unanswered | undefined
  /** The words of a refusal. */
  wordsOf(json: unknown): string | undefined
}

export const unanswered = (words: string, mayPass: boolean): Unanswered => ({ ok: false, mayPass, words })

const isUnanswered = (value: unknown): value is Unanswered =>
  typeof value === 'object' && value !== null && 'mayPass' in value

const TOO_MANY = 429
const LOCKED = 409

/** Asks a provider one thing. It throws for nothing that the other side does. */
export const askProvider = async <T>(requests: Requests, asked: Question<T>): Promise<Asked<T>> => {
  const { url, body, secrets, read, wordsOf } = asked
  const request = {
    url,
    headers: { Accept: 'application/json', ...asked.headers },
    deadlineMs: DEADLINE_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  }
  const result = await (body === undefined ? requests.get(request) : requests.post({ ...request, body }))
  if (result.status === null) return unanswered(`The provider could not be reached: ${result.error}.`, true)
  const { status, excerpt } = result
  const json = jsonOf(result.body)
  if (!result.ok) {
    const words = quoted(wordsOf(json) ?? excerpt, secrets, LONGEST_WORDS - 40)
    const said = `The provider answered ${status}${words === '' ? '.' : `: ${words}`}`
    return unanswered(said, status >= 500 || status === TOO_MANY || status === LOCKED)
  }
  const value = read(json)
  if (value === undefined) return unanswered('The provider’s answer is not what its documents say.', false)
  if (isUnanswered(value)) return { ...value, words: quoted(value.words, secrets, LONGEST_WORDS) }
  return { ok: true, value }
}
