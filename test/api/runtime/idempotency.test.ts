import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { sweepJob } from '#runtime/queue/housekeeping.ts'
import { freeLostKeys, RENEW_MILLIS } from '#runtime/change/idempotency.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startReceiver, type WebhookReceiver } from '#kit/receiver.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newApiKey, newWebhook } from '../examples/integrations.ts'

let app: TestApp
let institute: TestInstitute
/** A caller with an API key. */
let caller: Client
let receiver: WebhookReceiver | undefined

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 30 * 24 * 3600 } })
  institute = await makeInstitute(app)
  const { key } = await newApiKey(institute, { permissions: ['students.write', 'guardians.write'] })
  caller = app.as(key)
})
afterAll(() => app.close())
afterEach(() => receiver?.close())

const student = (more: object = {}) => ({
  branchId: institute.branchId,
  firstName: 'Noor',
  lastName: 'Haddad',
  ...more,
})
const sent = (by: Client, key: string, path: string, body?: unknown, method = 'POST'): Promise<Reply> =>
  by.send(method, path, { ...(body !== undefined && { body }), headers: { 'idempotency-key': key } })
const isReplayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true'
const reused = { status: 409, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } }
const records = () => app.app.database.read.selectFrom('idempotency_record').selectAll().execute()

describe('a change made with an API key', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('by %s must carry Idempotency-Key: 428', async (method) => {
    const path = { POST: '/students', PUT: `/sessions/${newId()}/attendance` }[method] ?? `/students/${newId()}`
    const { key } = await newApiKey(institute, { permissions: ['students.write', 'attendance.mark'] })
    const required = { status: 428, body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } } }
    const bare = (headers: Record<string, string>) =>
      app.send(method, path, { raw: 'no JSON', headers: { authorization: `Bearer ${key}`, ...headers } })
    expect(await bare({})).toMatchObject(required)
    expect(await bare({ 'idempotency-key': '' })).toMatchObject(required)
  })

  test('needs its permission first', async () => {
    const { key } = await newApiKey(institute)
    const reply = await app.send('POST', '/students', { headers: { authorization: `Bearer ${key}` } })
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })

  test('takes a key of up to 255 characters', async () => {
    expect((await sent(caller, 'x'.repeat(255), '/students', student())).status).toBe(201)
    expect(await sent(caller, 'x'.repeat(256), '/students', student())).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['Idempotency-Key'] }] } } },
    })
  })
})

