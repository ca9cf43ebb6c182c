import { NoReply } from '../../shared/reply-to.ts'
import type { Reason } from './contract.d.ts'

/** One field of a request that was refused. */
export interface Issue {
  /** The path of the field in the body. */
  path: string[]
  message: string
}

interface ErrorBody {
  code: string
  message: string
  details?: { reason?: string; issues?: { path: (string | number)[]; message: string }[] } & Record<string, unknown>
  requestId?: string
}

const isPage = (headers: Headers): boolean => /^text\/html\b/i.test(headers.get('Content-Type') ?? '')

/** Whether this refuses, or is no reply of the API although it says that all is well: the network’s own page, as a hotel’s. */
export const hasFailed = (response: Response): boolean => !response.ok || isPage(response.headers)

/** Why a request failed. */
export class Problem extends Error {
  /** 0: no reply came, so nobody knows whether the request took effect. */
  readonly status: number
  /** The contract's error code, or '' where there is none. */
  readonly code: string
  /** Which case of the code it is. */
  readonly reason: Reason | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string | undefined
  /** Whether something in front of the server answered in its place: a proxy, a firewall, the network's own page. */
  readonly isForeign: boolean
  /** Whether that was a web page. */
  readonly isPage: boolean

  constructor(status: number, body: Partial<ErrorBody> = {}, headers: Headers = new Headers(), isForeign = false) {
    super(body.message ?? '')
    this.status = status
    this.code = body.code ?? ''
    this.details = body.details ?? {}
    this.reason = body.details?.reason as Reason | undefined
    this.issues = (body.details?.issues ?? []).map(({ path, message }) => {
      const words = path.map(String)
      // A field may be called body too.
      return { path: words[0] === 'body' && words.length > 1 ? words.slice(1) : words, message }
    })
    const seconds = Number.parseInt(headers.get('Retry-After') ?? '', 10)
    this.retryAfterSeconds = seconds > 0 ? seconds : undefined
    this.requestId = body.requestId ?? headers.get('X-Request-Id') ?? undefined
    this.isForeign = isForeign
    this.isPage = isForeign && isPage(headers)
  }

  /** Whether this field of the request is refused. */
  concerns(field: string): boolean {
    return this.issues.some(({ path }) => path[0] === field)
  }

  /** Whether a field of this name is refused, wherever it stands in the request. */
  refuses(name: string): boolean {
    return this.issues.some(({ path }) => path.at(-1) === name)
  }

  get isUnreachable(): boolean {
    return this.status === 0
  }
}

/** @throws Problem that says so where no reply came, and everything else as it is */
export const unreachable = (error: unknown): never => {
  throw error instanceof NoReply ? new Problem(0) : error
}

/** The problem of a reply that refuses, or is none of the API. */
export const problemOf = async (response: Response): Promise<Problem> => {
  const text = await response.text().catch(() => '')
  let body: { error?: ErrorBody } = {}
  try {
    body = JSON.parse(text) as { error?: ErrorBody }
  } catch {
    // A proxy on the way answered with a page of its own.
  }
  return new Problem(response.status, body.error, response.headers, body.error === undefined)
}
