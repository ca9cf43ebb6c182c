import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/values/errors.ts'
import { signInDoor } from '#modules/identity/lockout.ts'
import { PasswordCheck } from '#modules/identity/password-check.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { sweepIdentityJob } from '#modules/identity/jobs.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute
let tried = 0

const login = (email: string, password = 'wrong') => app.post('/auth/login', { email, password })
const codes = (replies: { body: { error?: { code: string } } }[]) =>
  replies.map(({ body }) => body.error?.code ?? 'OK').toSorted()

const fail = async (email: string, times: number) => {
  for (let time = 0; time < times; time += 1) {
    expect((await login(email)).body.error.code).toBe('INVALID_CREDENTIALS')
  }
}
const someone = async (known: boolean): Promise<string> => {
  tried += 1
  return known ? emailOf((await institute.member({ role: 'student' })).userId) : `unknown-${tried}@example.org`
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe.each([
  ['a known email', true],
  ['an unknown email', false],
])('five failed logins for %s within 15 minutes', (_, known) => {
  test('lock it: 423 ACCOUNT_LOCKED with Retry-After, for 15 minutes', async () => {
    const email = await someone(known)
    await fail(email, 5)
    const refused = await login(email, PASSWORD)
    expect(refused).toMatchObject({ status: 423, body: { error: { code: 'ACCOUNT_LOCKED' } } })
    expect(refused.headers.get('retry-after')).toBe('900')
    app.clock.advance(15 * 60 - 1)
    expect((await login(email.toUpperCase(), PASSWORD)).status).toBe(423)
    app.clock.advance(1)
    expect((await login(email, PASSWORD)).status).toBe(known ? 200 : 401)
  })

  test('count in a sliding window: four now and one after the window do not lock', async () => {
    const email = await someone(known)
    await fail(email, 4)
    app.clock.advance(15 * 60)
    await fail(email, 4)
    app.clock.advance(15 * 60 - 1)
    await fail(email, 1)
    expect((await login(email)).status).toBe(423)
    app.clock.advance(15 * 60)
    await fail(email, 5)
    expect((await login(email)).status).toBe(423)
  })

  test('cannot be exceeded by concurrent guesses', async () => {
    const email = await someone(known)
    const replies = await Promise.all(Array.from({ length: 25 }, () => login(email)))
    expect(codes(replies)).toEqual([
      ...Array.from({ length: 20 }, () => 'ACCOUNT_LOCKED'),
      ...Array.from({ length: 5 }, () => 'INVALID_CREDENTIALS'),
    ])
  })

  test('leave one audit entry, which reveals no password', async () => {
    const email = await someone(known)
    await fail(email, 5)
    await login(email)
    const entries = (await auditOf(app, 'auth.lock')).filter(
      ({ metadata }) => (metadata as { email: string }).email === email,
    )
    expect(entries).toHaveLength(1)
    expect(entries[0]?.entity_id === null).toBe(!known)
  })
})

describe('lockout', () => {
  test('the right password before the fifth failure resets the count', async () => {
    const email = await someone(true)
    await fail(email, 4)
    expect((await login(email, PASSWORD)).status).toBe(200)
    await fail(email, 4)
    expect((await login(email, PASSWORD)).status).toBe(200)
  })

  test('somebody who signs in on many devices at once is not locked out', async () => {
    const email = await someone(true)
    const replies = await Promise.all(Array.from({ length: 20 }, () => login(email, PASSWORD)))
    expect(new Set(codes(replies))).toEqual(new Set(['OK']))
  })

  test('concurrent guesses through several processes are at most five, too', async () => {
    const email = await someone(false)
    const passwords = { hash: async () => '', verify: async () => false, needsRehash: () => false }
    const begin = <T>(work: (tx: SystemTx) => Promise<T>) =>
      runInTransaction(app.app.runtime, systemAuditContext('test.guess'), (unit) => work(unit.system()))
    const guesses = Array.from({ length: 12 }, () =>
      new PasswordCheck(passwords)
        .run(
          { door: signInDoor(email), password: 'x', place: { key: 'test', known: false }, begin },
          async () => undefined,
        )
        .catch((error: unknown) => (error instanceof ApiError ? error.spec.code : String(error))),
    )
    const outcomes = await Promise.all(guesses)
    expect(outcomes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(5)
    expect(outcomes.filter((code) => code === 'ACCOUNT_LOCKED')).toHaveLength(7)
  })

  test('a password reset works while locked, and lifts the lock', async () => {
    const email = await someone(true)
    await fail(email, 5)
    await app.post('/auth/forgot-password', { email })
    await app.drain()
    const reset = await app.post('/auth/reset-password', {
      token: mailedToken(app, email, 'reset-password'),
      newPassword: 'another phrase',
    })
    expect(reset.status).toBe(200)
    expect((await login(email, 'another phrase')).status).toBe(200)
  })

  // Processor time, to which nothing adds that other programs do meanwhile.
  test('an unknown email costs as much as a wrong password', async () => {
    const slow = await startApp({ passwords: createArgon2Passwords() })
    const { userId } = await (await makeInstitute(slow)).member({ role: 'student' })
    const hash = await createArgon2Passwords().hash(PASSWORD)
    await slow.app.database.write((db) =>
      db.updateTable('user').set({ password_hash: hash }).where('id', '=', userId).execute(),
    )
    const costOf = async (email: string) => {
      const started = process.cpuUsage()
      expect((await slow.post('/auth/login', { email, password: 'wrong' })).status).toBe(401)
      const { user, system } = process.cpuUsage(started)
      return user + system
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 4; round += 1) {
      known.push(await costOf(emailOf(userId)))
      unknown.push(await costOf('nobody@example.org'))
    }
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
    await slow.close()
  })

  test('login guards that are no longer needed are deleted', async () => {
    const email = await someone(false)
    await fail(email, 1)
    const guards = () =>
      app.app.database.read.selectFrom('login_guard').select('email_key').where('email_key', '=', email).execute()
    expect(await guards()).toHaveLength(1)
    app.clock.advance(31 * 60)
    await runInTransaction(app.app.runtime, systemAuditContext('test.tick'), async (unit) =>
      unit.system().enqueue(sweepIdentityJob, {}),
    )
    await app.drain()
    expect(await guards()).toHaveLength(0)
  })
})

describe('the password that is asked for once more', () => {
  const wrong = { currentPassword: 'wrong', newPassword: 'olive tree by the gate' }

  test('locks its session after five wrong ones, and neither the sign-in nor another session', async () => {
    const person = await institute.member({ role: 'teacher' })
    const email = emailOf(person.userId)
    const change = (given: object, as: Pick<Client, 'post'> = person) => as.post('/auth/change-password', given)
    for (let time = 0; time < 5; time += 1) expect((await change(wrong)).body.error.code).toBe('INVALID_CREDENTIALS')
    const refused = await change({ ...wrong, currentPassword: PASSWORD })
    expect(refused).toMatchObject({
      status: 423,
      body: { error: { code: 'ACCOUNT_LOCKED', details: { reason: 'too_many_wrong_passwords' } } },
    })
    expect(refused.headers.get('retry-after')).toBe('900')
    expect((await auditOf(app, 'auth.lock')).at(-1)).toMatchObject({
      entity_id: person.userId,
      metadata: { sessionId: person.sessionId },
    })
    const { status, body } = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
    expect(status).toBe(200)
    expect((await change({ ...wrong, currentPassword: PASSWORD }, app.as(body.accessToken))).status).toBe(200)
  })

  test('is asked for again after 15 minutes, and guesses at the sign-in do not close it', async () => {
    const person = await institute.member({ role: 'teacher' })
    await fail(emailOf(person.userId), 5)
    expect((await login(emailOf(person.userId), PASSWORD)).status).toBe(423)
    const change = (currentPassword: string) => person.post('/auth/change-password', { ...wrong, currentPassword })
    for (let time = 0; time < 5; time += 1) expect((await change('wrong')).status).toBe(401)
    expect((await change(PASSWORD)).status).toBe(423)
    app.clock.advance(15 * 60)
    const again = await app.app.tokens.issue({
      userId: person.userId,
      sessionId: person.sessionId,
      tenantId: institute.tenant.id,
    })
    expect((await app.as(again).post('/auth/change-password', { ...wrong, currentPassword: PASSWORD })).status).toBe(
      200,
    )
  })

  test('gets no more than five guesses at once, as the sign-in', async () => {
    const person = await institute.member({ role: 'teacher' })
    const replies = await Promise.all(Array.from({ length: 12 }, () => person.post('/auth/change-password', wrong)))
    expect(codes(replies)).toEqual([
      ...Array.from({ length: 7 }, () => 'ACCOUNT_LOCKED'),
      ...Array.from({ length: 5 }, () => 'INVALID_CREDENTIALS'),
    ])
  })
})
