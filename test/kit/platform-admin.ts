import { newId } from '#kernel/basics/ids.ts'
import { openSession } from '#modules/identity/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from './app.ts'
import type { Client } from './client.ts'
import { userRow } from './user-row.ts'

export interface TestPlatformAdmin extends Client {
  userId: string
  sessionId: string
}

const LIFETIME = { slidingSeconds: 30 * 24 * 3600, longestSeconds: 90 * 24 * 3600 }

/** Inserts a platform admin directly into the database, and signs them in. */
export const makePlatformAdmin = async (test: TestApp): Promise<TestPlatformAdmin> => {
  const { app } = test
  const [userId, sessionId] = [newId(), newId()]
  await runInTransaction(app.runtime, systemAuditContext('test.platform-admin'), async (unit) => {
    const tx = unit.system()
    const email = `platform-${userId}@example.org`
    await tx.db
      .insertInto('user')
      .values(userRow({ id: userId, email, full_name: 'Platform Admin', is_platform_admin: true, now: tx.now }))
      .execute()
    await openSession(
      tx,
      { sessionId, refreshToken: newId(), userId, tenantId: null, client: 'web', ip: null, userAgent: null },
      LIFETIME,
    )
  })
  return { ...test.as(await app.tokens.issue({ userId, sessionId, tenantId: null })), userId, sessionId }
}

const made = new WeakMap<TestApp, Promise<TestPlatformAdmin>>()

/** The platform admin of an app: one for all its tests and examples. */
export const platformAdmin = (test: TestApp): Promise<TestPlatformAdmin> => {
  const known = made.get(test)
  if (known) return known
  const admin = makePlatformAdmin(test)
  made.set(test, admin)
  return admin
}

const clouds = new WeakMap<TestApp, Promise<TestApp>>()

/** A server in cloud mode that is closed together with this app, for what a self-hosted server refuses. */
export const cloudBeside = (test: TestApp): Promise<TestApp> => {
  const known = clouds.get(test)
  if (known) return known
  const cloud = startApp({ config: { mode: 'cloud', ...NO_LIMITS } })
  test.alsoClose(async () => (await cloud).close())
  clouds.set(test, cloud)
  return cloud
}
