import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { mailers } from '#app/config/mail-settings.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { startSmtpSink } from '#kit/smtp-sink.ts'
import { mailServer } from '../examples/setup.ts'

const ACCOUNT = { user: 'office', password: 'p@ss/w:rd#1' }

let app: TestApp
let institute: TestInstitute
const start = async (options?: TestAppOptions): Promise<void> => {
  app = await startApp({ openMailer: mailers(systemClock), ...options })
  institute = await makeInstitute(app)
}
afterEach(() => app.close())

const openSink = async () => {
  const sink = await startSmtpSink({ account: ACCOUNT })
  onTestFinished(() => sink.stop())
  const { hostname: host, port } = new URL(sink.url)
  return { sink, at: { host, port: Number(port) } }
}

const tryMail = (server?: object) =>
  institute.owner.post('/mail/test', { to: 'owner@example.org', ...(server && { server }) })

describe('the owner', () => {
  test('tries a mail server, keeps it, and mails go out through it from then on; the password is shown nowhere', async () => {
    await start()
    const { sink, at } = await openSink()
    const server = { ...mailServer, ...ACCOUNT, ...at }
    const { owner } = institute
    expect((await owner.get('/mail/settings')).body).toMatchObject({ canChange: true, server: null, sender: null })
    expect((await tryMail()).body.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'no_mail_server' } })
    expect((await tryMail(server)).body).toMatchObject({ sent: true, fault: null, passwordUnused: false })
    expect((await owner.get('/mail/settings')).body.server).toBeNull()

    const saved = await owner.put('/mail/settings', server)
    const { password: _, sender, ...shown } = server
    expect(saved).toMatchObject({ status: 200, body: { server: shown, sender } })
    expect((await owner.get('/mail/settings')).body).toEqual(saved.body)
    expect(readFileSync(path.join(app.dataDir, 'institute.conf'), 'utf8')).toContain('p%40ss%2Fw%3Ard%231')

    await owner.post('/members', { email: 'nora@example.org', roleId: institute.roles.teacher })
    await app.drain()
    const mails = await sink.messages()
    expect(mails.map(({ to }) => to?.[0]?.address)).toEqual(['owner@example.org', 'nora@example.org'])
    const audit = JSON.stringify([
      await auditOf(app, institute, 'mail.change-settings'),
      await auditOf(app, institute, 'mail.test'),
    ])
    expect(audit).toContain(`${at.host}:${at.port}`)
    expect(audit + JSON.stringify(saved.body)).not.toContain('p@ss')
  })

  test('sees the health of the mail server that is set now, and push services hear of its sender, without a restart', async () => {
    await start()
    const { sink, at } = await openSink()
    const { owner } = institute
    const look = async () =>
      (await owner.get('/server/health')).body.findings.find(({ about }: { about: string }) => about === 'mail')
    const contact = async () =>
      (await owner.get('/notification-providers')).body.data.find(
        ({ channel }: { channel: string }) => channel === 'push',
      ).subject
    expect(await look()).toMatchObject({ state: 'warning', text: expect.stringContaining('no mail server') })
    await owner.put('/mail/settings', { ...mailServer, ...ACCOUNT, ...at })
    expect(await look()).toEqual({ about: 'mail', state: 'ok', text: 'the mail server answers' })
    expect(await contact()).toBe(`mailto:${mailServer.sender}`)
    await owner.put('/mail/settings', { ...mailServer, ...ACCOUNT, ...at, sender: 'school@office.local' })
    expect(await look()).toMatchObject({ state: 'warning', text: expect.stringContaining('school@office.local') })
    await sink.stop()
    expect(await look()).toMatchObject({ state: 'wrong' })
  })

  test('leaves the password out: it stays for this server and user, and goes to no other one', async () => {
    await start()
    const { sink, at } = await openSink()
    const { password: _, ...server } = { ...mailServer, ...ACCOUNT, ...at }
    await institute.owner.put('/mail/settings', { ...server, password: ACCOUNT.password })
    expect((await tryMail(server)).body.sent).toBe(true)
    const renamed = await institute.owner.put('/mail/settings', { ...server, sender: 'desk@noor.example.org' })
    expect(renamed.body.sender).toBe('desk@noor.example.org')
    expect((await tryMail()).body.sent).toBe(true)
    expect((await sink.messages()).at(-1)?.from?.address).toBe('desk@noor.example.org')

    for (const other of [{ host: 'localhost' }, { port: at.port + 1 }, { user: 'somebody' }]) {
      const refused = await tryMail({ ...server, ...other })
      expect(refused.status).toBe(422)
      expect(refused.body.error.details.issues[0].path).toEqual(['server', 'password'])
      expect((await institute.owner.put('/mail/settings', { ...server, ...other })).status).toBe(422)
    }
  })

  test('hears why a server could not be asked', async () => {
    await start()
    expect((await tryMail(mailServer)).body).toMatchObject({ sent: false, fault: 'unreachable' })
  })
})

test('a test mail is in the language of whoever asks', async () => {
  await start()
  const { sink, at } = await openSink()
  const body = { to: 'owner@example.org', server: { ...mailServer, ...ACCOUNT, ...at } }
  for (const locale of ['en', 'ar'])
    await institute.owner.send('POST', '/mail/test', { body, headers: { 'Accept-Language': locale } })
  const subjects = (await sink.messages()).map(({ subject }) => subject)
  expect(subjects).toHaveLength(2)
  expect(subjects[0]).not.toMatch(/\p{Script=Arabic}/u)
  expect(subjects[1]).toMatch(/\p{Script=Arabic}/u)
})

test('nobody else reads or changes them', async () => {
  await start()
  const admin = await institute.member({ role: 'admin' })
  for (const reply of [
    await admin.get('/mail/settings'),
    await admin.put('/mail/settings', mailServer),
    await admin.post('/mail/test', { to: 'owner@example.org' }),
  ])
    expect(reply.status).toBe(403)
})

test('what flags or the environment say stays', async () => {
  await start({ config: { smtpUrl: 'smtp://u:secret@mail.example.org:2525', mailIsFixed: true } })
  expect((await institute.owner.get('/mail/settings')).body).toMatchObject({
    canChange: false,
    server: { host: 'mail.example.org', port: 2525, encryption: 'starttls', user: 'u' },
  })
  const refused = await institute.owner.put('/mail/settings', mailServer)
  expect(refused).toMatchObject({ status: 409, body: { error: { details: { reason: 'mail_fixed' } } } })
})

test('an institute of the cloud has none: 404', async () => {
  await start({ config: { mode: 'cloud' } })
  for (const reply of [
    await institute.owner.get('/mail/settings'),
    await institute.owner.put('/mail/settings', mailServer),
    await tryMail(mailServer),
  ])
    expect(reply.status).toBe(404)
})
