import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JobKind } from '#kernel/contract/module.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { CrashableProcess } from '#kit/crash.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { create, newGroup, newPupil } from '../examples/sessions.ts'

/**
 * A process crashes at every step of work that is done in slices, and of the request before it. The office sends the
 * request again, and another process goes on with the jobs: nothing is lost, and nothing is done twice.
 */

/** A process that died holds its jobs and its request so long. */
const FORGOTTEN_SECONDS = 61
/** With two lessons on each day, more than one slice changes. */
const GROUPS = 7
const DAYS = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-15', '2026-03-16', '2026-03-17']
const LESSONS = GROUPS * DAYS.length * 2

const worker = new CrashableProcess()
let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({ wrap: worker.wrap, config: LONG_TOKENS })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Monday, ten in the morning in Jerusalem.
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
})

/** Another process on the same database. */
const peer = (): Queue =>
  new Queue(app.app.runtime, {
    kinds: new Map<string, JobKind>(app.app.modules.flatMap(({ jobs = [] }) => jobs.map((kind) => [kind.name, kind]))),
    log: pino({ level: 'silent' }),
    isOnlyProcess: false,
  })

type Asked = [method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown]

/**
 * Lets the process crash after so many steps of a request and of what follows from it. Then the request is sent again, and
 * another process goes on.
 * @returns the reply in the end, and whether there was such a step
 */
const crashIn = async (steps: number, [method, path, body]: Asked) => {
  const request = {
    headers: { 'idempotency-key': [path, steps, ...Object.values(body ?? {})].join(' ') },
    ...(body !== undefined && { body }),
  }
  worker.crashAfter(steps)
  await owner.send(method, path, request).catch(() => {})
  await app.drain().catch(() => {})
  const hasCrashed = worker.restart()
  app.clock.advance(FORGOTTEN_SECONDS)
  const reply = await owner.send(method, path, request)
  expect(reply.status).toBeLessThan(300)
  await peer().drain()
  await peer().drain()
  return { reply: reply.body, hasCrashed }
}

const twiceADay = [0, 1, 2, 3, 4].flatMap((weekday) =>
  [
    ['16:00', '17:00'],
    ['18:00', '19:00'],
  ].map(([startTime, endTime]) => ({ weekday, startTime, endTime, validFrom: '2026-03-01', validTo: null })),
)

const newGroups = async (endsOn = '2026-03-18'): Promise<void> => {
  for (let made = 0; made < GROUPS; made += 1) {
    const groupId = await newGroup(institute, { endsOn })
    await owner.put(`/groups/${groupId}/schedules`, { schedules: twiceADay })
  }
}

/** All lessons of the days stand like this. */
const allAre = (state: string, hours: readonly string[]): Record<string, number> =>
  Object.fromEntries(hours.map((hour) => [`${state} ${hour}`, LESSONS / hours.length]))
const OPEN = allAre('scheduled open', ['14:00', '16:00'])

/** How the lessons of the days stand, each state once. */
const statesOf = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const day of DAYS) {
    const { data } = (await owner.get(`/sessions?from=${day}&to=${day}&limit=100`)).body
    for (const { status, closureId, scheduledStart } of data) {
      const state = `${status} ${closureId ?? 'open'} ${scheduledStart.slice(11, 16)}`
      counts[state] = (counts[state] ?? 0) + 1
    }
  }
  return counts
}

