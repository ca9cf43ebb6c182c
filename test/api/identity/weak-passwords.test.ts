import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WEAK } from '#kernel/who/new-password.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newInstitute } from '../examples/setup.ts'

/**
 * A new password that is common, a sequence, or made of the person's or the institute's own names is 422, wherever one is
 * chosen; one that is there already still signs in.
 */

const GOOD = 'olive tree by the gate'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, registration: true, mode: 'cloud' } })
  institute = await makeInstitute(app)
  await institute.owner.patch('/settings', { name: 'Jasmine Academy' })
})
afterAll(() => app.close())

const tokenIn = async (to: string): Promise<string> => {
  await app.drain()
  const link = app.mails.findLast((mail) => mail.to === to)?.text.match(/token=([\w-]+)/)
  return link?.[1] ?? ''
}

let people = 0
const account = async () => {
  people += 1
  const person = { email: `zaytouna${people}@example.org`, fullName: 'Marwan Khatib', password: GOOD }
  const { body } = await app.post('/auth/register', { ...person, client: 'mobile' })
  return { ...person, as: app.as(body.accessToken) }
}

const refused = ({ status, body }: Reply) => [status, body.error?.code, body.error?.details?.issues]
const issue = (path: string[], why: keyof typeof WEAK) => [422, 'VALIDATION_ERROR', [{ path, message: WEAK[why] }]]

/** Of each place where a password is chosen: a request with it, and where it stands in its body. */
const places: Record<string, { path: string[]; choose: () => Promise<(password: string) => Promise<Reply>> }> = {
  'POST /auth/register': {
    path: ['password'],
    choose: async () => (password) =>
      app.post('/auth/register', {
        email: `zaytouna-${(people += 1)}@example.org`,
        fullName: 'Marwan Khatib',
        password,
      }),
  },
  'POST /auth/change-password': {
    path: ['newPassword'],
    choose: async () => {
      const { as } = await account()
      return (newPassword) => as.post('/auth/change-password', { currentPassword: GOOD, newPassword })
    },
  },
  'POST /auth/reset-password': {
    path: ['newPassword'],
    choose: async () => {
      const { email } = await account()
      await app.post('/auth/forgot-password', { email })
      const token = await tokenIn(email)
      return (newPassword) => app.post('/auth/reset-password', { token, newPassword })
    },
  },
  'POST /invitations/accept': {
    path: ['password'],
    choose: async () => {
      const email = `zaytouna-${(people += 1)}@example.org`
      await institute.owner.post('/members', { email, roleId: institute.roles.teacher })
      const token = await tokenIn(email)
      return (password) => app.post('/invitations/accept', { token, password, fullName: 'Marwan Khatib' })
    },
  },
}

describe.each(Object.entries(places))('%s', (_, { path, choose }) => {
  test('refuses a weak password with 422 at its field, in words that say why, and takes another', async () => {
    const send = await choose()
    expect(refused(await send('12345678901'))).toEqual(issue(path, 'repetitive'))
    expect(refused(await send('Password2024!'))).toEqual(issue(path, 'common'))
    expect(refused(await send('MarwanKhatib1'))).toEqual(issue(path, 'related'))
    expect(refused(await send('zaytouna@example.org'))).toEqual(issue(path, 'related'))
    const { status } = await send('a lamp under the stairs')
    expect([200, 201]).toContain(status)
  })
})

test('the names of the institute are no password of who is invited to it', async () => {
  const send = await places['POST /invitations/accept']?.choose()
  expect(refused((await send?.('JasmineAcademy')) as Reply)).toEqual(issue(['password'], 'related'))
})

test('those of an institute that is registered with the account are none of its owner', async () => {
  const tenant = { slug: 'sunbird-house', name: 'Sunbird House' }
  const person = { email: 'amal@example.org', fullName: 'Amal Saleh', tenant }
  for (const password of ['sunbird-house1', 'Sunbird House']) {
    expect(refused(await app.post('/auth/register', { ...person, password }))).toEqual(issue(['password'], 'related'))
  }
  expect((await app.post('/auth/register', { ...person, password: GOOD })).status).toBe(201)
})

test('a weak password that an account has still signs in, and counts as the current one', async () => {
  const { email, as } = await account()
  await app.app.database.write((db) =>
    db.updateTable('user').set({ password_hash: 'plain:12345678901' }).where('email', '=', email).execute(),
  )
  expect((await app.post('/auth/login', { email, password: '12345678901' })).status).toBe(200)
  const change = { currentPassword: '12345678901', newPassword: GOOD }
  expect((await as.post('/auth/change-password', change)).status).toBe(200)
})

test('POST /setup/bootstrap refuses them for the owner', async () => {
  const own = await startApp()
  const setup = newInstitute({ app: own, serial: 1 })
  const send = (password: string) => own.post('/setup/bootstrap', { ...setup, owner: { ...setup.owner, password } })
  const path = ['owner', 'password']
  expect(refused(await send('12345678901'))).toEqual(issue(path, 'repetitive'))
  expect(refused(await send('iloveyou123'))).toEqual(issue(path, 'common'))
  for (const password of [setup.owner.email, `${setup.institute.slug}${setup.institute.slug}`, 'NoorHaddad2024']) {
    expect(refused(await send(password))).toEqual(issue(path, 'related'))
  }
  expect((await send(GOOD)).status).toBe(201)
  await own.close()
})
