import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepChallenges } from '#modules/identity/passkeys/challenges.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { addPasskey, assertion, newPasskey, setUpCodes } from '#kit/second-factor.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'

const BASE = 'https://school.example.org'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: BASE, ...NO_LIMITS } })
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const someone = () => institute.member({ role: 'teacher' })
const reasonOf = ({ body }: { body: { error?: { details?: { reason?: string } } } }) => body.error?.details?.reason
const signIn = async (...how: Parameters<typeof assertion> extends [TestApp, ...infer R] ? R : never) =>
  app.post('/auth/passkey', await assertion(app, ...how))

describe('a passkey', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)('of %s signs in, also where codes are asked for', async (kind) => {
    const member = await someone()
    await setUpCodes(app, member)
    const { device, body } = await newPasskey(member, { kind, name: 'Phone' })
    expect((await member.post('/me/passkeys', body)).body).toMatchObject({ name: 'Phone', lastUsedAt: null })
    const signedIn = await signIn(device)
    expect(signedIn).toMatchObject({ status: 200, body: { activeTenantId: institute.tenant.id } })
    expect((await app.as(signedIn.body.accessToken).get('/me')).body.id).toBe(member.userId)
    const { passkeys, address, obstacle } = (await member.get('/me/passkeys')).body
    expect([address, obstacle]).toEqual([BASE, null])
    expect(passkeys).toMatchObject([{ name: 'Phone', lastUsedAt: app.clock.now() }])
    await app.drain()
    const subjects = app.mails.filter(({ to }) => to === emailOf(member.userId)).map(({ subject }) => subject)
    expect(subjects).toContain('A passkey was added')
  })

  test('is refused from another page or host, without the person verified, and with another signature', async () => {
    const member = await someone()
    for (const wrong of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }]) {
      const { body } = await newPasskey(member, wrong)
      expect(reasonOf(await member.post('/me/passkeys', body))).toBe('passkey_invalid')
      expect(reasonOf(await signIn(await addPasskey(member), wrong))).toBe('passkey_invalid')
    }
    const device = await addPasskey(member)
    const other = await addPasskey(member)
    expect(reasonOf(await signIn({ ...device, key: other.key }))).toBe('passkey_invalid')
    expect(reasonOf(await signIn({ ...device, userHandle: (await addPasskey(await someone())).userHandle }))).toBe(
      'passkey_invalid',
    )
    expect(reasonOf(await signIn({ ...device, credentialId: 'dW5rbm93bg' }))).toBe('passkey_invalid')
    const nonsense = { ...(await assertion(app, device)), clientData: 'e30', authenticatorData: 'AAAA' }
    expect(reasonOf(await app.post('/auth/passkey', nonsense))).toBe('passkey_invalid')
    expect((await signIn(device)).status).toBe(200)
  })

  test('answers a challenge once, within five minutes, and only one that was made for this', async () => {
    const member = await someone()
    const device = await addPasskey(member)
    const body = await assertion(app, device)
    const replies = await Promise.all([app.post('/auth/passkey', body), app.post('/auth/passkey', body)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const late = await assertion(app, device)
    app.clock.advance(5 * 60)
    expect(reasonOf(await app.post('/auth/passkey', late))).toBe('passkey_invalid')
    const { challenge } = (await member.post('/me/passkeys/options', { password: PASSWORD })).body
    expect(reasonOf(await signIn(device, { challenge }))).toBe('passkey_invalid')
    const { body: made } = await newPasskey(await someone())
    expect(reasonOf(await member.post('/me/passkeys', made))).toBe('passkey_invalid')
    const forSignIn = (await app.post('/auth/passkey/options')).body.challenge
    const { body: mixed } = await newPasskey(member, { challenge: forSignIn })
    expect(reasonOf(await member.post('/me/passkeys', mixed))).toBe('passkey_invalid')
  })

  test('that counts its signatures is refused once the count goes back: somebody copied it', async () => {
    const device = await addPasskey(await someone())
    expect((await signIn({ ...device, signCount: 5 })).status).toBe(200)
    expect((await signIn({ ...device, signCount: 5 })).status).toBe(401)
    expect((await signIn({ ...device, signCount: 0 })).status).toBe(401)
    expect((await signIn({ ...device, signCount: 6 })).status).toBe(200)
  })

  test('takes the password to be added, is added once, and there are twenty at most', async () => {
    const member = await someone()
    expect(reasonOf(await member.post('/me/passkeys/options', { password: 'wrong' }))).toBe('invalid_credentials')
    const { device, body } = await newPasskey(member)
    expect((await member.post('/me/passkeys', body)).status).toBe(201)
    const { challenge, known } = (await member.post('/me/passkeys/options', { password: PASSWORD })).body
    expect(known).toEqual([device.credentialId])
    const again = Buffer.from(body['clientData'] ?? '', 'base64url')
      .toString()
      .replace(/"challenge":"[^"]+"/, `"challenge":"${challenge}"`)
    const twice = { ...body, clientData: Buffer.from(again).toString('base64url') }
    expect(reasonOf(await member.post('/me/passkeys', twice))).toBe('passkey_known')
    for (let made = 1; made < 20; made += 1) await addPasskey(member)
    const { body: more } = await newPasskey(member)
    expect(reasonOf(await member.post('/me/passkeys', more))).toBe('too_many_passkeys')
  })

  test('is renamed and removed by its person alone, and signs nobody in from then on', async () => {
    const member = await someone()
    const device = await addPasskey(member, 'Phone')
    const path = `/me/passkeys/${device.id}`
    const stranger = await someone()
    expect((await stranger.patch(path, { name: 'Mine' })).status).toBe(404)
    expect((await stranger.delete(path)).status).toBe(404)
    expect((await member.patch(path, { name: 'Old phone' })).body).toMatchObject({ name: 'Old phone' })
    expect((await member.delete(path)).status).toBe(200)
    expect((await signIn(device)).status).toBe(401)
    expect((await member.delete(path)).status).toBe(404)
  })

  test('of a disabled account is refused in words', async () => {
    const member = await someone()
    const device = await addPasskey(member)
    await (await platformAdmin(app)).patch(`/platform/users/${member.userId}`, { status: 'disabled' })
    expect((await signIn(device)).body.error.code).toBe('ACCOUNT_DISABLED')
  })

  test('leaves no challenge behind that nobody answered', async () => {
    await app.post('/auth/passkey/options')
    const { body } = await app.post('/auth/passkey/options')
    app.clock.advance(5 * 60 + 1)
    await runInTransaction(app.app.runtime, systemAuditContext('test.sweep'), async (unit) =>
      sweepChallenges(unit.system()),
    )
    expect(body.rpId).toBe('school.example.org')
    const left = await app.app.database.read.selectFrom('passkey_challenge').select('challenge_hash').execute()
    expect(left).toEqual([])
  })
})

test.each([
  ['http://school.example.org', 'plain_http'],
  ['https://192.0.2.7', 'ip_address'],
  ['https://[2001:db8::7]:8443', 'ip_address'],
])('at %s there are none, and the server says why: %s', async (baseUrl, obstacle) => {
  const place = await startApp({ config: { baseUrl, ...NO_LIMITS } })
  const { owner } = await makeInstitute(place)
  expect((await owner.get('/me/passkeys')).body).toEqual({ passkeys: [], address: baseUrl, obstacle })
  expect(reasonOf(await owner.post('/me/passkeys/options', { password: PASSWORD }))).toBe('passkeys_impossible')
  expect(reasonOf(await place.post('/auth/passkey/options'))).toBe('passkeys_impossible')
  await place.close()
})
