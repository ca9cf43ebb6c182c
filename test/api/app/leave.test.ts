import { expect, test } from 'vitest'
import { startApp } from '#kit/app.ts'

test('a process that stops says first that it is not ready, and answers until the balancer has seen it', async () => {
  const app = await startApp({ config: { leaveSeconds: 1 } })
  expect((await app.get('/health/ready')).status).toBe(200)
  const closed = app.close()
  const ready = await app.get('/health/ready')
  expect(ready.status).toBe(503)
  expect(ready.body).toEqual({ status: 'error', checks: { postgres: { status: 'ok' }, redis: { status: 'ok' } } })
  expect((await app.get('/health/live')).status).toBe(200)
  expect((await app.get('/setup/status')).status).toBe(200)
  await closed
  await expect(fetch(`${app.url}/api/v1/health/live`)).rejects.toThrow('fetch failed')
})
