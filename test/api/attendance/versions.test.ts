import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client
let colleague: Client

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
  colleague = await institute.member({ role: 'branch_manager' })
})
afterAll(() => app.close())

const newClassroom = async (): Promise<{ sessionId: string; pupils: [string, string, string] }> => {
  const groupId = await newGroup(institute)
  const pupils: string[] = []
  for (const lastName of ['Adler', 'Levi', 'Zohar']) pupils.push(await newPupil(institute, groupId, { lastName }))
  return { sessionId: await newSession(institute, groupId), pupils: pupils as [string, string, string] }
}

const read = async (sessionId: string) => (await owner.get(`/sessions/${sessionId}/attendance`)).body
const send = (sessionId: string, body: { version?: number; entries: unknown[] }, client = owner) =>
  client.put(`/sessions/${sessionId}/attendance`, body)
const all = (pupils: string[], status: string) => pupils.map((studentId) => ({ studentId, status }))
const conflict = (details: object) => ({
  status: 409,
  body: { error: { code: 'VERSION_CONFLICT', details: { reason: 'attendance_changed', ...details } } },
})

describe('the version of a session’s attendance', () => {
  test('begins at 1 and counts the changes of entries, nothing else', async () => {
    const { sessionId, pupils } = await newClassroom()
    expect((await read(sessionId)).version).toBe(1)
    expect((await send(sessionId, { version: 1, entries: [] })).body).toMatchObject({ version: 1, status: 'scheduled' })
    expect((await send(sessionId, { version: 1, entries: all(pupils, 'present') })).body.version).toBe(2)
    expect((await send(sessionId, { entries: all(pupils, 'present') })).body.version).toBe(2)
    expect((await owner.patch(`/sessions/${sessionId}`, { topic: 'Verbs' })).status).toBe(200)
    expect((await send(sessionId, { version: 2, entries: all([pupils[0]], 'late') })).body.version).toBe(3)
    expect((await read(sessionId)).version).toBe(3)
  })

  test('somebody who has not seen another’s marks is told which differ, and changes nothing', async () => {
    const { sessionId, pupils } = await newClassroom()
    const { version } = await read(sessionId)
    await send(sessionId, { entries: all(pupils, 'present') }, colleague)
    const late = { studentId: pupils[1], status: 'late', minutesLate: 5, note: 'Bus' }
    const { body: theirs } = await send(sessionId, { entries: [late] }, colleague)
    const events = await eventsOf(app, institute, 'student.absent')
    const audited = await auditOf(app, institute, 'attendance.mark')
    const mine = await send(sessionId, {
      version,
      entries: [
        { studentId: pupils[0], status: 'present' },
        { studentId: pupils[1], status: 'absent' },
      ],
    })
    // What is sent as it stands does not differ; what is not named, and was changed, does.
    expect(mine).toMatchObject(conflict({ expected: 1, current: 3 }))
    expect(mine.body.error.details.entries).toEqual([theirs.entries[1], theirs.entries[2]])
    expect(await read(sessionId)).toEqual(theirs)
    expect(await eventsOf(app, institute, 'student.absent')).toEqual(events)
    expect(await auditOf(app, institute, 'attendance.mark')).toEqual(audited)
    // Having seen them, the caller decides.
    const again = await send(sessionId, { version: 3, entries: all([pupils[1]], 'absent') })
    expect(again).toMatchObject({ status: 200, body: { version: 4, entries: [{}, { status: 'absent' }, {}] } })
  })

  test('entries that were seen as they stand are no conflict, however old', async () => {
    const { sessionId, pupils } = await newClassroom()
    await send(sessionId, { entries: all(pupils.slice(0, 2), 'present') })
    const { version } = await read(sessionId)
    await send(sessionId, { entries: all([pupils[2]], 'absent') }, colleague)
    const reply = await send(sessionId, { version, entries: all([pupils[0]], 'late') })
    expect(reply).toMatchObject(conflict({ expected: 2, current: 3, entries: [{ studentId: pupils[2] }] }))
    expect(reply.body.error.details.entries).toHaveLength(1)
  })

  test('a request whose reply was lost can be sent again', async () => {
    const { sessionId, pupils } = await newClassroom()
    const body = { version: 1, entries: all(pupils, 'absent') }
    const first = await send(sessionId, body)
    expect(await send(sessionId, body)).toMatchObject({ status: 200, body: first.body })
  })

  test('without it the last write wins', async () => {
    const { sessionId, pupils } = await newClassroom()
    await send(sessionId, { entries: all(pupils, 'present') }, colleague)
    expect((await send(sessionId, { entries: all(pupils, 'absent') })).body).toMatchObject({
      version: 3,
      entries: pupils.map(() => ({ status: 'absent' })),
    })
  })

  test('one that this attendance never had, as after a restore, is a conflict with all that stands', async () => {
    const { sessionId, pupils } = await newClassroom()
    expect(await send(sessionId, { version: 9, entries: [] })).toMatchObject(
      conflict({ expected: 9, current: 1, entries: [] }),
    )
    await send(sessionId, { entries: all(pupils.slice(0, 2), 'present') })
    const reply = await send(sessionId, { version: 9, entries: all(pupils, 'present') })
    expect(reply).toMatchObject(conflict({ expected: 9, current: 2, entries: [] }))
    const other = await send(sessionId, { version: 9, entries: all([pupils[0]], 'absent') })
    expect(other.body.error.details.entries).toMatchObject([{ studentId: pupils[0] }, { studentId: pupils[1] }])
    expect((await send(sessionId, { version: 0, entries: [] })).status).toBe(422)
  })

  test('of many who mark at once from the same version, one is taken', async () => {
    const { sessionId, pupils } = await newClassroom()
    const replies = await Promise.all(
      ['present', 'absent', 'late', 'excused'].map((status) =>
        send(sessionId, { version: 1, entries: all(pupils, status) }, status === 'late' ? colleague : owner),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const { body } = replies.find(({ status }) => status === 200) as (typeof replies)[number]
    expect(await read(sessionId)).toEqual(body)
    for (const { status, body: refused } of replies) {
      if (status === 409) expect(refused.error.details).toMatchObject({ current: 2, entries: body.entries })
    }
  })

  test('a new entry leaves the session’s own updatedAt as it was', async () => {
    const groupId = await newGroup(institute, { teacherStaffId: await newStaff(institute) })
    const studentId = await newPupil(institute, groupId)
    const sessionId = await newSession(institute, groupId)
    await send(sessionId, { entries: all([studentId], 'present') })
    const { body: held } = await owner.get(`/sessions/${sessionId}`)
    app.clock.advance(60)
    await send(sessionId, { entries: all([studentId], 'absent') })
    expect((await owner.get(`/sessions/${sessionId}`)).body).toEqual(held)
  })
})
