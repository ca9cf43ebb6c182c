import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { freePort } from '#kit/free-port.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, TestInstall, vendorKeyOf } from '#kit/licenses.ts'
import { makePlatformAdmin, platformAdmin } from '#kit/platform-admin.ts'
import { setUpCodes } from '#kit/second-factor.ts'
import { emailOf } from '#kit/sign-in.ts'
import { command } from './command.ts'
import { makeFolder } from './folder.ts'
import { institute, type Ended } from './institute.ts'

const PASSWORD = 'correct horse'

let app: TestApp
let email: string
beforeAll(async () => {
  app = await startApp({ config: { mode: 'cloud', ...NO_LIMITS }, now: new Date().toISOString() })
  await vendorKeyOf(app)
  email = `platform-${(await platformAdmin(app)).userId}@example.org`
})
afterAll(() => app.close())

/** A home of its own for each test. */
let home: string
beforeEach(() => {
  home = makeFolder()
})

const kept = (): string => path.join(home, 'institute/vendor.json')
const session = (): Record<string, string> => JSON.parse(readFileSync(kept(), 'utf8')) as Record<string, string>
const environment = (): Record<string, string> => ({ XDG_CONFIG_HOME: home, HOME: home })
const vendor = (args: readonly string[], input?: string): Promise<Ended> =>
  institute(['vendor', ...args], environment(), input)
const login = (as = email, password = PASSWORD, server = app.url): Promise<Ended> =>
  vendor(['login', '--server', server, '--email', as, '--password-stdin'], `${password}\n`)

/** Runs a command that needs neither a terminal nor a process of its own. */
const plain = (args: readonly string[]): Promise<Ended> => command(['vendor', ...args], environment())

/** Runs a command that must succeed. @returns what it printed */
const done = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await plain(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}
const json = async (...args: string[]) => JSON.parse(await done(...args, '--json')) as Record<string, unknown>
const refused = (line: string | RegExp, code = 1) => ({
  code,
  stdout: '',
  stderr: typeof line === 'string' ? `${line}\n` : expect.stringMatching(line),
})

