import {
  CLIENT_CAPABILITIES_META_KEY as CAPABILITIES,
  CLIENT_INFO_META_KEY as CLIENT,
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY as REVISION,
  ProtocolError,
  Server,
  type McpRequestContext,
} from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UnknownQuestion } from '#http/mcp/calls.ts'
import { volume } from '#kit/volume.ts'
import { askedWith, PARTS, post } from './mcp-protocol.ts'

/**
 * The server of the official SDK, with the same tools, as an oracle: whatever comes, the program answers with the same
 * status, kind of body, result or code. The wording of refusals is its own.
 */

const QUESTION = 'confirm'

/** A server of the SDK for one request. */
const serverOf = ({ era }: Pick<McpRequestContext, 'era'>): Server => {
  const cached = { ttlMs: 60_000, cacheScope: 'private' } as const
  const server = new Server(
    { name: 'institute', title: 'Institute', version: '0' },
    { capabilities: { tools: {} }, cacheHints: { 'tools/list': cached, 'server/discover': cached } },
  )
  server.setRequestHandler('tools/list', () => ({ tools: PARTS.toolsFor().map((one) => JSON.parse(one)) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }, { mcpReq }) => {
    const tool = PARTS.tools.get(name)
    if (!tool) throw new ProtocolError(-32_602, 'Unknown tool')
    const envelope = mcpReq.envelope as { [CAPABILITIES]?: { elicitation?: { url?: object; form?: object } } }
    const { elicitation } = envelope?.[CAPABILITIES] ?? {}
    const { action, content } = (mcpReq.inputResponses?.[QUESTION] ?? {}) as {
      action?: string
      content?: { agree?: boolean }
    }
    const answers = { accept: content?.agree === true ? 'agreed' : 'refused', decline: 'refused', cancel: 'refused' }
    const consent = {
      canAsk: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
      token: mcpReq.requestState<string>(),
      answer: answers[action as keyof typeof answers] as 'agreed' | 'refused' | undefined,
    }
    const noConsent = { canAsk: false, token: undefined, answer: undefined }
    const outcome = await PARTS.calls
      .call({ ...askedWith({}), tool, given, consent: era === 'legacy' ? noConsent : consent })
      .catch((error: unknown) => {
        throw error instanceof UnknownQuestion ? new ProtocolError(-32_602, 'Unknown question') : error
      })
    if (!('token' in outcome)) return { ...outcome }
    const requestedSchema = {
      type: 'object' as const,
      properties: {
        agree: { type: 'boolean' as const, title: 'Do it', description: 'Nothing is changed before you agree.' },
      },
      required: ['agree'],
    }
    const params = { mode: 'form' as const, message: outcome.message, requestedSchema }
    return {
      resultType: 'input_required' as const,
      inputRequests: { [QUESTION]: { method: 'elicitation/create' as const, params } },
      requestState: outcome.token,
    }
  })
  return server
}

const oracle = createMcpHandler(serverOf, { keepAliveMs: 0 })

interface Answer {
  status: number
  type: string | undefined
  id?: unknown
  result?: unknown
  code?: number
}

/** What must be the same: tokens are random, and each says of itself what it is. */
const answerOf = (status: number, type: string | null | undefined, body: string): Answer => {
  const kind = type?.split(';')[0]
  if (body === '') return { status, type: kind }
  const text = kind === 'text/event-stream' ? (/^data: (.+)$/m.exec(body)?.[1] ?? '') : body
  const { id, result, error } = JSON.parse(text.replaceAll(/[\w-]{16}\.[\w-]{4,8}\.[\w-]{20,}/g, 'TOKEN'))
  delete result?.instructions
  // What a schema of the SDK refuses, it calls an error of the server's.
  const code = error?.code === -32_603 ? -32_602 : error?.code
  // The SDK does not name the request that its transport refuses.
  return { status, type: kind, id: code === -32_000 ? null : id, ...(error ? { code } : { result }) }
}

const theirs = async (body: object, headers: Record<string, string>): Promise<Answer> => {
  const request = new Request('http://localhost/mcp', { method: 'POST', headers })
  const response = await oracle.fetch(request, { parsedBody: body })
  return answerOf(response.status, response.headers.get('content-type'), await response.text())
}

const ours = async (body: object, headers: Record<string, string>): Promise<Answer> => {
  const { status, headers: given, body: text } = await post(Buffer.from(JSON.stringify(body)), headers)
  return answerOf(status, given['Content-Type'], text as string)
}

const absent = undefined
const oneOf = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
/** Mostly the first, so that few messages have more than one fault. */
const mostly = <T>(first: T, ...rest: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...rest) })

