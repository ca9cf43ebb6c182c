import argon2 from 'argon2'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute } from '#kit/institute.ts'
import { cookieOf, emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

/** While strangers fill the queue for password checks, known clients still get their turn. */

const WAITING = 4
const HOME = '10.0.0.1'

let app: TestApp
let email: string
let cookie: string
/** The passwords that are being hashed, oldest first, with a function that lets each finish. */
let working: { password: string; end: () => void }[]
let gate: 'open' | 'closed'
/** How many passwords were handed over since the gate was closed. */
let asked: number

const login = (from: string, who: string, password: string, more: Record<string, string> = {}) =>
  app.send('POST', '/auth/login', {
    body: { email: who, password },
    headers: { 'x-forwarded-for': from, ...more },
  })

const close = () => {
  gate = 'closed'
  asked = 0
}

/** Finishes one hash after another until the reply comes. */
const letEnd = async (reply: Promise<Reply>): Promise<{ reply: Reply; order: string[] }> => {
  const order: string[] = []
  const ending = setInterval(() => {
    const next = working.shift()
    if (next) order.push(next.password)
    next?.end()
  }, 5)
  return { reply: await reply.finally(() => clearInterval(ending)), order }
}

/** Resolves once so many passwords are queued or being hashed. */
const entered = (passwords: number): Promise<void> =>
  vi.waitFor(() => expect(asked).toBeGreaterThanOrEqual(passwords), { timeout: 10_000, interval: 5 })

/**
 * Sends a request that needs a hash, and finishes no hash before it is queued. @returns the reply and the order of the
 * passwords
 */
const afterEntering = async (send: () => Promise<Reply>) => {
  const before = asked
  const reply = send()
  await entered(before + 1)
  const { reply: replied, order } = await letEnd(reply)
  return { status: replied.status, order: order.slice(0, 2) }
}

beforeEach(async () => {
  working = []
  gate = 'open'
  asked = 0
  const real = { hash: argon2.hash, verify: argon2.verify }
  const gated = async <T>(password: string, work: () => Promise<T>): Promise<T> => {
    if (gate === 'closed') await new Promise<void>((end) => working.push({ password, end }))
    return work()
  }
  vi.spyOn(argon2, 'verify').mockImplementation((hash, password) =>
    gated(String(password), () => real.verify(hash, password)),
  )
  vi.spyOn(argon2, 'hash').mockImplementation(((password: string, options: object) =>
    gated(password, () => real.hash(password, options))) as typeof argon2.hash)
  const inLine = createArgon2Passwords({ concurrency: 1, maxWaiting: WAITING })
  const passwords: Passwords = {
    ...inLine,
    hash: (...call) => {
      const answer = inLine.hash(...call)
      asked += 1
      return answer
    },
    verify: (...call) => {
      const answer = inLine.verify(...call)
      asked += 1
      return answer
    },
  }
  app = await startApp({
    passwords,
    config: { trustedProxies: 1, registration: true },
  })
  const { userId } = await (await makeInstitute(app)).member({ role: 'teacher' })
  email = emailOf(userId)
  const hash = await createArgon2Passwords().hash(PASSWORD)
  await app.app.database.write((db) =>
    db.updateTable('user').set({ password_hash: hash }).where('id', '=', userId).execute(),
  )
  const signedIn = await login(HOME, email, PASSWORD)
  cookie = `institute_refresh=${cookieOf(signedIn)}`
})
afterEach(async () => {
  gate = 'open'
  for (const { end } of working) end()
  vi.restoreAllMocks()
  await app.close()
})

/** Starts one password check, and fills the queue behind it with strangers from many addresses. */
const fillTheLine = async (): Promise<Promise<Reply>[]> => {
  close()
  const crowd = Array.from({ length: WAITING + 1 }, (_, n) => login(`10.1.0.${n}`, `${n}@example.org`, 'wrong'))
  await entered(WAITING + 1)
  expect((await login('10.2.0.1', 'late@example.org', 'wrong')).status).toBe(429)
  return crowd
}

const end = async (crowd: Promise<Reply>[]) => {
  for (const one of crowd) expect((await letEnd(one)).reply.status).toBe(401)
}

describe('while strangers fill the queue', () => {
  test.each([
    ['from an address where the account signed in before', () => login(HOME, email, PASSWORD)],
    ['from a browser where it did, at any address', () => login('10.3.0.1', email, PASSWORD, { cookie })],
  ])('the right password %s is checked next', async (_, signIn) => {
    const crowd = await fillTheLine()
    expect(await afterEntering(signIn)).toEqual({ status: 200, order: ['wrong', PASSWORD] })
    await end(crowd)
  })

  test('a browser is still known after it signed out, and after its session expired', async () => {
    const browser = { cookie }
    const { body } = await app.send('POST', '/auth/refresh', { headers: browser })
    expect((await app.as(body.accessToken).post('/auth/logout')).status).toBe(200)
    app.clock.advance(31 * 24 * 3600)
    const crowd = await fillTheLine()
    const signIn = () => login('10.3.0.1', email, PASSWORD, browser)
    expect(await afterEntering(signIn)).toEqual({ status: 200, order: ['wrong', PASSWORD] })
    await end(crowd)
  })

  test('strangers get the same refusal whether or not the account exists, and whatever cookie they forge', async () => {
    const crowd = await fillTheLine()
    const attempts = [
      await login('10.3.0.1', email, PASSWORD),
      await login('10.3.0.1', email, 'wrong'),
      await login('10.3.0.1', 'nobody@example.org', 'wrong'),
      await login(HOME, 'nobody@example.org', 'wrong'),
      await login('10.3.0.1', email, PASSWORD, { cookie: `institute_refresh=${'x'.repeat(120)}` }),
      await login('10.3.0.1', 'nobody@example.org', PASSWORD, { cookie }),
    ]
    for (const { status, body, headers } of attempts) {
      expect({ status, code: body.error.code, wait: headers.get('retry-after') }).toEqual({
        status: 429,
        code: 'RATE_LIMITED',
        wait: '1',
      })
    }
    await end(crowd)
  })

  test('a stranger’s guess at the same account, however long it waits, does not delay known clients', async () => {
    close()
    const crowd = [login('10.1.0.1', '1@example.org', 'wrong'), login('10.1.0.2', email, 'a guess')]
    await entered(2)
    const signIn = () => login(HOME, email, PASSWORD)
    expect(await afterEntering(signIn)).toEqual({ status: 200, order: ['wrong', PASSWORD] })
    await end(crowd)
  })

  test('a client with a mailed token or a session sets a new password; a registration waits with the strangers', async () => {
    await app.post('/auth/forgot-password', { email })
    await app.drain()
    const token = mailedToken(app, email, 'reset-password')
    const crowd = await fillTheLine()
    const person = { email: 'new@example.org', password: 'olive tree by the gate', fullName: 'New' }
    expect((await app.post('/auth/register', person)).status).toBe(429)
    const reset = () => app.post('/auth/reset-password', { token, newPassword: 'another phrase' })
    expect(await afterEntering(reset)).toEqual({ status: 200, order: ['wrong', 'another phrase'] })
    await end(crowd)
  })
})

test('one address cannot hold the whole queue against another', async () => {
  close()
  const crowd = Array.from({ length: WAITING + 1 }, (_, n) => login('10.1.0.1', `${n}@example.org`, 'wrong'))
  await entered(WAITING + 1)
  expect((await afterEntering(() => login('10.3.0.1', email, PASSWORD))).status).toBe(200)
  const statuses = []
  for (const one of crowd) statuses.push((await letEnd(one)).reply.status)
  expect(statuses.toSorted()).toEqual([...Array<number>(WAITING).fill(401), 429])
})
