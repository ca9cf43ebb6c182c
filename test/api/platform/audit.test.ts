import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { runsOnReadingThread } from '#db/queries/long-reads.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { costsByTable, type Statement } from '#kit/query-plan.ts'

let app: TestApp
let admin: TestPlatformAdmin
let first: TestInstitute
let second: TestInstitute
const statements: Statement[] = []
beforeAll(async () => {
  app = await startApp({
    queryLog: ({ query }) => {
      if (!runsOnReadingThread(query)) statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  admin = await platformAdmin(app)
  first = await makeInstitute(app)
  second = await makeInstitute(app)
})
afterAll(() => app.close())

interface Entry {
  tenantId: string | null
  action: string
  entityId: string
  actorUserId: string | null
}
const entries = async (query: string): Promise<Entry[]> => {
  const { status, body } = await admin.get(`/platform/audit?limit=100&${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

test('GET /platform/audit shows the entries of all institutes and of the platform, by each filter', async () => {
  const start = app.clock.now()
  app.clock.advance(60)
  const from = app.clock.now()
  const { body: branch } = await first.owner.post('/branches', { name: 'North' })
  app.clock.advance(1)
  await second.owner.post('/branches', { name: 'South' })
  app.clock.advance(1)
  const { body: user } = await admin.post('/platform/users', { email: `${newId()}@example.org`, fullName: 'Rana' })

  const all = await entries(`from=${from}`)
  expect(all.map(({ tenantId, action }) => [tenantId, action])).toEqual(
    expect.arrayContaining([
      [null, 'platform-users.create'],
      [second.tenant.id, 'branches.create'],
      [first.tenant.id, 'branches.create'],
    ]),
  )
  expect(all[0]?.action).toBe('platform-users.create')
  expect(all.at(-1)).toMatchObject({ tenantId: first.tenant.id, entityId: branch.id, actorUserId: first.ownerUserId })
  expect((await entries(`from=${start}&to=${start}`)).every(({ action }) => action !== 'branches.create')).toBe(true)

  const created = await entries('action=branches.create&entityType=branch')
  expect(new Set(created.map(({ tenantId }) => tenantId))).toEqual(new Set([first.tenant.id, second.tenant.id]))
  expect(await entries(`tenantId=${first.tenant.id}&action=branches.create`)).toHaveLength(1)
  expect(await entries(`entityId=${branch.id}`)).toMatchObject([{ action: 'branches.create' }])
  expect((await entries(`entityId=${user.id}`)).every(({ tenantId }) => tenantId === null)).toBe(true)
  const own = await entries(`actorUserId=${admin.userId}`)
  expect(own.length).toBeGreaterThan(0)
  expect(own.every(({ actorUserId }) => actorUserId === admin.userId)).toBe(true)

  const { body: page } = await admin.get(`/platform/audit?action=branches.create&limit=1`)
  const { body: next } = await admin.get(`/platform/audit?action=branches.create&limit=1&cursor=${page.nextCursor}`)
  expect([...page.data, ...next.data].map(({ tenantId }) => tenantId)).toEqual([second.tenant.id, first.tenant.id])
  // A cursor of another list is refused.
  expect((await first.owner.get(`/audit?cursor=${page.nextCursor}`)).status).toBe(422)
})

test.runIf(engine === 'sqlite')('each list of the platform has an index for each of its filters', async () => {
  const id = newId()
  const asked = {
    '/platform/audit': [
      '',
      'action=branches.create',
      'entityType=branch',
      `entityId=${id}`,
      `actorUserId=${id}`,
      `tenantId=${id}`,
      'from=2026-03-02T08:00:00Z',
      'to=2026-03-02T08:00:00Z',
    ],
    '/platform/tenants': ['', 'q=institute', 'status=suspended', 'deploymentMode=cloud'],
    '/platform/users': ['', 'email=a@example.org', 'status=disabled', 'isPlatformAdmin=true', 'isPlatformAdmin=false'],
  }
  const costs: string[] = []
  for (const [path, queries] of Object.entries(asked)) {
    for (const query of queries) {
      statements.length = 0
      expect((await admin.get(`${path}?${query}`)).status).toBe(200)
      const listed = statements.filter(({ sql }) => sql.startsWith('select') && sql.includes('limit'))
      for (const statement of listed) {
        costs.push(
          ...(await costsByTable(app, statement, query !== '' && !query.startsWith('tenantId'))).map(
            (cost) => `${path}?${query}: ${cost}`,
          ),
        )
        const sorted = app.app.database.sqlite
          ?.prepare(`explain query plan ${statement.sql}`)
          .all(statement.parameters.map(() => null)) as { detail: string }[]
        if (query.startsWith('q=')) continue
        costs.push(
          ...sorted
            .filter(({ detail }) => detail.includes('TEMP B-TREE'))
            .map(({ detail }) => `${path}?${query}: ${detail}`),
        )
      }
    }
  }
  expect(costs.filter((cost) => !/\?: SCAN \S+ USING INDEX/.test(cost))).toEqual([])
})
