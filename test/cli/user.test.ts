import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { setUpCodes } from '#kit/second-factor.ts'
import { auditOf, emailOf, PASSWORD } from '#kit/sign-in.ts'
import { command } from './command.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp({ now: new Date().toISOString() })
})
afterAll(() => app.close())

const user = (name: string, email: string, ...more: string[]) =>
  command(['user', name, '--email', email, ...more, '--data-dir', app.dataDir])

const entriesOf = async (action: string, userId: string) =>
  (await auditOf(app, action)).filter((entry) => entry.entity_id === userId)

const NEW_PASSWORD = 'another phrase of mine'

/** The token in the one line on standard output. */
const tokenIn = (stdout: string): string => {
  const [, token] = /^http:\/\/\S+\/reset-password\?token=([\w-]{43})\n$/.exec(stdout) ?? []
  if (token === undefined) throw new Error(`no link: ${stdout}`)
  return token
}

test.each(['disable', 'enable', 'reset-password', 'reset-second-factor'])(
  'user %s says when there is nobody of that email',
  async (name) => {
    expect(await user(name, 'nobody@example.org')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account with the email nobody@example.org.\n',
    })
  },
)

test('user reset-second-factor lets in by the password whoever lost the rest, while the program runs', async () => {
  const { owner, ownerUserId } = await makeInstitute(app)
  await setUpCodes(app, owner)
  const email = emailOf(ownerUserId)
  expect((await app.post('/auth/login', { email, password: PASSWORD })).status).toBe(401)
  expect(await user('reset-second-factor', email)).toEqual({
    code: 0,
    stdout: `${email} signs in with the password alone, and is signed out everywhere.\n`,
    stderr: '',
  })
  expect((await owner.get('/me')).status).toBe(401)
  expect((await app.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
  expect(await entriesOf('user.reset-second-factor', ownerUserId)).toHaveLength(1)
  expect((await user('reset-second-factor', email)).stdout).toBe(
    `${email} has neither codes nor passkeys: there is nothing to take away.\n`,
  )
})

describe('user disable and user enable', () => {
  test('bar a person and end their sessions at once, while the program runs; and let them in again', async () => {
    const member = await (await makeInstitute(app)).member({ role: 'teacher' })
    expect((await member.get('/me')).status).toBe(200)
    const email = emailOf(member.userId)
    expect(await user('disable', email.toUpperCase())).toEqual({
      code: 0,
      stdout: `${email.toUpperCase()} is disabled and signed out everywhere.\n`,
      stderr: '',
    })
    const disabled = { status: 403, body: { error: { code: 'ACCOUNT_DISABLED' } } }
    expect(await member.get('/me')).toMatchObject(disabled)
    expect(await app.post('/auth/login', { email, password: PASSWORD })).toMatchObject(disabled)
    const entry = { actor_type: 'system', channel: 'cli', actor_user_id: null }
    expect(await entriesOf('user.disable', member.userId)).toMatchObject([entry])

    expect((await user('disable', email)).stdout).toBe(`${email} was disabled already.\n`)
    expect(await entriesOf('user.disable', member.userId)).toHaveLength(1)

    expect((await user('enable', email)).stdout).toBe(`${email} may sign in again.\n`)
    // What was ended stays ended.
    expect((await member.get('/me')).status).toBe(401)
    expect((await app.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
    expect(await entriesOf('user.enable', member.userId)).toMatchObject([
      { ...entry, before: { status: 'disabled' }, after: { status: 'active' } },
    ])
    expect((await user('enable', email)).stdout).toBe(`${email} was not disabled.\n`)
    expect(await entriesOf('user.enable', member.userId)).toHaveLength(1)
  })

  test('the last active owner is disabled with --force alone; whose and where is said', async () => {
    const fresh = await makeInstitute(app)
    const email = emailOf(fresh.ownerUserId)
    expect(await user('disable', email)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${email} is the last active owner of ${fresh.tenant.name} (${fresh.tenant.slug}): make somebody else an owner first, or disable them all the same with --force.\n`,
    })
    expect((await fresh.owner.get('/me')).status).toBe(200)
    expect(await entriesOf('user.disable', fresh.ownerUserId)).toEqual([])
    expect(await user('disable', email, '--force')).toMatchObject({ code: 0 })
    expect((await fresh.owner.get('/me')).status).toBe(403)
    expect(await entriesOf('user.disable', fresh.ownerUserId)).toMatchObject([
      { metadata: { leftWithoutOwner: [fresh.tenant.slug] } },
    ])
  })

  test('of two owners who are disabled at once one is left', async () => {
    const fresh = await makeInstitute(app)
    const second = await fresh.member({ role: 'owner' })
    const ended = await Promise.all([
      user('disable', emailOf(fresh.ownerUserId)),
      user('disable', emailOf(second.userId)),
    ])
    expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 1])
    const statuses = [(await fresh.owner.get('/me')).status, (await second.get('/me')).status]
    expect(statuses.toSorted()).toEqual([200, 403])
  })
})

describe('user reset-password', () => {
  const reset = (token: string) => app.post('/auth/reset-password', { token, newPassword: NEW_PASSWORD })

  test('prints a link that sets a password once, lifts a lockout and ends the sessions', async () => {
    const member = await (await makeInstitute(app)).member({ role: 'teacher' })
    const email = emailOf(member.userId)
    for (let tries = 0; tries < 5; tries += 1) await app.post('/auth/login', { email, password: 'a wrong guess' })
    expect((await app.post('/auth/login', { email, password: PASSWORD })).status).toBe(423)
    const { code, stdout, stderr } = await user('reset-password', email)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Whoever opens this link .*give it to them alone.*until \d{4}-\S+Z\.\n$/),
    })
    const token = tokenIn(stdout)
    const entries = await entriesOf('user.reset-password', member.userId)
    expect(entries).toMatchObject([{ actor_type: 'system', channel: 'cli' }])
    expect(JSON.stringify(entries)).not.toContain(token)

    expect((await reset(token)).status).toBe(200)
    expect((await member.get('/me')).status).toBe(401)
    expect((await app.post('/auth/login', { email, password: NEW_PASSWORD })).status).toBe(200)
    expect((await reset(token)).body.error.code).toBe('TOKEN_INVALID')
  })

  test('is good for an hour; a newer one kills it', async () => {
    const fresh = await makeInstitute(app)
    const email = emailOf(fresh.ownerUserId)
    const former = tokenIn((await user('reset-password', email)).stdout)
    const token = tokenIn((await user('reset-password', email)).stdout)
    expect((await reset(former)).body.error.code).toBe('TOKEN_INVALID')
    const { expires_at, created_at } = await app.app.database.read
      .selectFrom('email_token')
      .select(['expires_at', 'created_at'])
      .where('user_id', '=', fresh.ownerUserId)
      .executeTakeFirstOrThrow()
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3_600_000)
    expect((await reset(token)).status).toBe(200)
  })

  test('is not for a disabled person, who must be enabled first', async () => {
    const member = await (await makeInstitute(app)).member({ role: 'teacher' })
    const email = emailOf(member.userId)
    await user('disable', email)
    expect(await user('reset-password', email)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${email} is disabled: institute user enable --email ${email} comes first.\n`,
    })
  })
})

test(
  'an owner who was shut out gets back in while no server runs and there is no mail',
  { timeout: 60_000 },
  async () => {
    const dataDir = makeFolder()
    /** Starts the server, sends requests and stops it. @returns their statuses */
    const send = async (...requests: [where: string, body: () => object][]): Promise<number[]> => {
      const server = await startProgram(dataDir)
      const statuses: number[] = []
      for (const [where, body] of requests) {
        const reply = await fetch(`${server.url}/api/v1${where}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body()),
        })
        statuses.push(reply.status)
      }
      expect(await server.stop()).toBe(0)
      return statuses
    }
    expect(await send(['/setup/bootstrap', () => newSetup(setupTokenIn(dataDir))])).toEqual([201])
    const run = (...args: string[]) => command(['user', ...args, '--email', OWNER.email, '--data-dir', dataDir])
    expect((await run('disable', '--force')).code).toBe(0)
    expect((await run('enable')).code).toBe(0)
    const token = tokenIn((await run('reset-password')).stdout)
    const statuses = await send(
      ['/auth/reset-password', () => ({ token, newPassword: NEW_PASSWORD })],
      ['/auth/login', () => ({ email: OWNER.email, password: NEW_PASSWORD })],
    )
    expect(statuses).toEqual([200, 200])
  },
)

describe('user list', () => {
  test('shows email, name, status and roles, and the same as JSON', async () => {
    const alone = await startApp({ now: new Date().toISOString() })
    const fresh = await makeInstitute(alone)
    const second = await makeInstitute(alone)
    const teacher = await fresh.member({ role: 'teacher' })
    await fresh.owner.patch(`/members/${teacher.membershipId}`, { status: 'disabled' })
    await alone.app.database.write((db) =>
      db
        .insertInto('user')
        .values({
          id: newId(),
          email: 'Zoe@example.org',
          email_key: 'zoe@example.org',
          full_name: 'Zoe\u001b[2J Nobody\nelse',
          phone: null,
          locale: 'en',
          avatar_file_id: null,
          status: 'disabled',
          email_verified: false,
          password_hash: null,
          is_platform_admin: false,
          created_at: alone.clock.now(),
          updated_at: alone.clock.now(),
        })
        .execute(),
    )
    const list = (...more: string[]) => command(['user', 'list', ...more, '--data-dir', alone.dataDir])
    const { code, stdout, stderr } = await list()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [head = '', ...rows] = stdout.trimEnd().split('\n')
    expect(head.split(/ {2,}/)).toEqual(['EMAIL', 'NAME', 'STATUS', 'ROLES'])
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ...[
        [emailOf(fresh.ownerUserId), 'Test User', 'active', 'Owner'],
        [emailOf(second.ownerUserId), 'Test User', 'active', 'Owner'],
        [emailOf(teacher.userId), 'Test User', 'disabled', 'Teacher'],
      ].toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
      ['Zoe@example.org', 'Zoe[2J Nobodyelse', 'disabled'],
    ])

    const people = JSON.parse((await list('--json')).stdout) as { email: string; status: string }[]
    expect(people.map(({ email }) => email)).toEqual(rows.map((row) => row.split(' ')[0]))
    expect(people.find(({ email }) => email === emailOf(teacher.userId))).toEqual({
      id: teacher.userId,
      email: emailOf(teacher.userId),
      fullName: 'Test User',
      status: 'active',
      emailVerified: true,
      memberships: [
        expect.objectContaining({
          tenantSlug: fresh.tenant.slug,
          status: 'disabled',
          roles: [expect.objectContaining({ roleKey: 'teacher' })],
        }),
      ],
    })
    await alone.close()
  })

  test('says where nobody has an account yet', async () => {
    const dataDir = makeFolder()
    await command(['migrate', '--data-dir', dataDir])
    expect(await command(['user', 'list', '--data-dir', dataDir])).toMatchObject({
      code: 0,
      stderr: 'Nobody has an account yet.\n',
    })
    expect((await command(['user', 'list', '--json', '--data-dir', dataDir])).stdout).toBe('[]\n')
  })
})
