import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { compose } from '#app/compose.ts'
import { openRead } from '#kernel/endpoint.ts'
import { content } from '#kernel/media.ts'
import type { Module } from '#kernel/module.ts'
import { startApp, type TestApp } from '#kit/app.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

const start = async (module: Omit<Module, 'name'>): Promise<TestApp> => {
  // What a planted module does says nothing of the program's own outcomes.
  app = await startApp({ chance: true, modules: [{ name: 'planted', ...module }] })
  return app
}

test('the page of a module is served at the server’s root', async () => {
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

test('the probe of a module decides with the others whether the program is ready; the reply keeps its shape', async () => {
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

test('the authenticator of a module is asked for its kind of credential', async () => {
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

test('what a module starts is started with the work, and closed while the database is open, also after one that fails', async () => {
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

test('the program does not start with two modules that bring the same', async () => {
  app = await startApp()
  const { clock } = app
  const { config, database } = app.app
  const twin: Module = { name: 'twin', tables: { student: { kind: 'shared' } } }
  const outside = {
    clock,
    log: pino({ level: 'silent' }),
    passwords: { hash: async () => '', verify: async () => false, needsRehash: () => false },
    mailer: { send: async () => {}, close: async () => {} },
    outbound: { post: () => Promise.reject(new Error('nobody')), close: async () => {} },
    modules: [twin],
  }
  await expect(compose(config, database, outside)).rejects.toThrow(
    'The modules people and twin both bring the table student.',
  )
})
