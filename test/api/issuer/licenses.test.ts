import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { signHeartbeat, verifyLicenseToken, verifyUnlockToken } from '#modules/licensing/protocol.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, TestInstall, vendorKeyOf } from '#kit/licenses.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/records.ts'
import { newPlan } from '../examples/plans.ts'

const NOBODY = '0198c0de-0000-7000-8000-000000000001'

let app: TestApp
let admin: TestPlatformAdmin
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 * 365 } })
  admin = await platformAdmin(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
})

const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000)

/** The request by which a server asks for its name on its own network. */
const nameAsked = ({ jti }: { jti: string }, { installId, key }: TestInstall) => {
  const asked = { installId, jti, clientTime: app.clock.now(), nonce: 'bm9uY2U', addresses: ['192.168.1.20'] }
  const raw = Buffer.from(JSON.stringify({ ...asked, challenge: null }))
  return { raw, headers: signHeartbeat(raw, key) }
}

describe('without a key for licences', () => {
  test('no licence is made, and the refusal says who can help', async () => {
    const bare = await startApp()
    const { tenant } = await makeInstitute(bare)
    const body = { tenantId: tenant.id, maxInstalls: 1 }
    const { status, body: refused } = await (await platformAdmin(bare)).post('/platform/licenses', body)
    expect([status, refused.error.code]).toEqual([409, 'CONFLICT'])
    expect(refused.error.message).toContain('institute license-key create')
    expect(await bare.app.database.read.selectFrom('license').selectAll().execute()).toEqual([])
    await bare.close()
  })

  test('a licence of before cannot be changed or unlocked by token, and nothing is queued', async () => {
    const license = await newLicense(app, institute)
    const install = new TestInstall(app, license)
    const { database } = app.app
    const [key] = await database.read
      .selectFrom('sealed_secret')
      .selectAll()
      .where('name', '=', 'license-key')
      .execute()
    if (!key) throw new Error('no key')
    await database.write((db) => db.deleteFrom('sealed_secret').where('name', '=', 'license-key').execute())
    try {
      const refused = { status: 409, body: { error: { code: 'CONFLICT' } } }
      expect(await admin.patch(license.path, { maxInstalls: 4 })).toMatchObject(refused)
      expect(await admin.post(`${license.path}/unlock-token`)).toMatchObject(refused)
      expect(await install.send(install.next())).toMatchObject(refused)
      expect(await app.send('POST', '/platform/licenses/lan-name', nameAsked(license, install))).toMatchObject(refused)
    } finally {
      await database.write((db) => db.insertInto('sealed_secret').values(key).execute())
    }
    expect((await install.beat()).commands).toEqual([])
  })
})

