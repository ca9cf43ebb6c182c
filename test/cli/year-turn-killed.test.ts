import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSqlite } from '#db/database.ts'
import { client, type Client } from '#kit/client.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { newGroup, newPupil } from '../api/examples/sessions.ts'
import { startProgram } from './institute.ts'
import { persistentClient } from './persistent-client.ts'

/**
 * The program is killed with SIGKILL while a school turns its year: groups go on, students that were written down twice
 * become one, and the school closes for a week. Each of it is done once, and whole.
 */

/** More lessons lie in the week, and more students go on, than one step of the work that follows takes. */
const GROUPS = 14
const PUPILS = 8
const KILLS = { atLeast: 3, unanswered: 9 }
const REQUESTS_BETWEEN = 2
const MOMENT_MILLIS = 60
/** Between two kills while what follows is done. */
const LIFE_MILLIS = 400

const DAY_MILLIS = 86_400_000
const dayIn = (days: number): string =>
  new Date(Date.now() + days * DAY_MILLIS).toISOString().slice(0, 'YYYY-MM-DD'.length)

const WEEKLY = [0, 1, 2, 3, 4, 5].map((weekday) => ({
  weekday,
  startTime: '16:00',
  endTime: '17:00',
  validFrom: dayIn(0),
  validTo: null,
}))
const CLOSED = { from: dayIn(3), to: dayIn(9) }
const NEXT = { startsOn: dayIn(30), endsOn: dayIn(300) }

interface School {
  owner: Client
  branchId: string
  groupIds: string[]
  /** The same person twice: whose record stays, and the other. */
  twins: [string, string][]
}

const beginSchool = async (owner: Client): Promise<School> => {
  const branchId = (await owner.get('/branches')).body[0].id
  const place = { owner, branchId }
  const groupIds: string[] = []
  const twins: [string, string][] = []
  let former: string | undefined
  for (let nth = 0; nth < GROUPS; nth += 1) {
    const groupId = await newGroup(place, { startsOn: dayIn(0), endsOn: dayIn(20) })
    const { status } = await owner.put(`/groups/${groupId}/schedules`, { schedules: WEEKLY })
    expect(status).toBe(200)
    groupIds.push(groupId)
    const pupils: string[] = []
    for (let pupil = 0; pupil < PUPILS; pupil += 1) pupils.push(await newPupil(place, groupId))
    if (former !== undefined) twins.push([former, pupils[0] as string])
    former = pupils[1]
  }
  return { ...place, groupIds, twins }
}

const all = async (owner: Client, address: string) => {
  const rows = []
  let cursor = ''
  do {
    const { body } = await owner.get(`${address}${address.includes('?') ? '&' : '?'}limit=100${cursor}`)
    rows.push(...body.data)
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
  } while (cursor !== '')
  return rows
}

test('a year is turned once, however often the program is killed', { timeout: 180_000 }, async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-year-'))
  let program = await startProgram(dataDir)
  const { body } = await client(program.url as string).post('/setup/bootstrap', newSetup(setupTokenIn(dataDir)))
  const owner = persistentClient(() => program.url as string, body.accessToken)
  const { groupIds, twins } = await beginSchool(owner)

  const turning = Promise.all([
    owner.post('/groups/rollover', { ...NEXT, groupIds }),
    owner.post('/closures', { name: 'Holidays', ...CLOSED }),
    (async () => {
      for (const [id, otherId] of twins) {
        expect((await owner.post(`/students/${id}/merge`, { otherId })).status).toBe(200)
      }
    })(),
  ])
  const over = turning.then(() => 'over' as const)
  const kill = async (): Promise<void> => {
    await program.stop('SIGKILL')
    program = await startProgram(dataDir)
  }
  let kills = 0
  while ((await Promise.race([over, owner.afterRequests(REQUESTS_BETWEEN)])) !== 'over' && kills < KILLS.unanswered) {
    await pause(Math.random() * MOMENT_MILLIS)
    await kill()
    kills += 1
  }
  const [rolledOver, closed] = await turning
  expect([rolledOver.status, closed.status]).toEqual([201, 201])
  for (let nth = 0; nth < KILLS.atLeast; nth += 1) {
    await pause(Math.random() * LIFE_MILLIS)
    await kill()
  }

  const nextIds: string[] = rolledOver.body.groups.map(({ newGroupId }: { newGroupId: string }) => newGroupId)
  const placesIn = (groupId: string) => all(owner, `/groups/${groupId}/enrollments`)
  await expect
    .poll(async () => (await Promise.all(nextIds.map(placesIn))).map((places) => places.length), { timeout: 60_000 })
    .toEqual(Array.from({ length: GROUPS }, () => PUPILS))
  const lessonsIn = (groupId: string) =>
    all(owner, `/groups/${groupId}/sessions?from=${CLOSED.from}T00:00:00.000Z&to=${CLOSED.to}T23:00:00.000Z`)
  await expect
    .poll(
      async () =>
        (await Promise.all(groupIds.map(lessonsIn))).flatMap((lessons) =>
          lessons.filter(({ status }: { status: string }) => status !== 'cancelled'),
        ),
      { timeout: 60_000 },
    )
    .toEqual([])

  expect(await all(owner, '/groups')).toHaveLength(2 * GROUPS)
  expect(await owner.post('/groups/rollover', { ...NEXT, groupIds })).toMatchObject({ status: 409 })
  for (const [id, otherId] of twins) {
    expect((await owner.get(`/students/${id}`)).status).toBe(200)
    expect((await owner.get(`/students/${otherId}`)).body.error.details).toMatchObject({ mergedInto: id })
  }
  await program.stop('SIGTERM')
  const { read, close } = openSqlite(path.join(dataDir, 'institute.db'))
  try {
    const places = await read.selectFrom('enrollment').select(['student_id', 'group_id']).execute()
    const named = places.map(({ student_id: studentId, group_id: groupId }) => `${studentId} ${groupId}`)
    expect([named.length, new Set(named).size]).toEqual([2 * GROUPS * PUPILS, 2 * GROUPS * PUPILS])
    const lessons = await read.selectFrom('session').select(['group_id', 'scheduled_start']).execute()
    const starts = lessons.map(({ group_id: groupId, scheduled_start: start }) => `${groupId} ${start}`)
    expect(new Set(starts).size).toBe(starts.length)
    const events = await read.selectFrom('event').select('body').where('type', '=', 'enrollment.created').execute()
    const told = events.map((row) => JSON.parse(row.body).data.enrollmentId)
    expect([told.length, new Set(told).size]).toEqual([2 * GROUPS * PUPILS, 2 * GROUPS * PUPILS])
  } finally {
    await close()
  }
})
