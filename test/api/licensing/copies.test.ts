import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isCopied, isReplaced } from '#app/data-dir/layout.ts'
import { DEFAULTS } from '#app/config/config.ts'
import type { Database } from '#db/database.ts'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startVendor, licenseToken, unlockToken, type TestVendor } from '#kit/vendor.ts'
import { watchJob } from '#modules/licensing/watch.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'

/** The licence's state lies in the database and in a file beside it: what one loses, the other brings back. */

let app: TestApp
let institute: TestInstitute
let vendor: TestVendor
/** Writes that the database still takes; then it is as if the program was killed. */
let writesLeft: number

const licenseId = newId()
const HOUR = 3600

const crashable = (database: Database): Database => ({
  ...database,
  read: database.read,
  write: async (work, options) => {
    if (writesLeft <= 0) throw new Error('killed')
    writesLeft -= 1
    return database.write(work, options)
  },
})

beforeEach(async () => {
  writesLeft = Number.POSITIVE_INFINITY
  vendor = await startVendor(() => app.clock.now())
  app = await startApp({ config: config(), wrap: crashable })
  institute = await makeInstitute(app)
  await institute.owner.post('/license', { token: licenseToken({ licenseId }) })
  await app.drain()
})
afterEach(async () => {
  vendor.close()
  await app.close()
})

const config = () => ({ accessTokenSeconds: 1e9, license: { ...DEFAULTS.license, ...vendor.config } })
const file = () => path.join(app.dataDir, 'license-state')
const status = async (of: TestApp = app) => (await of.as(institute.owner.credential).get('/license')).body
const unlock = (token: string, of: TestApp = app) =>
  of.as(institute.owner.credential).post('/license/unlock', { token })
const row = (of: TestApp = app) =>
  of.app.database.read.selectFrom('installed_license').selectAll().executeTakeFirstOrThrow()
/** What happens at every start. */
const start = async (of: TestApp = app) => {
  await runInTransaction(of.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(watchJob, {}),
  )
  await of.drain()
}

/** Keeps what the database knows, and brings it back later, as a backup does. */
const backUp = async () => {
  const { tenant_id: _, ...license } = await row()
  const {
    status: state,
    locked_at,
    locked_reason,
  } = await app.app.database.read.selectFrom('tenant').selectAll().executeTakeFirstOrThrow()
  return () =>
    app.app.database.write(async (db) => {
      await db.updateTable('installed_license').set(license).execute()
      await db.updateTable('tenant').set({ status: state, locked_at, locked_reason }).execute()
    })
}

test('the file is the owner’s alone, and shows nothing', async () => {
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(readFileSync(file(), 'utf8')).toMatch(/^[\w-]+\n$/)
})

test('no backup holds the file, and no restore replaces it', () => {
  expect([isCopied('license-state'), isReplaced('license-state')]).toEqual([false, false])
})

describe('an old database', () => {
  test('does not lift a lock, and the vendor sees its counter go back', async () => {
    const restore = await backUp()
    vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    await app.pass(3)
    const { counter } = vendor.heartbeats.at(-1) ?? { counter: 0 }
    await restore()
    expect(await status()).toMatchObject({ state: 'active' })
    vendor.answerBy((_, response) => response.destroy())
    await start()
    expect(await status()).toMatchObject({ state: 'locked', reason: 'unpaid' })
    expect(vendor.heartbeats.at(-1)?.counter).toBeLessThanOrEqual(counter)
  })

  test('does not lock again what was unlocked, and brings back no used token', async () => {
    const first = vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    const restore = await backUp()
    const token = unlockToken({ licenseId, seq: first + 1 })
    expect((await unlock(token)).status).toBe(200)
    await restore()
    expect(await status()).toMatchObject({ state: 'locked' })
    await start()
    expect(await status()).toMatchObject({ state: 'active' })
    expect((await unlock(token)).body.error.details).toEqual({ reason: 'used' })
  })

  test('from before the licence gets it back, with its lock and the same install', async () => {
    const { installId } = await status()
    vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    await app.app.database.write(async (db) => {
      await db.deleteFrom('installed_license').execute()
      await db.updateTable('tenant').set({ status: 'active', locked_at: null, locked_reason: null }).execute()
    })
    expect(await status()).toMatchObject({ state: 'unlicensed' })
    await start()
    expect(await status()).toMatchObject({ state: 'locked', reason: 'unpaid', licenseId, installId })
    expect(vendor.heartbeats.at(-1)).toMatchObject({ installId, counter: 1, key: vendor.heartbeats[0]?.key })
  })
})

