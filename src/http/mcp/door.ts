import type { Context } from 'koa'
import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Authenticator } from '#kernel/authenticator.ts'
import type { Clock } from '#kernel/clock.ts'
import { read as declareRead, type Endpoint } from '#kernel/endpoint.ts'
import { ApiError, Forbidden } from '#kernel/errors.ts'
import { isLoopbackHost } from '#kernel/network.ts'
import { once } from '#kernel/once.ts'
import type { Vault } from '#runtime/vault.ts'
import { checkCaller } from '../access.ts'
import type { Door, Entrant, Exchange } from '../admission.ts'
import { MAX_BODY_BYTES } from '../body.ts'
import { parseJson } from '../input.ts'
import type { Pipeline } from '../pipeline.ts'
import { JSON_NO_STORE, type Reply } from '../reply.ts'
import { ContextInfo } from '../request-info.ts'
import { Calls } from './calls.ts'
import { Confirmations } from './confirmation.ts'
import { describeTools } from './listing.ts'
import { openProtocol, type Asked } from './protocol.ts'
import { Tool } from './tool.ts'
import { TOOLS } from './tools.ts'

export interface McpDeps {
  pipeline: Pipeline
  endpoints: readonly Endpoint[]
  /** Each authenticates one kind of credential that is good at //mcp. */
  authenticators: readonly Authenticator[]
  /** The address that the server's own begin with, without a slash at the end. */
  baseUrl(): Promise<string>
  vault: Vault
  clock: Clock
  log: Logger
  version: string
}

/** What whoever comes in here needs, as an endpoint would declare it. No request calls it. */
const ENTRY = declareRead({
  id: 'mcp.enter',
  path: '//mcp',
  summary: 'Use the institute through an assistant',
  access: 'mcp.access',
  flag: 'mcp',
  reply: v.null(),
  handle: async () => null,
})

/** The requests that clients may send to //mcp; to others there is nothing at this address. */
export const MCP_METHODS = ['POST', 'GET', 'DELETE'] as const

/** The headers that the protocol reads. */
const HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
]

const INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601
const PARSE_ERROR = -32_700

type RpcId = string | number | null

const rpcError = (status: number, code: number, message: string, id: RpcId = null): Reply => ({
  status,
  headers: JSON_NO_STORE,
  body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
})

/** The endpoints that are tools, by the name of the tool. @throws an Error for a tool whose endpoint is not there */
const toolsOf = (endpoints: readonly Endpoint[]): Map<string, Tool> => {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const endpointOf = (id: string): Endpoint => {
    const endpoint = byId.get(id)
    if (!endpoint) throw new Error(`Tools need the endpoint ${id}, which is not there.`)
    return endpoint
  }
  return new Map(Object.entries(TOOLS).map(([id, words]) => [words.name, new Tool(words, endpointOf(id), endpointOf)]))
}

/**
 * Answers requests at //mcp. It keeps nothing between two of them, so several processes may serve one client. Until the
 * first of them comes, neither the tools nor the protocol are made.
 */
export class McpDoor {
  readonly #deps: McpDeps
  readonly #door: Door

  constructor(deps: McpDeps) {
    this.#deps = deps
    this.#door = { authenticators: deps.authenticators, entry: ENTRY }
  }

  readonly #protocol = once(() => {
    const { pipeline, endpoints, vault, clock, log, version } = this.#deps
    const tools = toolsOf(endpoints)
    const descriptions = once(() => describeTools([...tools.values()]))
    return openProtocol({
      version,
      tools,
      calls: new Calls({ pipeline, confirmations: new Confirmations(vault, clock), log }),
      toolsFor: (asked) => [...descriptions()].flatMap(([tool, told]) => (this.#mayCall(tool, asked) ? [told] : [])),
    })
  })

  /** @throws the refusal, in the error envelope: what is wrong with a message is said as the protocol says it */
  async answer(ctx: Context, exchange: Exchange): Promise<Reply> {
    await this.#checkOrigin(ctx.get('origin'))
    const entrant = await this.#enter(ctx, exchange)
    if (ctx.method !== 'POST') return this.#ask(ctx, exchange, entrant, undefined)
    if (!/^application\/json\s*(;|$)/i.test(ctx.get('content-type')))
      return rpcError(415, INVALID_REQUEST, 'The body must be sent as application/json.')
    const body = await this.#deps.pipeline.readBody(ctx, MAX_BODY_BYTES)
    try {
      const read = messageOf(body.bytes)
      return 'message' in read ? await this.#ask(ctx, exchange, entrant, read.message) : read
    } finally {
      body.release()
    }
  }

  async #enter(ctx: Context, exchange: Exchange): Promise<Entrant> {
    try {
      return await this.#deps.pipeline.enter(ctx, exchange, this.#door)
    } catch (error) {
      if (error instanceof ApiError && error.spec.status === 401) {
        const metadata = `${await this.#deps.baseUrl()}/.well-known/oauth-protected-resource/mcp`
        exchange.headers['WWW-Authenticate'] = `Bearer resource_metadata="${metadata}"`
      }
      throw error
    }
  }

  /**
   * A page of another site that had its name lead to this machine could call it from a browser inside the network. Every
   * call needs a credential as well, which such a page does not have. @throws FORBIDDEN
   */
  async #checkOrigin(origin: string): Promise<void> {
    if (origin === '') return
    const url = URL.parse(origin)
    if (url && (isLoopbackHost(url.hostname) || url.origin === new URL(await this.#deps.baseUrl()).origin)) return
    throw Forbidden({ reason: 'origin_not_allowed' })
  }

  async #ask(ctx: Context, { requestId }: Exchange, entrant: Entrant, message: object | undefined): Promise<Reply> {
    const headers = HEADERS.flatMap((name): [string, string][] => (ctx.get(name) ? [[name, ctx.get(name)]] : []))
    const asked: Asked = { entrant, request: new ContextInfo(ctx, requestId) }
    const authInfo = { token: '', clientId: entrant.caller.id, scopes: [], extra: { asked } }
    const request = new Request('http://localhost/mcp', { method: ctx.method, headers })
    const response = await this.#protocol().fetch(request, { authInfo, ...(message && { parsedBody: message }) })
    const type = response.headers.get('content-type')
    return {
      status: response.status,
      headers: { 'Cache-Control': 'no-store', ...(type && { 'Content-Type': type }) },
      body: Buffer.from(await response.arrayBuffer()),
    }
  }

  /** Whether the permissions of the caller and the features of the institute allow a tool. */
  #mayCall({ endpoint }: Tool, { entrant: { caller }, request }: Asked): boolean {
    try {
      checkCaller(endpoint, caller, { request, now: this.#deps.clock.now() })
      return endpoint.closed === undefined
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }
}

/** The message in a body; a reply: why it is refused before the protocol looks at it. */
const messageOf = (bytes: Buffer): { message: object } | Reply => {
  let message: unknown
  try {
    message = parseJson({ body: bytes, contentType: 'application/json' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { reason, issues } = (error.details ?? {}) as { reason?: string; issues?: { message: string }[] }
    return rpcError(400, PARSE_ERROR, reason ?? issues?.[0]?.message ?? error.message)
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return rpcError(400, INVALID_REQUEST, 'The body must be one JSON-RPC message: batches are not taken.')
  }
  const { method, id } = message as { method?: unknown; id?: unknown }
  // Nothing here changes by itself that a client could wait for, and a stream would hold a connection.
  if (method !== 'subscriptions/listen') return { message }
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  return rpcError(404, METHOD_NOT_FOUND, 'Method not found: nothing can be subscribed to.', known)
}
