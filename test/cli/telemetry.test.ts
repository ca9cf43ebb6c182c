import { expect, onTestFinished, test, vi } from 'vitest'
import { client } from '#kit/client.ts'
import { Collector } from '#kit/collector.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { makeFolder } from './folder.ts'
import { institute, startProgram } from './institute.ts'

const openCollector = async (): Promise<{ collector: Collector; env: Record<string, string> }> => {
  const collector = new Collector()
  onTestFinished(() => collector.close())
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  }
  return { collector, env }
}

test('requests, jobs and what goes out are sent as spans, and the metrics of /metrics, with no name and no secret', async () => {
  const { collector, env } = await openCollector()
  const dataDir = makeFolder()
  const server = await startProgram(dataDir, {
    ...env,
    OTEL_SERVICE_NAME: 'school',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of the collector',
    INSTITUTE_WEBHOOK_BLOCK_PRIVATE: 'off',
    INSTITUTE_TRUST_PROXY: '1',
  })
  const anybody = client(server.url ?? '')
  const { accessToken } = (await anybody.post('/setup/bootstrap', newSetup(setupTokenIn(dataDir)))).body
  const owner = anybody.as(accessToken)
  const [{ id: branchId, tenantId }] = (await owner.get('/branches')).body
  const url = `${env.OTEL_EXPORTER_OTLP_ENDPOINT}/hook?secret=s3cret`
  await owner.post('/webhooks', { url, events: ['student.created'] })
  const traceId = 'a'.repeat(32)
  const response = await fetch(`${server.url}/api/v1/students?q=Nadia`, {
    headers: { authorization: `Bearer ${accessToken}`, traceparent: `00-${traceId}-${'b'.repeat(16)}-01` },
  })
  expect(response.status).toBe(200)
  await owner.post('/students', { branchId, firstName: 'Nadia', lastName: 'Haddad' })
  await owner.get('/students/none')

  const named = (name: string) => collector.spans.filter((span) => span.name === name)
  await vi.waitFor(() => expect(named('webhooks.deliver').length).toBeGreaterThan(0), 10_000)
  await vi.waitFor(() => expect(named('POST').length).toBeGreaterThan(0), 10_000)
  expect(named('students.list')).toMatchObject([
    {
      traceId,
      parentId: 'b'.repeat(16),
      attributes: { 'http.response.status_code': '200', 'institute.tenant_id': tenantId },
      failure: '',
    },
  ])
  const [job] = named('webhooks.deliver')
  expect(job?.attributes).toMatchObject({ 'institute.job': 'webhooks.deliver', 'institute.tenant_id': tenantId })
  const sent = named('POST').find(({ parentId }) => parentId === job?.id)
  expect(sent).toMatchObject({ traceId: job?.traceId, attributes: { 'server.address': '127.0.0.1' } })
  await vi.waitFor(() => expect(collector.metrics.length).toBeGreaterThan(0), 10_000)
  const kinds = new Map(collector.metrics.map(({ name, kind }) => [name, kind]))
  const served = await (await fetch(`${server.url}/metrics`)).text()
  for (const [, name, kind] of served.matchAll(/^# TYPE (\S+) (gauge|counter|histogram)$/gm)) {
    expect([name, kinds.get(name as string)]).toEqual([name, kind === 'counter' ? 'sum' : kind])
  }
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'school', 'deployment.environment': 'test' })
  expect(collector.headers[0]).toMatchObject({ 'x-key': 'of the collector' })
  expect(JSON.stringify([collector.spans, collector.metrics])).not.toMatch(/Nadia|s3cret|Haddad/)
  expect(server.stderr).not.toContain('of the collector')
})

test('a caller of a server without a proxy does not say to which trace a request belongs', async () => {
  const { collector, env } = await openCollector()
  const server = await startProgram(makeFolder(), env)
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await fetch(`${server.url}/api/v1/health/live`, { headers: { traceparent } })
  await vi.waitFor(() => expect(collector.spans.map(({ name }) => name)).toContain('health.live'), 10_000)
  expect(collector.spans.map(({ traceId }) => traceId)).not.toContain('a'.repeat(32))
})

test('a collector that is away is said once, delays nobody, and the end of the program neither', async () => {
  const { collector, env } = await openCollector()
  collector.status = 400
  const server = await startProgram(makeFolder(), env)
  const ask = () => fetch(`${server.url}/api/v1/health/live`)
  const asked = async () => {
    const before = collector.headers.length
    await ask()
    await vi.waitFor(() => expect(collector.headers.length).toBeGreaterThan(before), 10_000)
  }
  for (let times = 0; times < 3; times += 1) await asked()
  await vi.waitFor(() => expect(server.stderr).toContain('does not take traces'), 10_000)
  collector.status = 200
  await vi.waitFor(async () => {
    await ask()
    expect(server.stderr).toContain('takes traces again')
  }, 10_000)
  expect(server.stderr.split('does not take traces')).toHaveLength(2)
  collector.close()
  expect(await server.stop()).toBe(0)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, not grpc'],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be otlp or none'],
])('what the program does not speak is refused: %o', async (wrong, why) => {
  const env = { INSTITUTE_DATA_DIR: makeFolder(), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', ...wrong }
  const { code, stderr } = await institute(['serve', '--port', '0'], env)
  expect(code).toBe(2)
  expect(stderr).toContain(why)
})
