import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { mailedToken } from '#kit/sign-in.ts'
import { newInstitute } from '../examples/setup.ts'
import type { Client } from '#kit/client.ts'

/** What the pages behind mailed links learn of the server. */

let app: TestApp
let owner: Client
let teacher: string

beforeAll(async () => {
  app = await startApp({ config: { registration: true, signInUrl: 'https://app.noor.example.org/in' } })
  const { body } = await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))
  owner = app.as(body.accessToken)
  teacher = (await owner.get('/roles')).body.data.find(({ key }: { key: string }) => key === 'teacher').id
})
afterAll(() => app.close())

const look = (page: string, token: string) => app.send('GET', `//links/${page}`, { headers: { 'x-link-token': token } })
const invite = async (email: string): Promise<string> => {
  expect((await owner.post('/members', { email, roleId: teacher })).status).toBe(201)
  await app.drain()
  return mailedToken(app, email, 'invitation')
}

describe('a good token', () => {
  test('of an invitation tells who invites whom, where to, in which language, and what is needed', async () => {
    const token = await invite('huda@example.org')
    expect(await look('invitation', token)).toMatchObject({
      status: 200,
      body: {
        locale: 'ar',
        institute: 'معهد النور',
        inviter: 'Noor Haddad',
        email: 'huda@example.org',
        needs: { fullName: true, password: true },
        signInUrl: 'https://app.noor.example.org/in',
      },
    })
    // Looking uses nothing up.
    const accepted = { token, password: 'olive tree by the gate', fullName: 'Huda Nasser' }
    expect((await app.post('/invitations/accept', accepted)).status).toBe(200)
    expect((await look('invitation', token)).status).toBe(401)
  })

  test('of somebody whose address nobody confirmed needs a password, and a name only where there is none', async () => {
    const email = 'rami@example.org'
    await app.post('/auth/register', { email, password: 'a stranger’s password', fullName: 'Rami', locale: 'he' })
    expect((await look('invitation', await invite(email))).body).toMatchObject({
      locale: 'he',
      needs: { fullName: false, password: true },
    })
  })

  test('of an account tells whose it is and at which institute', async () => {
    const email = 'owner-1@example.org'
    await app.post('/auth/forgot-password', { email })
    await app.drain()
    const facts = { locale: 'ar', institute: 'معهد النور', inviter: null, email }
    expect((await look('reset-password', mailedToken(app, email, 'reset-password'))).body).toMatchObject(facts)
  })
})

test.each(['invitation', 'reset-password', 'verify-email'])(
  'a wrong token of %s shows nothing of the institute',
  async (page) => {
    for (const token of ['wrong', '', await invite(`${page}@example.org`).then((good) => `${good}x`)]) {
      const { status, body } = await look(page, token)
      expect([status, body.error.code]).toEqual([401, 'TOKEN_INVALID'])
      expect(JSON.stringify(body)).not.toMatch(/النور|noor/i)
    }
  },
)

test('a token is good for its own page alone', async () => {
  const token = await invite('lina@example.org')
  expect((await look('reset-password', token)).status).toBe(401)
  expect((await look('verify-email', token)).status).toBe(401)
  expect((await look('other', token)).status).toBe(422)
})
