import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { startProviders, type Answer } from '#kit/captcha.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { newApiKey } from '../examples/integrations.ts'
import { registration, SITE } from '../examples/leads.ts'

/** The stand-ins reply as the providers document it. */

const SECRET = '0x4AAA-secret-of-the-institute'
const TOKEN = 'a token, with +signs & umlauts: ü'

let app: TestApp
let institute: TestInstitute
let site: Client
let providers: Awaited<ReturnType<typeof startProviders>>
/** Log lines of the running test, and of the tests before it. */
let logged = ''
let writes: () => Promise<Write[]>
let loggedBefore = ''

beforeAll(async () => {
  providers = await startProviders()
  const log = pino(
    { level: 'info' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged += chunk.toString()
        done()
      },
    }),
  )
  app = await startApp({ config: NO_LIMITS, outbound: providers.outbound, log })
  writes = await watchWrites(app)
  institute = await makeInstitute(app)
  site = app.as((await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })).key)
})
afterAll(async () => {
  await app.close()
  providers.close()
})
beforeEach(() => {
  loggedBefore += logged
  logged = ''
  providers.asked.length = 0
})
type Provider = 'turnstile' | 'hcaptcha' | 'recaptcha'

const use = (provider: Provider | null) =>
  institute.owner.patch('/settings', { registration: { captcha: provider && { provider, secret: SECRET } } })

const register = (more: object = { captchaToken: TOKEN }, headers: object = {}) =>
  site.send('POST', '/public/registrations', {
    body: { ...registration(), ...more },
    headers: { origin: SITE, ...headers },
  })

const leads = async (): Promise<number> => (await institute.owner.get('/leads?limit=100')).body.data.length

const when = { challenge_ts: '2026-03-02T07:59:30.000Z' }
const good: Record<Provider, object> = {
  turnstile: {
    success: true,
    ...when,
    hostname: 'www.example.org',
    'error-codes': [],
    action: '',
    cdata: '',
    metadata: { interactive: false },
  },
  hcaptcha: { success: true, ...when, hostname: 'not-provided', credit: false },
  recaptcha: { success: true, ...when, hostname: 'www.example.org' },
}
const bad: Record<Provider, string[][]> = {
  turnstile: [['invalid-input-response'], ['timeout-or-duplicate'], ['missing-input-response'], ['bad-request']],
  hcaptcha: [
    ['invalid-input-response'],
    ['expired-input-response'],
    ['already-seen-response'],
    ['invalid-or-already-seen-response'],
    ['sitekey-secret-mismatch'],
    ['not-using-dummy-passcode'],
  ],
  recaptcha: [['invalid-input-response'], ['timeout-or-duplicate'], ['browser-error'], []],
}
const sites: Record<Provider, string> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
}
const each: Provider[] = ['turnstile', 'hcaptcha', 'recaptcha']

