import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_STATUS, type ErrorCode } from '#kernel/errors.ts'
import { ALL_PERMISSIONS } from '#kernel/permissions.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { loadExamples, pathOf, worldOf, type Example, type World } from '#kit/examples.ts'
import type { Document, Operation } from '#kit/openapi/document.ts'
import { requestsOf, type CallerName, type FuzzRequest } from '#kit/fuzz/requests.ts'
import type { Ids } from '#kit/fuzz/values.ts'
import { makeInstitute } from '#kit/institute.ts'

/**
 * Sends every operation of the server's own OpenAPI document what it asks for, almost that, and what nobody asked for.
 * Whatever comes, it is answered as the document says: no 500, no status or code that it does not name, and (the kit
 * sees to it for every exchange) no reply outside its schema.
 *
 * The requests of a run follow from its seed. FUZZ_SEED and FUZZ_RUNS choose another seed and another number of requests
 * to all operations together; a failure prints what repeats it.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_302)
const RUNS = Number(process.env.FUZZ_RUNS ?? 10_000)
/** How often a change that uses its record up can succeed. */
const EXAMPLES_OF_A_CHANGE = 8

const start = async () => {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const app = await startApp({
    log,
    chance: true,
    config: { registration: true, ...NO_LIMITS, accessTokenSeconds: 1e8, refreshTokenSeconds: 1e8 },
  })
  return { app, errors }
}

const probe = await startApp()
const document = (await probe.get('//openapi.json')).body as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)
await probe.close()
const runsOfEach = Math.ceil(RUNS / operations.length)

let app: TestApp
/** What the server logged as an error since the last request began. */
let errors: string[]
let foreign: World
let sent = 0
const maker = await loadExamples()

beforeAll(async () => {
  ;({ app, errors } = await start())
  foreign = worldOf(app, await makeInstitute(app))
})
afterAll(() => app.close())

/** The ids that requests may name, under the names by which they name them. */
const idsOf = (world: World, examples: readonly Example[]): Ids => {
  const found = new Map<string, string[]>([['', []]])
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) {
      found.set(name, [...(found.get(name) ?? []), value])
      found.get('')?.push(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) add(Array.isArray(value) ? name : key, inner)
    }
  }
  const { tenant, ownerUserId, roles } = world.institute
  add('', { tenantId: tenant.id, branchId: world.branchId, userId: ownerUserId, roleId: Object.values(roles) })
  add('', { branchId: foreign.branchId })
  for (const { params, body } of examples) add('', { params, body })
  return found
}

/** Callers by name; `example` stands for whoever the example names. */
const callersOf = async ({ institute, owner, branchId }: World): Promise<Record<CallerName, Client>> => {
  const { body } = await owner.post('/api-keys', { name: 'Fuzz', permissions: ALL_PERMISSIONS })
  return {
    example: owner,
    key: app.as(body.key),
    branch: await institute.member({ permissions: [...ALL_PERMISSIONS], branchId }),
    foreign: foreign.owner,
    nobody: app,
    garbage: app.as('eyJhbGciOiJub25lIn0.e30.'),
  }
}

/** What is wrong with a reply, if something is. */
const fault = (
  { responses }: Operation,
  request: FuzzRequest,
  { status, headers, body }: Reply,
): string | undefined => {
  const declared = responses[status]
  if (status === 500) return 'the server failed'
  if (!declared && !(status === 400 && isUnreadable(request))) return `the status ${status} is not declared`
  if (headers.get('x-request-id') === null) return 'the reply has no X-Request-Id'
  // Not ready is a reply, not a refusal.
  if (status < 400 || status === 503) return undefined
  if (typeof body?.error !== 'object') return 'the refusal is not in the envelope'
  const { code, message, requestId } = body.error
  if (ERROR_STATUS[code as ErrorCode] !== status) return `the code ${code} does not belong to ${status}`
  if (declared && !declared.description.includes(`${code}: ${message}`)) return `${code} is not declared`
  // A repeat gets the body of the first request, with that one's id.
  const isRepeat = headers.get('idempotency-replayed') === 'true'
  return isRepeat || requestId === headers.get('x-request-id') ? undefined : 'the request id is not that of the header'
}

/** What never comes as far as an operation: an address that cannot be decoded, or more than the 16 KB that are read. */
const isUnreadable = ({ path, headers }: FuzzRequest): boolean => {
  if (path.length + JSON.stringify(headers).length > 14_000) return true
  try {
    decodeURIComponent(path.split('?')[0] as string)
    return false
  } catch {
    return true
  }
}

const SHOWN = 1000

const shown = ({ caller, method, path, headers, raw }: FuzzRequest): string => {
  const body = typeof raw === 'string' ? raw : `base64 ${raw?.toString('base64') ?? ''}`
  const rest = body.length > SHOWN ? ` … ${body.length} characters in all` : ''
  return `${method} ${path} (as ${caller})\n${JSON.stringify(headers)}\n${body.slice(0, SHOWN)}${rest}`
}

test.each(operations.map((one) => [one.operation.operationId, one] as const))(
  '%s answers whatever comes as it declares',
  async (id, { path, method, operation }) => {
    const world = worldOf(app, await makeInstitute(app))
    const { make } = maker({ id })
    const examples: Example[] = []
    for (let made = 0; made < (method === 'GET' ? 2 : EXAMPLES_OF_A_CHANGE); made += 1) examples.push(await make(world))
    const callers = await callersOf(world)
    const list = method === 'GET' && (await world.owner.get(pathOf({ path }, { ...examples[0], query: '?limit=1' })))
    const requests = requestsOf({
      method,
      path,
      operation,
      document,
      examples,
      ids: idsOf(world, examples),
      cursors: list && typeof list.body?.nextCursor === 'string' ? [list.body.nextCursor] : [],
    })
    const property = fc.asyncProperty(requests, async (request) => {
      errors.length = 0
      app.clock.advance(1)
      sent += 1
      const by = request.caller === 'example' ? (examples[request.example]?.as ?? world.owner) : callers[request.caller]
      const reply = await by.send(request.method, request.path, {
        headers: request.headers,
        ...(request.raw !== undefined && { raw: request.raw }),
      })
      const wrong = fault(operation, request, reply)
      if (wrong === undefined) return
      const told = `${reply.status} ${JSON.stringify(reply.body)}`
      throw new Error([`${id}: ${wrong}`, shown(request), told, ...errors].join('\n').slice(0, 6000))
    })
    const { failed, errorInstance, counterexamplePath, numRuns } = await fc.check(property, {
      seed: SEED ^ createHash('sha256').update(id).digest().readInt32BE(),
      numRuns: runsOfEach,
    })
    const again = `FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS} npm test -- test/api/fuzz.test.ts -t '${id} '`
    const why = `${(errorInstance as Error | null)?.message}\nRequest ${numRuns} (${counterexamplePath}). Again: ${again}`
    expect(failed, why).toBe(false)
  },
  60_000,
)

test('the server is well after all that, and does the work that was left to its queue', async () => {
  expect(sent).toBeGreaterThanOrEqual(RUNS)
  errors.length = 0
  await app.drain()
  expect(errors).toEqual([])
  expect((await app.get('/health/ready')).body).toMatchObject({ status: 'ok' })
  const { owner, branchId } = worldOf(app, await makeInstitute(app))
  expect((await owner.post('/students', { branchId, firstName: 'Noor', lastName: 'Haddad' })).status).toBe(201)
  expect((await owner.get('/students')).body.data).toHaveLength(1)
}, 60_000)