describe('a file', () => {
  test.each([
    ['that is gone', () => rmSync(file())],
    ['that was edited', () => writeFileSync(file(), readFileSync(file(), 'utf8').replace(/.{6}\n$/, 'AAAAAA\n'))],
    ['that is empty', () => writeFileSync(file(), '')],
  ])('%s is written anew, nothing is unlocked, and heartbeats count from 1 again', async (_, lose) => {
    vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    await app.pass(3)
    lose()
    await start()
    expect(await status()).toMatchObject({ state: 'locked', reason: 'unpaid' })
    expect(existsSync(file())).toBe(true)
    expect(vendor.heartbeats.at(-1)?.counter).toBe(1)
    // It holds what the database knew.
    await app.app.database.write(async (db) => {
      await db.updateTable('tenant').set({ status: 'active', locked_at: null }).execute()
      await db.deleteFrom('installed_license').execute()
    })
    await start()
    expect(await status()).toMatchObject({ state: 'locked' })
  })

  test('that cannot be written stops nothing', async () => {
    rmSync(file())
    // A folder in its place: no rename succeeds.
    cpSync(path.join(app.dataDir, 'master-key'), path.join(file(), 'in-the-way'))
    vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    expect(await status()).toMatchObject({ state: 'locked', lastError: null })
  })

  test('that both agree with is left alone, and the counter goes on', async () => {
    await start()
    const before = readFileSync(file(), 'utf8')
    await start()
    expect(readFileSync(file(), 'utf8')).toBe(before)
    expect(vendor.heartbeats.map(({ counter }) => counter)).toEqual([1, 2])
  })
})

describe('a kill', () => {
  /** A new process on what the dead one left. */
  const reborn = async <T>(check: (next: TestApp) => Promise<T>): Promise<T> => {
    const next = await startApp({
      config: config(),
      now: app.clock.now(),
      database: async (dataDir) => {
        for (const name of ['institute.db', 'institute.db-wal', 'master-key', 'license-state']) {
          if (existsSync(path.join(app.dataDir, name))) cpSync(path.join(app.dataDir, name), path.join(dataDir, name))
        }
        return { url: app.app.config.databaseUrl, drop: async () => {} }
      },
    })
    try {
      return await check(next)
    } finally {
      await next.close()
    }
  }

  test('and an old database: the first request already meets the lock', async () => {
    const restore = await backUp()
    vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    await restore()
    expect((await institute.owner.get('/students')).status).toBe(200)
    await reborn(async (next) => {
      const reply = await next.as(institute.owner.credential).get('/students')
      expect([reply.status, reply.body.error.code]).toEqual([402, 'SUBSCRIPTION_SUSPENDED'])
    })
  })

  test('between any two writes of a lock leaves it undone or done, and the next start does it once', async () => {
    const restore = await backUp()
    const before = readFileSync(file())
    vendor.command('lock', 'unpaid')
    // The vendor tells it again and again, whatever the processes of other rounds have acknowledged.
    vendor.say({ commands: vendor.waiting() })
    let died = 0
    for (let writes = 0; writes < 20; writes += 1) {
      await restore()
      writeFileSync(file(), before)
      writesLeft = writes
      await app.pass(6 * HOUR).catch(() => {})
      const done = writesLeft > 0
      writesLeft = Number.POSITIVE_INFINITY
      if (!done) died += 1
      await reborn(async (next) => {
        await start(next)
        expect(await status(next), `after ${writes} writes`).toMatchObject({ state: 'locked', reason: 'unpaid' })
        expect((await row(next)).applied[licenseId]).toMatchObject({ sequence: 1, locked: true })
      })
      if (done) break
    }
    expect(died).toBeGreaterThan(2)
  }, 120_000)

  test('between the two writes of an unlock token leaves it to the next start, and the token is spent', async () => {
    const seq = vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    vendor.answerBy((_, response) => response.destroy())
    const token = unlockToken({ licenseId, seq: seq + 1 })
    writesLeft = 0
    expect((await unlock(token)).status).toBe(500)
    writesLeft = Number.POSITIVE_INFINITY
    expect(await status()).toMatchObject({ state: 'locked' })
    await reborn(async (next) => {
      await start(next)
      expect(await status(next)).toMatchObject({ state: 'active' })
      expect((await unlock(token, next)).body.error.details).toEqual({ reason: 'used' })
    })
  })

  test('is not needed: after an error of the database the same token may be tried again', async () => {
    const seq = vendor.command('lock', 'unpaid')
    await app.pass(6 * HOUR)
    vendor.answerBy((_, response) => response.destroy())
    const token = unlockToken({ licenseId, seq: seq + 1 })
    writesLeft = 0
    expect((await unlock(token)).status).toBe(500)
    writesLeft = Number.POSITIVE_INFINITY
    expect((await unlock(token)).body).toMatchObject({ state: 'active' })
  })
})
