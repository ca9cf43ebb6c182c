import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mail } from '#ports/mail/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startSmtpSink, type SmtpSink } from '#kit/smtp-sink.ts'
import { GENERIC, META, startTextProviders, TWILIO } from '#kit/text-providers.ts'

type Providers = Awaited<ReturnType<typeof startTextProviders>>

const FEATURES = { sms_notifications: true, whatsapp_notifications: true, byo_email_provider: true }
const ACCOUNT = { user: 'office@example.org', password: 'pass word/ü%1' }
const TO = '+972501234567'

let app: TestApp
let providers: Providers
let sink: SmtpSink
let institute: TestInstitute
const logged: string[] = []
/** Mails over the server's own mail server. */
const serverMails: Mail[] = []

beforeAll(async () => {
  providers = await startTextProviders()
  sink = await startSmtpSink({ account: ACCOUNT })
  app = await startApp({
    outbound: providers.outbound,
    log: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }),
    openMailer: () => ({
      send: async (mail) => ({ answer: `mail ${serverMails.push(mail)}`, passwordUnused: false }),
      close: async () => {},
    }),
  })
})
afterAll(async () => {
  await app.close()
  await sink.stop()
  providers.close()
})
beforeEach(async () => {
  providers.behave(null)
  providers.texted.length = 0
  serverMails.length = 0
  sink.refuse(null)
  institute = await makeInstitute(app, { features: FEATURES })
})

const twilio = { provider: 'twilio', accountSid: TWILIO.accountSid, token: TWILIO.token, from: TWILIO.from }
const meta = { provider: 'meta', phoneNumberId: META.phoneNumberId, token: META.token }
const generic = { provider: 'https', url: GENERIC.url, token: GENERIC.token }
const smtp = () => ({
  provider: 'smtp',
  host: '127.0.0.1',
  port: Number(new URL(sink.url).port),
  security: 'starttls',
  from: 'office@school.example',
  ...ACCOUNT,
})

const put = (channel: string, body: object, as = institute.owner) => as.put(`/notification-providers/${channel}`, body)
const trial = async (channel: string, body: object = { to: TO }) =>
  (await institute.owner.post(`/notification-providers/${channel}/test`, body)).body
const list = async () => (await institute.owner.get('/notification-providers')).body.data
const ofChannel = async (channel: string) => (await list()).find((one: { channel: string }) => one.channel === channel)

const student = async (fields: object = { phone: TO, email: 'noor@example.org' }): Promise<string> =>
  (
    await institute.owner.post('/students', {
      branchId: institute.branchId,
      firstName: 'Noor',
      lastName: 'Haddad',
      ...fields,
    })
  ).body.id
