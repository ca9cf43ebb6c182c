import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

/** Double bookings are reported, not refused. */

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
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
const session = (groupId: string, start: string, end: string, fields: object = {}) =>
  newSession(institute, groupId, { ...at(start, end), ...fields })
/** A conflict from 14:30 to 15:30 of that day, unless overridden. */
const conflict = (sessionId: string, otherSessionId: string, kind: string, from = '14:30', to = '15:30') => ({
  sessionId,
  otherSessionId,
  kind,
  from: `2026-03-05T${from}:00.000Z`,
  to: `2026-03-05T${to}:00.000Z`,
})
const conflictsOf = async (query = '', client = owner): Promise<Record<string, string>[]> => {
  const { status, body } = await client.get(`/schedule-conflicts${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(Object.keys(body)).toEqual(['data', 'nextCursor'])
  return body.data
}
const conflictCount = ({ status, headers, body }: Reply): string | null => {
  expect([200, 201], JSON.stringify(body)).toContain(status)
  return headers.get('x-schedule-conflicts')
}

/** Two groups with a session each, from 14:00 to 15:30 and from 14:30 to 16:00. */
const twoSessions = async (first: object, second: object, [firstFields, secondFields]: [object?, object?] = []) => {
  const groups = [await newGroup(institute, { ...first }), await newGroup(institute, { ...second })] as const
  const a = await session(groups[0], '14:00', '15:30', firstFields)
  const b = await session(groups[1], '14:30', '16:00', secondFields)
  return { a, b, groups }
}
const hold = async (sessionId: string, groupId: string): Promise<void> => {
  const entries = [{ studentId: await newPupil(institute, groupId), status: 'present' }]
  expect((await takeAttendance(app, owner, sessionId, { entries })).status).toBe(200)
}

describe('GET /schedule-conflicts', () => {
  test('reports a group’s teacher who is booked twice, and the time of the overlap', async () => {
    const teacherStaffId = await newStaff(institute)
    const { a, b } = await twoSessions({ teacherStaffId }, { teacherStaffId })
    await twoSessions({ teacherStaffId: await newStaff(institute) }, { teacherStaffId: await newStaff(institute) })
    await twoSessions({}, {})
    expect(await conflictsOf()).toEqual([conflict(a, b, 'teacher')])
  })

  test('a substitute is booked instead of the group’s teacher', async () => {
    const [teacher, substitute] = [await newStaff(institute), await newStaff(institute)]
    const group = { teacherStaffId: teacher }
    await twoSessions(group, group, [{ teacherStaffId: substitute }])
    expect(await conflictsOf()).toEqual([])
    const { a, b } = await twoSessions({ teacherStaffId: await newStaff(institute) }, {}, [
      { teacherStaffId: substitute },
      { teacherStaffId: substitute },
    ])
    const rows = await conflictsOf()
    expect(rows).toContainEqual(conflict(a, b, 'teacher'))
    // The substitute also gives the session of the first pair.
    expect(rows).toHaveLength(3)
  })

  test('for a held session, the person who gave it is booked', async () => {
    const [first, second] = [await newStaff(institute), await newStaff(institute)]
    const { a, b, groups } = await twoSessions({ teacherStaffId: first }, { teacherStaffId: second })
    await hold(a, groups[0])
    expect(await conflictsOf()).toEqual([])
    await owner.patch(`/groups/${groups[0]}`, { teacherStaffId: second })
    expect(await conflictsOf()).toEqual([])
    await owner.patch(`/sessions/${a}`, { teacherStaffId: second })
    await owner.patch(`/groups/${groups[0]}`, { teacherStaffId: null })
    expect(await conflictsOf()).toEqual([conflict(a, b, 'teacher')])
  })

  test('spellings of a room are one room, within its branch; an empty room is none', async () => {
    const { a, b } = await twoSessions({ room: ' Salle  Été ' }, { room: 'salle été' })
    await twoSessions({ room: 'Room 2' }, { room: 'Room 3' })
    await twoSessions({}, { room: '' })
    const south = (await owner.post('/branches', { name: 'South' })).body.id
    await twoSessions({ room: 'Room 4' }, { room: 'Room 4', branchId: south })
    expect(await conflictsOf()).toEqual([conflict(a, b, 'room')])
  })

  test('a student is booked by the groups of active enrollments, and each pair of groups gives one row', async () => {
    const { a, b, groups } = await twoSessions({}, {})
    const studentId = await newPupil(institute, groups[0])
    const [other, gone] = [await newPupil(institute, groups[0]), await newPupil(institute, groups[0])]
    const enroll = async (student: string): Promise<string> =>
      (await owner.post('/enrollments', { studentId: student, groupId: groups[1] })).body.id
    const [enrollment] = [await enroll(studentId), await enroll(other)]
    await owner.post(`/students/${gone}/status`, { status: 'withdrawn' })
    expect(await conflictsOf()).toEqual([conflict(a, b, 'student')])
    await owner.post(`/students/${other}/status`, { status: 'withdrawn' })
    await owner.post(`/enrollments/${enrollment}/drop`, {})
    expect(await conflictsOf()).toEqual([])
  })

  test('two sessions of one group book its teacher, room and students twice', async () => {
    const groupId = await newGroup(institute, { teacherStaffId: await newStaff(institute), room: 'A' })
    await newPupil(institute, groupId)
    const a = await session(groupId, '14:00', '15:30')
    const b = await session(groupId, '14:30', '16:00')
    expect(await conflictsOf()).toEqual(['room', 'student', 'teacher'].map((kind) => conflict(a, b, kind)))
    const empty = await newGroup(institute)
    await session(empty, '14:00', '15:30')
    await session(empty, '14:30', '16:00')
    expect(await conflictsOf()).toHaveLength(3)
  })

  test('sessions that touch do not overlap, one within another does', async () => {
    const groups = [await newGroup(institute, { room: 'A' }), await newGroup(institute, { room: 'A' })] as const
    const long = await session(groups[0], '10:00', '14:00')
    await session(groups[1], '14:00', '15:00')
    await session(groups[1], '09:00', '10:00')
    expect(await conflictsOf()).toEqual([])
    const short = await session(groups[1], '11:00', '12:00')
    expect(await conflictsOf()).toEqual([conflict(long, short, 'room', '11:00', '12:00')])
  })

  test('a cancelled session books nothing', async () => {
    const { b } = await twoSessions({ room: 'A' }, { room: 'A' })
    expect(await conflictsOf()).toHaveLength(1)
    await owner.patch(`/sessions/${b}`, { status: 'cancelled', reason: 'Snow' })
    expect(await conflictsOf()).toEqual([])
  })

  test('a session of several days books each of them', async () => {
    const groups = [await newGroup(institute, { room: 'A' }), await newGroup(institute, { room: 'A' })] as const
    const camp = { scheduledStart: '2026-02-01T08:00:00.000Z', scheduledEnd: '2026-03-05T15:30:00.000Z' }
    const a = await newSession(institute, groups[0], camp)
    const b = await session(groups[1], '14:30', '16:00')
    expect(await conflictsOf()).toEqual([conflict(a, b, 'room')])
    expect(conflictCount(await owner.patch(`/sessions/${b}`, { topic: 'Verbs' }))).toBe('1')
    expect(conflictCount(await owner.patch(`/groups/${groups[0]}`, { name: 'Camp' }))).toBe('1')
    await owner.patch(`/sessions/${a}`, { scheduledEnd: '2026-02-01T09:00:00.000Z' })
    expect(await conflictsOf()).toEqual([])
    await owner.patch(`/sessions/${a}`, { scheduledEnd: '2026-03-05T15:30:00.000Z' })
    expect(await conflictsOf()).toEqual([conflict(a, b, 'room')])
  })

  test('contains nothing of another institute', async () => {
    const other = await makeInstitute(app)
    const groupId = await newGroup(other, { room: 'A' })
    await newSession(other, groupId, at('14:00', '15:30'))
    await newSession(other, groupId, at('14:00', '15:30'))
    const { a, b } = await twoSessions({ room: 'A' }, { room: 'A' })
    expect(await conflictsOf()).toEqual([conflict(a, b, 'room')])
    expect(await conflictsOf('', other.owner)).toHaveLength(1)
  })

  test('needs groups.read', async () => {
    const refused = await institute.member({ permissions: ['students.read'] })
    expect(await refused.get('/schedule-conflicts')).toMatchObject({ status: 403 })
    const taken = await institute.member({ permissions: ['groups.write'] })
    expect(await conflictsOf('', taken)).toEqual([])
  })

  test('a caller who reaches one of the two sessions sees nothing of the other', async () => {
    const south = (await owner.post('/branches', { name: 'South' })).body.id
    const me = await institute.member({ role: 'teacher' })
    const [mine, theirs] = [await newStaff(institute, { userId: me.userId }), await newStaff(institute)]
    const across = await twoSessions({ teacherStaffId: theirs }, { teacherStaffId: theirs, branchId: south })
    const within = await twoSessions({ room: 'A', branchId: south }, { room: 'A', branchId: south })
    const taught = await twoSessions({ teacherStaffId: mine, room: 'B' }, { room: 'B' })
    const [manager, managerOfMain] = [
      await institute.member({ role: 'branch_manager', branchId: south }),
      await institute.member({ role: 'branch_manager', branchId: institute.branchId }),
    ]
    expect(await conflictsOf()).toHaveLength(3)
    expect(await conflictsOf('', manager)).toEqual([conflict(within.a, within.b, 'room')])
    expect(await conflictsOf('', managerOfMain)).toEqual([conflict(taught.a, taught.b, 'room')])
    expect(await conflictsOf('', me)).toEqual([])
    await owner.patch(`/groups/${taught.groups[1]}`, { teacherStaffId: mine })
    expect(await conflictsOf('', me)).toEqual(['room', 'teacher'].map((kind) => conflict(taught.a, taught.b, kind)))
    // Nor is it counted.
    expect(conflictCount(await manager.patch(`/sessions/${across.b}`, { topic: 'Verbs' }))).toBe('0')
    expect(conflictCount(await manager.patch(`/groups/${within.groups[0]}`, { name: 'New' }))).toBe('1')
    expect(conflictCount(await owner.patch(`/sessions/${across.b}`, { topic: 'Verbs' }))).toBe('1')
  })
})

describe('the requested time', () => {
  test('is by default from the beginning of today through the day 56 days later, in the institute’s time zone', async () => {
    const groups = [await newGroup(institute, { room: 'A' }), await newGroup(institute, { room: 'A' })]
    // The clocks have gone forward by April.
    const begins = [
      '2026-03-01T21:59:59.999Z',
      '2026-03-01T22:00:00.000Z',
      '2026-04-27T20:59:59.999Z',
      '2026-04-27T21:00:00.000Z',
    ]
    for (const scheduledStart of begins) {
      const scheduledEnd = new Date(Date.parse(scheduledStart) + 1).toISOString()
      for (const groupId of groups) await newSession(institute, groupId, { scheduledStart, scheduledEnd })
    }
    expect((await conflictsOf()).map(({ from }) => from)).toEqual(begins.slice(1, 3))
    expect((await conflictsOf(`?from=${begins[0]}`)).map(({ from }) => from)).toEqual(begins.slice(0, 2))
    expect(await conflictsOf(`?to=${begins[3]}`)).toHaveLength(3)
  })

  test('includes both ends, and is compared with the beginning of the conflict', async () => {
    const query = (from: string, to: string) => `?from=2026-03-05T${from}:00Z&to=2026-03-05T${to}:00Z`
    const { a, b } = await twoSessions({ room: 'A' }, { room: 'A' })
    for (const [from, to] of [
      ['14:30', '14:30'],
      ['14:00', '14:30'],
      ['14:30', '16:00'],
    ] as const) {
      expect(await conflictsOf(query(from, to)), `${from} ${to}`).toEqual([conflict(a, b, 'room')])
    }
    expect(await conflictsOf(query('14:31', '15:30'))).toEqual([])
    expect(await conflictsOf(query('14:00', '14:29'))).toEqual([])
  })

  test.each([
    ['ends before it begins', '?from=2026-03-05T00:00:00Z&to=2026-03-04T00:00:00Z', 'to'],
    ['ends before today', '?to=2026-03-01T00:00:00Z', 'to'],
    ['is longer than 100 days', '?from=2026-01-01T00:00:00Z&to=2026-04-11T00:00:00.001Z', 'to'],
    ['is no time', '?from=yesterday', 'from'],
  ])('is refused when it %s', async (_, query, field) => {
    expect(await owner.get(`/schedule-conflicts${query}`)).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: [field] }] } } },
    })
  })

  test.each([
    ['100 days', '?from=2026-01-01T00:00:00Z&to=2026-04-11T00:00:00Z'],
    ['the first of all times', '?from=1900-01-01T00:00:00Z'],
    ['the last', '?from=2200-12-31T23:00:00Z'],
  ])('may be %s', async (_, query) => {
    expect(await conflictsOf(query)).toEqual([])
  })
})

/** A small random generator with a seed, so that a failure can be repeated. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('many sessions: each pair once for each kind, in order of time, the same on every page size', async () => {
  const pick = numbers(7)
  const staff = [null, await newStaff(institute), await newStaff(institute)]
  const rooms = [null, 'One', ' ONE', 'Two']
  const groups: { id: string; teacher: string | null; room: string | null; students: string[] }[] = []
  const pupils: string[] = []
  for (let n = 0; n < 6; n += 1) {
    const [teacher, room] = [staff[pick(3)] ?? null, rooms[pick(4)] ?? null]
    const id = await newGroup(institute, { teacherStaffId: teacher, room })
    const students = n % 2 === 0 ? [await newPupil(institute, id)] : []
    pupils.push(...students)
    if (n % 3 === 1) {
      await owner.post('/enrollments', { studentId: pupils[0], groupId: id })
      students.push(pupils[0] as string)
    }
    groups.push({ id, teacher, room: room?.trim().toLowerCase() ?? null, students })
  }
  const sessions: { id: string; group: (typeof groups)[number]; teacher: string | null; start: string; end: string }[] =
    []
  for (let n = 0; n < 40; n += 1) {
    const group = groups[pick(6)] as (typeof groups)[number]
    const start = Date.parse('2026-03-05T08:00:00.000Z') + pick(20) * 1_800_000
    const [scheduledStart, scheduledEnd] = [start, start + (1 + pick(4)) * 1_800_000].map((millis) =>
      new Date(millis).toISOString(),
    ) as [string, string]
    const substitute = pick(4) === 0 ? (staff[1] as string) : undefined
    const id = await newSession(institute, group.id, { scheduledStart, scheduledEnd, teacherStaffId: substitute })
    sessions.push({ id, group, teacher: substitute ?? group.teacher, start: scheduledStart, end: scheduledEnd })
  }
  const expected = sessions.flatMap((later) =>
    sessions
      .filter((one) => one.start < later.start || (one.start === later.start && one.id < later.id))
      .filter((one) => one.end > later.start)
      .flatMap((earlier) => {
        const kinds = [
          earlier.group.room !== null && earlier.group.room === later.group.room && 'room',
          earlier.group.students.some((student) => later.group.students.includes(student)) && 'student',
          earlier.teacher !== null && earlier.teacher === later.teacher && 'teacher',
        ].filter((kind) => kind !== false)
        const to = earlier.end < later.end ? earlier.end : later.end
        return kinds.map((kind) => ({
          sessionId: earlier.id,
          otherSessionId: later.id,
          kind,
          from: later.start,
          to,
        }))
      }),
  )
  const place = (row: Record<string, string>) =>
    `${row['from']} ${row['otherSessionId']} ${row['sessionId']} ${row['kind']}`
  expected.sort((a, b) => (place(a) < place(b) ? -1 : 1))
  expect(expected.length).toBeGreaterThan(100)

  for (const limit of [1, 7, 100]) {
    const rows: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Reply = await owner.get(`/schedule-conflicts?limit=${limit}${cursor && `&cursor=${cursor}`}`)
      expect(page.body.data.length).toBeLessThanOrEqual(limit)
      rows.push(...page.body.data)
      cursor = page.body.nextCursor
    }
    expect(rows).toEqual(expected)
  }
  for (const { id } of sessions) {
    const own = expected.filter(({ sessionId, otherSessionId }) => sessionId === id || otherSessionId === id)
    expect(conflictCount(await owner.patch(`/sessions/${id}`, { notes: 'Counted' }))).toBe(String(own.length))
  }
  for (const group of groups) {
    const ids = new Set(sessions.filter((one) => one.group === group).map(({ id }) => id))
    const own = expected.filter(({ sessionId, otherSessionId }) => ids.has(sessionId) || ids.has(otherSessionId))
    expect(conflictCount(await owner.patch(`/groups/${group.id}`, { capacity: 9 }))).toBe(String(own.length))
  }
})
