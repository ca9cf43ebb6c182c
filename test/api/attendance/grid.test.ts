import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp({ config: LONG_TOKENS })
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const session = (groupId: string, day: string) =>
  newSession(institute, groupId, {
    scheduledStart: `2026-03-${day}T14:00:00.000Z`,
    scheduledEnd: `2026-03-${day}T15:00:00.000Z`,
  })
const mark = async (sessionId: string, marks: Record<string, string>) => {
  const entries = Object.entries(marks).map(([studentId, status]) => ({ studentId, status }))
  expect((await takeAttendance(app, institute.owner, sessionId, { entries })).status).toBe(200)
}
const gridOf = (groupId: string, query = '') => institute.owner.get(`/groups/${groupId}/attendance${query}`)

test('has the last held sessions as columns, and everybody who was expected, marked or enrolled as rows', async () => {
  const groupId = await newGroup(institute)
  expect((await gridOf(groupId)).body).toEqual({ sessions: [], students: [] })
  const pupil = (firstName: string, lastName: string) => newPupil(institute, groupId, { firstName, lastName })
  const [noor, adam] = [await pupil('Noor', 'Haddad'), await pupil('Adam', 'Abbas')]
  const [first, second, third] = [
    await session(groupId, '05'),
    await session(groupId, '10'),
    await session(groupId, '12'),
  ]
  await mark(first, { [noor]: 'present', [adam]: 'late' })
  await mark(third, { [noor]: 'absent' })
  await institute.owner.patch(`/sessions/${second}`, { status: 'cancelled', reason: 'Storm' })
  await session(groupId, '20')
  const sessions = [
    { id: first, scheduledStart: '2026-03-05T14:00:00.000Z', status: 'held' },
    { id: third, scheduledStart: '2026-03-12T14:00:00.000Z', status: 'held' },
  ]
  expect((await gridOf(groupId)).body).toEqual({
    sessions,
    students: [
      { studentId: adam, fullName: 'Adam Abbas', marks: ['late', null] },
      { studentId: noor, fullName: 'Noor Haddad', marks: ['present', 'absent'] },
    ],
  })
  expect((await gridOf(groupId, '?sessions=1')).body).toEqual({
    sessions: sessions.slice(1),
    students: [
      { studentId: adam, fullName: 'Adam Abbas', marks: [null] },
      { studentId: noor, fullName: 'Noor Haddad', marks: ['absent'] },
    ],
  })
  for (const query of ['?sessions=0', '?sessions=25']) expect((await gridOf(groupId, query)).status).toBe(422)
})

test('of another branch is not found', async () => {
  const north = (await institute.owner.post('/branches', { name: 'North' })).body.id
  const clerk = await institute.member({ permissions: ['attendance.read'], branchId: north })
  const groupId = await newGroup(institute)
  expect((await clerk.get(`/groups/${groupId}/attendance`)).status).toBe(404)
})
