import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newId } from '#kernel/basics/ids.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { newGroup, newPupil, newSession, newStaff, twiceAWeek } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const times = { scheduledStart: '2026-03-02T14:00:00.000Z', scheduledEnd: '2026-03-02T15:30:00.000Z' }

/** A group whose rules have no sessions, as after a restored export. */
const scheduledGroup = async (client = owner, place = institute): Promise<string> => {
  const groupId = await newGroup(place)
  await client.put(`/groups/${groupId}/schedules`, { schedules: twiceAWeek })
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    await unit.tenant(place.tenant, 'all').whole.deleteFrom('session').where('group_id', '=', groupId).execute()
  })
  return groupId
}

const generate = (groupId: string, body?: unknown) => owner.post(`/groups/${groupId}/sessions/generate`, body)
const sessionsOf = async (groupId: string, query = '') =>
  (await owner.get(`/groups/${groupId}/sessions?limit=100${query}`)).body.data

describe('POST /groups/{id}/sessions/generate', () => {
  test('makes the occurrences from today through eight weeks, with or without a body; a second call makes none', async () => {
    const groupId = await scheduledGroup()
    const { body: rules } = await owner.get(`/groups/${groupId}/schedules`)
    expect(rules).toHaveLength(2)
    const reply = await generate(groupId)
    expect(reply).toMatchObject({ status: 201, body: { created: 17, total: 17 } })
    expect((await generate(groupId, {})).body).toEqual({ created: 0, total: 17 })
    const sessions = await sessionsOf(groupId)
    expect(sessions).toHaveLength(17)
    expect(sessions[0]).toEqual({
      id: expect.any(String),
      groupId,
      scheduledStart: '2026-03-02T14:00:00.000Z',
      scheduledEnd: '2026-03-02T15:30:00.000Z',
      status: 'scheduled',
      teacherStaffId: null,
      topic: null,
      homework: null,
      notes: null,
      lessonId: null,
      cancelReason: null,
      cancelledBy: null,
      closureId: null,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
  })

  test('`until` is inclusive, may lie in the past, and at most 400 days ahead', async () => {
    const groupId = await scheduledGroup()
    expect((await generate(groupId, { until: '2026-03-01' })).body).toEqual({ created: 0, total: 0 })
    expect((await generate(groupId, { until: '2026-03-09' })).body).toEqual({ created: 3, total: 3 })
    expect((await generate(groupId, { until: '2026-03-11' })).body).toEqual({ created: 1, total: 4 })
    expect((await generate(groupId, { until: '2027-04-06' })).body).toEqual({ created: 111, total: 115 })
    expect(await generate(groupId, { until: '2027-04-07' })).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: ['until'] }] } } },
    })
  })

  test('skips an occurrence that was rescheduled or cancelled, and does not edit it', async () => {
    const groupId = await scheduledGroup()
    await generate(groupId, { until: '2026-03-09' })
    const [first, second] = await sessionsOf(groupId)
    await owner.patch(`/sessions/${first.id}`, { ...times, topic: 'Moved' })
    await owner.patch(`/sessions/${second.id}`, { status: 'cancelled', reason: 'Holiday' })
    const before = await sessionsOf(groupId)
    expect((await generate(groupId, { until: '2026-03-09' })).body).toEqual({ created: 0, total: 3 })
    expect(await sessionsOf(groupId)).toEqual(before)
  })

  test('many concurrent calls make each occurrence once', async () => {
    const groupId = await scheduledGroup()
    const replies = await Promise.all(Array.from({ length: 8 }, () => generate(groupId)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(replies.reduce((sum, { body }) => sum + body.created, 0)).toBe(17)
    expect(await sessionsOf(groupId)).toHaveLength(17)
  })

  test('leaves an audit entry with the counts', async () => {
    const fresh = await makeInstitute(app)
    const groupId = await scheduledGroup(fresh.owner, fresh)
    await fresh.owner.post(`/groups/${groupId}/sessions/generate`)
    expect(await auditOf(app, fresh, 'sessions.generate')).toMatchObject([
      {
        entity_type: 'group',
        entity_id: groupId,
        after: { created: 17, total: 17 },
        metadata: { from: '2026-03-02', until: '2026-04-27' },
      },
    ])
  })
})

