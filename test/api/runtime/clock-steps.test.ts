import { pino } from 'pino'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { declareJob, type Job, type NoPayload } from '#kernel/contract/job.ts'
import { jobKind, type JobKind } from '#kernel/contract/module.ts'
import type { JobOptions } from '#kernel/contract/unit-of-work.ts'
import { sweepIdentityJob } from '#modules/identity/jobs.ts'
import { sweepJob as housekeepingSweep } from '#runtime/queue/housekeeping.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { cookieOf, emailOf, PASSWORD, refreshByCookie } from '#kit/sign-in.ts'
import { newApiKey } from '../examples/integrations.ts'

/** The server's clock is five hours ahead for a while, as after a wrong start, and is then corrected. */

const HOURS = 5 * 3600
const DAY = 24 * 3600

let app: TestApp
let institute: TestInstitute

beforeEach(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterEach(() => app.close())

const inSeconds = (seconds: number) => new Date(app.clock.millis() + seconds * 1000).toISOString()
const stepBack = () => app.clock.set(inSeconds(-HOURS))
/** Does something while the clock is ahead. @returns its result, with the clock corrected */
const whileAhead = async <T>(work: () => Promise<T>): Promise<T> => {
  app.clock.set(inSeconds(HOURS))
  const result = await work()
  stepBack()
  return result
}
const sweep = async (job: Job<NoPayload>) => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => unit.system().enqueue(job, {}))
  await app.drain()
}

describe('limits', () => {
  test('count time that passes: a step forward does not clear a limit, and a step back does not lengthen it', async () => {
    const small = await startApp({
      config: { limits: { ...app.app.config.limits, anonymousPerMinute: 2 } },
    })
    const ask = () => small.get('/setup/status')
    for (const wanted of [200, 200, 429]) expect((await ask()).status).toBe(wanted)
    small.clock.set(inSeconds(HOURS))
    expect((await ask()).status).toBe(429)
    small.clock.advance(61)
    for (const wanted of [200, 200]) expect((await ask()).status).toBe(wanted)
    small.clock.set(inSeconds(0))
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    small.clock.advance(61)
    expect((await ask()).status).toBe(200)
    await small.close()
  })
})

describe('a lockout', () => {
  const login = (email: string, password = 'wrong') => app.post('/auth/login', { email, password })
  const guards = () => app.app.database.read.selectFrom('login_guard').selectAll().execute()

  test('from the time when the clock was ahead does not count, and wrong passwords lock again for 15 minutes', async () => {
    const email = emailOf((await institute.member({ role: 'teacher' })).userId)
    const fail = async () => {
      for (let time = 0; time < 5; time += 1) expect((await login(email)).status).toBe(401)
    }
    await whileAhead(fail)
    await fail()
    const locked = await login(email, PASSWORD)
    expect({ status: locked.status, wait: locked.headers.get('retry-after') }).toEqual({ status: 423, wait: '900' })
    app.clock.advance(900)
    expect((await login(email, PASSWORD)).status).toBe(200)
  })

  test('does not last longer than its window', async () => {
    await whileAhead(() => login('nobody@example.org'))
    await sweep(sweepIdentityJob)
    expect(await guards()).toEqual([])
  })
})

describe('a sign-in from while the clock was ahead', () => {
  const login = async (client: 'web' | 'mobile') => {
    const { userId } = await institute.member({ role: 'teacher' })
    const reply = await app.post('/auth/login', { email: emailOf(userId), password: PASSWORD, client })
    return {
      accessToken: reply.body.accessToken as string,
      refreshToken: (client === 'web' ? cookieOf(reply) : reply.body.refreshToken) as string,
    }
  }

  test('has its access token refused, which would be valid for too long, and gets a new one by refresh', async () => {
    const { accessToken, refreshToken } = await whileAhead(async () => {
      const signedIn = await login('mobile')
      expect((await app.as(signedIn.accessToken).get('/auth/me')).status).toBe(200)
      return signedIn
    })
    expect((await app.as(accessToken).get('/auth/me')).status).toBe(401)
    const fresh = await app.post('/auth/refresh', { refreshToken })
    expect((await app.as(fresh.body.accessToken).get('/auth/me')).status).toBe(200)
  })

  test('a rotated token counts as another tab’s for ten seconds, no longer', async () => {
    const { refreshToken } = await whileAhead(async () => {
      const signedIn = await login('web')
      expect((await refreshByCookie(app, signedIn.refreshToken)).status).toBe(200)
      return signedIn
    })
    expect((await refreshByCookie(app, refreshToken)).status).toBe(401)
    const sessions = await app.app.database.read.selectFrom('auth_session').select('revoked_at').execute()
    expect(sessions.filter((session) => session.revoked_at !== null)).toHaveLength(1)
  })

  test('lives no longer than any other from now on, and so do mailed links', async () => {
    const { refreshToken } = await whileAhead(async () => {
      await app.post('/auth/forgot-password', { email: emailOf(institute.ownerUserId) })
      await app.drain()
      return login('mobile')
    })
    await sweep(sweepIdentityJob)
    const { database, config } = app.app
    const { expires_at: tokenEnds } = await database.read
      .selectFrom('email_token')
      .select('expires_at')
      .where('kind', '=', 'reset_password')
      .executeTakeFirstOrThrow()
    expect(tokenEnds).toBe(inSeconds(3600))
    const [session] = await database.read
      .selectFrom('auth_session')
      .select(['expires_at', 'ends_at'])
      .orderBy('id', 'desc')
      .execute()
    expect(session).toEqual({
      expires_at: inSeconds(config.refreshTokenSeconds),
      ends_at: inSeconds(config.refreshTokenLongestSeconds),
    })
    expect((await app.post('/auth/refresh', { refreshToken })).status).toBe(200)
  })
})

