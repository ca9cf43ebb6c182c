import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { startReceiver } from '#kit/receiver.ts'
import { newWebhook } from '../examples/integrations.ts'

const TOKEN = 'a token for the tests'.replaceAll(' ', '-')
let app: TestApp
let guarded: TestApp
beforeAll(async () => {
  app = await startApp()
  guarded = await startApp({ config: { metricsToken: TOKEN } })
})
afterAll(() => Promise.all([app.close(), guarded.close()]))

const ask = (of: TestApp, headers: Record<string, string> = {}) => fetch(`${of.url}/metrics`, { headers })
/** The value of one line of the metrics. */
const value = async (line: string): Promise<number | undefined> => {
  const found = (await (await ask(app)).text()).split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

test('/metrics answers programs on this machine, in the format of Prometheus', async () => {
  const reply = await ask(app)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await value('institute_database_bytes')).toBeGreaterThan(10_000)
})

test.each([
  ['somebody for whom a proxy speaks', { 'x-forwarded-for': '203.0.113.9' }],
  ['somebody for whom a proxy speaks in the standard’s words', { forwarded: 'for=203.0.113.9' }],
  ['somebody whose address a proxy tells', { 'x-real-ip': '203.0.113.9' }],
  ['what came by a proxy', { via: '1.1 proxy' }],
  ['a wrong token', { authorization: 'Bearer wrong' }],
])('/metrics refuses %s', async (_, headers) => {
  for (const one of [app, guarded]) expect((await ask(one, headers)).status).toBe(401)
})

/** Signs of a proxy on this machine that sends no forwarding headers. */
test.each([
  ['the name that was asked for', 'GET /metrics HTTP/1.1\r\nHost: school.example\r\nConnection: close\r\n\r\n'],
  ['HTTP/1.0', 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n'],
])('/metrics refuses a bare proxy on this machine: %s', async (_, raw) => {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.end(raw)
  expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 401 /)
})

test('/metrics answers any client that knows the token', async () => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' }
  expect((await ask(guarded, headers)).status).toBe(200)
  expect((await ask(app, headers)).status).toBe(401)
})

test('each reply counts under its endpoint and status, and unknown addresses under `none`', async () => {
  await app.get('/health/live')
  await app.get('/students')
  await fetch(`${app.url}/nowhere`, { method: 'POST' })
  const of = (endpoint: string, status: number) =>
    value(`institute_request_duration_seconds_count{endpoint="${endpoint}",status="${status}"}`)
  expect(await of('health.live', 200)).toBe(1)
  expect(await of('students.list', 401)).toBe(1)
  expect(await of('none', 404)).toBe(1)
})

test('the queue’s depth and age are current', async () => {
  const enqueue = (runAt: string) =>
    runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(declareJob('no.such.kind', noPayload), {}, { runAt }),
    )
  const now = app.clock.now()
  app.clock.advance(90)
  await enqueue(now)
  await enqueue('2099-01-01T00:00:00.000Z')
  expect(await value('institute_jobs{kind="no.such.kind",state="queued"}')).toBe(2)
  expect(await value('institute_oldest_due_job_seconds')).toBe(90)
  await app.drain()
  expect(await value('institute_oldest_due_job_seconds')).toBe(0)
})

test('requests to webhook endpoints count by their outcome', async () => {
  const receiver = await startReceiver()
  const institute = await makeInstitute(app)
  const endpoint = await newWebhook(institute, { url: receiver.url })
  receiver.answer(204, 500)
  for (const _ of [204, 500]) await institute.owner.post(`/webhooks/${endpoint.id}/test`)
  receiver.close()
  await institute.owner.post(`/webhooks/${endpoint.id}/test`)
  for (const outcome of ['delivered', 'refused', 'unanswered']) {
    expect(await value(`institute_outbound_requests_total{purpose="webhook",outcome="${outcome}"}`)).toBe(1)
  }
})

test('outbound requests count under the name of their purpose', async () => {
  const of = (purpose: string) => value(`institute_outbound_requests_total{purpose="${purpose}",outcome="unanswered"}`)
  const webhooks = await of('webhook')
  const answer = { ok: false, status: null, error: 'nobody', durationMs: 0 } as const
  const nobody = { post: async () => answer, get: async () => answer, close: async () => {} }
  const licence = app.app.metrics.watch(nobody, 'licence')
  await licence.post({ url: 'http://127.0.0.1/', headers: {}, body: '' })
  expect([await of('licence'), await of('webhook')]).toEqual([1, webhooks])
})

describe('what lies beside the executable', () => {
  const lying = (name: string): string => readFileSync(`installer/${name}`, 'utf8')
  let whole: TestApp
  let text: string
  /** The type of each metric, by its name. */
  let types: Map<string, string>
  beforeAll(async () => {
    whole = await startApp()
    whole.app.metrics.watchProcess()
    await whole.get('/health/live')
    text = await (await ask(whole)).text()
    types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  })
  afterAll(() => whole.close())

  test('METRICS.md names exactly the metrics that there are, with their types', () => {
    const rows = [...lying('METRICS.md').matchAll(/^\| `(\w+)` *\| (\w+) /gm)]
    const explained = new Map(rows.map(([, name = '', type = '']) => [name, type]))
    expect(rows).toHaveLength(explained.size)
    // The page says so.
    if (engine === 'postgres') explained.delete('institute_last_backup_timestamp_seconds')
    expect(Object.fromEntries([...explained].toSorted())).toEqual(Object.fromEntries([...types].toSorted()))
  })

  test('the alerts ask for metrics, jobs and limits that there are, and the example of a configuration for them', () => {
    const asked = [...lying('prometheus-alerts.yaml').matchAll(/^ +expr: (.+)$/gm)].map(
      ([, expression = '']) => expression,
    )
    expect(asked.length).toBeGreaterThan(5)
    const known = new Set(
      [...types].flatMap(([name, type]) =>
        type === 'histogram' ? ['bucket', 'count', 'sum'].map((end) => `${name}_${end}`) : [name],
      ),
    )
    if (engine === 'postgres') known.add('institute_last_backup_timestamp_seconds')
    for (const expression of asked) {
      const names = expression.match(/\b(?:institute|process|nodejs)_\w+|\bup\b/g) ?? []
      expect(names, expression).not.toEqual([])
      expect(
        names.filter((name) => name !== 'up' && !known.has(name)),
        expression,
      ).toEqual([])
      for (const [limit] of expression.matchAll(/\ble="[^"]+"/g)) expect(text, expression).toContain(limit)
      for (const [, job] of expression.matchAll(/\bjob="([^"]+)"/g)) {
        expect(lying('prometheus.yaml')).toContain(`job_name: ${job}\n`)
      }
    }
    expect(lying('prometheus.yaml')).toContain('  - prometheus-alerts.yaml\n')
  })
})

test('what runs stands in the labels of institute_build_info', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const labels = `version="${version}",engine="${engine}",mode="self_hosted",node="${process.version}"`
  expect(await value(`institute_build_info{${labels}}`)).toBe(1)
})

test('an endpoint and status take 8 lines: five limits, all, sum and count', async () => {
  await app.get('/health/live')
  const lines = (await (await ask(app)).text()).split('\n')
  expect(lines.filter((line) => line.includes('endpoint="health.live",status="200"'))).toHaveLength(8)
})
