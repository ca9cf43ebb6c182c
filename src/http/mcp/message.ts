import * as v from 'valibot'
import { ApiError } from '#kernel/values/errors.ts'
import { parseJson } from '#http/bodies/input.ts'
import { JSON_NO_STORE, type Reply } from '#http/replies/reply.ts'

/** Messages of JSON-RPC 2.0, as MCP has them: one in each body. */

export type RpcId = string | number

/** The codes of refusals: those of JSON-RPC, of the transport (-32000), and of MCP. */
export const RPC = {
  transport: -32_000,
  headerMismatch: -32_020,
  unsupportedRevision: -32_022,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  parseError: -32_700,
} as const

/** A refusal of a message, in the words of the protocol. */
export class RpcRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly data: Record<string, unknown> | undefined

  constructor(status: number, code: number, message: string, data?: Record<string, unknown>) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** An object with these fields and any others. Valibot alone takes a list for an object too. */
export const object = <T extends v.ObjectEntries>(entries: T) =>
  v.pipe(
    v.custom<object>((value) => !Array.isArray(value), 'Must be an object.'),
    v.looseObject(entries),
  )

const Id = v.union([v.string(), v.pipe(v.number(), v.safeInteger())])

const Params = object({ _meta: v.optional(object({ progressToken: v.optional(Id) })) })
export type Params = v.InferOutput<typeof Params>

const RPC_VERSION = v.literal('2.0')

const Request = v.strictObject({ jsonrpc: RPC_VERSION, id: Id, method: v.string(), params: v.optional(Params) })
const Notification = v.strictObject({ jsonrpc: RPC_VERSION, method: v.string(), params: v.optional(Params) })
const Response = v.union([
  v.strictObject({ jsonrpc: RPC_VERSION, id: Id, result: object({}) }),
  v.strictObject({
    jsonrpc: RPC_VERSION,
    id: v.optional(Id),
    error: object({ code: v.pipe(v.number(), v.safeInteger()), message: v.string() }),
  }),
])

/** A request wants an answer; a notification and a response want none. */
export type Message =
  | { kind: 'request'; id: RpcId; method: string; params: Params | undefined }
  | { kind: 'notification'; method: string; params: Params | undefined }
  | { kind: 'response' }

/** The body of a request. @throws RpcRefusal */
export const parsed = (body: Buffer): unknown => {
  try {
    return parseJson({ body, contentType: 'application/json' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { reason, issues } = (error.details ?? {}) as { reason?: string; issues?: { message: string }[] }
    throw new RpcRefusal(400, RPC.parseError, reason ?? issues?.[0]?.message ?? error.message)
  }
}

const ABORT = { abortEarly: true }

/** @throws RpcRefusal for what is no message */
export const messageOf = (given: unknown): Message => {
  const request = v.safeParse(Request, given, ABORT)
  if (request.success) return { kind: 'request', params: undefined, ...request.output }
  const notification = v.safeParse(Notification, given, ABORT)
  if (notification.success) return { kind: 'notification', params: undefined, ...notification.output }
  if (v.is(Response, given)) return { kind: 'response' }
  throw new RpcRefusal(
    400,
    RPC.invalidRequest,
    typeof given !== 'object' || given === null || Array.isArray(given)
      ? 'The body must be one JSON-RPC message: batches are not taken.'
      : 'The body is no valid JSON-RPC message.',
  )
}

/** The id in what was sent, for the refusal of it, although the rest may be no message. */
const idIn = (given: unknown): RpcId | null => {
  const { method, id } = (given ?? {}) as { method?: unknown; id?: unknown }
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null
}

/** @param json of the result */
export const resultText = (id: RpcId, json: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`

export const refusalText = ({ code, message, data }: RpcRefusal, id: RpcId | null): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })

export const jsonMessage = (status: number, body: string): Reply => ({ status, headers: JSON_NO_STORE, body })

/** @param given what was sent, parsed; undefined: it is not known */
export const refusalOf = (refusal: RpcRefusal, given?: unknown): Reply =>
  jsonMessage(refusal.status, refusalText(refusal, idIn(given)))

/** A stream of events that ends with its first one. */
export const eventMessage = (body: string): Reply => ({
  status: 200,
  headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/event-stream' },
  body: `event: message\ndata: ${body}\n\n`,
})

/** What is taken and not answered. */
export const ACCEPTED: Reply = { status: 202, headers: { 'Cache-Control': 'no-store' }, body: '' }
