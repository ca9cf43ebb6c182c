import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'

const DEFAULTS = {
  basic_reports: true,
  advanced_reports: false,
  integration_api: true,
  mcp: false,
  custom_domain: false,
  whatsapp_notifications: false,
  sms_notifications: false,
  byo_email_provider: false,
  byo_push_provider: false,
  courses_video: true,
}

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  institute = await makeInstitute(app, { features: {} })
})
afterAll(() => app.close())

describe('GET /feature-flags', () => {
  test('answers the effective values to any caller inside the institute', async () => {
    const nobody = await institute.member({ permissions: [] })
    expect(await nobody.get('/feature-flags')).toMatchObject({ status: 200, body: DEFAULTS })
  })

  test('keeps working while the institute is locked', async () => {
    await app.app.database.write((db) =>
      db
        .updateTable('tenant')
        .set({ locked_at: app.clock.now(), locked_reason: 'unpaid' })
        .where('id', '=', institute.tenant.id)
        .execute(),
    )
    expect((await institute.owner.get('/feature-flags')).status).toBe(200)
    expect((await institute.owner.get('/settings')).body.error.code).toBe('SUBSCRIPTION_SUSPENDED')
    const refused = await institute.owner.patch('/feature-flags', { mcp: true })
    expect(refused.body.error.code).toBe('SUBSCRIPTION_SUSPENDED')
  })
})

describe('PATCH /feature-flags', () => {
  test('switches any subset of the self-manageable flags, on and off, from the next request on', async () => {
    const on = await institute.owner.patch('/feature-flags', { advanced_reports: true, courses_video: false })
    expect(on.status).toBe(200)
    expect(on.body).toEqual({ ...DEFAULTS, advanced_reports: true, courses_video: false })
    expect((await institute.owner.get('/feature-flags')).body).toEqual(on.body)
    const off = await institute.owner.patch('/feature-flags', { advanced_reports: false, mcp: true })
    expect(off.body).toEqual({ ...DEFAULTS, courses_video: false, mcp: true })
    expect((await auditOf(app, institute, 'feature-flags.update')).at(-1)).toMatchObject({
      entity_type: 'feature_flags',
      entity_id: institute.tenant.id,
      before: on.body,
      after: off.body,
    })
  })

  test('custom_domain is not self-manageable: 403, and the rest of the request is not stored', async () => {
    const refused = await institute.owner.patch('/feature-flags', { custom_domain: true, mcp: true })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    expect((await institute.owner.get('/feature-flags')).body).toEqual(DEFAULTS)
  })

  test('is 403 in cloud deployments, where the platform manages them', async () => {
    const cloud = await makeInstitute(app, { deploymentMode: 'cloud', features: {} })
    const refused = await cloud.owner.patch('/feature-flags', { mcp: true })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    expect((await cloud.owner.get('/feature-flags')).body).toEqual(DEFAULTS)
  })

  test('is for the owner only', async () => {
    const admin = await institute.member({ role: 'admin' })
    expect((await admin.patch('/feature-flags', { mcp: true })).body.error.code).toBe('FORBIDDEN')
    const second = await institute.member({ role: 'owner' })
    expect((await second.patch('/feature-flags', { mcp: true })).status).toBe(200)
  })

  test('a value that is not a boolean is 422; an unknown flag is ignored', async () => {
    expect((await institute.owner.patch('/feature-flags', { mcp: 'yes' })).status).toBe(422)
    expect((await institute.owner.patch('/feature-flags', { time_travel: true })).body).toEqual(DEFAULTS)
  })

  test('two concurrent requests that switch different flags both succeed', async () => {
    const second = await institute.member({ role: 'owner' })
    await Promise.all([
      institute.owner.patch('/feature-flags', { mcp: true }),
      second.patch('/feature-flags', { advanced_reports: true }),
    ])
    expect((await institute.owner.get('/feature-flags')).body).toEqual({
      ...DEFAULTS,
      mcp: true,
      advanced_reports: true,
    })
  })
})
