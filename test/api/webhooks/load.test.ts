import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startReceiver, verified, type WebhookReceiver } from '#kit/receiver.ts'
import { recordEvents } from '#kit/records.ts'
import { newWebhook } from '../examples/integrations.ts'

/** Queue and receivers in real time. `LOAD_SECONDS=30 npm test -- test/api/webhooks/load.test.ts` runs longer. */
const SECONDS = Number(process.env.LOAD_SECONDS ?? 3)

let app: TestApp
let institute: TestInstitute
const receivers: WebhookReceiver[] = []

const receiver = async (): Promise<WebhookReceiver> => {
  const made = await startReceiver(204)
  receivers.push(made)
  return made
}

beforeEach(async () => {
  app = await startApp({ now: systemClock.now(), working: true })
  institute = await makeInstitute(app)
})
afterEach(async () => {
  for (const one of receivers.splice(0)) one.close()
  await app.close()
})

test(
  'an endpoint that never answers, with 10,000 queued, keeps a healthy one waiting for less than a second',
  {
    timeout: 120_000,
  },
  async () => {
    const dead = await receiver()
    dead.hold()
    const healthy = await receiver()
    await newWebhook(institute, { url: dead.url, events: ['lead.created'] })
    await newWebhook(institute, { url: healthy.url, events: ['student.created'] })
    await recordEvents(app, institute, 10_000, 'lead.created')
    // Those of its lane; telling of the leads may take places of the institute, too.
    await expect.poll(() => dead.received.length, { timeout: 5000 }).toBeGreaterThan(8)
    const waits: number[] = []
    for (let n = 1; n <= 20 * SECONDS; n += 1) {
      const recorded = performance.now()
      await recordEvents(app, institute)
      while (healthy.received.length < n) await pause(1)
      waits.push(performance.now() - recorded)
      // The app's clock stands still, so the retries of the dead endpoint do not come due meanwhile.
      await pause(Math.max(0, 50 - (performance.now() - recorded)))
    }
    const p95 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)] as number
    console.log(`a healthy endpoint beside a dead one: p95 ${p95.toFixed(0)} ms, of ${waits.length}`)
    expect(p95).toBeLessThan(1000)
  },
)

test('100 events a second all arrive, each with a valid signature', { timeout: 120_000 }, async () => {
  const { received, url } = await receiver()
  const { secret } = await newWebhook(institute, { url })
  const started = performance.now()
  const count = 100 * SECONDS
  for (let n = 0; n < count; n += 1) {
    await pause(Math.max(0, started + n * 10 - performance.now()))
    void recordEvents(app, institute)
  }
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(count)
  const events = received.map((request) => verified(request, secret, app.clock.millis()))
  expect(new Set(events.map(({ id }) => id)).size).toBe(count)
  const late = performance.now() - started - count * 10
  console.log(`${count} events at 100 a second: the last arrived ${late.toFixed(0)} ms after it was due`)
})