describe('a repeat', () => {
  test('gets the stored status and body with Idempotency-Replayed: true, and does nothing', async () => {
    const own = await makeInstitute(app)
    const { key } = await newApiKey(own, { permissions: ['students.write', 'guardians.write'] })
    const body = { branchId: own.branchId, firstName: 'Noor', lastName: 'Haddad' }
    const first = await sent(app.as(key), 'once', '/students', body)
    expect(first.status).toBe(201)
    expect(isReplayed(first)).toBe(false)
    app.clock.advance(3600)
    const again = await sent(app.as(key), 'once', '/students', body)
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(isReplayed(again)).toBe(true)
    expect(await eventsOf(app, own, 'student.created')).toHaveLength(1)
    expect(await auditOf(app, own, 'students.create')).toHaveLength(1)

    const path = `/students/${first.body.id}`
    const deleted = [await sent(app.as(key), 'gone', path, undefined, 'DELETE')]
    deleted.push(await sent(app.as(key), 'gone', path, undefined, 'DELETE'))
    expect(deleted).toMatchObject([
      { status: 200, body: { ok: true } },
      { status: 200, body: { ok: true } },
    ])
    expect((await sent(app.as(key), 'gone twice', path, undefined, 'DELETE')).status).toBe(404)
  })

  test('gets an empty body where the first was empty', async () => {
    const { body: child } = await caller.post('/students', student())
    const guardian = { firstName: 'Rana', lastName: 'Haddad', phone: '+972501234567' }
    const { body: parent } = await caller.post('/guardians', guardian)
    const link = { guardianId: parent.id, relationship: 'mother', isPrimary: true, isPayer: true }
    const first = await sent(caller, 'link', `/students/${child.id}/guardians`, link)
    const again = await sent(caller, 'link', `/students/${child.id}/guardians`, link)
    for (const reply of [first, again]) expect(reply).toMatchObject({ status: 201, body: undefined })
    expect(isReplayed(again)).toBe(true)
  })

  test('with another method, path, query or body is 409 IDEMPOTENCY_KEY_REUSED, even if the body is invalid', async () => {
    const { body } = await sent(caller, 'used', '/students', student())
    for (const reply of [
      await sent(caller, 'used', '/students', student({ firstName: 'Else' })),
      await sent(caller, 'used', '/students', {}),
      await sent(caller, 'used', '/students?dryRun=true', student()),
      await sent(caller, 'used', '/guardians', student()),
      await sent(caller, 'used', `/students/${body.id}`, student(), 'PATCH'),
      await caller.send('POST', '/students', { raw: 'no JSON', headers: { 'idempotency-key': 'used' } }),
    ]) {
      expect(reply).toMatchObject(reused)
      expect(isReplayed(reply)).toBe(false)
    }
    await sent(caller, 'of one', `/students/${body.id}`, { notes: 'x' }, 'PATCH')
    expect(await sent(caller, 'of one', `/students/${newId()}`, { notes: 'x' }, 'PATCH')).toMatchObject(reused)
  })

  test('sent 50 times at once makes one record', async () => {
    const own = await makeInstitute(app)
    const { key } = await newApiKey(own, { permissions: ['students.write'] })
    const body = { branchId: own.branchId, firstName: 'Only', lastName: 'One' }
    const replies = await Promise.all(Array.from({ length: 50 }, () => sent(app.as(key), 'at once', '/students', body)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201))
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1)
    expect(replies.filter(isReplayed)).toHaveLength(49)
    expect((await app.as(key).get('/students')).body.data).toHaveLength(1)
  })

  test('from a caller who hung up before the reply gets it', async () => {
    const own = await makeInstitute(app)
    const { key } = await newApiKey(own, { permissions: ['students.write'] })
    const body = { branchId: own.branchId, firstName: 'Only', lastName: 'One' }
    const lost = request(`${app.url}/api/v1/students`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'lost' },
    })
    lost.on('error', () => {})
    await new Promise<void>((written) => lost.end(JSON.stringify(body), written))
    lost.destroy()
    await expect.poll(async () => (await sent(app.as(key), 'lost', '/students', body)).status).toBe(201)
    expect((await app.as(key).get('/students')).body.data).toHaveLength(1)
  })

  test('after 24 hours counts as a first request; older records are deleted', async () => {
    const first = await sent(caller, 'daily', '/students', student())
    app.clock.advance(24 * 3600 - 0.001)
    expect((await sent(caller, 'daily', '/students', student())).body).toEqual(first.body)
    app.clock.advance(0.001)
    const next = await sent(caller, 'daily', '/students', student({ firstName: 'Tomorrow' }))
    expect(next.status).toBe(201)
    expect(next.body.id).not.toBe(first.body.id)
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepJob, {}),
    )
    await app.drain()
    expect((await records()).map(({ key }) => key)).toEqual(['daily'])
  })
})

