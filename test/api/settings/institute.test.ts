import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { localDate } from '#kernel/time/zone.ts'
import { local, uploaded } from '#kit/files.ts'
import { newApiKey } from '../examples/integrations.ts'
import { SITE } from '../examples/leads.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('GET /institute', () => {
  test('says to everybody in it how it is called and looks, and which day it is there', async () => {
    await institute.owner.patch('/settings', { timezone: 'Asia/Jerusalem', branding: { color: '#aa3311' } })
    const nobody = await institute.member({ permissions: [] })
    expect((await nobody.get('/settings')).status).toBe(403)
    expect(await nobody.get('/institute')).toMatchObject({
      status: 200,
      body: {
        id: institute.tenant.id,
        timezone: 'Asia/Jerusalem',
        country: 'IL',
        today: localDate(app.clock.now(), 'Asia/Jerusalem'),
        color: '#aa3311',
        logoUrl: null,
        lateAfterMinutes: 10,
        reportsApproval: false,
        isLocked: false,
        lockedReason: null,
        isReadOnly: false,
        writesEndAt: null,
        trialEndsAt: null,
      },
    })
  })

  test('says of which country it is by its time zone: Nablus is not in Israel', async () => {
    await institute.owner.patch('/settings', { timezone: 'Asia/Hebron' })
    expect((await institute.owner.get('/institute')).body.country).toBe('PS')
    await institute.owner.patch('/settings', { timezone: 'Etc/UTC' })
    expect((await institute.owner.get('/institute')).body.country).toBeNull()
  })

  test('gives the address of the logo, which needs no other credential', async () => {
    const { body: logo } = await uploaded(app, institute.owner)
    await institute.owner.patch('/settings', { branding: { logoFileId: logo.id } })
    const { logoUrl } = (await institute.owner.get('/institute')).body
    const reply = await app.get(local(logoUrl))
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('says that it is locked, and why, while everything else is refused', async () => {
    await app.app.database.write((db) =>
      db
        .updateTable('tenant')
        .set({ locked_at: app.clock.now(), locked_reason: 'unpaid' })
        .where('id', '=', institute.tenant.id)
        .execute(),
    )
    expect((await institute.owner.get('/branches')).status).toBe(402)
    const { body } = await institute.owner.get('/institute')
    expect(body).toMatchObject({ isLocked: true, lockedReason: 'unpaid' })
  })

  test('keeps what lies between the institute and who runs the server from every API key', async () => {
    const keys = [
      (await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })).key,
      (await newApiKey(institute, { permissions: ['students.read'] })).key,
    ]
    const at = app.clock.now()
    await app.app.database.write((db) =>
      db
        .updateTable('tenant')
        .set({ locked_at: at, locked_reason: 'unpaid', writes_end_at: at, trial_ends_at: at })
        .where('id', '=', institute.tenant.id)
        .execute(),
    )
    const between = { lockedReason: 'unpaid', writesEndAt: at, trialEndsAt: at }
    expect((await institute.owner.get('/institute')).body).toMatchObject({ isLocked: true, ...between })
    for (const key of keys) {
      const { status, body } = await app.as(key).send('GET', '/institute', { headers: { origin: SITE } })
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { isLocked: true, isReadOnly: true, lockedReason: null, writesEndAt: null, trialEndsAt: null },
      })
    }
  })
})