test('the last use of a key that was stored while the clock was ahead is stored again', async () => {
  const { key } = await newApiKey(institute, { permissions: ['students.read'] })
  const lastUse = async () => {
    expect((await app.as(key).get('/students')).status).toBe(200)
    await expect
      .poll(async () => (await app.app.database.read.selectFrom('api_key').select('last_used_at').execute())[0])
      .toEqual({ last_used_at: app.clock.now() })
  }
  await whileAhead(lastUse)
  await lastUse()
})

describe('an Idempotency-Key from while the clock was ahead', () => {
  const records = () => app.app.database.read.selectFrom('idempotency_record').selectAll().execute()
  const student = (by: Client = institute.owner) =>
    by.send('POST', '/students', {
      body: { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' },
      headers: { 'idempotency-key': 'one' },
    })

  test('still answers a repeat, and is kept for one more day from now', async () => {
    const first = await whileAhead(async () => {
      // The owner's own token has expired by now.
      const credentials = { email: emailOf(institute.ownerUserId), password: PASSWORD, client: 'mobile' }
      const { accessToken } = (await app.post('/auth/login', credentials)).body
      return student(app.as(accessToken))
    })
    expect(first.status).toBe(201)
    const repeat = await student()
    expect(repeat).toMatchObject({ status: 201, body: { id: first.body.id } })
    expect(repeat.headers.get('idempotency-replayed')).toBe('true')
    await sweep(housekeepingSweep)
    expect(await records()).toMatchObject([{ expires_at: inSeconds(DAY) }])
  })

  test('no longer blocks when its first request died', async () => {
    expect((await student()).status).toBe(201)
    await app.app.database.write(async (db) => {
      await db
        .updateTable('idempotency_record')
        .set({ state: 'running', started_at: inSeconds(HOURS), expires_at: inSeconds(HOURS + DAY) })
        .execute()
    })
    expect((await student()).status).toBe(201)
  })
})

describe('a job from while the clock was ahead', () => {
  let ran: unknown[]
  let queue: Queue
  const jobOf = (name: string) => declareJob(name, v.object({ n: v.string() }))

  beforeEach(() => {
    ran = []
    const kinds = new Map<string, JobKind>([
      ['note', jobKind(jobOf('note'), { handle: async ({ payload }) => void ran.push(payload.n) })],
      [
        'stumble',
        jobKind(jobOf('stumble'), {
          handle: async ({ payload, attempt }) => {
            if (attempt === 1) throw new Error('the first run fails')
            ran.push(payload.n)
          },
        }),
      ],
    ])
    queue = new Queue(
      { ...app.app.runtime, maxAttempts: () => 5 },
      { kinds, log: pino({ level: 'silent' }), isOnlyProcess: false },
    )
  })
  const enqueue = (n: string, { kind = 'note', ...options }: JobOptions & { kind?: string } = {}) =>
    runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(jobOf(kind), { n }, options),
    )

  test('runs when the clock is right again; a job that was scheduled for later does not run early', async () => {
    await enqueue('planned', { runAt: inSeconds(HOURS + 3600) })
    await whileAhead(async () => {
      await queue.drain()
      await enqueue('made ahead')
    })
    await queue.drain()
    expect(ran).toEqual(['made ahead'])
    app.clock.advance(HOURS + 3600)
    await queue.drain()
    expect(ran).toEqual(['made ahead', 'planned'])
  })

  test('is retried after its own wait', async () => {
    await enqueue('again', { kind: 'stumble' })
    await whileAhead(() => queue.drain())
    await queue.drain()
    expect(ran).toEqual(['again'])
  })

  test('is taken over from a worker that died then', async () => {
    await enqueue('taken')
    await app.app.database.write(async (db) => {
      await db
        .updateTable('job')
        .set({ state: 'running', lease_until: inSeconds(HOURS) })
        .where('kind', '=', 'note')
        .execute()
    })
    await queue.drain()
    expect(ran).toEqual(['taken'])
  })

  test('that a cron job enqueued does not prevent the cron job from running again when that minute comes', async () => {
    const tick = async () => {
      await enqueue('tick', { uniqueKey: `note ${app.clock.now().slice(0, 16)}` })
      await queue.drain()
    }
    await whileAhead(tick)
    await queue.drain()
    app.clock.advance(HOURS)
    await tick()
    expect(ran).toEqual(['tick', 'tick'])
    await tick()
    expect(ran).toEqual(['tick', 'tick'])
  })
})
