import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, describe, expect, test } from 'vitest'
import { baseUrlOf } from '#app/config/base-url.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { Locale } from '#shared/locale.ts'
import { createSendMail, type OutgoingMail } from '#modules/mail/index.ts'
import { createFileMailer } from '#ports/mail/file.ts'
import { MailError, type Mail } from '#ports/mail/port.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { TestClock } from '#kit/clock.ts'
import { newInstitute } from '../examples/setup.ts'

let app: TestApp
let attempts: Mail[]
/** The result of each attempt in turn; undefined: it is sent. */
let outcomes: (Error | undefined)[]

const start = async (options: TestAppOptions = {}) => {
  attempts = []
  outcomes = []
  app = await startApp({
    ...options,
    openMailer: () => ({
      send: async (mail) => {
        attempts.push(mail)
        const outcome = outcomes.shift()
        if (outcome) throw outcome
        return { answer: 'taken', passwordUnused: false }
      },
      close: async () => {},
    }),
  })
}
afterEach(() => app.close())

const DAY = 24 * 3600
const NOW = '2026-03-02T08:00:00.000Z'

const send = async (more: Partial<{ locale: Locale; expiresIn: number; institute: string }> = {}) => {
  const mail: OutgoingMail = {
    template: 'invitation',
    values: { institute: more.institute ?? 'معهد النور' },
    to: 'nora@example.org',
    locale: more.locale ?? 'en',
    token: 'one-time_token',
    expiresAt: plusSeconds(app.clock.now(), more.expiresIn ?? 7 * DAY),
  }
  await runInTransaction(app.app.runtime, systemAuditContext('test.mail'), async (unit) =>
    createSendMail(app.app.vault)(unit.system(), mail),
  )
}
const jobs = () =>
  app.app.database.read.selectFrom('job').select(['state', 'last_error']).where('kind', '=', 'mail.send').execute()
const passing = () => new MailError('the server is down', false)

