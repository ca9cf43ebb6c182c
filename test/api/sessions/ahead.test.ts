import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepAheadJob } from '#modules/sessions/sweep-ahead.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { newGroup } from '../examples/sessions.ts'

/** A group without a last day goes on meeting, though nobody makes its lessons. */

const DAY = 24 * 3600

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  // Sunday 2026-11-15, ten in the morning in Jerusalem.
  app = await startApp({ now: '2026-11-15T08:00:00.000Z', config: LONG_TOKENS })
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const sweep = async (): Promise<void> => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(sweepAheadJob, {}),
  )
  await app.drain()
}

const mondays = [{ weekday: 1, startTime: '16:00', endTime: '17:00', validFrom: '2026-11-01', validTo: null }]

const meeting = async (fields: Record<string, unknown>): Promise<string> => {
  const id = await newGroup(school, fields)
  expect((await school.owner.put(`/groups/${id}/schedules`, { schedules: mondays })).status).toBe(200)
  return id
}

const daysOf = async (groupId: string): Promise<string[]> => {
  const { data } = (await school.owner.get(`/groups/${groupId}/sessions?limit=100`)).body
  return data
    .filter(({ status }: { status: string }) => status === 'scheduled')
    .map(({ scheduledStart }: { scheduledStart: string }) => scheduledStart.slice(0, 10))
}

test('lessons are added behind the last one, within the dates of the group and on open days, each once', async () => {
  const endless = await meeting({})
  const ends = await meeting({ endsOn: '2027-01-20' })
  const over = await meeting({})
  expect((await school.owner.patch(`/groups/${over}`, { status: 'completed' })).status).toBe(200)
  const notYet = await meeting({ startsOn: '2027-02-01' })
  expect(await daysOf(notYet)).toEqual([])
  const before = await daysOf(endless)
  expect(before.at(-1)).toBe('2027-01-04')
  const [first] = (await school.owner.get(`/groups/${endless}/sessions?limit=1`)).body.data
  expect((await school.owner.patch(`/sessions/${first.id}`, { status: 'cancelled', reason: 'Rain' })).status).toBe(200)
  const closed = { name: 'Closed', from: '2027-01-18', to: '2027-01-18' }
  expect((await school.owner.post('/closures', closed)).status).toBe(201)

  await sweep()
  expect(await daysOf(endless)).toEqual(before.slice(1))

  app.clock.advance(21 * DAY)
  await sweep()
  await sweep()
  const added = ['2027-01-11', '2027-01-25']
  expect(await daysOf(endless)).toEqual([...before.slice(1), ...added])
  expect(await daysOf(ends)).toEqual([...before, '2027-01-11'])
  expect(await daysOf(over)).toEqual([])
  expect(await daysOf(notYet)).toEqual([])

  app.clock.advance(7 * DAY)
  await sweep()
  expect(await daysOf(endless)).toEqual([...before.slice(1), ...added, '2027-02-01'])
  expect(await daysOf(notYet)).toEqual(['2027-02-01'])
})
