import { pino } from 'pino'
import * as v from 'valibot'
import { afterEach, describe, expect, test } from 'vitest'
import { compose } from '#app/compose.ts'
import { filesOf } from '#app/data-dir/files.ts'
import { startPrinter } from '#ports/papers/typst/printer.ts'
import { requester } from '#runtime/change/requester.ts'
import { openChange, openRead } from '#kernel/contract/endpoint.ts'
import { content } from '#kernel/values/media.ts'
import type { Module } from '#kernel/contract/module.ts'
import { list, Ok, ok } from '#kernel/values/schema.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { PUBLIC_ONLY, type Outbound } from '#ports/outbound/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

const start = async (module: Omit<Module, 'name'>): Promise<TestApp> => {
  // Requests to planted modules do not count as outcomes of the program's own endpoints.
  app = await startApp({ chance: true, modules: [{ name: 'planted', ...module }] })
  return app
}

test('a module’s page is served at the server’s root', async () => {
  const page = openRead({
    id: 'planted.page',
    path: '//planted',
    summary: 'Planted',
    access: 'anyone',
    reply: content(['text/plain']),
    handle: async () => ({ type: 'text/plain', body: 'here' }),
  })
  const { url } = await start({ endpoints: [page] })
  const response = await fetch(`${url}/planted`)
  expect([response.status, await response.text()]).toEqual([200, 'here'])
})

test('a module’s probe takes part in readiness; the reply keeps its shape', async () => {
  let isThere = true
  const probe = async () => {
    if (!isThere) throw new Error('the licence server is away')
  }
  const { get } = await start({ probes: [{ name: 'planted', probe }] })
  const checks = { postgres: { status: 'ok' }, redis: { status: 'ok' } }
  expect(await get('/health/ready')).toMatchObject({ status: 200, body: { status: 'ok', checks } })
  isThere = false
  const refused = await get('/health/ready')
  expect([refused.status, refused.body]).toEqual([503, { status: 'error', checks }])
})

test('a module’s authenticator is asked for its kind of credential', async () => {
  const asked: string[] = []
  const authenticate = async (credential: string) => {
    asked.push(credential)
    return undefined
  }
  const { as } = await start({
    authenticators: [{ recognises: (credential) => credential.startsWith('planted_'), authenticate }],
  })
  expect((await as('planted_1').get('/me')).status).toBe(401)
  expect((await as('unknown_1').get('/me')).status).toBe(401)
  expect(asked).toEqual(['planted_1'])
})

test('what a module starts is started with the work, and closed while the database is open, even after one that fails', async () => {
  const steps: string[] = []
  const failing: Module = { name: 'failing', close: () => Promise.reject(new Error('it would not close')) }
  const starting: Module = {
    name: 'starting',
    start: async () => void steps.push('started'),
    close: async () => {
      await own.app.database.read.selectFrom('job').select('id').execute()
      steps.push('closed')
    },
  }
  const own = await startApp({ working: true, modules: [starting, failing] })
  expect(steps).toEqual(['started'])
  await own.close()
  expect(steps).toEqual(['started', 'closed'])
})

test('the program does not start with two modules that bring the same thing', async () => {
  app = await startApp()
  const { clock } = app
  const { config, database } = app.app
  const twin: Module = { name: 'twin', tables: { student: { kind: 'shared' } } }
  const refuse = () => Promise.reject(new Error('nobody'))
  const nobody: Outbound = { post: refuse, get: refuse, close: async () => {} }
  const outside = {
    clock,
    log: pino({ level: 'silent' }),
    passwords: { hash: async () => '', verify: async () => false, needsRehash: () => false },
    openMailer: () => ({ send: async () => ({ answer: '', passwordUnused: false }), close: async () => {} }),
    files: filesOf(config),
    papers: startPrinter({ log: pino({ level: 'silent' }), requester }),
    outbound: nobody,
    push: { policy: PUBLIC_ONLY, outbound: nobody },
    txtRecords: { lookUp: () => Promise.reject(new Error('nobody')) },
    modules: [twin],
  }
  await expect(compose(config, database, outside)).rejects.toThrow(
    'The modules people and twin both bring the table student.',
  )
})

describe('work for an institute that starts outside it', () => {
  const planted = { access: 'anyone', summary: 'Planted' } as const
  const Branches = v.object({ names: list(v.string()) })

  test('names the institute, and reads its rows alone', async () => {
    const { get } = await start({
      endpoints: [
        openRead({
          ...planted,
          id: 'planted.branches',
          path: '/planted/{id}/branches',
          reply: Branches,
          handle: async ({ params, inTenant }) => {
            const rows = await inTenant({ id: params.id }).selectFrom('branch').select('name').orderBy('name').execute()
            return { names: rows.map(({ name }) => name) }
          },
        }),
      ],
    })
    const [ours, theirs] = [await makeInstitute(app!), await makeInstitute(app!)]
    await theirs.owner.post('/branches', { name: 'Elsewhere' })
    expect((await get(`/planted/${ours.tenant.id}/branches`)).body.names).not.toContain('Elsewhere')
    expect((await get(`/planted/${theirs.tenant.id}/branches`)).body.names).toContain('Elsewhere')
  })

  test('cannot read rows that belong to no institute', async () => {
    const { get, post } = await start({
      endpoints: [
        openRead({
          ...planted,
          id: 'planted.read',
          path: '/planted',
          reply: Branches,
          handle: async ({ db }) => {
            await db.selectFrom('branch').select('name').execute()
            return { names: [] }
          },
        }),
        openChange({
          ...planted,
          id: 'planted.change',
          method: 'POST',
          path: '/planted',
          reply: Branches,
          handle: async ({ tx }) => {
            await tx.db.updateTable('branch').set({ name: 'Ours' }).execute()
            return { names: [] }
          },
        }),
      ],
    })
    const { owner } = await makeInstitute(app!)
    expect((await get('/planted')).status).toBe(500)
    expect((await post('/planted')).status).toBe(500)
    expect((await owner.get('/branches')).body.map(({ name }: { name: string }) => name)).not.toContain('Ours')
  })

  test('leaves its audit entry in the log of that institute only', async () => {
    const { post } = await start({
      endpoints: [
        openChange({
          ...planted,
          id: 'planted.change',
          method: 'POST',
          path: '/planted/{id}',
          reply: Ok,
          handle: async ({ tx, params }) => {
            const tenant = await findTenant(tx.db, params.id)
            if (!tenant) throw new Error('there is no such institute')
            tx.inTenant(tenant).audit({ entityType: 'tenant', entityId: tenant.id, metadata: { planted: true } })
            return ok
          },
        }),
      ],
    })
    const [ours, theirs] = [await makeInstitute(app!), await makeInstitute(app!)]
    expect((await post(`/planted/${theirs.tenant.id}`)).status).toBe(200)
    const entriesOf = async ({ owner }: typeof ours) => (await owner.get('/audit?action=planted.change')).body.data
    expect(await entriesOf(theirs)).toMatchObject([{ tenantId: theirs.tenant.id, metadata: { planted: true } }])
    expect(await entriesOf(ours)).toEqual([])
  })
})
