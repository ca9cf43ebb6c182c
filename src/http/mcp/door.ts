import type { Context } from 'koa'
import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Authenticator } from '#kernel/contract/authenticator.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { read as declareRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { ApiError, Forbidden } from '#kernel/values/errors.ts'
import { isLoopbackHost } from '#kernel/basics/network.ts'
import { once } from '#kernel/basics/once.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { checkCaller } from '#http/admission/access.ts'
import type { Door, Entrant, Exchange } from '#http/admission/admission.ts'
import { MAX_BODY_BYTES } from '#http/bodies/body.ts'
import type { Pipeline } from '#http/pipeline.ts'
import type { Reply } from '#http/replies/reply.ts'
import { ContextInfo } from '#http/admission/request-info.ts'
import { Calls } from './calls.ts'
import { Confirmations } from './confirmation.ts'
import { describeTools } from './listing.ts'
import { refusalOf, RPC, RpcRefusal } from './message.ts'
import { Protocol, type Asked } from './protocol.ts'
import { Tool } from './tool.ts'

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

/** The access that every entrant needs here, declared as an endpoint. No request calls it. */
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

const notAllowed = refusalOf(new RpcRefusal(405, RPC.transport, 'Method not allowed.'))
/** There is no stream to open and no session to end. */
const NOT_ALLOWED: Reply = { ...notAllowed, headers: { ...notAllowed.headers, Allow: 'POST' } }

/**
 * The endpoints that are tools, by the name of the tool.
 * @throws an Error for two of one name, and for one that concerns what no endpoint reads
 */
const toolsOf = (endpoints: readonly Endpoint[]): Map<string, Tool> => {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const endpointOf = (id: string): Endpoint => {
    const endpoint = byId.get(id)
    if (!endpoint) throw new Error(`Tools need the endpoint ${id}, which is not there.`)
    return endpoint
  }
  const tools = new Map<string, Tool>()
  for (const endpoint of endpoints) {
    const { tool: words } = endpoint
    if (!words) continue
    if (tools.has(words.name)) throw new Error(`Two tools are called ${words.name}.`)
    tools.set(words.name, new Tool(words, endpoint, endpointOf))
  }
  return tools
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
    return new Protocol({
      version,
      tools,
      calls: new Calls({ pipeline, confirmations: new Confirmations(vault, clock), log }),
      toolsFor: (asked) =>
        [...descriptions()].flatMap(([tool, description]) => (this.#mayCall(tool, asked) ? [description] : [])),
    })
  })

  /** @throws the refusal, in the error envelope: what is wrong with a message is said as the protocol says it */
  async answer(ctx: Context, exchange: Exchange): Promise<Reply> {
    await this.#checkOrigin(ctx.get('origin'))
    const entrant = await this.#enter(ctx, exchange)
    if (ctx.method !== 'POST') return NOT_ALLOWED
    if (!/^application\/json\s*(;|$)/i.test(ctx.get('content-type')))
      return refusalOf(new RpcRefusal(415, RPC.invalidRequest, 'The body must be sent as application/json.'))
    const body = await this.#deps.pipeline.readBody(ctx, MAX_BODY_BYTES)
    try {
      return await this.#protocol().answer(body.bytes, { entrant, request: new ContextInfo(ctx, exchange.requestId) })
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
