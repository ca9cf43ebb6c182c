import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { migrations } from '#migrations'
import { CronScheduler } from '#runtime/queue/cron-scheduler.ts'
import { openSqlite, type Database } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import type { CronJob } from '#kernel/contract/module.ts'

const sweep = declareJob('sweep', noPayload)

let folder: string
let database: Database

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'institute-scheduler-'))
  database = openSqlite(path.join(folder, 'institute.db'))
  await migrate(database, migrations)
})
afterEach(async () => {
  vi.useRealTimers()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const scheduler = (...cronJobs: CronJob[]) => {
  const runtime = {
    database,
    clock: systemClock,
    rules: {},
    subscribers: [],
    credentials: [],
    maxAttempts: () => 5,
    usualLane: (kind: string) => kind,
    wake: () => {},
    unforeseenRefusal: () => {},
  }
  return new CronScheduler(runtime, cronJobs, pino({ level: 'silent' }))
}

const slots = async () =>
  (await database.read.selectFrom('job').select('unique_key').orderBy('unique_key').execute()).map(
    (job) => job.unique_key,
  )

test('of three processes that tick, each slot makes one job', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-03-02T08:01:30.000Z') })
  const schedulers = Array.from({ length: 3 }, () => scheduler({ cron: '*/5 * * * *', job: sweep }))
  for (const one of schedulers) one.start()
  const expected = ['sweep 2026-03-02T08:05', 'sweep 2026-03-02T08:10', 'sweep 2026-03-02T08:15']
  for (let minute = 2; minute <= 15; minute += 1) {
    await vi.advanceTimersByTimeAsync(60_000)
    await expect.poll(slots).toEqual(expected.slice(0, Math.floor(minute / 5)))
  }
  for (const one of schedulers) one.stop()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await slots()).toEqual(expected)
})

test('a cron job with atStart also runs at the start, after the first requests', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-03-02T08:01:30.000Z') })
  const one = scheduler({ cron: '0 0 1 1 *', job: sweep, atStart: true })
  one.start()
  expect(await slots()).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  await expect.poll(slots).toEqual(['sweep start 2026-03-02T08:01:30.000Z'])
  one.stop()
})

test('cronJobs that were scheduled while the clock was ahead come at their time when it is right again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-03-02T13:01:30.000Z') })
  const one = scheduler({ cron: '0 * * * *', job: sweep })
  one.start()
  vi.setSystemTime(new Date('2026-03-02T08:01:30.000Z'))
  one.lookAtClock()
  await vi.advanceTimersByTimeAsync(3600_000)
  await expect.poll(slots).toEqual(['sweep 2026-03-02T09:00'])
  one.stop()
})
