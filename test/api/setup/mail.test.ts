import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { mailers } from '#app/config/mail-settings.ts'
import { lanUrls } from '#app/process/lan-addresses.ts'
import { readConfig } from '#app/config/read-config.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { startBadMailServer } from '#kit/bad-mail-server.ts'
import { makeInstitute } from '#kit/institute.ts'
import { startSmtpSink, type SmtpSinkOptions } from '#kit/smtp-sink.ts'
import { mailServer, newInstitute } from '../examples/setup.ts'

let app: TestApp
const start = async (options?: TestAppOptions): Promise<void> => {
  app = await startApp({ openMailer: mailers(systemClock), ...options })
}
afterEach(() => app.close())

const openSink = async (options?: SmtpSinkOptions) => {
  const sink = await startSmtpSink(options)
  onTestFinished(() => sink.stop())
  const { hostname, port } = new URL(sink.url)
  return { ...sink, at: { host: hostname, port: Number(port) } }
}

const token = () => app.app.setupToken.ensure()
const look = (setupToken = token()) => app.send('GET', '//setup/mail', { headers: { 'x-setup-token': setupToken } })
const check = (setupToken = token()) => app.send('GET', '//setup/check', { headers: { 'x-setup-token': setupToken } })
const save = (mail: object, setupToken = token()) => app.post('//setup/mail', { setupToken, mail })
const tryMail = (more: object = {}) =>
  app.post('//setup/mail/test', { setupToken: token(), to: 'owner@example.org', locale: 'he', ...more })
const confFile = () => path.join(app.dataDir, 'institute.conf')
const restarted = () => readConfig({ INSTITUTE_DATA_DIR: app.dataDir }, {}).config

describe('mail settings from the wizard', () => {
  test('are kept in institute.conf, for its owner alone, beside whatever stands there', async () => {
    await start()
    writeFileSync(confFile(), '# of the office\nINSTITUTE_PORT=8081\nINSTITUTE_MAIL_FROM=old@noor.example.org\n')
    const before = await look()
    expect(before).toMatchObject({ status: 200, body: { canChange: true, server: null, sender: null } })
    const saved = await save(mailServer)
    expect(saved).toMatchObject({
      status: 200,
      body: { canChange: true, server: '127.0.0.1:1', sender: 'office@noor.example.org' },
    })
    expect((await look()).body).toEqual({ ...before.body, ...saved.body })
    expect(statSync(confFile()).mode & 0o777).toBe(0o600)
    expect(readFileSync(confFile(), 'utf8')).toBe(
      [
        '# of the office',
        'INSTITUTE_PORT=8081',
        'INSTITUTE_MAIL_FROM=office@noor.example.org',
        'INSTITUTE_SMTP_URL=smtp://office%40noor.example.org:p%40ss%2Fw%3Ard%231@127.0.0.1:1',
        '',
      ].join('\n'),
    )
    expect(readdirSync(app.dataDir).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(restarted()).toMatchObject({ port: 8081, mailFrom: 'office@noor.example.org', mailIsFixed: false })
  })

  test('hold from then on, without a restart', async () => {
    await start()
    const account = { user: 'office', password: 'p@ss/w:rd#1' }
    const sink = await openSink({ account })
    await save({ ...mailServer, ...account, ...sink.at })
    await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))
    await app.post('/auth/forgot-password', { email: 'owner-1@example.org' })
    await app.drain()
    const [mail] = await sink.messages()
    expect(mail).toMatchObject({
      from: { name: 'معهد النور', address: 'office@noor.example.org' },
      to: [{ address: 'owner-1@example.org' }],
    })
  })

  test('come with the servers of the usual providers, each of which is taken as it stands', async () => {
    await start()
    const { providers } = (await look()).body
    expect(providers).toContainEqual({ id: 'gmail', host: 'smtp.gmail.com', port: 587, encryption: 'starttls' })
    expect(providers.map(({ id }: { id: string }) => id)).toEqual(['gmail', 'microsoft', 'yahoo', 'zoho'])
    for (const { id: _, ...server } of providers) expect((await save({ ...mailServer, ...server })).status).toBe(200)
  })

  test('are not offered where flags or the environment give them', async () => {
    await start({ config: { smtpUrl: 'smtp://u:secret@mail.example.org:2525', mailIsFixed: true } })
    const state = { canChange: false, server: 'mail.example.org:2525', sender: 'institute@localhost' }
    expect((await look()).body).toMatchObject(state)
    expect((await save(mailServer)).status).toBe(404)
    expect(existsSync(confFile())).toBe(false)
    const given = (environment: Record<string, string>) =>
      readConfig({ INSTITUTE_DATA_DIR: app.dataDir }, environment).config.mailIsFixed
    expect(given({})).toBe(false)
    expect(given({ INSTITUTE_SMTP_URL: 'smtp://mail.example.org' })).toBe(true)
    expect(given({ INSTITUTE_MAIL_FROM: 'office@noor.example.org' })).toBe(true)
  })

  test.each([
    ['host', 'mail server'],
    ['host', 'host/path'],
    ['host', 'user@host'],
    ['host', ''],
    ['port', 0],
    ['encryption', 'none'],
    ['sender', 'nobody'],
    ['sender', 'a@example.org\nINSTITUTE_MODE=cloud'],
  ])('with a wrong %s (%j) are 422 at their field, and nothing is kept', async (field, value) => {
    await start()
    const refused = await save({ ...mailServer, [field]: value })
    expect(refused.status).toBe(422)
    expect(refused.body.error.details.issues).toMatchObject([{ path: ['mail', field] }])
    expect(existsSync(confFile())).toBe(false)
  })

  test('never stand in the audit log with their password', async () => {
    await start()
    await save(mailServer)
    const entries = JSON.stringify(await app.app.database.read.selectFrom('audit_entry').selectAll().execute())
    expect(entries).toContain('setup.save-mail')
    expect(entries).toContain('127.0.0.1:1')
    expect(entries).not.toContain(mailServer.password)
    expect(entries).not.toContain(token())
  })
})

