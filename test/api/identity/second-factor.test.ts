import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, stepAt } from '#modules/identity/second-factor/totp.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { grantTo } from '#kit/oauth.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { addPasskey, assertion, firstStep, newPasskey, setUpCodes } from '#kit/second-factor.ts'
import { auditOf, cookieOf, emailOf, PASSWORD, refreshByCookie } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: 'https://school.example.org', ...NO_LIMITS } })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

const someone = () => institute.member({ role: 'teacher' })
const login = ({ userId }: TestMember) => app.post('/auth/login', { email: emailOf(userId), password: PASSWORD })
const secondStep = async (member: TestMember, code: string) =>
  app.post('/auth/login/second-factor', { ticket: await firstStep(app, emailOf(member.userId)), code })
const reasonOf = ({ body }: { body: { error?: { details?: { reason?: string } } } }) => body.error?.details?.reason
const subjectsTo = ({ userId }: TestMember) =>
  app.mails.filter(({ to }) => to === emailOf(userId)).map(({ subject }) => subject)

describe('codes of an app', () => {
  test('are asked for after the password, once their first one has come, and end where else one is signed in', async () => {
    const member = await someone()
    const elsewhere = app.as((await login(member)).body.accessToken)
    const { appSecret } = (await member.post('/me/second-factor', { password: PASSWORD })).body
    expect((await login(member)).status).toBe(200)
    expect((await elsewhere.get('/me')).status).toBe(200)

    const { code, recoveryCodes } = await setUpCodes(app, member)
    expect(appSecret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await elsewhere.get('/me')).status).toBe(401)
    expect((await member.get('/me/second-factor')).body).toMatchObject({ isOn: true, recoveryCodesLeft: 10 })

    const first = await login(member)
    expect(first).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    expect([reasonOf(first), cookieOf(first)]).toEqual(['second_factor_needed', undefined])
    const ticket = first.body.error.details.ticket as string
    expect((await app.as(ticket).get('/me')).status).toBe(401)
    const signedIn = await app.post('/auth/login/second-factor', { ticket, code: code() })
    expect(signedIn).toMatchObject({ status: 200, body: { activeTenantId: institute.tenant.id } })
    expect((await refreshByCookie(app, cookieOf(signedIn) ?? '')).status).toBe(200)
    await app.drain()
    expect(subjectsTo(member)).toEqual(['Signing in now takes a code'])
  })

  test('are taken half a minute early and late, no later, and a refusal tells the time of the server', async () => {
    const member = await someone()
    const { code } = await setUpCodes(app, member)
    const wrong = await secondStep(member, code(-2))
    expect(wrong.body.error).toMatchObject({
      code: 'INVALID_CREDENTIALS',
      details: { reason: 'wrong_code', serverTime: app.clock.now() },
    })
    expect((await secondStep(member, code(2))).status).toBe(401)
    expect((await secondStep(member, code(-1))).status).toBe(200)
    expect((await secondStep(member, code(1))).status).toBe(200)
  })

  test('are taken once, however many devices send one together, and the others are told to wait', async () => {
    const member = await someone()
    const { code } = await setUpCodes(app, member)
    const tickets = await Promise.all([1, 2, 3].map(() => firstStep(app, emailOf(member.userId))))
    const replies = await Promise.all(
      tickets.map((ticket) =>
        app.post('/auth/login/second-factor', { ticket, code: ` ${code().slice(0, 3)} ${code().slice(3)}` }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect(replies.filter(({ status }) => status === 401).map(reasonOf)).toEqual(['code_used', 'code_used'])
    // An earlier code is none any more either.
    expect(reasonOf(await secondStep(member, code(-1)))).toBe('code_used')
    app.clock.advance(30)
    expect((await secondStep(member, code())).status).toBe(200)
  })

  test('count again where the last one was taken while the clock was ahead', async () => {
    const member = await someone()
    const { code } = await setUpCodes(app, member)
    app.clock.advance(7200)
    expect((await secondStep(member, code())).status).toBe(200)
    app.clock.advance(-7200)
    expect((await secondStep(member, code())).status).toBe(200)
  })

  test('close for a quarter of an hour after five wrong ones, the password and other doors not', async () => {
    const member = await someone()
    const { code, recoveryCodes } = await setUpCodes(app, member)
    const ticket = await firstStep(app, emailOf(member.userId))
    const guesses = await Promise.all(
      Array.from({ length: 8 }, () => app.post('/auth/login/second-factor', { ticket, code: '000000' })),
    )
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, 401, 401, 423, 423, 423])
    const locked = await secondStep(member, recoveryCodes[0] ?? '')
    expect([locked.status, reasonOf(locked), locked.headers.get('retry-after')]).toEqual([
      423,
      'too_many_wrong_codes',
      '900',
    ])
    expect((await member.get('/me')).status).toBe(200)
    expect((await auditOf(app, 'auth.lock')).filter(({ entity_id }) => entity_id === member.userId)).toHaveLength(1)
    app.clock.advance(15 * 60)
    expect((await secondStep(member, code())).status).toBe(200)
  })

  test('the first step is over after five minutes, with another password, and for a disabled account', async () => {
    const member = await someone()
    const { code } = await setUpCodes(app, member)
    const ticket = await firstStep(app, emailOf(member.userId))
    app.clock.advance(5 * 60)
    const late = await app.post('/auth/login/second-factor', { ticket, code: code() })
    expect([late.status, reasonOf(late)]).toEqual([401, 'sign_in_ticket_expired'])
    expect((await app.post('/auth/login/second-factor', { ticket: 'made up', code: code() })).status).toBe(401)

    const fresh = await firstStep(app, emailOf(member.userId))
    const newPassword = 'olive tree by the gate'
    await member.post('/auth/change-password', { currentPassword: PASSWORD, newPassword })
    expect(reasonOf(await app.post('/auth/login/second-factor', { ticket: fresh, code: code() }))).toBe(
      'sign_in_ticket_expired',
    )
    const { body } = await app.post('/auth/login', { email: emailOf(member.userId), password: newPassword })
    const admin = await platformAdmin(app)
    await admin.patch(`/platform/users/${member.userId}`, { status: 'disabled' })
    const { ticket: last } = body.error.details
    expect((await app.post('/auth/login/second-factor', { ticket: last, code: code() })).body.error.code).toBe(
      'ACCOUNT_DISABLED',
    )
  })

  test('move to another phone: the former app counts until the first code of the new one', async () => {
    const member = await someone()
    const former = await setUpCodes(app, member)
    await member.post('/me/second-factor', { password: PASSWORD })
    expect((await secondStep(member, former.code())).status).toBe(200)
    expect(reasonOf(await member.post('/me/second-factor/confirm', { code: '000000' }))).toBe('wrong_code')
    const present = await setUpCodes(app, member)
    expect(reasonOf(await secondStep(member, former.code()))).toBe('wrong_code')
    expect(reasonOf(await secondStep(member, former.recoveryCodes[0] ?? ''))).toBe('wrong_code')
    expect((await secondStep(member, present.code())).status).toBe(200)
    await app.drain()
    expect(subjectsTo(member).toSorted()).toEqual([
      'Signing in now takes a code',
      'The codes come from another app now',
    ])
  })

  test('are switched off with the password alone, and what needs codes is refused where there are none', async () => {
    const member = await someone()
    for (const name of ['confirm', 'recovery-codes', 'remove']) {
      const refused = await member.post(`/me/second-factor/${name}`, { password: PASSWORD, code: '123456' })
      expect([name, refused.status, reasonOf(refused)]).toEqual([name, 409, 'no_second_factor'])
    }
    const { code } = await setUpCodes(app, member)
    const ticket = await firstStep(app, emailOf(member.userId))
    expect(reasonOf(await member.post('/me/second-factor/remove', { password: 'wrong' }))).toBe('invalid_credentials')
    expect((await member.post('/me/second-factor/remove', { password: PASSWORD })).status).toBe(200)
    expect(reasonOf(await app.post('/auth/login/second-factor', { ticket, code: code() }))).toBe('no_second_factor')
    expect((await login(member)).status).toBe(200)
  })
})