const METHODS = [
  'tools/call',
  'tools/list',
  'server/discover',
  'initialize',
  'ping',
  'logging/setLevel',
  'nothing',
] as const
const ASKS = 'test_input_required_result_elicitation'

const message = fc.record({
  jsonrpc: mostly<unknown>('2.0', '1.0', 2, absent),
  id: mostly<unknown>(1, 'one', absent, null, 1.5, {}, true),
  method: fc.oneof({ weight: 9, arbitrary: oneOf<unknown>(...METHODS) }, oneOf<unknown>(7, absent)),
  more: mostly<object>({}, { result: {} }, { error: { code: 1, message: 'x' } }, { filling: 1 }),
})
const call = fc.record({
  name: mostly<unknown>('test_simple_text', ASKS, ASKS, 'test_error_handling', 'none', 7, absent),
  arguments: mostly<unknown>({}, absent, null, [], 'x', { x: 1 }),
  requestState: mostly<unknown>(absent, 'made up', '', 7),
  inputResponses: mostly<unknown>(absent, { confirm: { action: 'accept', content: { agree: true } } }, 7, null, []),
})
const initialize = fc.record({
  protocolVersion: oneOf<unknown>('2025-11-25', '2025-06-18', '2024-10-07', '1999-01-01', '2026-07-28', 7, absent),
  capabilities: mostly<unknown>({}, { elicitation: {}, more: {} }, { roots: 7 }, [], absent),
  clientInfo: mostly<unknown>({ name: 'test', version: '1' }, { name: 'test' }, 'test', absent),
})
const meta = fc.record({
  [REVISION]: mostly<unknown>('2026-07-28', '2025-11-25', '2030-01-01', 7, null, absent),
  [CLIENT]: mostly<unknown>({ name: 'test', version: '1' }, absent, 'test', { name: 7, version: '1' }, []),
  [CAPABILITIES]: mostly<unknown>(
    {},
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { url: {} } },
    { elicitation: 7 },
    { sampling: {} },
    null,
    [],
    absent,
  ),
  'io.modelcontextprotocol/logLevel': mostly<unknown>(absent, 'debug', 'loud'),
  progressToken: mostly<unknown>(absent, 1, 'one', {}, 1.5),
})
const headers = fc.record({
  accept: mostly('application/json, text/event-stream', 'application/json', 'text/html', absent),
  revision: mostly('2026-07-28', '2025-11-25', '2025-03-26', '1999-01-01', '2030-01-01', absent),
  method: mostly<'same' | 'other' | undefined>('same', 'other', absent),
  name: mostly<'same' | 'encoded' | 'unreadable' | 'other' | undefined>(
    'same',
    'encoded',
    'unreadable',
    'other',
    absent,
  ),
})

const word = (value: unknown): string => (typeof value === 'string' ? value : 'none')

const written = (name: string) => ({
  same: name,
  encoded: `=?base64?${Buffer.from(name).toString('base64')}?=`,
  unreadable: `=?base64?${Buffer.from(name).toString('base64')}!?=`,
  other: 'something_else',
})

test('whatever comes, the answer is that of the SDK', async () => {
  const anything = fc.record({ message, call, initialize, meta: mostly<object | undefined>({}, absent), headers })
  const made = fc.tuple(anything, meta, fc.boolean())
  await fc.assert(
    fc.asyncProperty(made, async ([parts, envelope, isOld]) => {
      const { more, ...head } = parts.message
      // The earlier revisions do not know the state of a question.
      const called = isOld ? { ...parts.call, requestState: undefined } : parts.call
      const own = head.method === 'initialize' ? parts.initialize : head.method === 'tools/call' ? called : {}
      const params = { ...own, ...(parts.meta && !isOld && { _meta: envelope }) }
      const given = { ...head, params, ...more }
      const { name, revision, method, accept } = parts.headers
      const said = isOld && revision === '2026-07-28' ? '2025-11-25' : revision
      const all = {
        accept,
        'content-type': 'application/json',
        'mcp-protocol-version': said,
        'mcp-method': method && { same: word(head.method), other: 'something/else' }[method],
        'mcp-name': name && head.method === 'tools/call' ? written(word(parts.call.name))[name] : undefined,
      }
      const sent = Object.fromEntries(
        Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined),
      )
      const body = JSON.parse(JSON.stringify(given)) as object
      const [one, other] = [await ours(body, sent), await theirs(body, sent)]
      // A first message with two faults is refused for either.
      if (head.method === 'initialize' && one.code !== undefined && other.code !== undefined) return
      expect(one).toEqual(other)
    }),
    { numRuns: volume(300, 20_000) },
  )
})
