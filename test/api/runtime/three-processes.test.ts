import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as v from 'valibot'
import { newId } from '#kernel/basics/ids.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { jobKind } from '#kernel/contract/module.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { createDatabase } from '#kit/postgres.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { startReceiver } from '#kit/receiver.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newApiKey, newWebhook } from '../examples/integrations.ts'

/**
 * Three programs of a cloud on one Postgres database. Each has its own connections, caches, queue and limits, as a
 * process has; what a change by one of them means holds in the others at their next request.
 */

const Planted = v.object({ n: v.number() })
const plantedJob = declareJob('planted.count', Planted)

let drop: () => Promise<void>
let apps: [TestApp, TestApp, TestApp]
let institute: TestInstitute
const ran: { app: number; n: number }[] = []

beforeAll(async () => {
  if (engine === 'sqlite') return
  const database = await createDatabase(inject('postgresAdminUrl'), { template: inject('postgresTemplate') })
  drop = database.drop
  const masterKey = randomBytes(32)
  const start = (app: number) =>
    startApp({
      config: { mode: 'cloud', masterKey, baseUrl: 'https://institutes.example.com', webhookBlockPrivate: false },
      database: async () => ({ url: database.url, drop: async () => {} }),
      modules: [
        {
          name: 'planted',
          jobs: [
            jobKind(plantedJob, {
              handle: ({ payload, finish }) => finish(async () => void ran.push({ app, n: payload.n })),
            }),
          ],
        },
      ],
    })
  apps = [await start(0), await start(1), await start(2)]
  institute = await makeInstitute(apps[0], { deploymentMode: 'cloud', features: { mcp: true } })
})
afterAll(async () => {
  if (engine === 'sqlite') return
  for (const app of apps) await app.close()
  await drop()
})

/** The same caller at each of the three. */
const at = ({ credential }: Client): [Client, Client, Client] =>
  apps.map((app) => app.as(credential)) as [Client, Client, Client]

const others = async (caller: Client, path: string): Promise<unknown[]> => {
  const [, two, three] = at(caller)
  return Promise.all(
    [two, three].map(async (one) => {
      const { status, body } = await one.get(path)
      return status === 200 ? 200 : body.error.code
    }),
  )
}

/** Asks all three before, changes something at the first, and asks the others. */
const seen = async (caller: Client, path: string, act: (first: Client) => Promise<{ status: number }>) => {
  const [first] = at(caller)
  expect((await first.get(path)).status).toBe(200)
  const before = await others(caller, path)
  expect((await act(at(institute.owner)[0])).status).toBeLessThan(300)
  return { before, after: await others(caller, path) }
}
/** Changes the institute's own row, as the platform does. */
const change = (values: object, { tenant }: TestInstitute = institute) =>
  apps[0].app.database.write((db) => db.updateTable('tenant').set(values).where('id', '=', tenant.id).execute())

const from = (after: string) => ({ before: [200, 200], after: [after, after] })

