import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_PERMISSIONS } from '#kernel/rights/permissions.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { loadExamples, pathOf, worldOf, type Example, type World } from '#kit/examples.ts'
import { Deal } from '#kit/fuzz/deal.ts'
import { faultOf } from '#kit/fuzz/fault.ts'
import { idsOf } from '#kit/fuzz/ids.ts'
import { besideUnknown, padded, sizedBodies, type Sized } from '#kit/fuzz/sizes.ts'
import { makeInstitute } from '#kit/institute.ts'
import { jsonSchemaOf, operationsOf, readDocument } from '#kit/openapi/document.ts'
import { sendRaw } from '#kit/raw-http.ts'
import { volume } from '#kit/volume.ts'

/**
 * Sends every operation that takes a body the largest bodies that its schema admits, from the server's own OpenAPI
 * document: each is answered as declared, quickly, and costs little more than reading it. `npm test -- --nightly` sends three
 * times as many, `npm run torture` all, and bodies of the whole size that the server takes.
 *
 * The cost is the processor time of the serving thread: nobody else is served meanwhile, and unlike a wait it does not
 * grow when other programs keep the machine busy. Its bound is a multiple of parsing the worst JSON of that size on this
 * machine now, beside what the example itself costs: what grows with the square of the size is far beyond it at a quarter
 * of it, too.
 */
const KIB = 1024
const MIB = 1024 * KIB
/** The limit of a body with a credential, in bytes. */
const LIMIT = MIB
const LIMIT_WITHOUT_CREDENTIAL = 64 * KIB
/** The size of the hostile bodies, where the limit is not lower. */
const HOSTILE = volume(256 * KIB, LIMIT)
const MOST_ISSUES = 50
const LONGEST_REPLY = 64 * KIB
/** Parsing, validating and hashing may cost a few times as much as parsing. */
const MOST_READINGS = 8
/** How often a request that cost too much is repeated. It passes if one repetition is cheap enough. */
const MEASURED_AGAIN = 5
/** How many readings are measured as one: the clock of processor time may tick every 4 ms, and one reading is as short. */
const READINGS = 15

const errors: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
const start = () =>
  startApp({
    log,
    chance: true,
    config: { registration: true, ...NO_LIMITS, accessTokenSeconds: 1e8, refreshTokenSeconds: 1e8 },
  })

const probe = await start()
const closed = new Set(probe.app.endpoints.filter((endpoint) => endpoint.closed).map(({ id }) => id))
const document = await readDocument(probe)
await probe.close()
// Uploads are never held in memory, and have their own limit: see test/api/http/media.test.ts. A closed endpoint reads no
// body.
const operations = operationsOf(document).filter(
  ({ method, operation: { operationId, requestBody: body } }) =>
    method !== 'GET' && (!body || jsonSchemaOf(body)) && !closed.has(operationId),
)
const maker = await loadExamples()
const deal = new Deal()

let app: TestApp
let foreign: World
/** The cost of parsing the worst JSON. */
let reading: number