describe('a licence', () => {
  test('is made, listed, read and changed', async () => {
    const key = await vendorKeyOf(app)
    const expiresAt = plusSeconds(app.clock.now(), 365 * 86_400)
    const order = { tenantId: institute.tenant.id, maxInstalls: 2, expiresAt }
    const { status, body: license } = await admin.post('/platform/licenses', order)
    expect(status).toBe(201)
    expect(license).toEqual({
      id: expect.any(String),
      ...order,
      planId: null,
      token: expect.any(String),
      state: 'active',
      lockedAt: null,
      lockedReason: null,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect(verifyLicenseToken(license.token, key)).toEqual({
      ok: true,
      value: {
        iss: `http://localhost:${app.app.config.port}`,
        jti: expect.stringMatching(/^[\w-]{32}$/),
        licenseId: license.id,
        tenantName: institute.tenant.name,
        plan: null,
        features: null,
        quotas: null,
        maxInstalls: 2,
        iat: seconds(app.clock.now()),
        exp: seconds(expiresAt),
      },
    })
    const path = `/platform/licenses/${license.id}`
    expect((await admin.get(path)).body).toEqual(license)
    expect((await admin.get(`/platform/licenses?tenantId=${institute.tenant.id}`)).body).toEqual({
      data: [license],
      nextCursor: null,
    })
    expect((await admin.get('/platform/licenses?limit=1')).body.data).toEqual([license])
    expect((await admin.get(`${path}/installs`)).body).toEqual({ data: [], nextCursor: null })

    app.clock.advance(60)
    const { body: changed } = await admin.patch(path, { maxInstalls: 5, expiresAt: null })
    const claims = verifyLicenseToken(changed.token, key)
    expect(claims).toMatchObject({ ok: true, value: { maxInstalls: 5, licenseId: license.id } })
    expect(claims.ok && claims.value.exp).toBeUndefined()
    expect(changed).toEqual({
      ...license,
      token: changed.token,
      maxInstalls: 5,
      expiresAt: null,
      updatedAt: app.clock.now(),
    })
  })

  test('keeps its token while nothing changes, and its jti when something does', async () => {
    const license = await newLicense(app, institute)
    app.clock.advance(60)
    const { body: same } = await admin.patch(license.path, { maxInstalls: 3 })
    expect(same.token).toBe(license.token)
    expect(same.updatedAt).not.toBe(app.clock.now())
    const { body: changed } = await admin.patch(license.path, { maxInstalls: 4 })
    expect(changed.token).not.toBe(license.token)
    expect(verifyLicenseToken(changed.token, license.vendor)).toMatchObject({ value: { jti: license.jti } })
  })

  test('lies sealed in the database, and in no audit entry', async () => {
    const license = await newLicense(app, institute)
    await admin.patch(license.path, { maxInstalls: 9 })
    const { read } = app.app.database
    const [, , signature = ''] = license.token.split('.')
    const rows = await read.selectFrom('license').selectAll().where('id', '=', license.id).execute()
    const entries = await read.selectFrom('audit_entry').selectAll().where('entity_id', '=', license.id).execute()
    expect(JSON.stringify([rows, entries])).not.toContain(signature)
    expect(entries).toMatchObject([
      { action: 'licenses.create', tenant_id: institute.tenant.id, actor_type: 'platform_admin' },
      { action: 'licenses.update', before: { maxInstalls: 3 }, after: { maxInstalls: 9 } },
    ])
  })

  test('is for an institute that there is, and that is not archived', async () => {
    const order = { maxInstalls: 1, tenantId: NOBODY }
    expect(await admin.post('/platform/licenses', order)).toMatchObject({
      status: 404,
      body: { error: { code: 'TENANT_NOT_FOUND' } },
    })
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', institute.tenant.id).execute(),
    )
    expect(await admin.post('/platform/licenses', { ...order, tenantId: institute.tenant.id })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
  })

  test.each([
    ['no installs', { maxInstalls: 0 }, 422],
    ['too many installs', { maxInstalls: 1001 }, 422],
    ['an end in the past', { maxInstalls: 1, expiresAt: '2020-01-01T00:00:00.000Z' }, 422],
    ['a plan that is not there', { maxInstalls: 1, planId: NOBODY }, 404],
  ])('with %s is refused', async (_, wrong, status) => {
    await vendorKeyOf(app)
    const { body, status: refused } = await admin.post('/platform/licenses', {
      tenantId: institute.tenant.id,
      ...wrong,
    })
    expect([refused, body.error.code]).toEqual([status, status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR'])
  })

  test.each(['get', 'patch', 'post'] as const)('that is not there is 404 to %s', async (method) => {
    const path = `/platform/licenses/${NOBODY}`
    const calls = {
      get: [path, `${path}/installs`],
      patch: [path],
      post: [`${path}/lock`, `${path}/unlock`, `${path}/unlock-token`],
    }[method]
    for (const call of calls) {
      const { status } = await admin[method](call, method === 'get' ? undefined : { reason: 'x', maxInstalls: 1 })
      expect([call, status]).toEqual([call, 404])
    }
  })

  test('is the platform’s: an owner sees and changes none', async () => {
    const { path } = await newLicense(app, institute)
    for (const one of [path, '/platform/licenses', `${path}/installs`]) {
      expect((await institute.owner.get(one)).status).toBe(403)
      expect((await app.get(one)).status).toBe(401)
    }
    expect((await institute.owner.post(`${path}/unlock-token`)).status).toBe(403)
  })
})

describe('the plan of a licence', () => {
  test('is in its token, and what it grants now is in the answers to heartbeats', async () => {
    const features = { mcp: true, courses_video: false }
    const plan = await newPlan(app, { features, quotas: { maxStudents: 300 } })
    const license = await newLicense(app, institute, { planId: plan.id })
    const granted = { features, quotas: { maxStudents: 300 } }
    expect(verifyLicenseToken(license.token, license.vendor)).toMatchObject({
      value: { plan: plan.code, ...granted },
    })
    const install = new TestInstall(app, license)
    expect(await install.beat()).toMatchObject(granted)
    await admin.patch(`/platform/plans/${plan.id}`, { quotas: { maxStudents: 500 } })
    expect(await install.beat()).toMatchObject({ features, quotas: { maxStudents: 500 } })
    const { body } = await admin.patch(license.path, { planId: null })
    expect(body.planId).toBeNull()
    expect(verifyLicenseToken(body.token, license.vendor)).toMatchObject({
      value: { plan: null, features: null, quotas: null },
    })
    expect(await install.beat()).toMatchObject({ features: null, quotas: null })
  })

  test('that is archived is given to no licence, and kept by those that have it', async () => {
    const [plan, other] = [await newPlan(app), await newPlan(app)]
    const license = await newLicense(app, institute, { planId: plan.id })
    for (const { id } of [plan, other]) await admin.post(`/platform/plans/${id}/archive`)
    const refused = { status: 409, body: { error: { code: 'CONFLICT' } } }
    const order = { tenantId: institute.tenant.id, maxInstalls: 1, planId: plan.id }
    expect(await admin.post('/platform/licenses', order)).toMatchObject(refused)
    expect(await admin.patch(license.path, { planId: other.id })).toMatchObject(refused)
    const kept = await admin.patch(license.path, { planId: plan.id, maxInstalls: 7 })
    expect(kept).toMatchObject({ status: 200, body: { planId: plan.id, maxInstalls: 7 } })
  })
})

describe('a lock', () => {
  test('is a command that the next heartbeat brings, until it is acknowledged', async () => {
    const license = await newLicense(app, institute)
    const install = new TestInstall(app, license)
    await install.beat()
    const { status, body: lock } = await admin.post(`${license.path}/lock`, { reason: 'Unpaid since March.' })
    expect(status).toBe(201)
    expect(lock).toEqual({
      id: expect.any(String),
      licenseId: license.id,
      kind: 'lock',
      reason: 'Unpaid since March.',
      issuedAt: app.clock.now(),
      acknowledgedAt: null,
    })
    const lockedAt = app.clock.now()
    const whyLocked = { state: 'locked', lockedAt, lockedReason: lock.reason }
    expect((await admin.get(license.path)).body).toMatchObject(whyLocked)
    const { id, kind, reason, issuedAt } = lock
    const pending = async () => (await admin.get(`${license.path}/installs`)).body.data[0].pendingCommands
    expect(await pending()).toEqual([{ id, kind, reason, issuedAt }])
    for (const _ of [1, 2]) {
      expect(await install.beat()).toMatchObject({
        state: 'locked',
        commands: [{ id, seq: 1, kind, reason, issuedAt }],
        nextHeartbeatSec: 900,
      })
    }
    app.clock.advance(60)
    expect((await install.beat({ appliedCommandIds: [id] })).commands).toEqual([])
    expect(await pending()).toEqual([])
    // Which every server took, and others at the vendor still read.
    expect((await admin.get(license.path)).body).toMatchObject(whyLocked)
    const stored = await app.app.database.read
      .selectFrom('license_command')
      .select('acknowledged_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(stored.acknowledged_at).toBe(app.clock.now())
    expect(await auditOf(app, institute, 'licenses.lock')).toMatchObject([
      { entity_id: license.id, before: { state: 'active' }, after: { state: 'locked', command: { seq: 1, reason } } },
    ])
  })

  test('and the unlock after it come in their order, and each install acknowledges for itself', async () => {
    const license = await newLicense(app, institute)
    const [one, other] = [new TestInstall(app, license), new TestInstall(app, license)]
    const ids: string[] = []
    for (const [path, body] of [
      ['lock', { reason: 'a' }],
      ['unlock'],
      ['lock', { reason: 'b' }],
      ['unlock'],
    ] as const) {
      ids.push((await admin.post(`${license.path}/${path}`, body)).body.id)
    }
    const { commands, state } = await one.beat()
    expect(commands.map(({ id, seq, kind, reason }) => [id, seq, kind, reason])).toEqual([
      [ids[0], 1, 'lock', 'a'],
      [ids[1], 2, 'unlock', null],
      [ids[2], 3, 'lock', 'b'],
      [ids[3], 4, 'unlock', null],
    ])
    expect(state).toBe('active')
    expect((await one.beat({ appliedCommandIds: [ids[2] as string] })).commands.map(({ seq }) => seq)).toEqual([4])
    expect((await other.beat()).commands).toHaveLength(4)
  })

  test.each([{}, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(501) }])('for %j is 422', async (body) => {
    const license = await newLicense(app, institute)
    expect((await admin.post(`${license.path}/lock`, body)).status).toBe(422)
  })

  test('50 at once have 50 places in their order, and the state is that of the last', async () => {
    const license = await newLicense(app, institute)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? admin.post(`${license.path}/lock`, { reason: `${index}` })
          : admin.post(`${license.path}/${index % 4 === 1 ? 'unlock' : 'unlock-token'}`),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    const rows = await app.app.database.read
      .selectFrom('license_command')
      .select(['seq', 'kind'])
      .where('license_id', '=', license.id)
      .orderBy('seq')
      .execute()
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    const { body } = await admin.get(license.path)
    expect(body.state).toBe(rows.at(-1)?.kind === 'lock' ? 'locked' : 'active')
  }, 60_000)
})

describe('an unlock token', () => {
  test('is signed for the licence and one queued command, for seven days', async () => {
    const license = await newLicense(app, institute)
    await admin.post(`${license.path}/lock`, { reason: 'Unpaid.' })
    const { status, body } = await admin.post(`${license.path}/unlock-token`)
    expect(status).toBe(201)
    expect(body).toEqual({ token: expect.any(String), expiresAt: plusSeconds(app.clock.now(), 7 * 86_400) })
    const verified = verifyUnlockToken(body.token, license.vendor)
    const { commands } = await new TestInstall(app, license).beat()
    expect(verified).toEqual({
      ok: true,
      value: {
        jti: commands[1]?.id,
        licenseId: license.id,
        seq: 2,
        iat: seconds(app.clock.now()),
        exp: seconds(body.expiresAt),
        reason: null,
      },
    })
    expect(commands.map(({ kind }) => kind)).toEqual(['lock', 'unlock'])
    expect((await admin.get(license.path)).body.state).toBe('active')
    expect(verifyLicenseToken(body.token, license.vendor)).toEqual({ ok: false, reason: 'wrong_kind' })
    expect(verifyUnlockToken(license.token, license.vendor)).toEqual({ ok: false, reason: 'wrong_kind' })
  })

  test('is in no audit entry', async () => {
    const license = await newLicense(app, institute)
    const { body } = await admin.post(`${license.path}/unlock-token`)
    const entries = await auditOf(app, institute, 'licenses.unlock-token')
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain(body.token.split('.')[2])
  })
})