const tell = async (channel: string, more: object = {}) => {
  const reply = await institute.owner.post('/notifications/send', {
    templateKey: 'message',
    data: { title: 'Closed', message: 'We are closed.' },
    channels: [channel],
    recipients: { studentIds: [await student()] },
    ...more,
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(202)
  await app.drain()
  return entry()
}
const entry = async () => (await institute.owner.get('/notifications')).body.data[0]

describe('providers', () => {
  test('are listed for every channel, with the server’s own where the institute has none', async () => {
    expect((await list()).map(({ channel, provider }: Record<string, unknown>) => [channel, provider])).toEqual([
      ['email', 'server'],
      ['sms', null],
      ['whatsapp', null],
      ['push', 'server'],
    ])
    const reply = await put('sms', twilio)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ channel: 'sms', provider: 'twilio', from: TWILIO.from, host: null })
    expect(await ofChannel('sms')).toEqual(reply.body)
    expect((await institute.owner.delete('/notification-providers/sms')).body).toEqual({ ok: true })
    expect(await ofChannel('sms')).toMatchObject({ provider: null, from: null })
    expect((await institute.owner.delete('/notification-providers/sms')).status).toBe(404)
  })

  test('are replaced whole; the same again writes nothing', async () => {
    const first = (await put('sms', twilio)).body
    app.clock.advance(60)
    expect((await put('sms', twilio)).body).toEqual(first)
    const other = (await put('sms', { ...twilio, token: 'another' })).body
    expect(other).toMatchObject({ secretSetAt: app.clock.now(), updatedAt: app.clock.now() })
    const replaced = (await put('sms', generic)).body
    expect(replaced).toMatchObject({ provider: 'https', url: GENERIC.url, from: null, accountSid: null })
  })

  test('need the feature of their channel', async () => {
    institute = await makeInstitute(app)
    const wanted = { email: smtp(), sms: twilio, whatsapp: meta, push: { provider: 'web_push' } }
    const features = []
    for (const [channel, body] of Object.entries(wanted)) {
      const { status, body: said } = await put(channel, body)
      features.push([status, said.error.code, said.error.details.feature])
    }
    expect(features).toEqual([
      [403, 'FEATURE_DISABLED', 'byo_email_provider'],
      [403, 'FEATURE_DISABLED', 'sms_notifications'],
      [403, 'FEATURE_DISABLED', 'whatsapp_notifications'],
      [403, 'FEATURE_DISABLED', 'byo_push_provider'],
    ])
  })

  test.each([
    ['another channel’s', 'sms', meta, 'provider'],
    ['without a credential', 'sms', { ...twilio, token: undefined }, 'token'],
    ['with a field of another one', 'sms', { ...twilio, host: 'x.example' }, 'host'],
    ['with a token that breaks the header', 'sms', { ...generic, token: 'a\r\nX: b' }, 'token'],
    ['at an address that is none', 'sms', { ...generic, url: 'ftp://x.example' }, 'url'],
    ['with a sender that is none', 'sms', { ...twilio, from: 'not a number!' }, 'from'],
    ['with an account that is none', 'sms', { ...twilio, accountSid: 'AC/../..' }, 'accountSid'],
    ['with a user and no password', 'email', { password: undefined }, 'password'],
    ['at a link-local host', 'email', { host: '169.254.169.254' }, 'host'],
    ['with a host that has a user', 'email', { host: 'user@x.example' }, 'host'],
    ['with a sender of two addresses', 'email', { from: 'a@x.example, b@x.example' }, 'from'],
  ])('%s is refused', async (_, channel, fields, field) => {
    const reply = await put(channel, channel === 'email' ? { ...smtp(), ...fields } : fields)
    expect(reply).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: [field] }] } } } })
  })

  test('of an unknown channel, or of the app, are refused', async () => {
    for (const channel of ['pigeon', 'in_app']) expect((await put(channel, twilio)).status).toBe(422)
  })
})