describe('what is guessed at', () => {
  test('the first code of an app is closed after five wrong ones', async () => {
    const member = await someone()
    await member.post('/me/second-factor', { password: PASSWORD })
    const guess = () => member.post('/me/second-factor/confirm', { code: '000000' })
    for (let wrong = 0; wrong < 5; wrong += 1) expect(reasonOf(await guess())).toBe('wrong_code')
    expect([(await guess()).status, reasonOf(await guess())]).toEqual([423, 'too_many_wrong_codes'])
  })

  test('the password is closed to the session after five wrong ones, wherever it is asked for once more', async () => {
    const member = await someone()
    const paths = ['passkeys/options', 'second-factor', 'second-factor/recovery-codes', 'second-factor/remove']
    const ask = (path: string) => member.post(`/me/${path}`, { password: 'wrong' })
    for (let wrong = 0; wrong < 5; wrong += 1) await ask('second-factor')
    for (const path of paths) {
      const reply = await ask(path)
      expect([path, reply.status, reasonOf(reply)]).toEqual([path, 423, 'too_many_wrong_passwords'])
    }
  })
})

describe('recovery codes', () => {
  test('stand in for the app once each, as people type them, and the member is mailed', async () => {
    const member = await someone()
    const { code, recoveryCodes } = await setUpCodes(app, member)
    const [one = '', other = ''] = recoveryCodes
    const first = await secondStep(member, one.toUpperCase().replace('-', ' '))
    expect([first.status, first.body.recoveryCodesLeft]).toEqual([200, 9])
    const again = await secondStep(member, one)
    expect([again.status, reasonOf(again)]).toEqual([401, 'recovery_code_used'])
    const tickets = [await firstStep(app, emailOf(member.userId)), await firstStep(app, emailOf(member.userId))]
    const both = await Promise.all(
      tickets.map((ticket) => app.post('/auth/login/second-factor', { ticket, code: other })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await member.get('/me/second-factor')).body.recoveryCodesLeft).toBe(8)
    app.clock.advance(60)
    expect((await secondStep(member, code())).body.recoveryCodesLeft).toBeNull()
    await app.drain()
    expect(subjectsTo(member).filter((subject) => subject === 'A recovery code was used')).toHaveLength(2)
  })

  test('are made anew with the password, and the former ones end', async () => {
    const member = await someone()
    const { recoveryCodes: former } = await setUpCodes(app, member)
    expect(reasonOf(await member.post('/me/second-factor/recovery-codes', { password: 'wrong' }))).toBe(
      'invalid_credentials',
    )
    const { recoveryCodes } = (await member.post('/me/second-factor/recovery-codes', { password: PASSWORD })).body
    expect(reasonOf(await secondStep(member, former[0] ?? ''))).toBe('wrong_code')
    expect((await secondStep(member, recoveryCodes[0])).status).toBe(200)
  })
})

