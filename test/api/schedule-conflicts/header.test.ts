import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newApiKey } from '../examples/integrations.ts'
import { newGroup, newSession, newStaff, twiceAWeek } from '../examples/sessions.ts'

/** POST and PATCH of groups and sessions, and PUT schedules, answer with the header X-Schedule-Conflicts: N. */

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

/** An instant on Thursday 2026-03-05, from HH:MM. */
const at = (start: string, end: string) => ({
  scheduledStart: `2026-03-05T${start}:00.000Z`,
  scheduledEnd: `2026-03-05T${end}:00.000Z`,
})
const session = (groupId: string, start: string, end: string) => newSession(institute, groupId, at(start, end))
const conflicts = async (): Promise<number> => (await owner.get('/schedule-conflicts?limit=100')).body.data.length
const conflictCount = ({ status, headers, body }: Reply): string | null => {
  expect([200, 201], JSON.stringify(body)).toContain(status)
  return headers.get('x-schedule-conflicts')
}

test('counts the conflicts of a new session, and of a moved one: then the conflict is gone', async () => {
  const teacherStaffId = await newStaff(institute)
  const groups = [await newGroup(institute, { teacherStaffId }), await newGroup(institute)] as const
  const first = await owner.post(`/groups/${groups[0]}/sessions`, at('14:00', '15:30'))
  expect(conflictCount(first)).toBe('0')
  const second = await owner.post(`/groups/${groups[1]}/sessions`, { ...at('14:30', '16:00'), teacherStaffId })
  expect(conflictCount(second)).toBe('1')
  expect(conflictCount(await owner.patch(`/sessions/${first.body.id}`, { topic: 'Verbs' }))).toBe('1')
  expect(conflictCount(await owner.patch(`/sessions/${second.body.id}`, at('15:30', '16:00')))).toBe('0')
  expect(await conflicts()).toBe(0)
  expect(conflictCount(await owner.patch(`/sessions/${second.body.id}`, at('15:29', '16:00')))).toBe('1')
  const cancelled = { status: 'cancelled', reason: 'Snow' }
  expect(conflictCount(await owner.patch(`/sessions/${second.body.id}`, cancelled))).toBe('0')
})

test('counts the conflicts of a new and of a changed group, for its sessions that have not ended', async () => {
  const groupId = await newGroup(institute, { room: 'A' })
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  const made = await owner.post('/groups', { courseId, branchId: institute.branchId, name: 'B' })
  expect(conflictCount(made)).toBe('0')
  for (const id of [groupId, made.body.id as string]) {
    await session(id, '14:00', '15:30')
    // One has ended by now; the other is still running.
    await newSession(institute, id, { scheduledStart: '2026-03-02T06:00:00Z', scheduledEnd: '2026-03-02T08:00:00Z' })
    await newSession(institute, id, { scheduledStart: '2026-03-02T07:00:00Z', scheduledEnd: '2026-03-02T08:01:00Z' })
  }
  expect(conflictCount(await owner.patch(`/groups/${made.body.id}`, { name: 'C' }))).toBe('0')
  // The two future ones, and the pair inside each of the two groups that overlapped this morning.
  expect(conflictCount(await owner.patch(`/groups/${made.body.id}`, { room: 'a' }))).toBe('4')
  expect(conflictCount(await owner.patch(`/groups/${made.body.id}`, { room: null }))).toBe('0')
})

test('counts the conflicts of a schedule', async () => {
  const teacherStaffId = await newStaff(institute)
  const [one, other] = [await newGroup(institute, { teacherStaffId }), await newGroup(institute, { teacherStaffId })]
  const put = (groupId: string, schedules: object[]) => owner.put(`/groups/${groupId}/schedules`, { schedules })
  expect(conflictCount(await put(one, twiceAWeek))).toBe('0')
  // Seventeen sessions in eight weeks, each against one of the other group's.
  expect(conflictCount(await put(other, twiceAWeek))).toBe('17')
  expect(await conflicts()).toBe(17)
  expect(conflictCount(await put(other, []))).toBe('0')
  expect(await conflicts()).toBe(0)
})

test('of a repeat shows the current count', async () => {
  const { key } = await newApiKey(institute, { permissions: ['groups.write'] })
  const groups = [await newGroup(institute, { room: 'A' }), await newGroup(institute, { room: 'A' })] as const
  const other = await session(groups[0], '14:30', '16:00')
  const send = () =>
    app.as(key).send('POST', `/groups/${groups[1]}/sessions`, {
      body: at('14:00', '15:30'),
      headers: { 'idempotency-key': 'once' },
    })
  expect(conflictCount(await send())).toBe('1')
  await owner.patch(`/sessions/${other}`, { status: 'cancelled', reason: 'Snow' })
  const again = await send()
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(conflictCount(again)).toBe('0')
})

test('is omitted when conflicts cannot be counted: the change was made', async () => {
  let broken = false
  const lines: string[] = []
  const failing = await startApp({
    chance: true,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    queryLog: ({ query }) => {
      if (broken && query.sql.includes('"long_until" >')) throw new Error('a disk that is broken')
    },
  })
  onTestFinished(() => failing.close())
  const place = await makeInstitute(failing)
  const groupId = await newGroup(place, { room: 'A' })
  broken = true
  const reply = await place.owner.patch(`/groups/${groupId}`, { room: 'B' })
  expect([reply.status, reply.body.room, conflictCount(reply)]).toEqual([200, 'B', null])
  expect(lines.join('')).toContain('groups.update: a reply goes without headers')
  expect(lines.join('')).toContain('a disk that is broken')
  expect((await place.owner.get(`/groups/${groupId}`)).body.room).toBe('B')
})

test('is not on a refusal', async () => {
  const reply = await owner.post(`/groups/${await newGroup(institute)}/sessions`, at('15:00', '14:00'))
  expect([reply.status, reply.headers.get('x-schedule-conflicts')]).toEqual([422, null])
})