/** Milliseconds of processor time that this thread spends on the work. */
const spentOn = async (work: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const readingMillis = async (): Promise<number> => {
  const body = Buffer.from(`[${Array.from({ length: HOSTILE / 3 - 1 }, () => '{}').join(',')}]`)
  const spent = await spentOn(() => {
    for (let round = 0; round < READINGS; round += 1) {
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    }
  })
  return spent / READINGS
}

beforeAll(async () => {
  app = await start()
  foreign = worldOf(app, await makeInstitute(app))
  reading = await readingMillis()
})
afterAll(() => app.close())

/** The most faults that are printed for one operation; each may have taken seconds. */
const TOLD_FAULTS = 5

test.each(operations.map((one) => [one.operation.operationId, one] as const))(
  '%s refuses a body that is too large, and a large one costs little more than reading it',
  async (id, { path, method, operation }) => {
    const schema = jsonSchemaOf(operation.requestBody)
    const world = worldOf(app, await makeInstitute(app))
    const { make } = maker({ id })
    const isOpen = operation.security.length === 0
    const addressOf = (at: string) => (at.startsWith('//') ? at.slice(1) : `/api/v1${at}`)
    const limit = isOpen ? LIMIT_WITHOUT_CREDENTIAL : LIMIT
    const size = Math.min(limit, HOSTILE)
    const example = await make(world)
    const { body: key } = await world.owner.post('/api-keys', { name: 'Large', permissions: ALL_PERMISSIONS })
    const faults: string[] = []

    const request = async (one: Example, credential: string | null, body: Buffer) => {
      errors.length = 0
      // No endpoint takes fewer than 20 a minute from a caller.
      app.clock.advance(3)
      const headers = {
        ...one.headers,
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(credential?.startsWith('ims_') && { 'idempotency-key': randomUUID() }),
      }
      let reply: Reply | undefined
      const millis = await spentOn(async () => {
        reply = await sendRaw(app.url, method, addressOf(pathOf({ path }, one)), { headers, body })
      })
      return { reply, millis }
    }
    const fault = async (one: Example, credential: string | null, { body }: Sized): Promise<string | undefined> => {
      const { reply, millis } = await request(one, credential, body)
      if (reply === undefined) return 'no answer'
      const wrong = faultOf(operation, reply)
      if (wrong !== undefined) return `${wrong}: ${JSON.stringify(reply.body)} ${errors.join(' ')}`
      const length = Number(reply.headers.get('content-length'))
      if (length > LONGEST_REPLY) return `a reply of ${length} bytes`
      const issues = reply.body?.error?.details?.issues?.length ?? 0
      if (issues > MOST_ISSUES) return `${issues} issues`
      if (millis <= MOST_READINGS * reading) return undefined
      // The example itself may cost so much, other garbage may have been collected meanwhile, or the machine may have slowed
      // down: measure all of it again.
      const measured: string[] = []
      for (let attempt = 0; attempt < MEASURED_AGAIN; attempt += 1) {
        const plain = await request(one, credential, padded(one.body, 0))
        const most = plain.millis + MOST_READINGS * (await readingMillis())
        const again = await request(one, credential, body)
        if (again.millis <= most) return undefined
        measured.push(`${again.millis.toFixed(0)} over ${most.toFixed(0)}`)
      }
      return `milliseconds of processor time, each time: ${measured.join(', ')}: ${reply.status}`
    }
    const check = async (one: Example, as: string | null, sized: Sized): Promise<void> => {
      if (faults.length === TOLD_FAULTS) return
      const wrong = await fault(one, as, sized)
      const who = as === null ? 'nobody' : as.startsWith('ims_') ? 'an API key' : 'a user'
      if (wrong !== undefined)
        faults.push(`${sized.what} (${sized.body.length} bytes, as ${who}): ${wrong}`.slice(0, 600))
    }

    const own = (one: Example) => (isOpen ? null : (one.as ?? world.owner).credential)
    let index = 0
    const ids = idsOf(world, foreign, [example])
    for (const sized of sizedBodies(deal, { schema: schema ?? {}, ids, example: example.body, limit: size })) {
      await check(example, own(example), sized)
      if (!isOpen && index % 3 === 0) await check(example, key.key, sized)
      if (!isOpen && index % 9 === 0) await check(example, null, sized)
      index += 1
    }
    if (schema) {
      for (const sized of besideUnknown(deal, example.body, size)) {
        const fresh = await make(world)
        await check(fresh, own(fresh), sized)
      }
    }
    expect(faults).toEqual([])

    const fresh = await make(world)
    for (const beyond of isOpen ? [limit + 1, LIMIT] : [limit + 1]) {
      const { reply } = await request(fresh, own(fresh), padded(fresh.body, beyond))
      // Registration refuses in the form of OAuth.
      const error = id === 'oauth.register' ? 'invalid_client_metadata' : { code: 'MALFORMED_REQUEST' }
      expect(reply).toMatchObject({ status: 400, body: { error } })
    }
    // A body that is exactly at the limit is read, and mostly succeeds; a second institute cannot be set up here, and what
    // is signed says nothing any more with blanks behind it.
    const { reply } = await request(fresh, own(fresh), padded(fresh.body, limit))
    expect(reply?.status, JSON.stringify(reply?.body)).toSatisfy(
      (status) => status < 300 || ['setup.bootstrap', 'online-payments.notice', 'licenses.name-install'].includes(id),
    )
  },
  60_000,
)

test('afterwards the server is healthy', async () => {
  errors.length = 0
  await app.drain()
  expect(errors).toEqual([])
  expect((await app.get('/health/ready')).body).toMatchObject({ status: 'ok' })
}, 60_000)
