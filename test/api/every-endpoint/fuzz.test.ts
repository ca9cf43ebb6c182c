import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_PERMISSIONS } from '#kernel/rights/permissions.ts'
import { engine, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { loadExamples, pathOf, worldOf, type Example, type World } from '#kit/examples.ts'
import { operationsOf, readDocument } from '#kit/openapi/document.ts'
import { faultOf } from '#kit/fuzz/fault.ts'
import { idsOf } from '#kit/fuzz/ids.ts'
import { requestsOf, type CallerName, type FuzzRequest } from '#kit/fuzz/requests.ts'
import { makeInstitute } from '#kit/institute.ts'
import { extraEndpoints } from '#kit/extra-endpoints.ts'
import { volume } from '#kit/volume.ts'

/**
 * Sends every operation of the server's own OpenAPI document valid, nearly valid and hostile requests. Every reply must
 * be as the document says: no 500, no undeclared status or code, and (the kit checks it for every exchange) no reply
 * outside its schema. `npm run torture` takes another seed each time, and twelve times as many requests.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_302)
const RUNS = Number(process.env.FUZZ_RUNS ?? (engine === 'postgres' ? volume(800, 10_000) : volume(2000, 25_000)))

const start = async () => {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const app = await startApp({
    log,
    chance: true,
    modules: [extraEndpoints],
    config: { registration: true, ...NO_LIMITS, accessTokenSeconds: 1e8, refreshTokenSeconds: 1e8 },
  })
  return { app, errors }
}

const probe = await startApp({ modules: [extraEndpoints] })
const document = await readDocument(probe)
const operations = operationsOf(document)
await probe.close()
const runsOfEach = Math.ceil(RUNS / operations.length)
/** How often a change that uses up its record can succeed: a fifth of the requests, since most are refused. */
const examplesOfAChange = Math.min(8, Math.ceil(runsOfEach / 5))

let app: TestApp
/** Errors in the server's log since the last request began. */
let errors: string[]
let foreign: World
let sent = 0
/** Operations that were tried: all, unless `-t` picks some. */
let tried = 0
const maker = await loadExamples()

beforeAll(async () => {
  ;({ app, errors } = await start())
  foreign = worldOf(app, await makeInstitute(app))
})
afterAll(() => app.close())

/** Callers by name; `example` stands for the caller of the example. */
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

const newPlace = async () => {
  const world = worldOf(app, await makeInstitute(app))
  return { world, callers: await callersOf(world) }
}
/** All reads share an institute. */
let ofReads: Awaited<ReturnType<typeof newPlace>> | undefined
const placeOf = async (method: string) => {
  if (method !== 'GET') return newPlace()
  ofReads ??= await newPlace()
  return ofReads
}

/**
 * Requests that never reach an operation: an address that cannot be decoded, a body that is encoded, or a head of more
 * than 16 KB.
 */
const isUnreadable = ({ path, headers }: FuzzRequest): boolean => {
  if (path.length + JSON.stringify(headers).length > 14_000) return true
  if (!['identity', undefined].includes(headers['content-encoding'])) return true
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
  '%s answers every request as it declares',
  async (id, { path, method, operation }) => {
    tried += 1
    const { world, callers } = await placeOf(method)
    const { make } = maker({ id })
    const examples: Example[] = []
    for (let made = 0; made < (method === 'GET' ? 2 : examplesOfAChange); made += 1) examples.push(await make(world))
    const list = method === 'GET' && (await world.owner.get(pathOf({ path }, { ...examples[0], query: '?limit=1' })))
    const requests = requestsOf({
      method,
      path,
      operation,
      document,
      examples,
      ids: idsOf(world, foreign, examples),
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
      const wrong = faultOf(operation, reply, isUnreadable(request))
      if (wrong === undefined) return
      const answered = `${reply.status} ${JSON.stringify(reply.body)}`
      throw new Error([`${id}: ${wrong}`, shown(request), answered, ...errors].join('\n').slice(0, 6000))
    })
    const { failed, errorInstance, counterexamplePath, numRuns } = await fc.check(property, {
      seed: SEED ^ createHash('sha256').update(id).digest().readInt32BE(),
      numRuns: runsOfEach,
    })
    const again = `FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS} npm test -- test/api/every-endpoint/fuzz.test.ts -t '${id} '`
    const why = `${(errorInstance as Error | null)?.message}\nRequest ${numRuns} (${counterexamplePath}). Again: ${again}`
    expect(failed, why).toBe(false)
  },
  60_000,
)

test('afterwards the server is healthy, and its queue runs', async () => {
  expect(sent).toBeGreaterThanOrEqual(tried * runsOfEach)
  errors.length = 0
  await app.drain()
  expect(errors).toEqual([])
  expect((await app.get('/health/ready')).body).toMatchObject({ status: 'ok' })
  const { owner, branchId } = worldOf(app, await makeInstitute(app))
  expect((await owner.post('/students', { branchId, firstName: 'Noor', lastName: 'Haddad' })).status).toBe(201)
  expect((await owner.get('/students')).body.data).toHaveLength(1)
}, 60_000)
