import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { chance, oneOf } from './by-chance.ts'
import { create, newGroup } from '../examples/sessions.ts'

/**
 * A small school by chance, and each report a second time from what was done to it: without a database, by the sentences of
 * the reports alone.
 */

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-31T08:00:00.000Z')
  school = await makeInstitute(app, { features: { advanced_reports: true } })
  world = worldOf(app, school)
})

const report = async (path: string, client = school.owner) => {
  const { status, body } = await client.get(`/reports/${path}`)
  expect([status, body]).toMatchObject([200, {}])
  return body
}
const newStudents = async (count: number): Promise<string[]> => {
  const ids = []
  for (let n = 0; n < count; n += 1) {
    ids.push(await create(world, '/students', { branchId: school.branchId, firstName: `Name ${n}`, lastName: 'Levi' }))
  }
  return ids
}
const enroll = (studentId: string, groupId: string, enrolledAt: string) =>
  create(world, '/enrollments', { studentId, groupId, enrolledAt })

test('comes to who joined and left', async () => {
  const next = chance(5)
  const groups = [await newGroup(world, { capacity: 9 }), await newGroup(world)]
  const moves: { groupId: string; from: string; to: string | null }[] = []
  for (const studentId of await newStudents(8)) {
    const groupId = oneOf(next, groups)
    const from = `2026-0${1 + next(2)}-0${1 + next(8)}`
    const id = await enroll(studentId, groupId, from)
    const to = next(2) === 0 ? `2026-0${2 + next(2)}-2${next(8)}` : null
    if (to !== null) {
      const dropped = await school.owner.post(`/enrollments/${id}/drop`, { reason: 'Moved away', endedAt: to })
      expect(dropped.status).toBe(200)
    }
    moves.push({ groupId, from, to })
  }
  const figures = (is: (move: (typeof moves)[number]) => boolean, month: string) => {
    const some = moves.filter(is)
    const enrolled = some.filter(({ from, to }) => from.slice(0, 7) <= month && (to === null || to.slice(0, 7) > month))
    return {
      joined: some.filter(({ from }) => from.startsWith(month)).length,
      left: some.filter(({ to }) => to?.startsWith(month)).length,
      enrolled: enrolled.length,
    }
  }
  for (const row of (await report('enrollment?by=month&from=2026-01-01')).data) {
    expect(row).toMatchObject(figures(() => true, row.month))
  }
  const both = await report('enrollment?by=month_group&from=2026-02-01')
  for (const row of both.data) {
    expect(row).toMatchObject(figures((move) => move.groupId === row.groupId, row.month))
    expect(row.seats).toBe(row.groupId === groups[0] ? 9 : null)
  }
  // Each figure opens those behind it.
  const behind = async (query: string) => {
    const { data, count } = await report(`enrollment/moves?limit=100&${query}`)
    expect(data).toHaveLength(count)
    return data
  }
  for (const { month, groupId, ...row } of both.data) {
    const [from, to] = [`${month}-01`, { '2026-02': '2026-02-28', '2026-03': '2026-03-31' }[month as string]]
    for (const what of ['joined', 'left', 'enrolled']) {
      const listed = await behind(`what=${what}&from=${from}&to=${to}&groupId=${groupId}`)
      expect([month, what, listed.length]).toEqual([month, what, row[what]])
      expect(listed.every((one: { groupId: string }) => one.groupId === groupId)).toBe(true)
    }
  }
  const everybody = await behind('what=joined&from=2026-01-01')
  const times = everybody.map((one: { enrolledAt: string }) => one.enrolledAt)
  expect([times.length, times]).toEqual([moves.length, times.toSorted()])
  expect(everybody[0].studentName).toMatch(/^Name \d Levi$/)
  const one = await report(`enrollment?by=group&from=2026-01-01&groupId=${groups[0]}`)
  const own = moves.filter((move) => move.groupId === groups[0])
  expect(one.data).toMatchObject([
    {
      joined: own.length,
      left: own.filter(({ to }) => to !== null).length,
      enrolled: own.filter(({ to }) => to === null).length,
    },
  ])
})

test('a time that is turned round or too long is refused, and a page goes on where the last one ended', async () => {
  for (const path of ['attendance', 'income', 'enrollment', 'staff-hours']) {
    expect((await school.owner.get(`/reports/${path}?from=2026-03-02&to=2026-03-01`)).status).toBe(422)
    expect((await school.owner.get(`/reports/${path}?from=2020-03-02&to=2026-03-01`)).status).toBe(422)
  }
  const groupId = await newGroup(world)
  const other = await newGroup(world)
  for (const studentId of await newStudents(2)) {
    await enroll(studentId, groupId, '2026-03-01')
    await enroll(studentId, other, '2026-03-02')
  }
  const first = await report('enrollment?by=group&limit=1')
  const second = await report(`enrollment?by=group&limit=1&cursor=${first.nextCursor}`)
  expect([first, second].map(({ data }) => data[0].groupId).toSorted()).toEqual([groupId, other].toSorted())
  expect(second.nextCursor).toBeNull()
  const csv = await school.owner.get('/reports/enrollment?by=group&format=csv')
  expect(csv.status).toBe(200)
})
