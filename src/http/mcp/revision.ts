import * as v from 'valibot'
import { object, RPC, RpcRefusal, type Message, type Params } from './message.ts'

/**
 * Which revision of the protocol a message follows. Since 2026-07-28 every request says so itself, in `_meta`, and its
 * headers repeat it for those that pass it on; a client of an earlier one agrees on it at `initialize`.
 */
export type Revision = 'stateless' | 'negotiated'

/** The one revision in which each request stands for itself. */
export const STATELESS = '2026-07-28'
/** Those that a client can agree on, the newest first. */
export const NEGOTIATED = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const

const META = 'io.modelcontextprotocol/'
const REVISION = `${META}protocolVersion`
export const SERVER_INFO = `${META}serverInfo`
const CAPABILITIES = `${META}clientCapabilities`

const AnyObject = object({})

export const ClientInfo = object({ name: v.string(), version: v.string() })

export const ClientCapabilities = object({
  experimental: v.optional(AnyObject),
  sampling: v.optional(AnyObject),
  elicitation: v.optional(object({ form: v.optional(AnyObject), url: v.optional(AnyObject) })),
  roots: v.optional(AnyObject),
  tasks: v.optional(AnyObject),
  extensions: v.optional(AnyObject),
})

const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

/** What the `_meta` of a request says of it. */
const Envelope = object({
  [REVISION]: v.string(),
  [`${META}clientInfo`]: v.optional(ClientInfo),
  [CAPABILITIES]: ClientCapabilities,
  [`${META}logLevel`]: v.optional(v.picklist(LOG_LEVELS)),
})

export type Header = (name: string) => string | undefined

/** Revisions are dates, so those of one kind can be compared as text. */
const isStateless = (revision: string | undefined): boolean => revision !== undefined && revision >= STATELESS

const metaOf = ({ _meta: meta }: Params = {}): Readonly<Record<string, unknown>> | undefined => meta

const claims = (params: Params | undefined): boolean => Object.hasOwn(metaOf(params) ?? {}, REVISION)

/** Whether a message is the first of a client that wants to agree on a revision. */
export const isHandshake = (message: Message): boolean => message.kind === 'request' && message.method === 'initialize'

/** Whether a request says all that one of the stateless revision has to. */
const isStandingAlone = (params: Params | undefined): boolean => {
  const { success, output } = v.safeParse(Envelope, metaOf(params), { abortEarly: true })
  return success && isStateless(output[REVISION])
}

/** The capabilities that a request says its client has. */
export const capabilitiesIn = (params: Params | undefined): v.InferOutput<typeof ClientCapabilities> =>
  (metaOf(params)?.[CAPABILITIES] ?? {}) as v.InferOutput<typeof ClientCapabilities>

const mismatch = (header: string | undefined, body: string): RpcRefusal =>
  new RpcRefusal(400, RPC.headerMismatch, `The headers and the body disagree: ${body}.`, {
    mismatch: { header: header ?? '(missing)', body },
  })

/** The first of what is wrong with a value, as `name: what`. */
export const problemIn = (schema: v.GenericSchema, value: unknown): { key: string; problem: string } | undefined => {
  const { issues } = v.safeParse(schema, value, { abortEarly: true })
  const [issue] = issues ?? []
  if (!issue) return undefined
  const key = issue.path?.map((item) => String(item.key)).join('.') ?? ''
  return { key, problem: issue.input === undefined ? 'missing' : issue.message }
}

/**
 * @throws RpcRefusal for a message that is of no served revision, or whose headers are missing or say something else
 */
export const revisionOf = (message: Message, header: Header): Revision => {
  const said = header('mcp-protocol-version')?.trim()
  if (message.kind === 'response') return 'negotiated'
  const { method, params } = message
  const isFirst = isHandshake(message) && !isStandingAlone(params)
  if (claims(params) && !isFirst) {
    const revision = claimedBy(message, said)
    checkMethod(method, header)
    if (revision !== STATELESS) throw unsupported(revision)
    if (message.kind === 'request') checkRequestHeaders(message, said, header)
    return 'stateless'
  }
  if (!isStateless(said)) return 'negotiated'
  if (isFirst) throw mismatch(said, `initialize is of revisions before ${STATELESS}`)
  if (message.kind === 'request') {
    const missing = metaOf(params) ? REVISION : '_meta'
    const why = `Invalid params: the header MCP-Protocol-Version names ${said}, and the request lacks ${missing}.`
    throw new RpcRefusal(400, RPC.invalidParams, why, { envelope: { missing: [missing] } })
  }
  checkMethod(method, header)
  if (said !== STATELESS) throw unsupported(said as string)
  return 'stateless'
}

/** The revision that a message names itself. @throws RpcRefusal */
const claimedBy = ({ kind, params }: Exclude<Message, { kind: 'response' }>, said: string | undefined): string => {
  // A notification has none of the rest.
  const schema = kind === 'request' ? Envelope : object({ [REVISION]: v.string() })
  const meta = metaOf(params)
  const problem = problemIn(schema, meta)
  if (problem) {
    const why = `Invalid _meta: ${problem.key}: ${problem.problem}`
    throw new RpcRefusal(400, RPC.invalidParams, why, { envelope: problem })
  }
  const revision = meta?.[REVISION] as string
  if (said !== undefined && said !== revision) throw mismatch(said, `the body names the revision ${revision}`)
  return revision
}

const unsupported = (requested: string): RpcRefusal =>
  new RpcRefusal(400, RPC.unsupportedRevision, `Unsupported protocol version: ${requested}`, {
    supported: [STATELESS],
    requested,
  })

const checkMethod = (method: string, header: Header): void => {
  const named = header('mcp-method')?.trim()
  if (named !== undefined && named !== method) throw mismatch(named, `the body names the method ${method}`)
}

/** Whoever passes a request on reads its headers and not its body, so both have to be there, and to say the same. */
const checkRequestHeaders = (
  { method, params }: Extract<Message, { kind: 'request' }>,
  said: string | undefined,
  header: Header,
): void => {
  if (said === undefined) throw mismatch(said, 'the header MCP-Protocol-Version is required')
  if (header('mcp-method') === undefined) throw mismatch(undefined, 'the header Mcp-Method is required')
  const name = params?.name
  if (method !== 'tools/call' || typeof name !== 'string') return
  const named = header('mcp-name')?.trim()
  if (named === undefined) throw mismatch(named, 'the header Mcp-Name is required')
  if (plain(named) !== name) throw mismatch(named, `the body names the tool ${name.slice(0, 100)}`)
}

/** What a header says that may be in Base64, as `=?base64?…?=`; undefined: it is not written rightly. */
const plain = (value: string): string | undefined => {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined
}