describe('a mail', () => {
  const TWO_DAYS = [60, 300, 1440, 1800, 3600, 7200, ...Array<number>(11).fill(14_400)]

  test('that the server does not take is tried for two days, an invitation as long as its link is the newest', async () => {
    await start({ config: { accessTokenSeconds: 10 * DAY } })
    const { body } = await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))
    const owner = app.as(body.accessToken)
    const [role] = (await owner.get('/roles')).body.data
    outcomes = Array.from({ length: 100 }, passing)
    const invited = async (email: string) => {
      const { status } = await owner.post('/members', { email, roleId: role.id })
      expect(status).toBe(201)
    }
    await invited('nora@example.org')
    await app.drain()
    expect(attempts).toHaveLength(1)
    for (const [index, wait] of TWO_DAYS.entries()) {
      await app.pass(wait - 1)
      expect(attempts).toHaveLength(index + 1)
      await app.pass(1)
      expect(attempts).toHaveLength(index + 2)
    }
    expect(TWO_DAYS.reduce((all, wait) => all + wait)).toBe(2 * DAY)
    await app.pass(DAY)
    expect(attempts).toHaveLength(TWO_DAYS.length + 1)
    expect(await jobs()).toEqual([{ state: 'dead', last_error: 'the server is down' }])

    // Sent again once it works: the one that was given up, and nothing twice.
    outcomes = []
    for (let n = 0; n < 3; n += 1) {
      const again = await app.as(body.accessToken).post('/notifications/stuck/retry', { channel: 'email' })
      expect(again.status).toBe(202)
    }
    await app.drain()
    expect(attempts).toHaveLength(TWO_DAYS.length + 2)
    expect((await jobs())[0]?.state).toBe('done')
  })

  test('whose link a newer one has replaced is not sent: it would be dead', async () => {
    await start()
    const setup = newInstitute({ app, serial: 1 })
    await app.post('/setup/bootstrap', setup)
    outcomes = [passing(), passing()]
    for (let n = 0; n < 2; n += 1) {
      await app.post('/auth/forgot-password', { email: setup.owner.email })
      await app.drain()
    }
    expect(attempts).toHaveLength(2)
    await app.pass(60)
    expect(attempts).toHaveLength(3)
    const token = /token=([\w-]+)/.exec(attempts[2]?.text ?? '')?.[1]
    const reset = { token, newPassword: 'olive tree by the gate' }
    expect((await app.post('/auth/reset-password', reset)).status).toBe(200)
    expect((await jobs()).map(({ state }) => state)).toEqual(['done', 'done'])
  })

  test.each(['ar', 'he', 'en'] as const)(
    'whose link expired while the server was down says so in %s, once however often it was asked for, and how to get another',
    async (locale) => {
      await start()
      const setup = newInstitute({ app, serial: 1 })
      const { body } = await app.post('/setup/bootstrap', setup)
      await app.as(body.accessToken).patch('/me', { locale })
      outcomes = Array.from({ length: 12 }, passing)
      for (let n = 0; n < 3; n += 1) {
        await app.post('/auth/forgot-password', { email: setup.owner.email })
        await app.drain()
      }
      for (const wait of [60, 300, 1440]) await app.pass(wait)
      outcomes = []
      const before = attempts.length
      for (const wait of [1800, 3600, 7200]) await app.pass(wait)
      const late = attempts.slice(before)
      expect(late).toHaveLength(1)
      expect(late[0]).toMatchObject({ to: setup.owner.email, locale })
      expect(late[0]?.text).not.toMatch(/https?:/)
      expect(late[0]?.subject).toMatch({ ar: /تأخر رابط/, he: /הקישור .* התעכב/, en: /came too late/ }[locale])
      expect((await jobs()).map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    },
  )

  test('is sent once the server accepts it', async () => {
    await start()
    outcomes = [passing()]
    const note: OutgoingMail = {
      template: 'new-owner',
      values: { institute: 'Noor' },
      to: 'a@example.org',
      locale: 'en',
    }
    await runInTransaction(app.app.runtime, systemAuditContext('test.mail'), async (unit) =>
      createSendMail(app.app.vault)(unit.system(), note),
    )
    await app.drain()
    await app.pass(60)
    await app.pass(DAY)
    expect(attempts).toHaveLength(2)
    expect((await jobs())[0]?.state).toBe('done')
  })

  test('that was refused for good is not retried', async () => {
    await start()
    outcomes = [new MailError('there is no such mailbox', true)]
    await send()
    await app.drain()
    await app.pass(DAY)
    expect(attempts).toHaveLength(1)
    expect(await jobs()).toEqual([{ state: 'dead', last_error: 'there is no such mailbox' }])
  })

  test('whose link has expired before it could be sent is given up', async () => {
    await start()
    outcomes = [passing()]
    await send({ expiresIn: 60 })
    await app.drain()
    await app.pass(60)
    expect(attempts).toHaveLength(1)
    expect((await jobs())[0]?.state).toBe('dead')
  })

  test.each([
    ['ar', 'rtl', 'دعوة للانضمام إلى \u2068معهد النور\u2069'],
    ['he', 'rtl', 'הזמנה להצטרף אל \u2068معهد النور\u2069'],
    ['en', 'ltr', 'Invitation to \u2068معهد النور\u2069'],
  ] as const)('is written in %s, as text and as HTML', async (locale, direction, subject) => {
    await start()
    await send({ locale })
    await app.drain()
    const link = `http://localhost:${app.app.config.port}/invitation?token=one-time_token`
    expect(attempts[0]).toMatchObject({ to: 'nora@example.org', locale, subject })
    expect(attempts[0]?.text).toContain(link)
    expect(attempts[0]?.html).toContain(`<html lang="${locale}" dir="${direction}">`)
    expect(attempts[0]?.html).toContain(`href="${link}"`)
  })

  test('of an account is in the name of the institute, and names it in its text', async () => {
    app = await startApp({ config: { registration: true } })
    const setup = newInstitute({ app, serial: 1 })
    const { body } = await app.post('/setup/bootstrap', setup)
    await app.post('/auth/forgot-password', { email: setup.owner.email })
    await app.post('/auth/register', { email: 'a@example.org', password: 'a long password', fullName: 'Amal' })
    const roles = (await app.as(body.accessToken).get('/roles')).body.data
    await app.as(body.accessToken).post('/members', { email: 'b@example.org', roleId: roles[0].id })
    await app.drain()
    expect(app.mails).toHaveLength(3)
    for (const mail of app.mails) {
      expect(mail.senderName).toBe('معهد النور')
      expect(mail.text).toContain('\u2068معهد النور\u2069')
    }
    expect(app.mails.find(({ to }) => to === 'b@example.org')?.text).toContain('دعوة من \u2068Noor Haddad\u2069')
  })

  test.each(['security@paypal.example', 'Bank: pay.example/in', 'Noor a＠b。example'])(
    'shows no address where it names the institute %s, in no header',
    async (name) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'institute-mails-'))
      app = await startApp({
        config: { registration: true },
        // Messages of an institute are sent by a mailbox alone.
        openMailer: () => ({
          ...createFileMailer({ from: 'office@sender.example', clock: new TestClock(NOW), folder }),
          keepsMails: false,
        }),
      })
      const setup = newInstitute({ app, serial: 1 })
      const { body } = await app.post('/setup/bootstrap', { ...setup, institute: { ...setup.institute, name } })
      const owner = app.as(body.accessToken)
      await app.post('/auth/forgot-password', { email: setup.owner.email })
      await app.post('/auth/register', { email: 'a@example.org', password: 'olive tree by the gate', fullName: name })
      await owner.post('/members', { email: 'b@example.org', roleId: (await owner.get('/roles')).body.data[0].id })
      await owner.post('/notifications/send', {
        templateKey: 'message',
        channels: ['email'],
        recipients: { userIds: [body.user.id] },
        data: { title: 'Closed', message: 'We are closed.' },
      })
      await app.drain()
      const mails = await Promise.all(
        readdirSync(folder).map((file) => PostalMime.parse(readFileSync(path.join(folder, file)))),
      )
      rmSync(folder, { recursive: true })
      expect(mails).toHaveLength(4)
      for (const { from, subject, replyTo } of mails) {
        expect(from?.address).toBe('office@sender.example')
        expect(from?.name?.replaceAll('\u2060', '')).toBe(name)
        expect(`${from?.name}\n${subject}`).not.toMatch(/\w[.:@/。＠]\w/u)
        expect(replyTo).toBeUndefined()
      }
    },
  )

  test('of an account is in nobody’s name where no institute is set up', async () => {
    app = await startApp({ config: { registration: true } })
    await app.post('/auth/register', { email: 'a@example.org', password: 'a long password', fullName: 'Amal' })
    await app.drain()
    expect(app.mails[0]?.senderName).toBeUndefined()
    expect(app.mails[0]?.text).toMatch(/^Please confirm that it is yours\./)
  })

  test('contains people’s input as text, not as HTML', async () => {
    await start()
    await send({ institute: `<img src=x onerror="alert('1')">&co` })
    await app.drain()
    expect(attempts[0]?.html).not.toContain('<img')
    expect(attempts[0]?.html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;co')
    expect(attempts[0]?.text).toContain(`<img src=x onerror="alert('1')">&co`)
  })

  test('is in the queue without its token in clear', async () => {
    await start()
    await send()
    const { payload } = await app.app.database.read
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'mail.send')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(payload)).not.toContain('one-time_token')
    expect(payload).toMatchObject({ template: 'invitation', to: 'nora@example.org', locale: 'en' })
  })
})