describe('a process that crashes at any step', { timeout: 300_000 }, () => {
  test('of closed days cancels each lesson once, and brings each back once', async () => {
    await newGroups()
    let steps = 0
    for (; ; steps += 1) {
      const before = (await eventsOf(app, institute, 'session.cancelled')).length
      const days = { name: `Snow ${steps}`, from: DAYS[0], to: DAYS.at(-1) }
      const closed = await crashIn(steps, ['POST', '/closures', days])
      expect(await statesOf()).toEqual(allAre(`cancelled ${closed.reply.id}`, ['14:00', '16:00']))
      expect((await owner.get('/closures?from=2026-03-01')).body.data).toHaveLength(1)
      const told = (await eventsOf(app, institute, 'session.cancelled')).slice(before)
      expect([told.length, new Set(told.map(({ sessionId }) => sessionId)).size]).toEqual([LESSONS, LESSONS])
      const opened = await crashIn(steps, ['DELETE', `/closures/${closed.reply.id}`])
      expect(await statesOf()).toEqual(OPEN)
      if (!closed.hasCrashed && !opened.hasCrashed) break
      app.clock.set('2026-03-02T08:00:00.000Z')
    }
    // The request, at least two slices and the end of each.
    expect(steps).toBeGreaterThan(6)
  })

  test('of a zone that is set right moves each lesson once, and the audit says it once', async () => {
    // More lessons than the request itself looks at.
    await newGroups('2026-04-27')
    for (let steps = 0; ; steps += 1) {
      const zone = steps % 2 === 0 ? 'UTC' : 'Asia/Jerusalem'
      const changed = await crashIn(steps, ['PATCH', '/settings', { timezone: zone }])
      expect(changed.reply.timezone).toBe(zone)
      expect(await statesOf()).toEqual(zone === 'UTC' ? allAre('scheduled open', ['16:00', '18:00']) : OPEN)
      expect(await auditOf(app, institute, 'settings.update')).toHaveLength(steps + 1)
      if (!changed.hasCrashed) break
    }
  })

  test('of a group that ends earlier, and later after all, removes each lesson once and makes it once', async () => {
    const [first, last] = ['2026-03-10', '2027-01-17']
    const groupId = await newGroup(institute, { endsOn: last })
    await owner.put(`/groups/${groupId}/schedules`, { schedules: twiceADay })
    await owner.post(`/groups/${groupId}/sessions/generate`, { until: last })
    const lessons = async (): Promise<string[]> => {
      const starts: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const path: string = `/groups/${groupId}/sessions?limit=100${cursor && `&cursor=${cursor}`}`
        const { data, nextCursor } = (await owner.get(path)).body
        starts.push(...data.map(({ scheduledStart }: { scheduledStart: string }) => scheduledStart))
        cursor = nextCursor
      }
      return starts
    }
    const all = await lessons()
    // A lesson a day and more, for a year.
    expect(all.length).toBeGreaterThan(400)
    for (let steps = 0; ; steps += 1) {
      const shorter = await crashIn(steps, ['PATCH', `/groups/${groupId}`, { endsOn: first }])
      expect(await lessons()).toEqual(all.filter((start) => start.slice(0, 10) <= first))
      const longer = await crashIn(steps, ['PATCH', `/groups/${groupId}`, { endsOn: last }])
      expect(await lessons()).toEqual(all)
      expect(await auditOf(app, institute, 'groups.update')).toHaveLength(2 * (steps + 1))
      if (!shorter.hasCrashed && !longer.hasCrashed) break
      app.clock.set('2026-03-02T08:00:00.000Z')
    }
  })

  test('of a merge has moved all of it once, or nothing', async () => {
    const groupId = await newGroup(institute)
    const person = { branchId: institute.branchId, firstName: 'Dana', lastName: 'Levi' }
    for (let steps = 0; ; steps += 1) {
      const id = await create(institute, '/students', person)
      const otherId = await newPupil(institute, groupId)
      const merged = await crashIn(steps, ['POST', `/students/${id}/merge`, { otherId }])
      const { data } = (await owner.get(`/students/${id}/enrollments`)).body
      expect(data).toMatchObject([{ groupId, status: 'active' }])
      expect((await owner.get(`/students/${otherId}`)).body.error.details).toMatchObject({ mergedInto: id })
      expect(await auditOf(app, institute, 'students.merge')).toHaveLength(2 * (steps + 1))
      if (!merged.hasCrashed) break
    }
  })
})
