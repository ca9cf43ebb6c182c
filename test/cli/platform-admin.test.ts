import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { makeInstitute } from '#kit/institute.ts'
import { auditOf, emailOf } from '#kit/sign-in.ts'
import { makeFolder } from './folder.ts'
import { institute, type Ended } from './institute.ts'

const PASSWORD = 'a phrase of the vendor'
const EMAIL = 'vendor@example.org'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ now: new Date().toISOString(), passwords: createArgon2Passwords({}) })
})
afterAll(() => app.close())

/** @param input the password on standard input; undefined: none */
const add = (email: string, input?: string, dataDir = app.dataDir): Promise<Ended> => {
  const more = input === undefined ? [] : ['--password-stdin']
  return institute(['platform-admin', 'add', '--email', email, ...more, '--data-dir', dataDir], {}, input)
}

const login = (email: string, password: string) => app.post('/auth/login', { email, password, client: 'mobile' })
const isAdmin = async (token: string) => (await app.as(token).get('/platform/tenants')).status === 200

test('makes a platform admin while the program runs, who signs in with the password', async () => {
  expect(await add(EMAIL, `${PASSWORD}\n`)).toEqual({ code: 0, stdout: `${EMAIL} is a platform admin.\n`, stderr: '' })
  const { body } = await login(EMAIL, PASSWORD)
  expect(body.user).toMatchObject({ fullName: 'vendor', emailVerified: true })
  expect(await isAdmin(body.accessToken)).toBe(true)
  const entries = await auditOf(app, 'platform-admin.add')
  expect(entries.at(-1)).toMatchObject({ actor_type: 'system', channel: 'cli', after: { isPlatformAdmin: true } })
  expect(JSON.stringify(entries)).not.toContain(PASSWORD)

  // Again it changes nothing: a script may repeat it.
  expect(await add(EMAIL, PASSWORD)).toEqual({
    code: 0,
    stdout: `${EMAIL} was a platform admin already.\n`,
    stderr: '',
  })
  expect(await add(EMAIL)).toMatchObject({ code: 0, stdout: `${EMAIL} was a platform admin already.\n` })
  expect(await isAdmin(body.accessToken)).toBe(true)
  // Another password takes the place of the first, and ends its sessions.
  expect((await add(EMAIL, 'another phrase of ours')).code).toBe(0)
  expect((await app.as(body.accessToken).get('/me')).status).toBe(401)
  expect((await login(EMAIL, 'another phrase of ours')).status).toBe(200)
})

test.each([
  ['12345678901', 'A simple sequence or repetition is guessed quickly. Please choose another password.'],
  [
    'newcomer@example.org',
    'It is made of a name or an address of yours or of the institute, which is guessed quickly. Please choose another password.',
  ],
])('refuses the weak password %s, and makes nobody', async (password, words) => {
  expect(await add('newcomer@example.org', password)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(words),
  })
  expect((await login('newcomer@example.org', password)).status).toBe(401)
})

test('makes one of somebody who has an account, without asking for a password', async () => {
  const { ownerUserId, owner } = await makeInstitute(app)
  // The test's accounts have no password that this program could check.
  const email = emailOf(ownerUserId)
  expect(await add(email)).toEqual({
    code: 0,
    stdout: `${email} is a platform admin now, with the account that was there.\n`,
    stderr: '',
  })
  expect((await owner.get('/branches')).status).toBe(200)
})

describe('says in one line what is wrong', () => {
  test.each([
    [
      ['new@example.org'],
      2,
      'There is no terminal to ask for the password: send it to standard input with --password-stdin.',
    ],
    [['new@example.org', 'short'], 2, 'A password has at least 10 characters.'],
    [['nobody', PASSWORD], 2, '--email nobody: it must be an email address.'],
    [[EMAIL, PASSWORD, '/nowhere'], 1, 'There is no institute in /nowhere.'],
  ] as const)('%j', async ([email, input, dataDir], code, line) => {
    expect(await add(email, input, dataDir)).toEqual({ code, stdout: '', stderr: `${line}\n` })
  })

  test('a disabled account', async () => {
    const { ownerUserId } = await makeInstitute(app)
    await institute(['user', 'disable', '--email', emailOf(ownerUserId), '--force', '--data-dir', app.dataDir])
    expect(await add(emailOf(ownerUserId))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The account with this email address is disabled: enable it first.\n',
    })
  })
})

test('works right after migrate, before the program ever ran', async () => {
  const dataDir = path.join(makeFolder(), 'data')
  expect((await institute(['migrate', '--data-dir', dataDir])).code).toBe(0)
  expect(await add(EMAIL, PASSWORD, dataDir)).toMatchObject({ code: 0, stdout: `${EMAIL} is a platform admin.\n` })
  const { stdout } = await institute(['user', 'list', '--json', '--data-dir', dataDir])
  expect(JSON.parse(stdout)).toMatchObject([{ email: EMAIL, status: 'active' }])
})
