import * as v from 'valibot'
import { serverRoot } from '#app/config/setting.ts'
import { version } from '#executable/version.ts'
import { WrongUsage } from '../command.ts'
import { printable } from '../table.ts'

const TIMEOUT_MILLIS = 15_000
const API = '/api/v1'

/** The server refused a request. The message is one line: why, the code, and the request's id in its log. */
export class Refused extends Error {
  readonly status: number
  /** For the second step of a sign-in; undefined: none is asked for. */
  readonly ticket: string | undefined

  constructor(status: number, message: string, ticket?: string) {
    super(message)
    this.name = 'Refused'
    this.status = status
    this.ticket = ticket
  }
}

/** The address of a server: https, or http on this machine, because elsewhere others would read the password. @throws WrongUsage */
export const serverOf = (given: string): string => {
  const server = serverRoot(given)
  if (server !== undefined) return server
  throw new WrongUsage(
    '--server is the root of a server: https://…, or http://… on this machine (localhost, 127.0.0.1).',
  )
}

const why = (error: unknown, server: string): string => {
  const { name, cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
  if (name === 'TimeoutError') return `${server} has not answered within ${TIMEOUT_MILLIS / 1000} seconds.`
  const reason = cause?.code ?? cause?.message ?? message
  return `${server} cannot be reached (${printable(reason)}).`
}

const Envelope = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    requestId: v.string(),
    details: v.optional(
      v.object({
        issues: v.optional(
          v.array(v.object({ path: v.array(v.union([v.string(), v.number()])), message: v.string() })),
        ),
        ticket: v.optional(v.string()),
      }),
    ),
  }),
})

const parsed = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const refusal = (status: number, body: unknown, server: string): Refused => {
  const envelope = v.safeParse(Envelope, body)
  if (!envelope.success)
    return new Refused(status, `What answers at ${server} is no institute server (HTTP ${status}).`)
  const { code, message, requestId, details } = envelope.output.error
  const issues = (details?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`).join(' ')
  const text = printable(`${`${message} ${issues}`.trim()} (${code}, request ${requestId})`)
  return new Refused(status, text, details?.ticket)
}

export interface Ask {
  method: string
  /** Below /api/v1. */
  path: string
  body?: unknown
  accessToken?: string
}

/**
 * Asks a server. Follows no redirects, so that a token goes nowhere else.
 * @returns the parsed reply @throws Refused, or an Error that says why there is no answer
 */
export const ask = async (server: string, { method, path, body, accessToken }: Ask): Promise<unknown> => {
  const answer = await fetch(`${server}${API}${path}`, {
    method,
    headers: {
      'user-agent': `institute-vendor/${version}`,
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MILLIS),
  })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: unknown) => why(error, server))
  // Without the cause: its code would be taken for one of this machine's own database or files.
  if (typeof answer === 'string') throw new Error(answer)
  const { status, text } = answer
  const reply = parsed(text)
  if (status < 200 || status > 299 || (status !== 204 && reply === undefined)) throw refusal(status, reply, server)
  return reply
}
