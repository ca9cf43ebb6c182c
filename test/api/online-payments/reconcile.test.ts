import { describe, expect, test } from 'vitest'
import { CrashableProcess } from '#kit/crash.ts'
import { payDesk } from './pay-desk.ts'

const process = new CrashableProcess()
const desk = payDesk({ wrap: process.wrap })
const { setUp, owes, open, send, payments, online, invoice, reconcile } = desk

describe.each(['stripe', 'payplus'] as const)('the daily look at %s', (name) => {
  const pay = (page: string) => desk.providers[name].pay(page)
  test('books what was paid without a notice, once', async () => {
    await setUp(name)
    const id = await owes()
    const page = await open(id)
    pay(page)
    await reconcile()
    await reconcile()
    expect(await payments(id)).toEqual([[45_000, 'online']])
    expect(await invoice(id)).toEqual(['paid', 45_000, 0])
  })
  test('ends a page a day after its time, and finds the money that came at the last moment all the same', async () => {
    await setUp(name)
    const id = await owes()
    const page = await open(id)
    desk.app.clock.advance(26 * 3600)
    await reconcile()
    expect((await online(id))[0].state).toBe('expired')
    pay(page)
    await reconcile()
    expect(await payments(id)).toEqual([[45_000, 'online']])
  })
  test('goes on the next time where the provider did not answer', async () => {
    await setUp(name)
    const id = await owes()
    pay(await open(id))
    desk.providers.behave({ status: 503, body: '' })
    await reconcile()
    expect(await payments(id)).toEqual([])
    desk.providers.behave(null)
    await desk.app.pass(3600)
    expect(await payments(id)).toEqual([[45_000, 'online']])
  })
})

test('what is found in the month after counts for the month in which its page was open', async () => {
  desk.app.clock.set('2026-03-31T15:00:00.000Z')
  await setUp()
  const id = await owes()
  desk.providers.stripe.pay(await open(id))
  desk.app.clock.set('2026-04-02T06:00:00.000Z')
  await reconcile()
  const [{ receiptId, paidAt }] = await online(id)
  expect(paidAt).toBe('2026-03-31T15:00:00.000Z')
  expect((await desk.school.owner.get(`/receipts/${receiptId}`)).body.receivedAt).toBe(paidAt)
})

test('what was paid since the backup that was restored is found by its invoice', async () => {
  await setUp()
  const id = await owes()
  desk.providers.stripe.pay(await open(id))
  await desk.app.app.database.write((db) => db.deleteFrom('online_payment').execute())
  await reconcile()
  await reconcile()
  expect(await payments(id)).toEqual([[45_000, 'online']])
})

test('a process that dies at any step between the notice and the end of the payment books it once', async () => {
  for (let steps = 0; ; steps++) {
    const path = await setUp()
    const id = await owes()
    const page = await open(id)
    desk.providers.stripe.pay(page)
    const notice = desk.providers.stripe.notice('completed', page)
    process.crashAfter(steps)
    const first = await send(path, notice)
    await desk.app.drain().catch(() => {})
    const hasCrashed = process.restart()
    if (first.status !== 200)
      expect((await send(path, desk.providers.stripe.notice('completed', page))).status).toBe(200)
    // Its lease on the job ends, and another process goes on.
    for (let waited = 0; waited < 4; waited++) await desk.app.pass(700)
    expect([steps, await payments(id)]).toEqual([steps, [[45_000, 'online']]])
    if (!hasCrashed) {
      expect(steps).toBeGreaterThan(3)
      return
    }
  }
})
