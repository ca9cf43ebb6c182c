import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** On SQLite a transaction blocks every other writer: rows that exist already are not written again. */

let app: TestApp
let institute: TestInstitute
let groupId: string
const ran: string[] = []

beforeAll(async () => {
  app = await startApp({ queryLog: ({ query }) => ran.push(query.sql) })
  institute = await makeInstitute(app)
  const { owner, branchId } = institute
  const category = await owner.post('/course-categories', { name: 'Languages', slug: 'languages' })
  const course = await owner.post('/courses', { categoryId: category.body.id, name: 'English' })
  groupId = (await owner.post('/groups', { courseId: course.body.id, branchId, name: 'Daily' })).body.id as string
})
afterAll(() => app.close())

const hour = (value: number): string => String(value).padStart(2, '0')
/** Five lessons of so many minutes on every weekday, each starting so many minutes after the hour. */
const rules = (minute: number, length = 30) =>
  Array.from({ length: 35 }, (_, index) => {
    const at = hour(8 + Math.floor(index / 7))
    return {
      weekday: index % 7,
      startTime: `${at}:${hour(minute)}`,
      endTime: `${at}:${hour(minute + length)}`,
      validFrom: '2026-01-01',
    }
  })

const written = async <T extends { status: number }>(work: () => Promise<T>) => {
  ran.length = 0
  const reply = await work()
  const changes = ran.filter((sql) => /^(insert into|update|delete from) "session"/.test(sql))
  return { ...reply, changes }
}
const put = (schedules: object[]) => written(() => institute.owner.put(`/groups/${groupId}/schedules`, { schedules }))
const generate = (until: string) =>
  written(() => institute.owner.post(`/groups/${groupId}/sessions/generate`, { until }))

const count = async (): Promise<number> => {
  const rows = await app.app.database.read.selectFrom('session').select('id').where('group_id', '=', groupId).execute()
  return rows.length
}

test('sessions are inserted a hundred at a time, and existing ones are not sent again', async () => {
  await put(rules(0))
  const { status, body, changes } = await generate('2026-08-14')
  // Those of this morning at 8 and 9 o'clock were over when the times were set: who asks for sessions gets them too.
  expect([status, body]).toEqual([201, { created: 166 * 5 - (57 * 5 - 2), total: 166 * 5 }])
  expect(changes.length).toBeLessThan(45)
  expect(await count()).toBe(166 * 5)
  const again = await generate('2026-08-14')
  expect(again.body).toEqual({ created: 0, total: 166 * 5 })
  expect(again.changes).toEqual([])
})

test('an unchanged schedule writes no session; a different one replaces the first', async () => {
  const total = await count()
  expect((await put(rules(0))).changes).toEqual([])
  const moved = await put(rules(5))
  expect(moved.status).toBe(200)
  expect(moved.changes.length).toBeLessThan(50)
  // Those of this morning at 8, 9 and 10 o'clock have begun, and stay; at hours that are over none is made.
  expect(await count()).toBe(total + 1)
  const kept = await app.app.database.read
    .selectFrom('session')
    .select('occurrence_slot')
    .distinct()
    .where('group_id', '=', groupId)
    .where('occurrence_date', '>', '2026-03-02')
    .execute()
  expect(kept.map(({ occurrence_slot: slot }) => slot?.slice(3))).toEqual(Array(5).fill('05'))
})

test('more than 850 sessions are refused, and nothing changes', async () => {
  const total = await count()
  const asked = await generate('2026-12-31')
  expect(asked).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['until'] }] } } } })
  const more = rules(0, 5).flatMap((rule) => [
    rule,
    { ...rule, startTime: `${rule.startTime.slice(0, 3)}10`, endTime: `${rule.startTime.slice(0, 3)}15` },
  ])
  const set = await put(more.slice(0, 100))
  expect(set).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['schedules'] }] } } } })
  expect(await count()).toBe(total)
  expect((await institute.owner.get(`/groups/${groupId}/schedules`)).body).toHaveLength(35)
})