describe('a sign-in that fails leaves nothing behind and says why in one line', () => {
  test.each([
    'http://vendor.example',
    'http://127.evil.example',
    'vendor.example',
    'https://a:b@vendor.example',
    'https://vendor.example/api',
  ])('%s', async (server) => {
    const line = '--server is the root of a server: https://…, or http://… on this machine (localhost, 127.0.0.1).'
    expect(await login(email, PASSWORD, server)).toEqual(refused(line, 2))
  })

  test('a wrong password', async () => {
    const ended = await login('nobody@example.org', 'a secret that is wrong')
    expect(ended).toEqual(refused(/^[^\n]+ \(INVALID_CREDENTIALS, request \S+\)\n$/))
    expect(ended.stderr).not.toContain('a secret')
    expect(existsSync(kept())).toBe(false)
  })

  test('somebody who is no platform admin', async () => {
    const { ownerUserId } = await makeInstitute(app)
    expect(await login(emailOf(ownerUserId))).toEqual(refused(/^[^\n]+ \(FORBIDDEN, request \S+\)\n$/))
    expect(existsSync(kept())).toBe(false)
    const sessions = app.app.database.read.selectFrom('auth_session').select('revoked_at')
    const ended = (await sessions.where('user_id', '=', ownerUserId).execute()).filter((row) => row.revoked_at !== null)
    expect(ended).toHaveLength(1)
  })

  test('nobody there', async () => {
    const away = `http://127.0.0.1:${await freePort()}`
    expect(await login(email, PASSWORD, away)).toEqual(refused(`${away} cannot be reached (ECONNREFUSED).`))
  })

  test('a server that takes the request and does not answer', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    onTestFinished(() => {
      mute.close()
      mute.closeAllConnections()
    })
    const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`
    expect(await login(email, PASSWORD, url)).toEqual(refused(`${url} has not answered within 15 seconds.`))
  }, 60_000)

  test('another program there, or one that leads elsewhere', async () => {
    const other = createServer((request, response) => {
      if (request.headers['x-followed']) throw new Error('followed')
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('<h1>Welcome</h1>')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await login(email, PASSWORD, url)).toEqual(
      refused(`What answers at ${url} is no institute server (HTTP 302).`),
    )
  })
})

describe('institutes', () => {
  let other: Pick<TestInstitute, 'tenant'>
  /** The home in which all of them find the session. */
  let signedIn: string
  beforeAll(async () => {
    const place = { defaultLocale: 'en', timezone: 'UTC', currency: 'ILS' }
    const owner = { email: 'other@example.org', fullName: 'Other' }
    const admin = await platformAdmin(app)
    const { body } = await admin.post('/platform/tenants', { slug: 'other', name: 'Other', ...place, owner })
    other = { tenant: body as TestInstitute['tenant'] }
    home = makeFolder()
    await login()
    signedIn = home
  })
  beforeEach(() => {
    home = signedIn
  })

  const create = (slug: string, ...more: string[]) =>
    `tenant-create ${slug} --name النور --owner-email ${slug}@example.org --owner-name Noor --locale ar`
      .concat(' --timezone Asia/Jerusalem --currency ILS')
      .split(' ')
      .concat(more)

  test('are added, listed, shown, locked, unlocked and archived, by their short names', async () => {
    const body = { code: 'basic', name: 'Basic', priceMinor: 100, currency: 'ILS', interval: 'monthly' }
    const plan = JSON.stringify({ ...body, features: {}, quotas: {} })
    expect(JSON.parse(await done('api', 'post', '/platform/plans', '--body', plan))).toMatchObject({ code: 'basic' })
    expect(await done(...create('al-noor', '--plan', 'basic'))).toMatch(
      /^al-noor is added, with the id [\da-f-]{36}\. A mail to al-noor@example\.org welcomes its owner, with a link to choose a password until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
    )
    const second = create('carmel').map((word) => (word === 'carmel@example.org' ? email : word))
    expect(await done(...second)).toMatch(
      new RegExp(`\\. ${email} has an account already: a mail without a link says that it is now the owner’s\\.\\n$`),
    )
    // Names stand last: the terminal may turn them round.
    const lines = (await done('tenants', '--search', 'al-noor')).trimEnd().split('\n')
    expect(lines[0]).toMatch(/^SLUG {5}STATUS {2}DEPLOYMENT {2}CREATED {15}NAME$/)
    expect(lines[1]).toMatch(/^al-noor {2}active {2}cloud {7}\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}النور$/)
    expect(lines).toHaveLength(2)
    expect(await done('tenant-show', 'al-noor')).toMatch(/^Subscription: {2}active until 2/m)

    const locked = await json('tenant-lock', 'al-noor', '--reason', 'Unpaid since March.', '--yes')
    expect(locked).toMatchObject({ slug: 'al-noor', status: 'suspended', lockedReason: 'Unpaid since March.' })
    expect(await done('tenants', '--status', 'suspended')).toContain('al-noor')
    expect(await json('tenant-show', String(locked.id))).toMatchObject({ tenant: { slug: 'al-noor' } })
    expect(await done('tenant-unlock', 'AL-NOOR')).toBe('al-noor is not locked.\n')
    expect(await done('tenant-archive', 'al-noor', '--yes')).toBe('al-noor is archived.\n')
    expect(await plain(['tenant-unlock', 'al-noor'])).toEqual(refused(/^[^\n]+ \(CONFLICT, request \S+\)\n$/))
  })

  test('what is hard to take back wants a terminal or --yes', async () => {
    const { slug } = other.tenant
    for (const args of [
      ['tenant-archive', slug],
      ['tenant-lock', slug, '--reason', 'Unpaid.'],
    ]) {
      expect(await vendor(args)).toEqual(refused('There is no terminal to ask whether you mean it: add --yes.', 2))
    }
    expect((await json('tenant-show', slug)).tenant).toMatchObject({ status: 'active' })
  })

  test('what the server does not take is said, with the fields', async () => {
    const args = create('not_valid').map((word) => (word === 'ILS' ? 'shekel' : word))
    const { code, stdout, stderr } = await plain(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]*slug: [^\n]*currency: [^\n]* \(VALIDATION_ERROR, request \S+\)\n$/)
    expect(await plain(['tenant-show', 'nowhere'])).toEqual(
      refused('There is no institute with the short name nowhere.'),
    )
  })

  test.each([
    [
      ['tenant-create', 'x', '--name', 'X'],
      'institute vendor tenant-create needs --owner-email; institute vendor tenant-create --help says more.',
    ],
    [['tenant-lock', 'x'], 'Usage: institute vendor tenant-lock TENANT --reason TEXT [--yes] [--json]'],
    [['tenants', '--password-stdin'], 'institute vendor tenants takes no --password-stdin.'],
    [['license-show', '../x'], '../x is no id of a licence: institute vendor licenses lists them.'],
    [['api', 'get', 'platform'], 'PATH is what follows /api/v1 in the address, such as /platform/plans.'],
    [['api', 'trace', '/x'], 'METHOD is one of GET, POST, PUT, PATCH, DELETE.'],
    [['api', 'post', '/x', '--body', '{'], '--body must be JSON.'],
  ])('wrong usage: %j', async (args, line) => {
    expect(await plain(args)).toEqual(refused(line, 2))
  })

  test('licences are given, shown with their installs, locked and unlocked', async () => {
    const { slug, id: tenantId } = other.tenant
    const made = await plain(['license-create', slug, '--installs', '2', '--expires', '2100-01-01T00:00:00Z'])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S{100,}\n$/) })
    const [, id = ''] = /the id (\S+)\. Its token:\n$/.exec(made.stderr) ?? []
    expect(await json('licenses', '--tenant', slug)).toMatchObject([{ id, tenantId, token: made.stdout.trim() }])

    const admin = await platformAdmin(app)
    const planBody = { code: 'school', name: 'School', priceMinor: 1, currency: 'ILS', interval: 'monthly' }
    const { body: plan } = await admin.post('/platform/plans', { ...planBody, features: {}, quotas: {} })
    expect(await done('license-show', id)).toMatch(/^Plan: +-$/m)

    const license = await newLicense(app, other, { planId: plan.id })
    const install = new TestInstall(app, license)
    await install.beat()
    const shown = await done('license-show', license.id)
    expect(shown).toContain(install.installId)
    expect(shown).not.toContain(license.token)
    expect(shown).toMatch(/^Plan: +school$/m)

    const lock = await done('license-lock', license.id, '--reason', 'Unpaid.', '--yes')
    expect(lock).toBe('Every server under the licence gets the lock command with its next heartbeat.\n')
    expect(await json('license-show', license.id)).toMatchObject({
      state: 'locked',
      installs: [{ pendingCommands: [{ kind: 'lock', reason: 'Unpaid.' }] }],
    })
    const token = await plain(['license-unlock-token', license.id])
    expect(token).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S{50,}\n$/) })
    expect(token.stderr).toMatch(/^Good until .* UTC, once on each server of the licence; shown this once:\n$/)
    expect(await json('license-unlock', license.id)).toMatchObject({ kind: 'unlock', licenseId: license.id })
  })

  test('queues are listed, and their failed jobs run again', async () => {
    const [head, first = ''] = (await done('queues')).split('\n')
    expect(head).toMatch(/^NAME +QUEUED +RUNNING +FAILED +OLDEST +PAUSED +WHY$/)
    const [name = ''] = first.split(' ')
    expect(await done('queue-retry', name)).toBe('0 jobs run again; 0 are left that failed.\n')
    expect(await plain(['queue-retry', '../x'])).toEqual(refused(/\(NOT_FOUND, request \S+\)\n$/))
  })

  test('a kind of job is paused and resumed; what waits is shown by lane, and one by one', async () => {
    const NAME = 'oauth.sweep'
    const why = ['--reason', 'The receiver is away.']
    expect(await plain(['queue-pause', NAME, ...why])).toEqual(refused(/add --yes/, 2))
    expect(await done('queue-pause', NAME, ...why, '--yes')).toBe(
      `${NAME} is paused: 0 jobs wait, 0 run on to their end.\n`,
    )
    expect(await done('queues')).toMatch(/^oauth\.sweep .* UTC +The receiver is away\.$/m)
    const ids = [newId(), newId()]
    const now = app.clock.now()
    const same = {
      tenant_id: null,
      kind: NAME,
      lane: NAME,
      payload: {},
      attempts: 5,
      max_attempts: 5,
      run_at: now,
      created_at: now,
      lease_until: null,
      unique_key: null,
    }
    const failed = { ...same, state: 'dead' as const, last_error: 'It was\nnot possible.', finished_at: now }
    const waiting = { ...same, state: 'queued' as const, last_error: null, finished_at: null }
    await app.app.database.write(async (db) => {
      await db
        .insertInto('job')
        .values([
          { ...failed, id: ids[0] ?? '' },
          { ...waiting, id: ids[1] ?? '' },
        ])
        .execute()
    })
    expect(await done('queue-lanes')).toMatch(
      /^TENANT +LANE +QUEUED +RUNNING +OLDEST\n(?:.*\n)*- +oauth\.sweep +1 +0 +\S+ \S+ UTC\n/,
    )
    const [head, first] = (await done('jobs', '--queue', NAME)).split('\n')
    expect(head).toMatch(/^ID +NAME +TRIED +DUE +ERROR$/)
    expect(first).toMatch(new RegExp(`^${ids[0]} +oauth\\.sweep +5 of 5 +\\S+ \\S+ UTC +It was not possible\\.$`))
    expect(await done('job-retry', ids[0] ?? '')).toBe(`The job ${ids[0]} (${NAME}) runs again.\n`)
    for (const id of ids) expect(await done('job-drop', id, '--yes')).toBe(`The job ${id} (${NAME}) is dropped.\n`)
    expect(await plain(['job-drop', 'x', '--yes'])).toEqual(refused(/x is no id of a job/, 2))
    expect(await done('queue-resume', NAME)).toBe(`${NAME} is not paused: 0 jobs wait for their turn.\n`)
  })

  test('a list of many pages comes whole', async () => {
    const admin = await makePlatformAdmin(app)
    const { body } = await admin.get('/platform/users?limit=1')
    expect(body.nextCursor).not.toBeNull()
    const made = Array.from({ length: 101 }, (_, index) => `many-${index}`)
    for (const slug of made) {
      const tenant = { slug, name: slug, defaultLocale: 'en', timezone: 'UTC', currency: 'ILS' }
      const owner = { email: 'many@example.org', fullName: 'Many' }
      expect((await admin.post('/platform/tenants', { ...tenant, owner })).status).toBe(201)
    }
    const tenants = (await json('tenants', '--search', 'many-')) as unknown as { slug: string }[]
    expect(tenants.map(({ slug }) => slug).toSorted()).toEqual(made.toSorted())
    // The first in its place in the search is not always the one that is meant.
    expect(await json('tenant-show', 'many-1')).toMatchObject({ tenant: { slug: 'many-1' } })
  })
})

// Last: the clock goes on, and the sessions of the others end.
describe('the session', () => {
  test('is kept where only the operator can read it, and ends at the server', async () => {
    const ended = await login()
    expect(ended).toEqual({ code: 0, stdout: '', stderr: `${email} is signed in at ${app.url}.\n` })
    expect(statSync(kept()).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(kept())).mode & 0o777).toBe(0o700)
    expect(readFileSync(kept(), 'utf8')).not.toContain(PASSWORD)
    expect(await done('whoami')).toBe(`${email} at ${app.url}\n`)

    const { accessToken = '' } = session()
    expect(await vendor(['logout'])).toEqual({ code: 0, stdout: '', stderr: `Signed out at ${app.url}.\n` })
    expect(existsSync(kept())).toBe(false)
    expect((await app.as(accessToken).get('/me')).status).toBe(401)
    expect(await vendor(['whoami'])).toEqual(
      refused('Nobody is signed in: institute vendor login --server URL --email EMAIL does it.'),
    )
  })

  test('is renewed when its access token has ended: by two commands at once, once', async () => {
    await login()
    const before = session()
    app.clock.advance(3600)
    const both = await Promise.all([vendor(['whoami']), vendor(['queues'])])
    for (const each of both) expect(each).toMatchObject({ code: 0, stderr: '' })
    const after = session()
    expect(after.refreshToken).not.toBe(before.refreshToken)
    expect(statSync(kept()).mode & 0o777).toBe(0o600)
    for (const { stdout, stderr } of both) {
      for (const { accessToken, refreshToken } of [before, after]) {
        expect(stdout + stderr).not.toContain(accessToken)
        expect(stdout + stderr).not.toContain(refreshToken)
      }
    }
    await done('whoami')
    expect(session()).toEqual(after)
  })

  test('that the server has ended is said, and how to go on', async () => {
    await login()
    await app.as(session().accessToken ?? '').post('/auth/logout')
    expect(await vendor(['whoami'])).toEqual(
      refused(/^This session has ended.* \(SESSION_REVOKED, request \S+\) Sign in again: institute vendor login\.\n$/),
    )
  })

  test('begins with a code where the account has a second factor; a wrong one is said, and signs nobody in', async () => {
    const admin = await makePlatformAdmin(app)
    const { code } = await setUpCodes(app, admin)
    const own = ['login', '--server', app.url, '--email', `platform-${admin.userId}@example.org`, '--password-stdin']
    const withCode = (typed: string) => vendor([...own, '--code', typed], `${PASSWORD}\n`)
    expect(await withCode('not a code')).toEqual(refused(/^[^\n]+ \(INVALID_CREDENTIALS, request \S+\)\n$/))
    expect(existsSync(kept())).toBe(false)
    expect(await withCode(code())).toMatchObject({ code: 0 })
    expect(await json('tenants')).toBeDefined()
  })

  test('takes the place of an earlier one, which ends', async () => {
    await login()
    const { accessToken = '' } = session()
    expect((await login()).code).toBe(0)
    expect((await app.as(accessToken).get('/me')).status).toBe(401)
    await done('whoami')
  })

  test('that others may read is not used', async () => {
    await login()
    chmodSync(kept(), 0o640)
    expect(await vendor(['whoami'])).toEqual(
      refused(/^Others may read .*vendor\.json: chmod 600 it, and sign in again/),
    )
    writeFileSync(kept(), '{')
    chmodSync(kept(), 0o600)
    expect(await vendor(['whoami'])).toEqual(refused(`${kept()} holds no session: remove it, and sign in again.`))
  })

  test('lies in ~/.config where XDG_CONFIG_HOME is not given', async () => {
    const args = ['vendor', 'login', '--server', app.url, '--email', email, '--password-stdin']
    expect(await institute(args, { HOME: home }, PASSWORD)).toMatchObject({ code: 0 })
    expect(existsSync(path.join(home, '.config/institute/vendor.json'))).toBe(true)
  })

  test('is forgotten here also where the server is away', async () => {
    await login()
    const away = `http://127.0.0.1:${await freePort()}`
    writeFileSync(kept(), JSON.stringify({ ...session(), server: away }))
    expect(await vendor(['logout'])).toEqual(refused(`${away} cannot be reached (ECONNREFUSED).`))
    expect(existsSync(kept())).toBe(false)
  })
})
