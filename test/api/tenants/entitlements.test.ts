import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const flagsOf = async ({ owner }: TestInstitute) => (await owner.get('/feature-flags')).body

describe('the features of an institute', () => {
  test('are the defaults, changed by the plan, changed by the institute', async () => {
    const institute = await makeInstitute(app, { features: { sms_notifications: false } })
    await grant(app, institute, { features: { mcp: true, sms_notifications: true, courses_video: false } })
    expect(await flagsOf(institute)).toMatchObject({
      basic_reports: true,
      mcp: true,
      courses_video: false,
      sms_notifications: false,
    })
    await grant(app, institute, {})
    expect(await flagsOf(institute)).toMatchObject({ mcp: false, courses_video: true })
  })

  test('hold for the next request: a feature that the plan takes away is 403 FEATURE_DISABLED', async () => {
    const institute = await makeInstitute(app)
    const path = '/me/courses'
    expect((await institute.owner.get(path)).status).toBe(200)
    await grant(app, institute, { features: { courses_video: false } })
    expect((await institute.owner.get(path)).body.error).toMatchObject({ code: 'FEATURE_DISABLED' })
  })
})

describe('an institute whose subscription ended', () => {
  test('can be read and not changed, from the end on: 402 PAYMENT_REQUIRED', async () => {
    const institute = await makeInstitute(app)
    const { owner } = institute
    await grant(app, institute, { writesEndAt: new Date(app.clock.millis() + 60_000).toISOString() })
    expect((await owner.post('/branches', { name: 'Before' })).status).toBe(201)
    app.clock.advance(60)
    const refused = await owner.post('/branches', { name: 'After' })
    expect([refused.status, refused.body.error.code]).toEqual([402, 'PAYMENT_REQUIRED'])
    expect((await owner.get('/branches')).body).toHaveLength(2)
    await grant(app, institute, {})
    expect((await owner.post('/branches', { name: 'Renewed' })).status).toBe(201)
  })
})