describe('the base address of links', () => {
  const linkOf = async () => {
    await send()
    await app.drain()
    return /https?:\S*/.exec(attempts.at(-1)?.text ?? '')?.[0]
  }

  test('is the configured address', async () => {
    await start({ config: { baseUrl: 'https://noor.example.org/' } })
    await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))
    expect(await linkOf()).toBe('https://noor.example.org/invitation?token=one-time_token')
  })

  test('is the configured address in every mail that opens an account, whatever the institute’s settings say', async () => {
    app = await startApp({ config: { baseUrl: 'https://noor.example.org', registration: true } })
    const setup = newInstitute({ app, serial: 1 })
    const { body } = await app.post('/setup/bootstrap', setup)
    const owner = app.as(body.accessToken)
    expect((await owner.patch('/settings', { baseUrl: 'https://evil.example' })).status).toBe(200)
    await app.post('/auth/forgot-password', { email: setup.owner.email })
    await app.post('/auth/register', { email: 'a@example.org', password: 'a long password', fullName: 'Amal' })
    const roles = (await owner.get('/roles')).body.data
    await owner.post('/members', { email: 'b@example.org', roleId: roles[0].id })
    await app.drain()
    const links = app.mails.map(({ text }) => /https?:[^\s?]*/.exec(text)?.[0]).toSorted()
    expect(links).toEqual(
      ['invitation', 'reset-password', 'verify-email'].map((page) => `https://noor.example.org/${page}`),
    )
  })

  test('is never an institute’s own address on a cloud server', async () => {
    app = await startApp()
    const setup = newInstitute({ app, serial: 1 })
    await app.post('/setup/bootstrap', setup)
    const { read } = app.app.database
    expect(await baseUrlOf({ ...app.app.config, mode: 'self_hosted' })(read)).toBe('https://school.example.org')
    expect(await baseUrlOf({ ...app.app.config, mode: 'cloud' })(read)).toBe(`http://localhost:${app.app.config.port}`)
  })

  test('is else the wizard’s answer, or what the settings changed it to', async () => {
    await start()
    const { body } = await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))
    expect(await linkOf()).toBe('https://school.example.org/invitation?token=one-time_token')
    const changed = await app.as(body.accessToken).patch('/settings', { baseUrl: 'http://noor.lan' })
    expect(changed.status).toBe(200)
    expect(await linkOf()).toBe('http://noor.lan/invitation?token=one-time_token')
  })

  test('is else this machine with its port', async () => {
    await start()
    expect(await linkOf()).toBe(`http://localhost:${app.app.config.port}/invitation?token=one-time_token`)
  })
})
