import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { startBadMailServer, type BadMailServer, type Behaviour, type Stage } from '#kit/bad-mail-server.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { GENERIC, startTextProviders } from '#kit/text-providers.ts'

/** What the log shows of mail servers that misbehave: an institute's own, and the server's. */

const FEATURES = { byo_email_provider: true, sms_notifications: true }
const PASSWORD = 'planted-secret/ü'
const TO = 'noor@example.org'
/** Long enough for a loaded machine to send a mail, short enough to wait for. */
const LIMIT_MILLIS = 1500

type Behaviours = Partial<Record<Stage, Behaviour>>

let bad: BadMailServer
const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) })

beforeAll(async () => {
  bad = await startBadMailServer()
})
afterAll(() => bad.stop())
beforeEach(() => {
  bad.behave({})
  bad.mails.length = 0
})

const serversOwn = (timeoutMs: number) => () =>
  createSmtpMailer({
    url: bad.url(`server:${encodeURIComponent(PASSWORD)}`),
    from: 'server@example.org',
    clock: systemClock,
    timeoutMs,
  })

const useOwn = async ({ owner }: TestInstitute, port = bad.port): Promise<void> => {
  const provider = { provider: 'smtp', host: '127.0.0.1', port, security: 'starttls', from: 'office@school.example' }
  const { status } = await owner.put('/notification-providers/email', {
    ...provider,
    user: 'office',
    password: PASSWORD,
  })
  expect(status).toBe(200)
}

const newStudent = async ({ owner, branchId }: TestInstitute): Promise<string> => {
  const student = { branchId, firstName: 'Noor', lastName: 'Haddad', email: TO, phone: '+972501234567' }
  return (await owner.post('/students', student)).body.id
}

const send = async (institute: TestInstitute, channels: string[], studentIds: string[]): Promise<void> => {
  const data = { title: 'Closed', message: 'We are closed.' }
  const reply = await institute.owner.post('/notifications/send', {
    templateKey: 'message',
    data,
    channels,
    recipients: { studentIds },
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(202)
}

const entryOf = async ({ owner }: TestInstitute) => (await owner.get('/notifications')).body.data[0]

const SLOW = 'it takes too long to answer'
const CLOSED = 'it closed the connection'
const PERHAPS = ', after it was given the mail: it may have taken it'

const TROUBLES: [what: string, at: Behaviours, status: 'queued' | 'failed', words: string, taken: number][] = [
  ['never greets', { greeting: 'hangs' }, 'queued', SLOW, 0],
  ['closes after EHLO', { EHLO: 'closes' }, 'queued', CLOSED, 0],
  ['closes after MAIL', { MAIL: 'closes' }, 'queued', CLOSED, 0],
  ['closes in the middle of the mail', { content: 'closes' }, 'queued', CLOSED, 0],
  ['closes after the final dot', { dot: 'closes' }, 'queued', CLOSED + PERHAPS, 1],
  ['says nothing after the final dot', { dot: 'hangs' }, 'queued', SLOW + PERHAPS, 1],
  ['refuses the sign-in', { AUTH: '535 wrong' }, 'queued', 'it refuses the sign-in: 535 wrong', 0],
  ['refuses the sender', { MAIL: '550 not you' }, 'queued', 'it refuses the sender: 550 not you', 0],
  ['greylists', { RCPT: '450 come again' }, 'queued', 'it refuses the recipient: 450 come again', 0],
  ['knows no such mailbox', { RCPT: '550 who?' }, 'failed', 'it refuses the recipient: 550 who?', 0],
  ['takes it for spam', { dot: '554 spam' }, 'failed', 'it refuses the mail: 554 spam', 1],
  ['answers with rubbish after the final dot', { dot: 'x\0y' }, 'queued', 'it answers as no mail server does: x y', 1],
]

const OWNERS = ['its own', 'the server’s'] as const

describe('the log of messages', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ log, ownMailMillis: LIMIT_MILLIS, openMailer: serversOwn(LIMIT_MILLIS) })
  })
  afterAll(() => app.close())

  describe.each(OWNERS)('of an institute, when %s mail server', (whose) => {
    test.each(TROUBLES)('%s', async (_, at, status, words, taken) => {
      const institute = await makeInstitute(app, { features: FEATURES })
      if (whose === 'its own') await useOwn(institute)
      bad.behave(at)
      await send(institute, ['email'], [await newStudent(institute)])
      await app.drain()
      const reason = `mail server 127.0.0.1:${bad.port}: ${words}`
      const entry = await entryOf(institute)
      expect(entry).toMatchObject({ status, reason, attempts: 1, sentAt: null })
      expect(bad.mails).toHaveLength(taken)
      if (status === 'failed') {
        expect(entry.nextAttemptAt).toBeNull()
        return
      }
      expect(Date.parse(entry.nextAttemptAt) - app.clock.millis()).toBe(60_000)
      bad.behave({})
      await app.pass(60)
      expect(await entryOf(institute)).toMatchObject({ status: 'sent', reason: null, attempts: 2, nextAttemptAt: null })
      expect(bad.mails).toHaveLength(taken + 1)
      const ids = bad.mails.map((mail) => /^Message-ID: (.*)$/m.exec(mail)?.[1]?.trim())
      expect(new Set(ids)).toEqual(new Set([`<${entry.id}@${whose === 'its own' ? 'school.example' : 'example.org'}>`]))
    })
  })

  test('says the same as the test of the provider', async () => {
    const institute = await makeInstitute(app, { features: FEATURES })
    await useOwn(institute)
    for (const [, at, , words] of TROUBLES) {
      bad.behave(at)
      const { body } = await institute.owner.post('/notification-providers/email/test', { to: TO })
      expect(body).toEqual({ ok: false, error: `mail server 127.0.0.1:${bad.port}: ${words}` })
    }
    bad.behave({})
    const { body } = await institute.owner.post('/notification-providers/email/test', { to: TO })
    expect(body).toEqual({ ok: true, error: null })
    await useOwn(institute, 9)
    const closed = await institute.owner.post('/notification-providers/email/test', { to: TO })
    expect(closed.body.error).toBe('mail server 127.0.0.1:9: nothing answers there (connect ECONNREFUSED 127.0.0.1:9)')
  })

  test('of the provider’s test holds no password, whatever form the mail server gives it', async () => {
    const institute = await makeInstitute(app, { features: FEATURES })
    await useOwn(institute)
    const forms = [PASSWORD, Buffer.from(`\0office\0${PASSWORD}`).toString('base64url'), encodeURIComponent(PASSWORD)]
    forms.push(Buffer.from(PASSWORD).toString('hex'), Buffer.from(PASSWORD).toString('hex').toUpperCase())
    bad.behave({ AUTH: `535 <${forms.join('> <')}>` })
    const { body } = await institute.owner.post('/notification-providers/email/test', { to: TO })
    expect(body).toEqual({ ok: false, error: expect.stringContaining(': 535 <***> <***> <***> <***> <***>') })
  })

  test('holds no password, and neither do the program’s log and the audit log', async () => {
    const institute = await makeInstitute(app, { features: FEATURES })
    await useOwn(institute)
    const plain = Buffer.from(`\0office\0${PASSWORD}`).toString('base64')
    for (const stage of ['AUTH', 'MAIL', 'RCPT', 'dot'] as const) {
      bad.behave({ [stage]: `451 ${PASSWORD} ${plain} ${Buffer.from(PASSWORD).toString('base64')}` })
      await send(institute, ['email'], [await newStudent(institute)])
      await app.drain()
      expect((await entryOf(institute)).reason).toContain('451 *** *** ***')
    }
    const { body: audit } = await institute.owner.get('/audit?limit=100')
    const { body: entries } = await institute.owner.get('/notifications?limit=100')
    const jobs = await app.app.database.read.selectFrom('job').selectAll().execute()
    const everything = JSON.stringify([audit, entries, jobs]) + logged.join('\n')
    expect(everything).not.toContain(PASSWORD)
    expect(everything).not.toContain(plain)
  })
})