describe('a text', () => {
  test.each([
    ['twilio', 'sms', twilio, 'api.twilio.com', TO],
    ['twilio', 'whatsapp', twilio, 'api.twilio.com', `whatsapp:${TO}`],
    ['meta', 'whatsapp', meta, 'graph.facebook.com', TO],
    ['https', 'sms', generic, 'sms.example.org', TO],
  ])('goes over %s as %s', async (_, channel, provider, host, to) => {
    await put(channel, provider)
    expect(await tell(channel)).toMatchObject({ status: 'sent', reason: null, attempts: 1 })
    expect(providers.texted).toMatchObject([
      { host, to, text: expect.stringContaining('We are closed.'), template: null },
    ])
  })

  test('of the institute with the provider’s template has the values that it names, and no others', async () => {
    await put('whatsapp', meta)
    const own = {
      key: 'holiday',
      channel: 'whatsapp',
      locale: 'en',
      body: 'Hello {{recipientName}}, closed on {{data.day}}.',
      providerTemplateName: META.template.name,
    }
    await institute.owner.post('/notification-templates', own)
    const data = { day: 'Sunday\nor Monday', unused: 'x' }
    expect(await tell('whatsapp', { templateKey: 'holiday', data })).toMatchObject({ status: 'sent' })
    expect(providers.texted[0]?.template).toEqual({
      name: META.template.name,
      values: [
        { type: 'text', parameter_name: 'recipient_name', text: expect.stringContaining('Noor') },
        { type: 'text', parameter_name: 'data_day', text: 'Sunday or Monday' },
      ],
    })
    await put('whatsapp', twilio)
    await institute.owner.post('/notification-templates', {
      ...own,
      key: 'eid',
      providerTemplateName: TWILIO.contentSid,
    })
    expect(await tell('whatsapp', { templateKey: 'eid', data })).toMatchObject({ status: 'sent' })
    expect(providers.texted[1]?.template).toMatchObject({ values: { data_day: 'Sunday or Monday' } })
  })

  test('of a template that the provider does not have waits for the account to be mended', async () => {
    await put('whatsapp', meta)
    const result = await trial('whatsapp', { to: TO, templateName: 'nothing' })
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringContaining('template name (nothing) does not exist in en'),
    })
  })

  test.each([
    ['invalid recipient', { status: 400, body: '{"code":21211,"message":"Invalid To","status":400}' }, 'failed'],
    ['too long', { status: 400, body: '{"code":21617,"message":"exceeds 1600","status":400}' }, 'failed'],
    ['rate', { status: 429, body: '{"code":20429,"message":"Too Many Requests","status":429}' }, 'queued'],
    ['server error', { status: 503, body: '<html>down</html>' }, 'queued'],
    ['redirect', { status: 302, headers: { location: 'https://elsewhere.example' }, body: '' }, 'failed'],
    ['account', { status: 401, body: '{"code":20003,"message":"Authenticate","status":401}' }, 'queued'],
    ['cut', 'cut' as const, 'queued'],
    ['hangs', 'hangs' as const, 'queued'],
  ])('that meets %s is in the log as such', async (_, trouble, status) => {
    await put('sms', twilio)
    providers.behave(trouble)
    const found = await tell('sms')
    expect(found).toMatchObject({ status, attempts: 1, reason: expect.stringContaining('The provider') })
    if (status === 'failed') return
    providers.behave(null)
    await app.pass(60)
    expect(await entry()).toMatchObject({ status: 'sent', attempts: 2, reason: null })
    expect(providers.texted).toHaveLength(1)
  })

  test('waits as long as the provider says, at most a day', async () => {
    await put('sms', generic)
    const busy = (wait: string) => providers.behave({ status: 429, headers: { 'retry-after': wait }, body: '{}' })
    const waits = async () => {
      const { nextAttemptAt } = await tell('sms')
      return (Date.parse(nextAttemptAt) - Date.parse(app.clock.now())) / 1000
    }
    busy('1800')
    expect(await waits()).toBe(1800)
    busy('5')
    expect(await waits()).toBe(60)
    busy('99999999')
    expect(await waits()).toBe(86_400)
    busy(new Date(app.clock.millis() + 600_000).toUTCString())
    expect(await waits()).toBe(600)
  })

  test('is the same to the provider at every attempt, so that it can tell a repetition', async () => {
    await put('sms', generic)
    providers.behave('cut')
    const { id } = await tell('sms')
    providers.behave(null)
    await app.pass(60)
    expect(providers.keys.filter((key) => key === id)).toHaveLength(2)
  })

  test('of an institute that lost the feature meanwhile is not sent', async () => {
    await put('sms', generic)
    providers.behave({ status: 500, body: '' })
    await tell('sms')
    providers.behave(null)
    await institute.owner.patch('/feature-flags', { sms_notifications: false })
    await app.pass(60)
    expect(await entry()).toMatchObject({ status: 'skipped', reason: expect.stringContaining('channel any more') })
    expect(providers.texted).toEqual([])
  })

  test('of one institute is not held up by the provider of another', async () => {
    const dead = institute
    await put('sms', generic)
    providers.behave({ status: 503, body: '' })
    await tell('sms')
    providers.behave(null)
    institute = await makeInstitute(app, { features: FEATURES })
    await put('sms', generic)
    expect(await tell('sms')).toMatchObject({ status: 'sent' })
    expect((await dead.owner.get('/notifications')).body.data).toMatchObject([{ status: 'queued' }])
  })
})

describe('email', () => {
  test('goes over the institute’s own mail server, from its own address', async () => {
    expect((await put('email', smtp())).status).toBe(200)
    expect(await tell('email')).toMatchObject({ status: 'sent' })
    const mail = (await sink.messages()).at(-1)
    expect(mail?.envelope).toEqual({ from: 'office@school.example', to: ['noor@example.org'] })
    expect(mail?.from?.name).toBe(institute.tenant.name)
    expect(serverMails).toEqual([])
  })

  test('goes over the server’s own without the feature, or after the provider is deleted', async () => {
    await put('email', smtp())
    await institute.owner.patch('/feature-flags', { byo_email_provider: false })
    expect(await ofChannel('email')).toMatchObject({ provider: 'server', host: null })
    await tell('email')
    expect(serverMails).toHaveLength(1)
    await institute.owner.patch('/feature-flags', { byo_email_provider: true })
    await institute.owner.delete('/notification-providers/email')
    await tell('email')
    expect(serverMails).toHaveLength(2)
  })

  test('that the mail server refuses for now is tried again; for good, it has failed', async () => {
    await put('email', smtp())
    sink.refuse(421)
    expect(await tell('email')).toMatchObject({ status: 'queued', reason: expect.stringContaining('busy') })
    sink.refuse(null)
    await app.pass(60)
    expect(await entry()).toMatchObject({ status: 'sent', attempts: 2 })
    sink.refuse(550)
    expect(await tell('email')).toMatchObject({ status: 'failed', reason: expect.stringContaining('no such mailbox') })
  })
})