describe('GET /groups/{id}/sessions', () => {
  test('runs by scheduledStart ascending, page by page', async () => {
    const groupId = await newGroup(institute)
    const days = ['12', '10', '11', '10', '09']
    for (const day of days) {
      await newSession(institute, groupId, {
        scheduledStart: `2026-03-${day}T14:00:00.000Z`,
        scheduledEnd: `2026-03-${day}T15:00:00.000Z`,
      })
    }
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await owner.get(`/groups/${groupId}/sessions?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map((session: { scheduledStart: string }) => session.scheduledStart.slice(8, 10)))
      cursor = body.nextCursor ?? ''
    } while (cursor)
    expect(seen).toEqual(days.toSorted())
  })

  test('filters by from and to, both inclusive, and by any of several statuses', async () => {
    const groupId = await scheduledGroup()
    const entries = [{ studentId: await newPupil(institute, groupId), status: 'present' }]
    await generate(groupId, { until: '2026-03-18' })
    const [first, second, third, fourth] = await sessionsOf(groupId)
    await owner.patch(`/sessions/${second.id}`, { status: 'cancelled', reason: 'Ill' })
    await takeAttendance(app, owner, third.id, { entries })
    const within = await sessionsOf(groupId, `&from=${second.scheduledStart}&to=${fourth.scheduledStart}`)
    expect(within.map(({ id }: { id: string }) => id)).toEqual([second.id, third.id, fourth.id])
    const done = await sessionsOf(groupId, '&status=held&status=cancelled')
    expect(done.map(({ id }: { id: string }) => id)).toEqual([second.id, third.id])
    expect((await sessionsOf(groupId, '&status=scheduled'))[0].id).toBe(first.id)
    expect((await owner.get(`/groups/${groupId}/sessions?status=lost`)).status).toBe(422)
    expect((await owner.get(`/groups/${groupId}/sessions?from=2026-03-01`)).status).toBe(422)
  })

  test('of a group without sessions is an empty page, of an unknown group 404', async () => {
    const groupId = await newGroup(institute)
    expect((await owner.get(`/groups/${groupId}/sessions`)).body).toEqual({ data: [], nextCursor: null })
    expect((await owner.get(`/groups/${unknown}/sessions`)).status).toBe(404)
  })
})

describe('POST /groups/{id}/sessions', () => {
  test('adds a one-off session with topic and teacher', async () => {
    const groupId = await newGroup(institute)
    const teacherStaffId = await newStaff(institute)
    const reply = await owner.post(`/groups/${groupId}/sessions`, { ...times, topic: ' Rehearsal ', teacherStaffId })
    expect(reply).toMatchObject({
      status: 201,
      body: { groupId, ...times, status: 'scheduled', topic: 'Rehearsal', teacherStaffId, notes: null, lessonId: null },
    })
    expect((await owner.get(`/sessions/${reply.body.id}`)).body).toEqual(reply.body)
    const [entry] = (await auditOf(app, institute, 'sessions.create')).slice(-1)
    expect(entry).toMatchObject({ entity_type: 'session', entity_id: reply.body.id, after: reply.body })
  })

  test('takes notes and a lesson of the group’s course at once', async () => {
    const groupId = await newGroup(institute)
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    const section = (await owner.post(`/courses/${courseId}/sections`, { title: 'One' })).body
    const { id: lessonId } = (await owner.post(`/sections/${section.id}/lessons`, { title: 'First' })).body
    const written = { notes: 'Bring\npaper', lessonId }
    const reply = await owner.post(`/groups/${groupId}/sessions`, { ...times, ...written })
    expect(reply).toMatchObject({ status: 201, body: written })
    expect((await owner.get(`/sessions/${reply.body.id}`)).body).toEqual(reply.body)
    const elsewhere = await newGroup(institute)
    const post = (more: object) => owner.post(`/groups/${elsewhere}/sessions`, { ...times, ...more })
    expect(await post({ lessonId: unknown })).toMatchObject({ status: 404 })
    expect(await post({ lessonId })).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['lessonId'] }] } } },
    })
  })

  test('an end that is not after the start is 422, and so is an instant outside our years', async () => {
    const groupId = await newGroup(institute)
    const post = (body: unknown) => owner.post(`/groups/${groupId}/sessions`, body)
    expect(await post({ ...times, scheduledEnd: times.scheduledStart })).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['scheduledEnd'] }] } } },
    })
    expect((await post({ ...times, scheduledStart: '0000-01-01T00:00:00.000Z' })).status).toBe(422)
    expect((await post({ ...times, scheduledEnd: '9999-12-31T23:59:59-14:00' })).status).toBe(422)
  })

  test('a teacher whom the caller does not reach is 404', async () => {
    const elsewhere = await makeInstitute(app)
    const groupId = await newGroup(institute)
    for (const teacherStaffId of [unknown, await newStaff(elsewhere)]) {
      const reply = await owner.post(`/groups/${groupId}/sessions`, { ...times, teacherStaffId })
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
  })
})

describe('PATCH /sessions/{id}', () => {
  test('writes topic, notes and substitute; null clears them', async () => {
    const sessionId = await newSession(institute)
    const teacherStaffId = await newStaff(institute)
    const written = { topic: 'Fractions', notes: 'Bring rulers', teacherStaffId }
    expect((await owner.patch(`/sessions/${sessionId}`, written)).body).toMatchObject(written)
    expect((await owner.patch(`/sessions/${sessionId}`, { notes: null })).body).toMatchObject({
      ...written,
      notes: null,
    })
    const cleared = { topic: null, teacherStaffId: null }
    expect((await owner.patch(`/sessions/${sessionId}`, cleared)).body).toMatchObject(cleared)
    const [entry] = (await auditOf(app, institute, 'sessions.update')).slice(-1)
    expect(entry).toMatchObject({
      entity_type: 'session',
      entity_id: sessionId,
      before: { topic: 'Fractions', teacherStaffId },
      after: cleared,
    })
  })

  test('a substitute whom the caller does not reach is 404, and so is an unknown lesson', async () => {
    const sessionId = await newSession(institute)
    expect((await owner.patch(`/sessions/${sessionId}`, { teacherStaffId: unknown })).status).toBe(404)
    expect((await owner.patch(`/sessions/${sessionId}`, { lessonId: unknown })).status).toBe(404)
    expect((await owner.patch(`/sessions/${sessionId}`, { lessonId: null })).body.lessonId).toBeNull()
  })

  test('reschedules; an end that is not after the start is 422', async () => {
    const sessionId = await newSession(institute)
    const later = { scheduledStart: '2026-03-06T08:00:00.000Z', scheduledEnd: '2026-03-06T09:00:00.000Z' }
    expect((await owner.patch(`/sessions/${sessionId}`, later)).body).toMatchObject(later)
    expect(await owner.patch(`/sessions/${sessionId}`, { scheduledStart: later.scheduledEnd })).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['scheduledEnd'] }] } } },
    })
  })

  test('cancelling needs a reason, which the event carries', async () => {
    const fresh = await makeInstitute(app)
    const groupId = await newGroup(fresh)
    const sessionId = await newSession(fresh, groupId)
    const cancel = (body: unknown) => fresh.owner.patch(`/sessions/${sessionId}`, body)
    expect(await cancel({ status: 'cancelled' })).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['reason'] }] } } },
    })
    expect((await cancel({ status: 'cancelled', reason: ' ' })).status).toBe(422)
    expect((await cancel({ status: 'held', reason: 'Because' })).status).toBe(422)
    expect((await cancel({ reason: 'Because' })).status).toBe(422)
    expect(await cancel({ status: 'cancelled', reason: 'Storm' })).toMatchObject({
      status: 200,
      body: { id: sessionId, status: 'cancelled' },
    })
    expect(await eventsOf(app, fresh, 'session.cancelled')).toEqual([
      { sessionId, groupId, scheduledStart: times.scheduledStart, reason: 'Storm' },
    ])
    const [entry] = await auditOf(app, fresh, 'sessions.update')
    expect(entry).toMatchObject({
      before: { status: 'scheduled' },
      after: { status: 'cancelled' },
      metadata: { reason: 'Storm' },
    })
  })

  test('a held or cancelled session can be neither cancelled nor moved: 409; its texts can change', async () => {
    const groupId = await newGroup(institute)
    const entries = [{ studentId: await newPupil(institute, groupId), status: 'present' }]
    const held = await newSession(institute, groupId)
    await owner.put(`/sessions/${held}/attendance`, { entries })
    const cancelled = await newSession(institute)
    await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'Storm' })
    for (const sessionId of [held, cancelled]) {
      const again = await owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Again' })
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
      expect((await owner.patch(`/sessions/${sessionId}`, { scheduledEnd: '2026-03-02T16:00:00Z' })).status).toBe(409)
      expect((await owner.patch(`/sessions/${sessionId}`, { notes: 'Page 12' })).body.notes).toBe('Page 12')
    }
  })

  test('of many concurrent cancellations one succeeds', async () => {
    const fresh = await makeInstitute(app)
    const sessionId = await newSession(fresh)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        fresh.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Storm' }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(409)])
    expect(await eventsOf(app, fresh, 'session.cancelled')).toHaveLength(1)
  })
})

describe('who changes a session', () => {
  test('the group’s own teacher may, and chooses substitutes from the group’s branch', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const sessionId = await newSession(institute, await newGroup(institute, { teacherStaffId }))
    const colleague = await newStaff(institute)
    const { body: branch } = await owner.post('/branches', { name: 'Other branch' })
    const stranger = await newStaff({ owner, branchId: branch.id })
    expect((await teacher.patch(`/sessions/${sessionId}`, { topic: 'Verbs' })).body.topic).toBe('Verbs')
    expect((await teacher.patch(`/sessions/${sessionId}`, { teacherStaffId: stranger })).status).toBe(404)
    expect((await teacher.patch(`/sessions/${sessionId}`, { teacherStaffId: colleague })).status).toBe(200)
    expect((await teacher.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Ill' })).status).toBe(200)
  })

  test('a substitute changes their own session, reads the group’s others, and reaches no other group', async () => {
    const substitute = await institute.member({ role: 'teacher' })
    const staffId = await newStaff(institute, { userId: substitute.userId })
    const groupId = await newGroup(institute)
    const other = await newSession(institute, groupId)
    expect((await substitute.get(`/sessions/${other}`)).status).toBe(404)
    const own = await newSession(institute, groupId, { teacherStaffId: staffId })
    expect((await substitute.patch(`/sessions/${own}`, { topic: 'Nouns' })).status).toBe(200)
    expect((await substitute.get(`/sessions/${other}`)).status).toBe(200)
    const refused = await substitute.patch(`/sessions/${other}`, { topic: 'Nouns' })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    expect((await substitute.patch(`/sessions/${await newSession(institute)}`, { topic: 'Nouns' })).status).toBe(404)
  })

  test('a caller with attendance.mark only, who is not the teacher, gets 403', async () => {
    const marker = await institute.member({ permissions: ['attendance.mark'] })
    const reply = await marker.patch(`/sessions/${await newSession(institute)}`, { topic: 'Nouns' })
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })

  test('groups.write for one branch reaches that branch’s sessions only', async () => {
    const { body: branch } = await owner.post('/branches', { name: 'Branch of sessions' })
    const manager = await institute.member({ permissions: ['groups.write'], branchId: branch.id })
    const own = await newSession({ owner, branchId: branch.id })
    const other = await newSession(institute)
    expect((await manager.patch(`/sessions/${own}`, { topic: 'Nouns' })).status).toBe(200)
    expect((await manager.patch(`/sessions/${other}`, { topic: 'Nouns' })).status).toBe(404)
    expect((await manager.get(`/sessions/${other}`)).status).toBe(404)
    expect((await manager.patch(`/sessions/${own}`, { teacherStaffId: await newStaff(institute) })).status).toBe(404)
  })

  test('groups.write for one branch does not extend to another branch where the caller marks attendance', async () => {
    const { body: branch } = await owner.post('/branches', { name: 'Branch of the writer' })
    const both = await institute.member({ role: 'teacher' })
    const role = await institute.member({ permissions: ['groups.write'], branchId: branch.id })
    // The same user is a teacher everywhere and may write one branch.
    await runInTransaction(app.app.runtime, systemAuditContext('test.roles'), (unit) =>
      unit
        .tenant(institute.tenant, 'all')
        .whole.insertInto('role_assignment')
        .values({
          id: newId(),
          membership_id: both.membershipId,
          role_id: role.roleId,
          branch_id: branch.id,
          created_at: unit.now,
        })
        .execute(),
    )
    const staffId = await newStaff(institute, { userId: both.userId })
    const groupId = await newGroup(institute)
    await newSession(institute, groupId, { teacherStaffId: staffId })
    const other = await newSession(institute, groupId)
    expect((await both.get(`/sessions/${other}`)).status).toBe(200)
    expect((await both.patch(`/sessions/${other}`, { topic: 'Nouns' })).status).toBe(403)
  })
})

test('a group with enrollments cannot be deleted; one without is deleted with its schedule', async () => {
  const planned = await scheduledGroup()
  await generate(planned)
  expect((await owner.delete(`/groups/${planned}`)).status).toBe(200)
  const enrolled = await newGroup(institute)
  await newPupil(institute, enrolled)
  expect((await owner.delete(`/groups/${enrolled}`)).status).toBe(409)
})

test('a teacher who gave a session cannot be deleted: 409', async () => {
  const teacherStaffId = await newStaff(institute)
  await newSession(institute, await newGroup(institute), { teacherStaffId })
  expect((await owner.delete(`/staff/${teacherStaffId}`)).status).toBe(409)
})