describe.skipIf(engine === 'sqlite')('a change made by one process holds in the others at their next request', () => {
  const staff = (): Promise<TestMember> => institute.member({ permissions: ['students.read', 'members.read'] })

  test('a session that was ended', async () => {
    const member = await staff()
    expect(await seen(member, '/students', () => member.post('/auth/logout'))).toEqual(from('UNAUTHORIZED'))
  })

  test('an access token of one process is good in the others, also of a process that started later', async () => {
    const member = await staff()
    const { body } = await apps[1].post('/auth/login', {
      email: emailOf(member.userId),
      password: PASSWORD,
      client: 'mobile',
    })
    expect((await apps[2].as(body.accessToken).get('/students')).status).toBe(200)
    const refreshed = await apps[0].post('/auth/refresh', { refreshToken: body.refreshToken })
    expect(refreshed.status).toBe(200)
    const again = await apps[1].post('/auth/refresh', { refreshToken: body.refreshToken })
    expect(again.body.error.code).toBe('SESSION_REVOKED')
  })

  test('a role that lost its permission, a membership that was disabled', async () => {
    const [member, other] = [await staff(), await staff()]
    const lost = await seen(member, '/students', (owner) =>
      owner.patch(`/roles/${member.roleId}`, { permissions: ['members.read'] }),
    )
    expect(lost).toEqual(from('FORBIDDEN'))
    const left = await seen(other, '/students', (owner) =>
      owner.patch(`/members/${other.membershipId}`, { status: 'disabled' }),
    )
    expect(left).toEqual(from('MEMBERSHIP_INACTIVE'))
  })

  test('a role that is looked at and changed, and the session of whoever looks', async () => {
    const keeper = (): Promise<TestMember> => institute.member({ permissions: ['roles.manage', 'students.read'] })
    const looked = async (own: Client): Promise<{ looking: Client; roleId: string }> => {
      const [first] = at(institute.owner)
      const { body } = await first.post('/roles', { name: `Looked at ${newId()}`, permissions: ['students.read'] })
      const { accessToken } = (await at(own)[1].post(`/roles/${body.id}/preview`)).body
      return { looking: apps[0].as(accessToken), roleId: body.id }
    }
    const { looking, roleId } = await looked(await keeper())
    const changed = await seen(looking, '/students', (owner) => owner.patch(`/roles/${roleId}`, { name: newId() }))
    expect(changed).toEqual(from('FORBIDDEN'))
    const own = await keeper()
    const other = await looked(own)
    expect(await seen(other.looking, '/students', () => at(own)[0].post('/auth/logout'))).toEqual(from('UNAUTHORIZED'))
    const ended = await looked(await keeper())
    const end = () => ended.looking.delete(`/roles/${ended.roleId}/preview`)
    expect(await seen(ended.looking, '/students', end)).toEqual(from('UNAUTHORIZED'))
  })

  test('a list under a role for another branch', async () => {
    const { body: north } = await institute.owner.post('/branches', { name: `North ${newId()}` })
    await institute.owner.post('/students', { branchId: north.id, firstName: 'Noor', lastName: 'Haddad' })
    const member = await institute.member({ permissions: ['students.read'], branchId: institute.branchId })
    const [first, two, three] = at(member)
    for (const one of [first, two, three]) expect((await one.get('/students')).body.data).toEqual([])
    const roles = [{ roleId: member.roleId, branchId: north.id }]
    expect((await institute.owner.put(`/members/${member.membershipId}/roles`, { roles })).status).toBe(200)
    for (const one of [two, three]) expect((await one.get('/students')).body.data).toHaveLength(1)
  })

  test('a key that was revoked, and a feature that was switched off', async () => {
    const world = worldOf(apps[0], institute)
    const [one, other] = [await newApiKey(world, {}), await newApiKey(world, {})]
    const byKey = apps[0].as(one.key)
    expect(await seen(byKey, '/branches', (owner) => owner.delete(`/api-keys/${one.id}`))).toEqual(from('UNAUTHORIZED'))
    const byOther = apps[0].as(other.key)
    expect(await others(byOther, '/branches')).toEqual([200, 200])
    await change({ feature_overrides: { integration_api: false } })
    expect(await others(byOther, '/branches')).toEqual(['FEATURE_DISABLED', 'FEATURE_DISABLED'])
    await change({ feature_overrides: {} })
    expect(await others(byOther, '/branches')).toEqual([200, 200])
  })

  test('what a plan grants, the institute’s state and its settings', async () => {
    const own = await makeInstitute(apps[0], { deploymentMode: 'cloud' })
    const member = await own.member({ permissions: ['students.read', 'students.write'] })
    const set = (values: object) =>
      apps[0].app.database.write((db) => db.updateTable('tenant').set(values).where('id', '=', own.tenant.id).execute())
    const flags = () => Promise.all(at(member).map(async (one) => (await one.get('/feature-flags')).body.mcp))
    expect(await flags()).toEqual([false, false, false])
    await set({ plan_features: { mcp: true } })
    expect(await flags()).toEqual([true, true, true])
    const name = `Renamed ${newId()}`
    expect((await own.owner.patch('/settings', { name })).status).toBe(200)
    for (const one of at(own.owner)) expect((await one.get('/settings')).body.name).toBe(name)
    const student = { branchId: own.branchId, firstName: 'Noor', lastName: 'Haddad' }
    await set({ writes_end_at: apps[0].clock.now() })
    for (const one of at(member))
      expect((await one.post('/students', student)).body.error.code).toBe('PAYMENT_REQUIRED')
    expect(await others(member, '/students')).toEqual([200, 200])
    await set({ status: 'suspended', locked_at: apps[0].clock.now() })
    expect(await others(member, '/students')).toEqual(['SUBSCRIPTION_SUSPENDED', 'SUBSCRIPTION_SUSPENDED'])
    await set({ status: 'archived' })
    expect(await others(member, '/students')).toEqual(['TENANT_SUSPENDED', 'TENANT_SUSPENDED'])
  })

  test('a domain that was added', async () => {
    const [one, other] = [await makeInstitute(apps[0]), await makeInstitute(apps[0])]
    const member = await one.member({ permissions: ['students.read'] })
    const domain = `own-${newId().slice(-8)}.institutes.example.com`
    const boundAt = async (app: TestApp): Promise<string | null> =>
      (
        await app.send('POST', '/auth/login', {
          body: { email: emailOf(member.userId), password: PASSWORD },
          headers: { host: domain },
        })
      ).body.activeTenantId
    expect(await Promise.all(apps.map(boundAt))).toEqual([one, one, one].map(({ tenant }) => tenant.id))
    const admin = await platformAdmin(apps[0])
    const path = `/platform/tenants/${other.tenant.id}/domains`
    expect((await admin.post(path, { domain, kind: 'subdomain' })).status).toBe(201)
    expect(await Promise.all(apps.map(boundAt))).toEqual([null, null, null])
  })

  test('a webhook endpoint that was switched off: nobody sends to it, whoever recorded the event', async () => {
    const own = await makeInstitute(apps[0])
    const receiver = await startReceiver(200)
    try {
      const endpoint = await newWebhook(own, { url: receiver.url })
      const student = () => ({ branchId: own.branchId, firstName: 'Noor', lastName: newId() })
      const [, two] = at(own.owner)
      expect((await two.post('/students', student())).status).toBe(201)
      await apps[2].drain()
      expect(receiver.received).toHaveLength(1)
      // Queued before, due after.
      expect((await two.post('/students', student())).status).toBe(201)
      expect((await own.owner.patch(`/webhooks/${endpoint.id}`, { isActive: false })).status).toBe(200)
      expect((await two.post('/students', student())).status).toBe(201)
      await Promise.all(apps.map((app) => app.drain()))
      expect(receiver.received).toHaveLength(1)
    } finally {
      receiver.close()
    }
  })

  test('five wrong passwords, wherever they were typed', async () => {
    const { userId } = await staff()
    const guess = (app: TestApp, password: string) => app.post('/auth/login', { email: emailOf(userId), password })
    for (let index = 0; index < 5; index += 1) {
      expect((await guess(apps[index % 3] as TestApp, 'wrong')).status).toBe(401)
    }
    expect(await Promise.all(apps.map(async (app) => (await guess(app, PASSWORD)).status))).toEqual([423, 423, 423])
  })

  test('a request repeated at another process with its Idempotency-Key', async () => {
    const { key } = await newApiKey(worldOf(apps[0], institute), { permissions: ['students.write'] })
    const body = { branchId: institute.branchId, firstName: 'Noor', lastName: newId() }
    const headers = { 'idempotency-key': newId() }
    const replies = await Promise.all(apps.map((app) => app.as(key).send('POST', '/students', { body, headers })))
    const made = replies.filter(({ status }) => status === 201).map((reply) => reply.body.id)
    expect(new Set(made).size).toBe(1)
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true)
    for (const app of apps) {
      expect((await app.as(key).send('POST', '/students', { body, headers })).body.id).toBe(made[0])
    }
  })
})

