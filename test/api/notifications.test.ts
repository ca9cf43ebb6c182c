import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newGroup, newPupil, newSession } from './examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

test('an absence reaches the guardian', async () => {
  const groupId = await newGroup(institute)
  const studentId = await newPupil(institute, groupId)
  const g = await institute.owner.post('/guardians', { firstName: 'Hala', lastName: 'Nasser', phone: '+972501234567', email: 'hala@example.org', preferredLocale: 'ar' })
  await institute.owner.post(`/students/${studentId}/guardians`, { guardianId: g.body.id, relationship: 'mother', isPrimary: true, isPayer: true })
  const sessionId = await newSession(institute, groupId)
  const put = await institute.owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'absent' }] })
  expect(put.status).toBe(200)
  await app.drain()
  console.log(app.mails, (await institute.owner.get('/notifications')).body)
  expect(app.mails).toHaveLength(1)
})