describe('a role that asks for a second factor', () => {
  const asking = async () => {
    const place = await makeInstitute(app, { features: { mcp: true } })
    const { id: roleId } = (
      await place.owner.post('/roles', { name: 'Office', permissions: ['students.read', 'mcp.access'] })
    ).body
    const member = await place.member({ permissions: ['students.read', 'mcp.access'] })
    await place.owner.put(`/members/${member.membershipId}/roles`, { roles: [{ roleId }] })
    const ask = (isAsked: boolean) => place.owner.patch(`/roles/${roleId}`, { asksSecondFactor: isAsked })
    return { ...place, member, roleId, ask }
  }
  const needed = { status: 403, body: { error: { code: 'FORBIDDEN', details: { reason: 'second_factor_needed' } } } }

  test('lets whoever has none set one up and do nothing else, from the next request on', async () => {
    const { member, ask, tenant } = await asking()
    expect((await member.get('/students')).status).toBe(200)
    expect((await ask(true)).body).toMatchObject({ asksSecondFactor: true })
    expect(await member.get('/students')).toMatchObject(needed)
    for (const path of ['/auth/sessions', '/me/grants', '/permissions']) {
      expect(await member.get(path)).toMatchObject(needed)
    }
    expect(await member.patch('/me', { fullName: 'Somebody' })).toMatchObject(needed)
    expect((await member.get('/auth/me')).body).toMatchObject({
      needsSecondFactor: true,
      activeTenantId: null,
      permissions: [],
      deviceKey: null,
    })
    // Signing in with the password alone changes nothing.
    const again = app.as((await login(member)).body.accessToken)
    expect(await again.get('/students')).toMatchObject(needed)
    expect((await member.get('/me/second-factor')).body).toMatchObject({ isOn: false, isAsked: true })

    await setUpCodes(app, member)
    expect((await member.get('/students')).status).toBe(200)
    expect((await member.get('/auth/me')).body).toMatchObject({ needsSecondFactor: false, activeTenantId: tenant.id })
    expect((await member.post('/me/second-factor/remove', { password: PASSWORD })).status).toBe(200)
    expect(await member.get('/students')).toMatchObject(needed)
  })

  test('takes a passkey for it, and lets nobody with the password alone add another way beside it', async () => {
    const { member, ask } = await asking()
    const device = await addPasskey(member)
    await ask(true)
    expect((await member.get('/students')).status).toBe(200)
    const stolen = app.as((await login(member)).body.accessToken)
    expect(await stolen.get('/students')).toMatchObject(needed)
    const codes = await stolen.post('/me/second-factor', { password: PASSWORD })
    const passkey = await stolen.post('/me/passkeys/options', { password: PASSWORD })
    expect([codes, passkey].map(reasonOf)).toEqual(['second_factor_exists', 'second_factor_exists'])
    const { accessToken } = (await app.post('/auth/passkey', await assertion(app, device))).body
    expect((await app.as(accessToken).get('/students')).status).toBe(200)
  })

  test('lets nobody finish beside it what they began before there was one', async () => {
    const { member, ask } = await asking()
    const stolen = app.as((await login(member)).body.accessToken)
    await ask(true)
    const { body } = await newPasskey(stolen)
    const { appSecret } = (await stolen.post('/me/second-factor', { password: PASSWORD })).body
    await addPasskey(member)
    const code = codeAt(appSecret, stepAt(app.clock.now()))
    const replies = [await stolen.post('/me/passkeys', body), await stolen.post('/me/second-factor/confirm', { code })]
    expect(replies.map(reasonOf)).toEqual(['second_factor_exists', 'second_factor_exists'])
  })

  test('stops an assistant that was let in without it, and not one that was let in with it', async () => {
    const { member, ask, tenant } = await asking()
    const calls = async (token: string) => {
      const { status, body } = await app.as(token).send('POST', '//mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'students_find', arguments: {} } },
        headers: { accept: 'application/json, text/event-stream' },
      })
      return `${status} ${JSON.stringify(body)}`
    }
    const { accessToken: before } = await grantTo(app, member, tenant.id)
    await ask(true)
    expect(await calls(before)).toContain('second_factor_needed')
    await setUpCodes(app, member)
    const { accessToken: after } = await grantTo(app, member, tenant.id)
    expect(await calls(after)).not.toContain('second_factor_needed')
  })

  test('asks whoever acts for an owner too', async () => {
    const { owner, roles, tenant, member } = await asking()
    const admin = await platformAdmin(app)
    await setUpCodes(app, owner)
    expect((await owner.patch(`/roles/${roles.owner}`, { asksSecondFactor: true })).status).toBe(200)
    const act = async () => {
      const { accessToken } = (await admin.post(`/platform/tenants/${tenant.id}/impersonate`, { reason: 'Help' })).body
      return app.as(accessToken)
    }
    expect(await (await act()).get('/students')).toMatchObject(needed)
    expect((await (await act()).post('/me/second-factor', { password: PASSWORD })).body.error.details.reason).toBe(
      'impersonated',
    )
    await setUpCodes(app, admin)
    expect((await (await act()).get('/students')).status).toBe(200)
    expect((await member.get('/students')).status).toBe(200)
  })

  test('is made one by owners alone, who change nothing else of their own role', async () => {
    const { owner, roles, ask, member, roleId } = await asking()
    const manager = await institute.member({ permissions: ['roles.manage'] })
    expect(reasonOf(await manager.patch(`/roles/${institute.roles.teacher}`, { asksSecondFactor: true }))).toBe(
      'owner_only',
    )
    const own = `/roles/${roles.owner}`
    for (const body of [{ name: 'Boss' }, { asksSecondFactor: true, name: 'Boss' }, {}]) {
      expect((await owner.patch(own, body)).body.error.code).toBe('ROLE_IMMUTABLE')
    }
    expect((await owner.patch(own, { asksSecondFactor: true })).body).toMatchObject({ asksSecondFactor: true })
    // Nobody is locked out for good: the owner is led to set one up, and goes on.
    expect(await owner.get('/students')).toMatchObject(needed)
    await setUpCodes(app, owner)
    expect((await ask(false)).status).toBe(200)
    expect((await member.get(`/students`)).status).toBe(200)
    expect((await owner.get(`/roles/${roleId}`)).body.asksSecondFactor).toBe(false)
  })
})

