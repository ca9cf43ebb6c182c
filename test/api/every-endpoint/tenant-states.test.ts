import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { loadExamples, sendExample, worldOf, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { png, upload } from '#kit/files.ts'
import { extraEndpoints } from '#kit/extra-endpoints.ts'
import { emailOf, PASSWORD, refreshByCookie, cookieOf } from '#kit/sign-in.ts'
import { putInto, type TenantState } from '#kit/tenant-states.ts'
import { newApiKey } from '../examples/integrations.ts'

/**
 * What every endpoint answers in an institute that is locked, archived, or whose cancelled subscription has ended.
 */

/** Endpoints inside an institute that also work while it is locked or its subscription has ended. */
const isExempt = ({ method, path }: Endpoint): boolean =>
  `${method} ${path}` === 'GET /feature-flags' ||
  `${method} ${path}` === 'GET /institute' ||
  `${method} ${path}` === 'POST /export' ||
  path === '/license' ||
  path.startsWith('/license/')

const REFUSALS: Record<Exclude<TenantState, 'active'>, (endpoint: Endpoint) => string | undefined> = {
  locked: (endpoint) => (isExempt(endpoint) ? undefined : '402 SUBSCRIPTION_SUSPENDED'),
  archived: () => '403 TENANT_SUSPENDED',
  expired: (endpoint) => (endpoint.method === 'GET' || isExempt(endpoint) ? undefined : '402 PAYMENT_REQUIRED'),
}
const STATES = ['locked', 'archived', 'expired'] as const

const maker = await loadExamples()
const { app: probe, close } = await startApp({ modules: [extraEndpoints] })
const endpoints = probe.endpoints.map((endpoint) => [endpoint.id, endpoint] as const)
await close()

const isOpen = ({ access }: Endpoint) => access === 'anyone' || access === 'user' || access === 'platform'
const inTenant = endpoints.filter(([, endpoint]) => !isOpen(endpoint))
const ofUsers = endpoints.filter(([, { access }]) => access === 'user')

let app: TestApp
let world: World
beforeAll(async () => {
  app = await startApp({ config: { registration: true, ...NO_LIMITS }, modules: [extraEndpoints] })
  world = worldOf(app, await makeInstitute(app))
})
afterAll(() => app.close())

const outcome = ({ status, body }: Reply): string => `${status} ${body?.error?.code ?? ''}`.trim()
const STATE_REFUSALS = new Set(['SUBSCRIPTION_SUSPENDED', 'PAYMENT_REQUIRED', 'TENANT_SUSPENDED'])

const within = async <T>(state: TenantState, work: () => Promise<T>): Promise<T> => {
  await putInto(app, world.institute, state)
  try {
    return await work()
  } finally {
    await putInto(app, world.institute, 'active')
  }
}

describe('inside a locked, an archived and an expired institute', () => {
  test.each(inTenant)('%s is refused, or not, as the contract says', async (_, endpoint) => {
    const met: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    let example = await maker(endpoint).make(world)
    for (const state of STATES) {
      const reply = await within(state, () => sendExample(endpoint, example, example.as ?? world.owner))
      const refusal = REFUSALS[state](endpoint)
      met[state] = outcome(reply)
      wanted[state] = refusal ?? met[state]
      // What is refused leaves the example as it is.
      if (refusal !== undefined) continue
      expect([endpoint.status, ...endpoint.otherStatuses], met[state]).toContain(reply.status)
      example = await maker(endpoint).make(world)
    }
    expect(met).toEqual(wanted)
  })

  test.each(ofUsers)('%s, which is about an account, answers as ever', async (_, endpoint) => {
    for (const state of STATES) {
      const member = await world.institute.member({ role: 'owner' })
      const example = await maker(endpoint).make({ ...world, owner: member })
      const { body } = await within(state, () => sendExample(endpoint, example, member))
      const isSelection = state === 'archived' && endpoint.id === 'auth.select-tenant'
      if (isSelection) expect(body.error.code).toBe('TENANT_SUSPENDED')
      else expect(STATE_REFUSALS).not.toContain(body?.error?.code)
    }
  })

  test('an API key is refused like a person', async () => {
    const key = app.as((await newApiKey(world, { permissions: ['branches.manage'] })).key)
    const met: Record<string, string[]> = {}
    for (const state of STATES) {
      met[state] = await within(state, async () => [
        outcome(await key.get('/branches')),
        outcome(await key.send('POST', '/branches', { body: { name: state }, headers: { 'idempotency-key': state } })),
      ])
    }
    expect(met).toEqual({
      locked: ['402 SUBSCRIPTION_SUSPENDED', '402 SUBSCRIPTION_SUSPENDED'],
      archived: ['403 TENANT_SUSPENDED', '403 TENANT_SUSPENDED'],
      expired: ['200', '402 PAYMENT_REQUIRED'],
    })
    // A refusal for the state is not kept for repeats of the key.
    const repeat = { body: { name: 'expired' }, headers: { 'idempotency-key': 'expired' } }
    expect((await key.send('POST', '/branches', repeat)).status).toBe(201)
  })
})

describe('whoever works in the institute', () => {
  const login = (userId: string) => app.post('/auth/login', { email: emailOf(userId), password: PASSWORD })

  test.each(['locked', 'expired'] as const)(
    'signs in, sees who they are and signs out while it is %s',
    async (state) => {
      const { userId } = await world.institute.member({ role: 'teacher' })
      const tenantId = world.institute.tenant.id
      await within(state, async () => {
        const signedIn = await login(userId)
        expect(signedIn).toMatchObject({ status: 200, body: { activeTenantId: tenantId } })
        const refreshed = await refreshByCookie(app, cookieOf(signedIn) as string)
        expect(refreshed.status).toBe(200)
        const member = app.as(refreshed.body.accessToken)
        expect((await member.post('/auth/select-tenant', { tenantId })).status).toBe(200)
        expect((await member.get('/auth/me')).body).toMatchObject({ activeTenantId: tenantId })
        expect((await member.get('/me')).status).toBe(200)
        expect((await member.patch('/me', { fullName: 'Rana Haddad' })).status).toBe(200)
        expect((await member.get('/feature-flags')).status).toBe(200)
        expect((await member.post('/auth/logout')).status).toBe(200)
      })
    },
  )

  test('signs in without it once it is archived', async () => {
    const { userId } = await world.institute.member({ role: 'teacher' })
    await within('archived', async () => {
      const { status, body } = await login(userId)
      expect([status, body.memberships, body.activeTenantId]).toEqual([200, [], null])
      const select = await app.as(body.accessToken).post('/auth/select-tenant', { tenantId: world.institute.tenant.id })
      expect(outcome(select)).toBe('403 TENANT_SUSPENDED')
    })
  })

  test('names no picture of an archived institute as their own', async () => {
    const member = await world.institute.member({ role: 'owner' })
    const body = await upload(app, member, png(), { kind: 'avatar' })
    const { id: avatarFileId } = (await member.post('/files/complete', body)).body
    const choose = () => member.patch('/me', { avatarFileId })
    expect(outcome(await within('archived', choose))).toBe('404 NOT_FOUND')
    expect((await choose()).status).toBe(200)
  })
})
