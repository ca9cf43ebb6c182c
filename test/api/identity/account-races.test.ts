import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { Gate } from '#kit/pairs/gate.ts'
import { Ring } from '#kit/pairs/race.ts'
import { makePlatformAdmin, platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { emailOf, mailedToken } from '#kit/sign-in.ts'

/**
 * "A revoked session, a disabled user or membership ends at once": while an account is disabled, another change that
 * decides by this account or by its sessions pauses after each of its statements.
 */

let app: TestApp
let admin: TestPlatformAdmin
let institute: TestInstitute
let ring: Ring

beforeAll(async () => {
  const gate = new Gate()
  app = await startApp({ wrap: gate.wrap, config: NO_LIMITS })
  admin = await platformAdmin(app)
  institute = await makeInstitute(app)
  ring = new Ring(app, gate, [])
})
afterAll(() => app.close())

type Send = () => Promise<Reply>
const setStatus = (userId: string, status: 'active' | 'disabled') =>
  admin.patch(`/platform/users/${userId}`, { status })

const LONGEST = 14

/** Disables the account that `set` names while its change runs, with either of them paused anywhere. */
const whileDisabled = async <T>(
  set: () => Promise<{ userId: string; send: Send; about: T }>,
  check: (reply: Reply, about: T) => Promise<void> | void = () => {},
): Promise<Reply[]> => {
  const sent: Reply[] = []
  for (const turned of [false, true]) {
    for (let after = 1; after <= (engine === 'postgres' ? LONGEST : 1); after += 1) {
      const { userId, send, about } = await set()
      const disable = () => setStatus(userId, 'disabled')
      const replies = await (turned ? ring.stopped(disable, send, after) : ring.stopped(send, disable, after))
      const [reply, disabled] = turned ? replies.toReversed() : replies
      expect(disabled?.status).toBe(200)
      await check(reply as Reply, about)
      expect(ring.takeCollisions()).toBe(0)
      sent.push(reply as Reply)
    }
  }
  return sent
}

const impersonate = (as: TestPlatformAdmin, { tenant }: TestInstitute) =>
  as.post(`/platform/tenants/${tenant.id}/impersonate`, { reason: 'They asked for help.' })

test.each([
  ['DELETE', '/auth/sessions/{id}', {}],
  ['POST', '/auth/logout-all', {}],
  ['POST', '/auth/change-password', { currentPassword: 'correct horse', newPassword: 'another horse' }],
  ['PATCH', '/me', { fullName: 'Dana Levi' }],
  ['PUT', '/notification-preferences', { preferences: [{ channel: 'email', enabled: false, digestMode: 'daily' }] }],
] as const)('%s %s is done before the account is disabled, or refused', async (method, path, body) => {
  const replies = await whileDisabled(async () => {
    const member = await institute.member({ role: 'teacher' })
    const send = () => member.send(method, path.replace('{id}', member.sessionId), { body })
    return { userId: member.userId, send, about: undefined }
  })
  for (const reply of replies.filter(({ status }) => status !== 200))
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_DISABLED' } } })
})

test('an impersonation that begins while the owner’s account is disabled is dead when that is enabled again', async () => {
  await whileDisabled(
    async () => {
      const other = await makeInstitute(app)
      return { userId: other.ownerUserId, send: () => impersonate(admin, other), about: other.ownerUserId }
    },
    async ({ status, body }, userId) => {
      expect([200, 409]).toContain(status)
      await setStatus(userId, 'active')
      if (status === 200) expect((await app.as(body.accessToken).get('/branches')).status).toBe(401)
    },
  )
})

test('an impersonation that begins while its platform admin is disabled ends with that', async () => {
  await whileDisabled(
    async () => {
      const helper = await makePlatformAdmin(app)
      return { userId: helper.userId, send: () => impersonate(helper, institute), about: undefined }
    },
    async ({ status, body }) => {
      if (status === 200) expect((await app.as(body.accessToken).get('/branches')).status).toBe(401)
      else expect([status, body.error.code]).toEqual([403, 'ACCOUNT_DISABLED'])
    },
  )
})

/** Whether links that were mailed to the account still work. */
const linksOf = async (userId: string): Promise<number> => {
  const { read } = app.app.database
  return (await read.selectFrom('email_token').select('user_id').where('user_id', '=', userId).execute()).length
}

test.each(['reset-password', 'verify-email'] as const)(
  'the link of %s is used before the account is disabled, or not at all',
  async (page) => {
    const ask = page === 'reset-password' ? '/auth/forgot-password' : '/auth/resend-verification'
    await whileDisabled(
      async () => {
        const { userId } = await institute.member({ role: 'teacher' })
        await app.app.database.write((db) =>
          db.updateTable('user').set({ email_verified: false }).where('id', '=', userId).execute(),
        )
        await app.post(ask, { email: emailOf(userId) })
        await app.drain()
        const token = mailedToken(app, emailOf(userId), page)
        const send = () => app.post(`/auth/${page}`, { token, newPassword: 'a long enough phrase' })
        return { userId, send, about: userId }
      },
      async ({ status, body }, userId) => {
        if (status !== 200) expect(body.error.code).toBe('TOKEN_INVALID')
        expect(await linksOf(userId)).toBe(0)
      },
    )
  },
)

test('whoever asks for a link while their account is disabled is left without one', async () => {
  await whileDisabled(
    async () => {
      const { userId } = await institute.member({ role: 'teacher' })
      await app.post('/auth/forgot-password', { email: emailOf(userId) })
      const send = async () => {
        await app.drain()
        return { status: 200 } as Reply
      }
      return { userId, send, about: userId }
    },
    async (_, userId) => {
      await app.drain()
      expect(await linksOf(userId)).toBe(0)
    },
  )
})