describe('a test mail from the wizard', () => {
  test('goes out through the server that was typed, and says what that answered', async () => {
    await start()
    const sink = await openSink()
    const { user: _, password: __, ...bare } = mailServer
    const { status, body } = await tryMail({ mail: { ...bare, ...sink.at }, institute: 'מכון האור' })
    expect([status, body]).toEqual([
      200,
      { sent: true, fault: null, answer: expect.stringMatching(/^250 /), passwordUnused: false },
    ])
    expect((await tryMail({ mail: { ...mailServer, ...sink.at } })).body).toMatchObject({
      sent: true,
      passwordUnused: true,
    })
    const [mail] = await sink.messages()
    expect(mail?.from).toEqual({ name: 'מכון האור', address: 'office@noor.example.org' })
    expect(mail?.text).toContain('מכון האור')
    expect(existsSync(confFile())).toBe(false)
  })

  test('that is not taken says why, without the password', async () => {
    await start()
    const sink = await openSink({ account: { user: 'office', password: 'right' } })
    const wrong = await tryMail({ mail: { ...mailServer, ...sink.at } })
    expect(wrong).toMatchObject({ status: 200, body: { sent: false, fault: 'sign_in' } })
    expect(JSON.stringify(wrong.body)).not.toContain(mailServer.password)
    expect((await tryMail({ mail: mailServer })).body).toMatchObject({ sent: false, fault: 'unreachable' })
  })

  test('does not repeat the password in any form, whether the mail server takes the mail or not', async () => {
    await start()
    const { user, password, ...rest } = mailServer
    const forms = [password, encodeURIComponent(password), Buffer.from(password).toString('hex').toUpperCase()]
    forms.push(Buffer.from(`\0${user}\0${password}`).toString('base64').replaceAll('=', ''))
    const echo = `<${forms.join('> <')}>`
    const server = await startBadMailServer()
    onTestFinished(() => server.stop())
    const mail = { ...rest, user, password, host: '127.0.0.1', port: server.port }
    for (const [behaviour, sent] of [
      [{ AUTH: `535 ${echo}` }, false],
      [{ dot: `250 ${echo}` }, true],
    ] as const) {
      server.behave(behaviour)
      const { body } = await tryMail({ mail })
      expect(body).toMatchObject({ sent, answer: expect.stringContaining('<***> <***> <***> <***>') })
    }
  })

  test('without a mail server is kept as a file', async () => {
    await start()
    const { body } = await tryMail()
    const answer = expect.stringMatching(/mail-outbox\/.*\.eml$/)
    expect(body).toEqual({ sent: true, fault: null, answer, passwordUnused: false })
  })
})