describe.skipIf(engine === 'sqlite')('what runs in the background of three processes', () => {
  const enqueue = (make: (tx: { enqueue: (n: number) => void }) => void) =>
    runInTransaction(apps[0].app.runtime, systemAuditContext('test'), async (unit) => {
      const tx = unit.system()
      make({ enqueue: (n) => tx.enqueue(plantedJob, { n }) })
    })

  test('each job has its effect once, and a tick of all three makes one job', async () => {
    await enqueue((tx) => {
      for (let n = 0; n < 300; n += 1) tx.enqueue(n)
    })
    await Promise.all(
      apps.map(({ app: { runtime } }) =>
        runInTransaction(runtime, systemAuditContext('test'), async (unit) =>
          unit.system().enqueue(plantedJob, { n: 300 }, { uniqueKey: 'planted.count 2026-03-02T08:00' }),
        ),
      ),
    )
    await Promise.all(apps.map((app) => app.drain()))
    expect(ran.map(({ n }) => n).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 301 }, (_, n) => n),
    )
  })

  test('a sweep that runs in all three at once does each thing once', async () => {
    const own = await makeInstitute(apps[0])
    const ids: string[] = []
    for (let index = 0; index < 30; index += 1) ids.push((await issuedInvoice(worldOf(apps[0], own))).id)
    await apps[0].app.database.write((db) =>
      db.updateTable('invoice').set({ due_date: '2026-01-01' }).where('tenant_id', '=', own.tenant.id).execute(),
    )
    await runInTransaction(apps[0].app.runtime, systemAuditContext('test'), async (unit) => {
      for (const lane of ['one', 'two', 'three']) unit.system().enqueue(sweepOverdueJob, {}, { lane })
    })
    await Promise.all(apps.map((app) => app.drain()))
    const { read } = apps[0].app.database
    const invoices = await read
      .selectFrom('invoice')
      .select(['id', 'status', 'version'])
      .where('id', 'in', ids)
      .execute()
    expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(['overdue']))
    const events = await read
      .selectFrom('event')
      .select('id')
      .where('tenant_id', '=', own.tenant.id)
      .where('type', '=', 'invoice.overdue')
      .execute()
    expect(events).toHaveLength(30)
  })
})

test.skipIf(engine === 'postgres')('on SQLite there is one process, which locks its data directory', () => {
  expect(engine).toBe('sqlite')
})