describe('a second factor that was lost', () => {
  // The tokens of the first ones have expired meanwhile.
  beforeAll(async () => {
    institute = await makeInstitute(app)
  })

  test('is taken away by an owner: codes, passkeys and sessions end, and the member is mailed', async () => {
    const member = await someone()
    const isKnown = async (): Promise<unknown> => {
      const { data } = (await institute.owner.get('/members?limit=100')).body
      return data.find(({ userId }: { userId: string }) => userId === member.userId)?.hasSecondFactor
    }
    expect(await isKnown()).toBe(false)
    const device = await addPasskey(member)
    await setUpCodes(app, member)
    expect(await isKnown()).toBe(true)
    const path = `/members/${member.membershipId}/reset-second-factor`
    expect(reasonOf(await (await institute.member({ permissions: ['members.manage'] })).post(path))).toBe('owner_only')
    expect((await institute.owner.post(path)).status).toBe(200)
    expect(await isKnown()).toBe(false)
    expect((await member.get('/me')).status).toBe(401)
    expect((await app.post('/auth/passkey', await assertion(app, device))).status).toBe(401)
    expect((await login(member)).status).toBe(200)
    expect(reasonOf(await institute.owner.post(path))).toBe('no_second_factor')
    await app.drain()
    expect(subjectsTo(member)).toContain('Your second step was reset')
    expect(await auditOf(app, 'members.reset-second-factor')).toHaveLength(1)
  })

  test('not one’s own, nor that of an account that is not this institute’s alone', async () => {
    const { data } = (await institute.owner.get('/members?limit=100')).body
    const own = data.find(({ userId }: { userId: string }) => userId === institute.ownerUserId)
    expect(reasonOf(await institute.owner.post(`/members/${own.membershipId}/reset-second-factor`))).toBe(
      'own_second_factor',
    )
    const member = await someone()
    await setUpCodes(app, member)
    await app.app.database.write((db) =>
      db.updateTable('user').set({ is_platform_admin: true }).where('id', '=', member.userId).execute(),
    )
    expect(reasonOf(await institute.owner.post(`/members/${member.membershipId}/reset-second-factor`))).toBe(
      'account_elsewhere',
    )
  })
})