describe('a mail server that hangs', () => {
  const STUDENTS = 20
  /** Of what is sent by hand, which these are. */
  const CONNECTIONS = 3
  let app: TestApp
  let providers: Awaited<ReturnType<typeof startTextProviders>>
  let other: BadMailServer

  beforeEach(async () => {
    providers = await startTextProviders()
    other = await startBadMailServer()
    app = await startApp({
      log,
      working: true,
      ownMailMillis: 60_000,
      outbound: providers.outbound,
      openMailer: serversOwn(60_000),
    })
  })
  afterEach(async () => {
    await other.stop()
    providers.close()
  })

  test('holds up neither the institute’s texts nor another institute’s mail, and keeps no connection at the end', async () => {
    const [institute, neighbour] = [
      await makeInstitute(app, { features: FEATURES }),
      await makeInstitute(app, { features: FEATURES }),
    ]
    await useOwn(institute)
    await useOwn(neighbour, other.port)
    await institute.owner.put('/notification-providers/sms', {
      provider: 'https',
      url: GENERIC.url,
      token: GENERIC.token,
    })
    bad.behave({ greeting: 'hangs' })
    const students: string[] = []
    for (let n = 0; n < STUDENTS; n += 1) students.push(await newStudent(institute))
    await send(institute, ['email'], students)
    await expect.poll(() => bad.sockets.size, { timeout: 20_000 }).toBe(CONNECTIONS)
    await send(institute, ['sms'], students)
    await send(neighbour, ['email'], [await newStudent(neighbour)])
    await expect.poll(() => providers.texted.length, { timeout: 20_000 }).toBe(STUDENTS)
    await expect.poll(() => other.mails.length, { timeout: 20_000 }).toBe(1)
    expect(bad.sockets.size).toBe(CONNECTIONS)
    // Who tries the provider meanwhile does not wait for what waits.
    const trial = institute.owner.post('/notification-providers/email/test', { to: TO })
    await expect.poll(() => bad.sockets.size, { timeout: 20_000 }).toBe(CONNECTIONS + 1)
    ;[...bad.sockets].at(-1)?.destroy()
    expect((await trial).body).toEqual({ ok: false, error: `mail server 127.0.0.1:${bad.port}: ${CLOSED}` })
    const queued = (await institute.owner.get('/notifications?channel=email&status=queued&limit=100')).body.data
    expect(queued.map(({ attempts }: { attempts: number }) => attempts)).toEqual(Array(STUDENTS).fill(0))
    await app.close()
    await expect.poll(() => bad.sockets.size).toBe(0)
    expect(bad.mails).toEqual([])
  })
})