describe('whoever has no setup token', () => {
  test('is refused, whatever they ask about mail', async () => {
    await start()
    for (const refused of [
      await check('wrong'),
      await look('wrong'),
      await save(mailServer, 'wrong'),
      await tryMail({ setupToken: 'wrong' }),
    ]) {
      expect(refused).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
    }
    for (const where of ['//setup/mail', '//setup/check']) expect((await app.send('GET', where)).status).toBe(401)
    expect(existsSync(confFile())).toBe(false)
  })

  test('finds nothing there once the institute is set up, and in cloud mode', async () => {
    await start()
    await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))
    for (const refused of [await check(), await look(), await save(mailServer), await tryMail()])
      expect(refused.status).toBe(404)
    await app.close()
    await start({ config: { mode: 'cloud' } })
    for (const refused of [await check(), await look(), await save(mailServer), await tryMail()])
      expect(refused.status).toBe(404)
  })
})

describe('the check of the setup token', () => {
  test('tells whoever has it the addresses of the server, and leaves it good', async () => {
    await start()
    const addresses = lanUrls(app.app.config, networkInterfaces(), existsSync)
    for (let times = 0; times < 3; times += 1) expect(await check()).toMatchObject({ status: 200, body: { addresses } })
    expect((await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))).status).toBe(201)
  })

  test('tells nothing to whoever has another one, as long as it, shorter or longer', async () => {
    await start()
    const right = token()
    for (const wrong of [`${right.slice(0, -1)}!`, right.slice(0, -1), `${right}a`, 'x'.repeat(5000)]) {
      expect(await check(wrong)).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
    }
  })

  test('may be asked for 20 times a minute from one network, right or wrong', async () => {
    await start({ config: { trustedProxies: 1 } })
    const ask = (setupToken: string, from: string) =>
      app.send('GET', '//setup/check', { headers: { 'x-setup-token': setupToken, 'x-forwarded-for': from } })
    for (let times = 0; times < 20; times += 1) expect((await ask('guess', '203.0.113.9')).status).toBe(401)
    expect((await ask(token(), '203.0.113.9')).status).toBe(429)
    expect((await ask(token(), '203.0.113.10')).status).toBe(200)
  })
})

test('the wizard’s trial mails too are 20 a minute from one network', async () => {
  await start()
  for (let times = 0; times < 20; times += 1) expect((await tryMail({ setupToken: 'guess' })).status).toBe(401)
  expect(await tryMail()).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
  await app.pass(61)
  expect((await tryMail()).status).toBe(200)
})

describe('what the owner should do next', () => {
  test('is told with its state, to an owner alone', async () => {
    await start({ config: { signInUrl: 'https://app.noor.example.org/' } })
    const { owner, roles, member } = await makeInstitute(app)
    const { status, body } = await owner.get('//setup/next-steps')
    const { databaseUrl } = app.app.config
    expect([status, body]).toEqual([
      200,
      {
        dataDir: app.dataDir,
        database: databaseUrl === undefined ? 'sqlite' : 'postgres',
        backups: path.join(app.dataDir, 'backups'),
        // A test's server makes no backups at night.
        nightly: false,
        signInUrl: 'https://app.noor.example.org/',
        mail: { server: null, sender: null },
        invited: 0,
        commands: {
          backup: `npm run institute -- backup --data-dir ${app.dataDir}`,
          restore: `npm run institute -- restore FILE --data-dir ${app.dataDir}`,
          mailSetup: `npm run institute -- mail-setup --data-dir ${app.dataDir}`,
          mailTest: `npm run institute -- mail-test ADDRESS --data-dir ${app.dataDir}`,
        },
      },
    ])
    await save(mailServer)
    await owner.post('/members', { email: 'huda@example.org', roleId: roles.teacher })
    expect((await owner.get('//setup/next-steps')).body).toMatchObject({
      mail: { server: '127.0.0.1:1', sender: 'office@noor.example.org' },
      invited: 1,
    })
    expect((await (await member({ role: 'admin' })).get('//setup/next-steps')).status).toBe(403)
    expect((await app.get('//setup/next-steps')).status).toBe(401)
  })

  test('is nothing on a server of many institutes', async () => {
    await start({ config: { mode: 'cloud' } })
    const { owner } = await makeInstitute(app)
    expect((await owner.get('//setup/next-steps')).status).toBe(404)
  })
})