describe('the test of a provider', () => {
  test('sends at once, and leaves no trace in the log', async () => {
    await put('sms', twilio)
    await put('email', smtp())
    const before = (await sink.messages()).length
    expect(await trial('sms', { to: '050-123-4567' })).toEqual({ ok: true, error: null })
    expect(providers.texted).toMatchObject([{ to: TO, text: expect.stringContaining('test message') }])
    expect(await trial('email', { to: 'me@example.org' })).toEqual({ ok: true, error: null })
    expect(await sink.messages()).toHaveLength(before + 1)
    expect((await institute.owner.get('/notifications')).body.data).toEqual([])
  })

  test('needs somebody to send to, and a provider', async () => {
    await put('sms', twilio)
    const ask = (channel: string, body: object) => institute.owner.post(`/notification-providers/${channel}/test`, body)
    for (const body of [{}, { to: 'nobody' }]) expect((await ask('sms', body)).status).toBe(422)
    expect((await ask('email', { to: 'me@example.org' })).status).toBe(404)
  })

  test.each([
    ['sms', { ...twilio, token: 'planted-secret-1' }, 'Authentication Error - *** (20003)'],
    ['whatsapp', { ...meta, token: 'planted-secret-2' }, 'Invalid OAuth access token - Bearer *** (190)'],
    ['sms', { ...generic, token: 'planted-secret-3' }, 'no account has the Bearer ***'],
    ['sms', { ...twilio, from: '+15005550001' }, 'is not a Twilio phone number'],
    ['whatsapp', { ...meta, phoneNumberId: '12345' }, "Object with ID '12345' does not exist"],
  ])('over %s says in the provider’s words what is wrong, without the credential', async (channel, provider, words) => {
    await put(channel, provider)
    const result = await trial(channel)
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(words) })
    expect(JSON.stringify(result)).not.toContain('planted-secret')
    expect(result.error.length).toBeLessThan(450)
  })

  test('over a mail server says its reply, without the password', async () => {
    await put('email', { ...smtp(), password: 'planted-secret-4' })
    const { ok, error } = await trial('email', { to: 'me@example.org' })
    expect([ok, error]).toEqual([false, expect.stringContaining('no account')])
    expect(error).not.toContain('planted-secret')
    await put('email', { ...smtp(), port: 9 })
    expect(await trial('email', { to: 'me@example.org' })).toMatchObject({ ok: false })
  })
})

test('in the cloud, mail servers and providers on private addresses are refused', async () => {
  const cloud = await startApp({ config: { webhookBlockPrivate: true } })
  try {
    institute = await makeInstitute(cloud, { features: FEATURES })
    for (const host of ['127.0.0.1', '10.0.0.1', '::1', 'localhost'])
      expect((await put('email', { ...smtp(), host })).status).toBe(422)
    for (const url of ['http://sms.example.org', 'https://10.0.0.1/', 'https://localhost/']) {
      expect((await put('sms', { ...generic, url })).status).toBe(422)
    }
  } finally {
    await cloud.close()
  }
})

test('credentials are nowhere to be read: not in replies, the database, the audit log or the log', async () => {
  const PLANTED = 'planted-everywhere'
  const replies = []
  for (const [channel, provider] of [
    ['sms', { ...twilio, token: `${PLANTED}-1` }],
    ['whatsapp', { ...meta, token: `${PLANTED}-2` }],
    ['email', { ...smtp(), password: `${PLANTED}-3` }],
  ] as const) {
    replies.push(await put(channel, provider), await put(channel, { ...provider, from: undefined }))
    replies.push(await trial(channel, { to: channel === 'email' ? 'me@example.org' : TO }))
    replies.push(await tell(channel))
  }
  replies.push(await list(), (await institute.owner.get('/audit?limit=100')).body)
  const text = JSON.stringify(replies.map((reply) => ('body' in reply ? reply.body : reply)))
  const encoded = Buffer.from(`${TWILIO.accountSid}:${PLANTED}-1`).toString('base64')
  for (const kept of [text, logged.join('\n')]) {
    expect(kept).not.toContain(PLANTED)
    expect(kept).not.toContain(encoded)
  }
  for (const table of ['notification_provider', 'notification', 'audit_entry', 'idempotency_record', 'job'] as const) {
    const rows = await app.app.database.read
      .selectFrom(table as 'notification')
      .selectAll()
      .execute()
    expect(JSON.stringify(rows)).not.toContain(PLANTED)
  }
})