describe('the same key', () => {
  test('of another API key is independent', async () => {
    const { key } = await newApiKey(institute, { permissions: ['students.write'] })
    const first = await sent(caller, 'mine', '/students', student())
    const other = await sent(app.as(key), 'mine', '/students', student())
    expect(other.status).toBe(201)
    expect(other.body.id).not.toBe(first.body.id)
  })

  test('of a user is stored too, separately for each institute', async () => {
    const { owner, ownerUserId: userId } = institute
    const there = await makeInstitute(app)
    const membershipId = newId()
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
      const { whole, now } = unit.tenant(there.tenant, 'all')
      const dates = { created_at: now, updated_at: now }
      await whole
        .insertInto('membership')
        .values({ id: membershipId, user_id: userId, status: 'active', joined_at: now, ...dates })
        .execute()
      await whole
        .insertInto('role_assignment')
        .values({
          id: newId(),
          membership_id: membershipId,
          role_id: there.roles.owner,
          branch_id: null,
          created_at: now,
        })
        .execute()
    })
    const { id: sessionId } = await app.app.database.read
      .selectFrom('auth_session')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const elsewhere = app.as(await app.app.tokens.issue({ userId, sessionId, tenantId: there.tenant.id }))

    const first = await sent(owner, 'both', '/branches', { name: 'North' })
    const again = await sent(owner, 'both', '/branches', { name: 'North' })
    const second = await sent(elsewhere, 'both', '/branches', { name: 'North' })
    expect([first, again, second].map(isReplayed)).toEqual([false, true, false])
    expect([first, again, second].map(({ body }) => body.tenantId)).toEqual([
      institute.tenant.id,
      institute.tenant.id,
      there.tenant.id,
    ])
  })

  test('of a read is ignored', async () => {
    const get = () => caller.send('GET', '/students?limit=1', { headers: { 'idempotency-key': 'read' } })
    expect([await get(), await get()].map(isReplayed)).toEqual([false, false])
  })
})

describe('a refusal', () => {
  test.each([
    [
      '400',
      400,
      async (key: string) => caller.send('POST', '/students', { raw: '{', headers: { 'idempotency-key': key } }),
    ],
    ['422 of the schema', 422, (key: string) => sent(caller, key, '/students', student({ firstName: '' }))],
    ['422 of a rule', 422, (key: string) => sent(caller, key, '/students', student({ phone: 'call me' }))],
    ['403', 403, (key: string) => sent(caller, key, '/branches', student())],
  ])('with %s is not stored: the key can be used for another request', async (_, status, refuse) => {
    const key = newId()
    expect((await refuse(key)).status).toBe(status)
    expect((await refuse(key)).status).toBe(status)
    const next = await sent(caller, key, '/students', student())
    expect(next.status).toBe(201)
    expect(isReplayed(next)).toBe(false)
  })

  test('with 404 or 409 is stored with its body', async () => {
    const nowhere = student({ branchId: newId() })
    const first = await sent(caller, 'missing', '/students', nowhere)
    const again = await sent(caller, 'missing', '/students', nowhere)
    expect(first).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    expect(again).toMatchObject({ status: 404, body: first.body })
    expect(isReplayed(again)).toBe(true)
    expect(await sent(caller, 'missing', '/students', student())).toMatchObject(reused)

    const numbered = student({ studentNumber: 'S-900000' })
    await caller.post('/students', numbered)
    const taken = await sent(caller, 'taken', '/students', numbered)
    expect(taken).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect(isReplayed(await sent(caller, 'taken', '/students', numbered))).toBe(true)
  })

  test('never replaces a reply that a concurrent request stored', async () => {
    for (let round = 0; round < 20; round += 1) {
      const key = `race ${round}`
      const good = student({ firstName: `Race ${round}` })
      const [, winner] = await Promise.all([
        sent(caller, key, '/students', student({ branchId: newId() })),
        sent(caller, key, '/students', good),
      ])
      const again = await sent(caller, key, '/students', good)
      if (winner.status === 201) expect(again).toMatchObject({ status: 201, body: winner.body })
      else expect([winner, again]).toMatchObject([reused, reused])
    }
  })

  test('with 500 is not stored', async () => {
    receiver = await startReceiver()
    const { id } = await newWebhook(institute, { url: receiver.url })
    const readable = await app.app.database.read
      .selectFrom('webhook_endpoint')
      .select('secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const keepSecret = (secret: string) =>
      app.app.database.write((db) => db.updateTable('webhook_endpoint').set({ secret }).where('id', '=', id).execute())
    await keepSecret('damaged')
    expect(await sent(institute.owner, 'broken', `/webhooks/${id}/test`)).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL_ERROR' } },
    })
    await keepSecret(readable.secret)
    expect((await sent(institute.owner, 'broken', `/webhooks/${id}/test`)).status).toBe(200)
  })
})

