import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Send } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newKey } from '#kit/mcp.ts'

let app: TestApp
let institute: TestInstitute
let assistant: Client
beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app, { features: { mcp: true } })
  assistant = app.as(await newKey(institute, ['mcp.access', 'students.read']))
})
afterAll(() => app.close())

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const ACCEPT = { accept: 'application/json, text/event-stream' }

const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } }
const headersFor = (method: string, name?: string): Record<string, string> => ({
  ...ACCEPT,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name && { 'mcp-name': name }),
})
const calling = (name: string, given: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given, _meta: META },
})

const send = (body: unknown, options: Send = {}) => assistant.send('POST', '//mcp', { body, ...options })
const call = async (name: string, given: unknown) =>
  send(calling(name, given), { headers: headersFor('tools/call', name) })

describe('a message that is no JSON-RPC of this server is refused by its name', () => {
  const refusals: [string, number, number, Send][] = [
    ['no JSON', 400, -32_700, { raw: '{"jsonrpc":' }],
    ['no body', 400, -32_700, {}],
    ['bytes that are no text', 400, -32_700, { raw: Buffer.from([0x7b, 0xff, 0x7d]) }],
    ['more objects than a message needs', 400, -32_700, { raw: `[${'{},'.repeat(20_001)}{}]` }],
    ['a batch', 400, -32_600, { body: [listing, listing] }],
    ['an empty batch', 400, -32_600, { body: [] }],
    ['a text', 400, -32_600, { body: 'tools/list' }],
    ['a number', 400, -32_600, { body: 7 }],
    ['null', 400, -32_600, { raw: 'null' }],
    ['no JSON-RPC version', 400, -32_600, { body: { ...listing, jsonrpc: undefined } }],
    ['another JSON-RPC version', 400, -32_600, { body: { ...listing, jsonrpc: '1.0' } }],
    ['no method', 400, -32_600, { body: { ...listing, method: undefined } }],
    ['a method that is a number', 400, -32_600, { body: { ...listing, method: 7 } }],
    ['an id that is an object', 400, -32_600, { body: { ...listing, id: {} } }],
    ['the wrong content type', 415, -32_600, { raw: '{}', headers: { ...ACCEPT, 'content-type': 'text/plain' } }],
    ['a form', 415, -32_600, { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ]
  test.each(refusals)('%s → %i', async (_, status, code, options) => {
    const reply = await assistant.send('POST', '//mcp', {
      ...options,
      headers: { ...headersFor('tools/list'), 'content-type': 'application/json', ...options.headers },
    })
    expect(reply).toMatchObject({ status, body: { jsonrpc: '2.0', error: { code, message: expect.any(String) } } })
  })
})

describe('in the revision of 2026-07-28', () => {
  const refused = async (body: unknown, headers: Record<string, string>) => {
    const { status, body: reply } = await send(body, { headers })
    return [status, reply.error.code]
  }
  test('a message without _meta is refused', async () => {
    expect(await refused({ ...listing, params: {} }, headersFor('tools/list'))).toEqual([400, -32_602])
  })
  test('an unknown revision is refused, and those that are served are named', async () => {
    const asked = { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
    const headers = { ...headersFor('tools/list'), 'mcp-protocol-version': '2030-01-01' }
    const { status, body } = await send({ ...listing, params: { _meta: asked } }, { headers })
    expect([status, body.error.data]).toEqual([400, { supported: ['2026-07-28'], requested: '2030-01-01' }])
  })
  test('headers that say something else than the message, or are missing, are refused', async () => {
    expect(await refused(listing, headersFor('tools/call', 'students_find'))).toEqual([400, -32_020])
    expect(await refused(listing, { ...ACCEPT, 'mcp-protocol-version': '2026-07-28' })).toEqual([400, -32_020])
    expect(await refused(calling('students_find'), headersFor('tools/call', 'groups_find'))).toEqual([400, -32_020])
  })
  test.each(['tools/drop', 'subscriptions/listen', 'constructor'])('the method %s is not found', async (method) => {
    expect(await refused({ ...listing, method }, headersFor(method))).toEqual([404, -32_601])
  })
  test('a cursor that it did not give is refused', async () => {
    const cursor = { ...listing, params: { ...listing.params, cursor: 'x' } }
    expect(await refused(cursor, headersFor('tools/list'))).toEqual([200, -32_602])
  })
  test('an unknown tool is refused', async () => {
    const { body } = await call('students_drop', {})
    expect(body.error).toMatchObject({ code: -32_602, message: 'Unknown tool: students_drop' })
  })
  test('arguments that are no object are refused', async () => {
    const { body } = await call('students_find', 'all')
    expect(body.error.code).toBe(-32_602)
  })
})

describe('in the revision of 2025-11-25', () => {
  const initialize = (version: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  const resultOf = (body: string) => JSON.parse(/^data: (.+)$/m.exec(body)?.[1] ?? '{}')

  test('a client of an unknown revision is offered one that is served', async () => {
    const { status, body } = await send(initialize('1999-01-01'), { headers: ACCEPT })
    expect([status, resultOf(body).result.protocolVersion]).toEqual([200, '2025-11-25'])
  })
  test('a header with an unknown revision is refused', async () => {
    const headers = { ...ACCEPT, 'mcp-protocol-version': '1999-01-01' }
    expect((await send({ ...listing, params: {} }, { headers })).status).toBe(400)
  })
  test('a client that takes no event stream is refused', async () => {
    expect((await send(initialize('2025-11-25'), { headers: { accept: 'application/json' } })).status).toBe(406)
  })
  test('GET and DELETE are not allowed: there is no stream and no session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, body } = await assistant.send(method, '//mcp')
      expect([status, headers.get('allow'), body.error.code]).toEqual([405, 'POST', -32_000])
    }
  })
})

describe('arguments off schema are told back, with what is wrong with each', () => {
  const cases: [string, string, unknown, string][] = [
    ['an argument that it does not have', 'students_find', { name: 'Dana' }, 'name'],
    ['a limit that is too high', 'students_find', { limit: 26 }, 'limit'],
    ['a limit that is no number', 'students_find', { limit: 'many' }, 'limit'],
    ['one of no list', 'students_find', { status: 'unknown' }, 'status'],
    ['an object for a word', 'students_find', { q: { $ne: null } }, 'q'],
    ['a missing id', 'student_read', {}, 'studentId'],
    ['an id that is none', 'student_read', { studentId: '1; drop table student' }, 'studentId'],
    ['an id that is a list', 'student_read', { studentId: ['x'] }, 'studentId'],
    ['the name of an id in the API', 'student_read', { id: '01890a5d-ac96-774b-bcce-b302099a8057' }, 'id'],
    ['a cursor of its own', 'students_find', { cursor: 'x' }, 'cursor'],
    ['NUL bytes', 'students_find', { q: 'a\0b' }, 'q'],
  ]
  test.each(cases)('%s', async (_, name, given, field) => {
    const { status, body } = await call(name, given)
    const [{ text }] = body.result.content
    expect([status, body.result.isError]).toEqual([200, true])
    expect(text).toMatch(/^VALIDATION_ERROR: /)
    expect(JSON.parse(text.split('\n')[1]).issues[0].path[0]).toBe(field)
  })
})

describe('before the message is looked at', () => {
  test('nobody, an unknown credential and a sign-in token are 401, and told where to get one', async () => {
    for (const caller of [app.as(null), app.as('nonsense'), app.as('ims_sk_unknown'), institute.owner]) {
      const { status, headers, body } = await caller.send('POST', '//mcp', { body: listing })
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
      // Without an address in the settings it is this machine, and the port that the system has chosen.
      const own = `http://localhost:${new URL(app.url).port}`
      expect(headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource/mcp"`,
      )
    }
  })
  test('a publishable key is 401', async () => {
    const { body } = await institute.owner.post('/api-keys', {
      name: 'Site',
      kind: 'publishable',
      permissions: ['students.write'],
      allowedOrigins: ['https://school.example'],
    })
    const headers = { origin: 'http://localhost' }
    expect((await app.as(body.key).send('POST', '//mcp', { body: listing, headers })).status).toBe(401)
  })
  test('a key without mcp.access is 403 FORBIDDEN', async () => {
    const { status, body } = await app
      .as(await newKey(institute, ['students.read']))
      .send('POST', '//mcp', { body: listing })
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      { reason: 'permission_missing', permissions: ['mcp.access'] },
    ])
  })
  test('an institute without the feature is 403 FEATURE_DISABLED', async () => {
    const other = await makeInstitute(app)
    const { status, body } = await app.as(await newKey(other, ['mcp.access'])).send('POST', '//mcp', { body: listing })
    expect([status, body.error]).toMatchObject([403, { code: 'FEATURE_DISABLED', details: { feature: 'mcp' } }])
  })
  test('a page of another site is 403, with a credential too', async () => {
    for (const origin of ['http://evil.example', 'null', 'http://localhost.evil.example', 'file://']) {
      const { status, body } = await send(listing, { headers: { ...headersFor('tools/list'), origin } })
      expect([status, body.error.details.reason]).toEqual([403, 'origin_not_allowed'])
    }
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:1']) {
      expect((await send(listing, { headers: { ...headersFor('tools/list'), origin } })).status).toBe(200)
    }
  })
  test('a body that is too large is 400 MALFORMED_REQUEST', async () => {
    const { status, body } = await send({ ...listing, filling: 'x'.repeat(1024 * 1024) })
    expect([status, body.error.code]).toEqual([400, 'MALFORMED_REQUEST'])
  })
  test('another method finds nothing', async () => {
    expect((await assistant.send('PUT', '//mcp', { body: listing })).status).toBe(404)
  })
})

test('whatever comes, it is answered, and never with a failure of the server', async () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() }),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string()),
      method: fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover'),
      params: fc.record({ name: fc.constantFrom('students_find', 'student_read'), arguments: fc.jsonValue() }),
    }),
    fc
      .record({ limit: fc.jsonValue(), q: fc.jsonValue(), cursor: fc.jsonValue() })
      .map((given) => calling('students_find', given)),
  )
  await fc.assert(
    fc.asyncProperty(anything, fc.boolean(), async (body, isNew) => {
      const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
      const word = (value: unknown) => (typeof value === 'string' && /^[\w/]+$/.test(value) ? value : 'x')
      const headers = isNew ? headersFor(word(method), word(params?.name)) : ACCEPT
      const reply = await send(body, { headers: { ...headers, 'content-type': 'application/json' } })
      expect(reply.status).toBeLessThan(500)
      expect(JSON.stringify(reply.body) ?? '').not.toContain('INTERNAL_ERROR')
    }),
    { numRuns: 150 },
  )
})
