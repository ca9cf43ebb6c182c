import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, sendExample, worldOf, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { query, readCatalogue } from '#kit/pairs/records.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'

/**
 * "An impersonation token makes no keys, no members and no sessions, and changes nothing of its user's own account (403,
 * reason impersonated)": for every change that there is, by its address and by what it does to the account.
 */

let app: TestApp
let admin: TestPlatformAdmin
let ours: World
/** What somebody uploads or takes in the owner's name is the institute's, not of the account. */
const OF_WORK = ['file_upload', 'till_entry', 'till_close']

/** The tables whose rows are a user's, with the columns that name the user. */
let owned: { table: string; column: string }[]

const maker = await loadExamples()

beforeAll(async () => {
  app = await startApp({ config: { registration: true, ...NO_LIMITS } })
  admin = await platformAdmin(app)
  ours = worldOf(app, await makeInstitute(app))
  const { columns } = await readCatalogue(app)
  owned = [
    { table: 'user', column: 'id' },
    ...columns.filter(
      ({ table, column }) => !OF_WORK.includes(table) && (column === 'user_id' || column === 'inbox_user_id'),
    ),
  ]
})
afterAll(() => app.close())

const { app: probe } = await startApp()
const changes = probe.endpoints.filter(({ method, access }) => method !== 'GET' && access !== 'anyone')
const each = changes
  .filter(({ access }) => access !== 'platform' && access !== 'publishable')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
await probe.close()

/** What lies at these addresses is the caller's own. */
const OWN = /^\/(?:me|auth|notification-preferences|oauth)(?:\/|$)/
/** The one that ends the impersonation itself. */
const ENDS_IT = 'POST /auth/logout'

const impersonated = async () =>
  app.as(
    (await admin.post(`/platform/tenants/${ours.institute.tenant.id}/impersonate`, { reason: 'Help' })).body
      .accessToken,
  )

/** Every row of the owner's, without the sessions in which others act in the owner's name. */
const account = async (): Promise<string[]> => {
  const rows = await Promise.all(
    owned.map(async ({ table, column }) => {
      const own = table === 'auth_session' ? ' and impersonator_id is null' : ''
      const found = await query<object>(
        app,
        `select * from "${table}" where "${column}" = '${ours.institute.ownerUserId}'${own}`,
      )
      return found.map((row) => `${table} ${JSON.stringify(row)}`)
    }),
  )
  return rows.flat().toSorted()
}

const send = async (endpoint: Endpoint) => {
  const example = await maker(endpoint).make(ours)
  const token = await impersonated()
  const before = await account()
  const reply = await sendExample(endpoint, example, token)
  return { reply, before, after: await account() }
}

describe('a platform admin in the owner’s name', () => {
  test('meets every change of the own account that the contract has', () => {
    const own = each.flatMap(([name, { path }]) => (OWN.test(path) ? [name] : []))
    expect(own).toEqual(
      expect.arrayContaining([
        'POST /me/devices',
        'DELETE /me/devices/{id}',
        'PUT /notification-preferences',
        'POST /me/notifications/read-all',
        'POST /me/notifications/{id}/read',
        'PATCH /me',
        'POST /auth/change-password',
        'DELETE /auth/sessions/{id}',
      ]),
    )
  })

  test.each(each.map(([name, endpoint]) => [endpoint.id, name, endpoint] as const))(
    '%s (%s) leaves the owner’s account as it is',
    async (_, name, endpoint) => {
      const { reply, before, after } = await send(endpoint)
      expect(after).toEqual(before)
      if (!OWN.test(endpoint.path)) return
      if (name === ENDS_IT) expect(reply).toMatchObject({ status: 200 })
      else expect(reply).toMatchObject({ status: 403, body: { error: { details: { reason: 'impersonated' } } } })
    },
  )
})
