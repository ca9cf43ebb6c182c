import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { newId } from '#kernel/basics/ids.ts'
import { isPage } from '#kernel/values/schema.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { loadExamples, pathOf, worldOf, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { extraEndpoints } from '#kit/extra-endpoints.ts'
import { platformAdmin } from '#kit/platform-admin.ts'

/** Every list takes `cursor` and `limit`, and refuses a cursor that it did not give out: whatever it holds, whoever asks. */

const maker = await loadExamples()
const { app: probe } = await startApp({ modules: [extraEndpoints] })
const lists = probe.endpoints.filter(({ reply }) => isPage(reply)).map((endpoint) => [endpoint.id, endpoint] as const)
await probe.close()

let app: TestApp
let world: World
let callers: [name: string, client: Client][]
beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS, modules: [extraEndpoints] })
  const school = await makeInstitute(app)
  world = worldOf(app, school)
  const roles = ['admin', 'branch_manager', 'teacher', 'front_desk', 'accountant', 'student', 'guardian'] as const
  callers = [
    ['owner', school.owner],
    ...(await Promise.all(roles.map(async (role) => [role, await school.member({ role })] as [string, Client]))),
    ['platform', await platformAdmin(app)],
    ['nobody', app],
  ]
})
afterAll(() => app.close())

const BROKEN = ['AAAA', 'AAAA.AAAA', '']

const withCursor = (path: string, cursor: string) => `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`

/** Whether the caller may not see this list at all. */
const isBarred = ({ status }: Reply) => status === 401 || status === 402 || status === 403

const expectRefused = async (get: (path: string) => Promise<Reply>, path: string, who: string): Promise<boolean> => {
  if (isBarred(await get(path))) return false
  for (const cursor of BROKEN) {
    expect(await get(withCursor(path, cursor)), `${who} ${withCursor(path, cursor)}`).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: ['cursor'] }] } } },
    })
  }
  return true
}

test.each(lists)('%s takes cursor and limit', (_, { query }) => {
  expect(Object.keys((query as { entries?: object } | undefined)?.entries ?? {})).toEqual(
    expect.arrayContaining(['cursor', 'limit']),
  )
})

describe('a cursor that the list did not give out is 422', () => {
  /** The example's path, and the same with ids of no record: such a list holds nothing. */
  const pathsOf = async (endpoint: Endpoint) => {
    const example = await maker(endpoint).make(world)
    const nowhere = Object.fromEntries(
      Object.entries(example.params ?? {}).map(([name, value]) => [name, endpoint.params[name] ? value : newId()]),
    )
    return { example, paths: [pathOf(endpoint, example), pathOf(endpoint, { ...example, params: nowhere })] }
  }

  test.each(lists)('%s', async (_, endpoint) => {
    const { example, paths } = await pathsOf(endpoint)
    const { as, headers } = example
    const asking = as ? [...callers, ['example', as] as const] : callers
    const asked = await Promise.all(
      asking.flatMap(([name, client]) => {
        const get = (path: string) => client.send('GET', path, headers && { headers })
        return paths.map((path) => expectRefused(get, path, name))
      }),
    )
    expect(asked).toContain(true)
  })
})

describe('a list that is short', () => {
  test.each(['/permissions', '/webhooks/events', '/notification-providers', '/platform/queues'])(
    '%s is one page without a limit, and several with one',
    async (path) => {
      const client = path.startsWith('/platform') ? await platformAdmin(app) : world.owner
      const whole = (await client.get(path)).body
      expect(whole.nextCursor).toBeNull()
      expect(whole.data.length).toBeGreaterThan(3)
      const parts: unknown[] = []
      let next = `${path}?limit=3`
      for (let pages = 0; pages <= whole.data.length; pages += 1) {
        const { status, body } = await client.get(next)
        expect(status).toBe(200)
        expect(body.data.length).toBeLessThanOrEqual(3)
        parts.push(...body.data)
        if (body.nextCursor === null) break
        next = `${path}?limit=3&cursor=${encodeURIComponent(body.nextCursor)}`
      }
      expect(parts).toEqual(whole.data)
      expect((await client.get(`${path}?limit=101`)).status).toBe(422)
    },
  )

  test('GET /webhooks/events lists exactly the 28 of the catalogue in one page', async () => {
    const { body } = await app.get('/webhooks/events')
    expect(body).toMatchObject({ nextCursor: null })
    expect(body.data).toHaveLength(28)
  })
})
