import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { newApiKey } from '../examples/integrations.ts'
import { registration, SITE } from '../examples/leads.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS })
})
afterAll(() => app.close())

describe('a known phone under another name, at the public door', () => {
  /** Somebody has the phone, and somebody else registers a child with it. */
  const twoNames = async () => {
    const { owner } = await makeInstitute(app)
    const from = app.as((await newApiKey({ owner }, { kind: 'publishable', allowedOrigins: [SITE] })).key)
    const { phone } = registration().guardian
    const known = (await owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone })).body
    const guardian = { firstName: 'Eve', lastName: 'X', phone }
    const headers = { origin: SITE }
    const body = { ...registration(), guardian }
    const { status, body: made } = await from.send('POST', '/public/registrations', { body, headers })
    const lead = () => owner.get(`/leads/${made.leadId}`).then((reply) => reply.body)
    const links = () => owner.get(`/students/${made.studentId}/guardians`).then((reply) => reply.body.data)
    return { owner, known, reply: { status, body: made }, lead, links }
  }

  test('is not linked, and the lead tells the desk; the reply is the same', async () => {
    const { reply, lead, links, owner, known } = await twoNames()
    expect(reply).toEqual({ status: 201, body: { leadId: expect.any(String), studentId: expect.any(String) } })
    expect(await links()).toEqual([])
    expect(await lead()).toMatchObject({
      guardianId: null,
      guardianNameDiffers: true,
      guardian: { firstName: 'Eve' },
    })
    expect((await owner.get('/guardians')).body.data).toEqual([known])
  })

  test('joins that family’s page at the conversion', async () => {
    const { reply, lead, links, owner, known } = await twoNames()
    expect((await owner.post(`/leads/${reply.body.leadId}/convert`)).status).toBe(200)
    expect(await links()).toMatchObject([{ guardianId: known.id, isPrimary: true, isPayer: true }])
    expect(await lead()).toMatchObject({ guardianId: known.id, status: 'converted' })
  })

  test('joins it too when the student becomes active in another way', async () => {
    const { reply, lead, links, owner, known } = await twoNames()
    await owner.post(`/students/${reply.body.studentId}/status`, { status: 'active' })
    expect(await links()).toMatchObject([{ guardianId: known.id }])
    expect(await lead()).toMatchObject({ guardianId: known.id, status: 'converted' })
  })

  test('is told by the dry run of the registration that converts it', async () => {
    const { reply, links, owner, known } = await twoNames()
    const asked = { leadId: reply.body.leadId, students: [{}] }
    const tried = (await owner.post('/registrations', { ...asked, dryRun: true })).body
    expect(tried.knownGuardians).toMatchObject([{ id: known.id, isSameName: false }])
    expect(await links()).toEqual([])
    expect((await owner.post('/registrations', asked)).body.guardian.id).toBe(known.id)
    expect(await links()).toMatchObject([{ guardianId: known.id }])
  })
})