describe('while the first request is still running', () => {
  const running = { status: 409, body: { error: { code: 'CONFLICT' } } }

  /** A request that waits for its receiver. */
  const begin = async (key: string) => {
    receiver = await startReceiver()
    const { received, hold } = receiver
    const { id } = await newWebhook(institute, { url: receiver.url })
    const send = () => sent(institute.owner, key, `/webhooks/${id}/test`)
    const release = hold()
    const first = send()
    await expect.poll(() => received.length).toBe(1)
    return { first, send, release }
  }

  test('a repeat is 409 CONFLICT; when it has ended, the repeat gets its reply', async () => {
    const { first, send, release } = await begin('slow')
    app.clock.advance(8.999)
    expect(await send()).toMatchObject(running)
    release()
    const { status, body } = await first
    expect(status).toBe(200)
    const again = await send()
    expect(again).toMatchObject({ status: 200, body })
    expect(isReplayed(again)).toBe(true)
    expect(receiver?.received).toHaveLength(1)
  })

  test('its process renews its lease', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { first, send, release } = await begin('renewed')
    const lease = async () => (await records()).find(({ key }) => key === 'renewed')?.expires_at
    const former = await lease()
    app.clock.advance(6)
    vi.advanceTimersByTime(RENEW_MILLIS)
    await expect.poll(lease).not.toBe(former)
    app.clock.advance(6)
    expect(await send()).toMatchObject(running)
    release()
    expect((await first).status).toBe(200)
    expect(new Date((await lease()) ?? '').getTime()).toBeGreaterThan(app.clock.millis() + 23 * 3600 * 1000)
  })

  test('whose process has not renewed its lease for 9 s, it stops blocking; if it ends after all, it stores nothing', async () => {
    const { first, send, release } = await begin('dead')
    app.clock.advance(9)
    const second = send()
    await expect.poll(() => receiver?.received.length).toBe(2)
    release()
    const replies = await Promise.all([first, second])
    expect(replies).toMatchObject([running, { status: 200 }])
    expect((await send()).body).toEqual(replies[1].body)
    expect(await auditOf(app, institute, 'webhooks.test')).not.toContainEqual(
      expect.objectContaining({ request_id: replies[0].headers.get('x-request-id') }),
    )
  })

  test('it stops blocking at once when its process is known to be gone; what has ended stays stored', async () => {
    const ended = await sent(caller, 'ended', '/students', student())
    const { first, send, release } = await begin('lost')
    await app.app.database.write((db) => freeLostKeys(db, app.clock.now()))
    app.clock.advance(1)
    const second = send()
    await expect.poll(() => receiver?.received.length).toBe(2)
    release()
    expect(await Promise.all([first, second])).toMatchObject([running, { status: 200 }])
    const again = await sent(caller, 'ended', '/students', student())
    expect(again).toMatchObject({ status: 201, body: ended.body })
    expect(isReplayed(again)).toBe(true)
  })
})

test('a reply with a secret is stored sealed', async () => {
  const create = () => sent(institute.owner, 'sealed', '/api-keys', { name: 'Sealed' })
  const [first, again] = [await create(), await create()]
  expect(first.body.key).toMatch(/^ims_sk_/)
  expect(again).toMatchObject({ status: 201, body: first.body })
  const kept = (await records()).find(({ key }) => key === 'sealed')
  expect(kept).toMatchObject({ state: 'done', status: 201, sealed: true })
  expect(kept?.body).not.toContain(first.body.key)
})