describe.each(each)('with %s', (provider) => {
  beforeAll(() => use(provider))

  test('verifies a valid token once, with the provider’s form and no data of the visitor, and admits the registration', async () => {
    providers.answer({ json: good[provider] })
    const before = await leads()
    expect((await register()).status).toBe(201)
    expect(providers.asked).toEqual([
      {
        url: sites[provider],
        contentType: 'application/x-www-form-urlencoded',
        form: { secret: SECRET, response: TOKEN },
      },
    ])
    expect(await leads()).toBe(before + 1)
  })

  test('requires a token, and sends no request without one', async () => {
    for (const more of [{}, { captchaToken: null }, { captchaToken: '' }]) {
      const { status, body } = await register(more)
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(body.error.details.issues).toEqual([{ path: ['captchaToken'], message: expect.any(String) }])
    }
    expect(providers.asked).toEqual([])
  })

  test.each(bad[provider].map((codes) => [codes]))('a token that is refused with %j is 422', async (codes) => {
    const before = await leads()
    for (const status of [200, 400]) {
      providers.answer({ status, json: { success: false, 'error-codes': codes } })
      const reply = await register()
      expect([reply.status, reply.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(reply.body.error.details.issues[0].path).toEqual(['captchaToken'])
    }
    expect(await leads()).toBe(before)
  })

  const unverified: [string, Answer][] = [
    ['a secret that is wrong', { json: { success: false, 'error-codes': ['invalid-input-secret'] } }],
    ['a secret that is missing', { status: 400, json: { success: false, 'error-codes': ['missing-input-secret'] } }],
    ['a fault of its own', { json: { success: false, 'error-codes': ['internal-error'] } }],
    ['status 500', { status: 500, text: 'Internal Server Error' }],
    ['status 500 and a yes', { status: 500, json: good.recaptcha }],
    ['a redirect', { status: 302, text: '' }],
    ['a page', { text: '<html>Sign in to the network</html>' }],
    ['nothing', { text: '' }],
    ['half of it', { text: '{"success":tr' }],
    ['a list', { json: [true] }],
    ['success as a text', { json: { success: 'true' } }],
    ['error codes that are none', { json: { success: false, 'error-codes': 'invalid-input-response' } }],
    ['more than anybody reads', { text: `{"success":true,"cdata":"${'x'.repeat(100_000)}"}` }],
    ['no end', 'hangs'],
    ['a reset', 'resets'],
  ]
  test.each(unverified)('a reply that is %s gives 500 with Retry-After, and stores nothing', async (_, answer) => {
    providers.answer(answer)
    const before = await leads()
    const { status, body, headers } = await register()
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(body.error.details).toEqual({ reason: 'captcha_unverified' })
    expect(body.error.message).toContain('Try again')
    expect(headers.get('retry-after')).toBe('30')
    expect(await leads()).toBe(before)
    expect(logged).toContain('a captcha could not be verified')
    expect(logged).toContain(institute.tenant.id)
  })

  test('the same request succeeds once the provider replies, and its repeat is not verified again', async () => {
    const body = { ...registration(), captchaToken: TOKEN }
    const send = () => register(body, { 'idempotency-key': `a-visit-${provider}` })
    providers.answer('resets')
    expect((await send()).status).toBe(500)
    providers.answer({ json: { success: false, 'error-codes': ['timeout-or-duplicate'] } })
    expect((await send()).status).toBe(422)
    providers.answer({ json: good[provider] })
    const first = await send()
    expect(first.status).toBe(201)
    providers.asked.length = 0
    const again = await send()
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(providers.asked).toEqual([])
  })

  test('sends no request while registration is off, nor for another origin', async () => {
    expect((await register({ captchaToken: TOKEN }, { origin: 'https://evil.example' })).status).toBe(403)
    await institute.owner.patch('/settings', { registration: { enabled: false } })
    expect((await register()).body.error.code).toBe('REGISTRATION_DISABLED')
    await institute.owner.patch('/settings', { registration: { enabled: true } })
    expect(providers.asked).toEqual([])
  })
})

describe('the host name and the score of a token', () => {
  test.each<[Provider, string, number]>([
    ['turnstile', 'www.example.org', 201],
    ['turnstile', 'WWW.Example.org', 201],
    ['turnstile', 'evil.example', 422],
    ['turnstile', 'example.org', 422],
    ['recaptcha', 'evil.example', 422],
    ['recaptcha', '', 201],
    // hCaptcha's documentation advises not to rely on the host name.
    ['hcaptcha', 'evil.example', 201],
  ])('%s says %j: %i', async (provider, hostname, status) => {
    await use(provider)
    providers.answer({ json: { ...good[provider], hostname } })
    expect((await register()).status).toBe(status)
  })

  test.each<[Provider, number, number]>([
    ['recaptcha', 0.5, 201],
    ['recaptcha', 0.49, 422],
    // hCaptcha's score is a risk: lower is better.
    ['hcaptcha', 0.1, 201],
  ])('%s says the score %d: %i', async (provider, score, status) => {
    await use(provider)
    providers.answer({ json: { ...good[provider], score } })
    expect((await register()).status).toBe(status)
  })
})

test('without a captcha in the settings the token is ignored', async () => {
  await use(null)
  providers.answer({ json: { success: false } })
  for (const more of [{}, { captchaToken: TOKEN }, { captchaToken: '' }]) {
    expect((await register(more)).status).toBe(201)
  }
  expect(providers.asked).toEqual([])
})

test('a provider that does not reply delays nobody else', async () => {
  await use('turnstile')
  providers.answer('hangs')
  const waiting = Array.from({ length: 20 }, () => register())
  const student = { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' }
  expect((await institute.owner.post('/students', student)).status).toBe(201)
  for (const reply of await Promise.all(waiting)) expect(reply.status).toBe(500)
})

test('requests to providers are counted under their own purpose', async () => {
  await use('turnstile')
  providers.answer({ json: good.turnstile })
  await register()
  expect((await app.get('//metrics')).body).toMatch(/outbound_\w+\{[^}]*purpose="captcha"[^}]*\} [1-9]/)
})

test('neither a token nor the secret is stored in clear or logged, whatever the outcome', async () => {
  expect(loggedBefore).toContain('a captcha could not be verified')
  const rows = JSON.stringify(await writes())
  expect(rows).toContain('lead')
  for (const secret of [SECRET, TOKEN]) {
    expect(rows).not.toContain(secret)
    expect(loggedBefore).not.toContain(secret)
  }
})
