import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
})
afterAll(() => app.close())

const monday = { weekday: 1, startTime: '16:00', endTime: '17:30', validFrom: '2026-03-01', validTo: null }

let studentId: string

const inUtc = async (): Promise<string> => {
  institute = await makeInstitute(app, { timezone: 'UTC' })
  owner = institute.owner
  const groupId = await newGroup(institute)
  studentId = await newPupil(institute, groupId)
  await owner.put(`/groups/${groupId}/schedules`, { schedules: [monday] })
  return groupId
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
const sessionsOf = async (groupId: string, client = owner): Promise<any[]> =>
  (await client.get(`/groups/${groupId}/sessions?limit=100`)).body.data

test('weekly times of 16:00 stand at 16:00 when the zone is set right later; what people moved and added stays', async () => {
  const groupId = await inUtc()
  const [first, moved, back] = await sessionsOf(groupId)
  expect(first).toMatchObject({ scheduledStart: '2026-03-02T16:00:00.000Z' })
  const times = { scheduledStart: '2026-03-10T08:00:00.000Z', scheduledEnd: '2026-03-10T09:00:00.000Z' }
  await owner.patch(`/sessions/${moved.id}`, times)
  // Moved away and back, it stands where the weekly times put it.
  await owner.patch(`/sessions/${back.id}`, times)
  const { scheduledStart, scheduledEnd } = back
  await owner.patch(`/sessions/${back.id}`, { scheduledStart, scheduledEnd })
  const oneOff = await newSession(institute, groupId)
  await app.drain()
  app.mails.length = 0
  const changed = await owner.patch('/settings', { timezone: 'Asia/Jerusalem' })
  expect(changed).toMatchObject({ status: 200, body: { timezone: 'Asia/Jerusalem', movedSessions: 8 } })
  expect((await auditOf(app, institute, 'settings.update')).at(-1)).toMatchObject({ metadata: { movedSessions: 8 } })
  const after = new Map((await sessionsOf(groupId)).map((session) => [session.id, session]))
  expect(after.get(first.id)).toMatchObject({
    scheduledStart: '2026-03-02T14:00:00.000Z',
    scheduledEnd: '2026-03-02T15:30:00.000Z',
  })
  expect(after.get(back.id)).toMatchObject({ scheduledStart: '2026-03-16T14:00:00.000Z' })
  expect(after.get(moved.id)).toMatchObject(times)
  expect(after.get(oneOff)).toMatchObject({ scheduledStart: '2026-03-02T14:00:00.000Z' })
  // The clocks of Jerusalem go forward on 27 March.
  expect([...after.values()].map((session) => session.scheduledStart)).toContain('2026-03-30T13:00:00.000Z')
  expect((await owner.post(`/groups/${groupId}/sessions/generate`)).body).toEqual({ created: 0, total: 9 })
  // For families nothing has changed: the hour is the one that they know.
  await app.drain()
  expect(app.mails).toEqual([])
  expect((await owner.patch('/settings', { invoiceDueDays: 20 })).body.movedSessions).toBeNull()
})

test('a held and a cancelled session follow too', async () => {
  const groupId = await inUtc()
  const [held, cancelled] = await sessionsOf(groupId)
  await owner.put(`/sessions/${held.id}/attendance`, { entries: [{ studentId, status: 'present' }] })
  await owner.patch(`/sessions/${cancelled.id}`, { status: 'cancelled', reason: 'Flu' })
  await owner.patch('/settings', { timezone: 'Asia/Jerusalem' })
  expect(await sessionsOf(groupId)).toMatchObject([
    { id: held.id, scheduledStart: '2026-03-02T14:00:00.000Z' },
    { id: cancelled.id, scheduledStart: '2026-03-09T14:00:00.000Z' },
    ...Array.from({ length: 7 }, () => ({})),
  ])
})

test('many sessions follow in slices, and the zone that was set last holds', async () => {
  await inUtc()
  const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ ...monday, weekday }))
  const groups: string[] = []
  for (let made = 0; made < 12; made += 1) {
    const groupId = await newGroup(institute)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: everyDay })
    groups.push(groupId)
  }
  const all = 12 * 57 + 9
  expect((await owner.patch('/settings', { timezone: 'Asia/Jerusalem' })).body.movedSessions).toBe(all)
  const misplaced = async (): Promise<number> => {
    const sessions = await Promise.all(groups.map((groupId) => sessionsOf(groupId)))
    return sessions.flat().filter(({ scheduledStart }) => scheduledStart.includes('T16:00')).length
  }
  expect(await misplaced()).toBeGreaterThan(100)
  await app.drain()
  expect(await misplaced()).toBe(0)
  // Back again while the first job still waits: what holds in the end is the zone that was set last.
  await owner.patch('/settings', { timezone: 'Asia/Dubai' })
  await owner.patch('/settings', { timezone: 'UTC' })
  await app.drain()
  expect(await misplaced()).toBe(12 * 57)
})

test('at the start with other rules of the zones the sessions follow them, and the audit says how many', async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
  const groupId = await newGroup(institute)
  await owner.put(`/groups/${groupId}/schedules`, { schedules: [monday] })
  const [first, second] = await sessionsOf(groupId)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const { whole } = unit.tenant(institute.tenant, 'all')
    // As an edition of the rules would put them that had no summer time yet.
    const former = { scheduled_start: '2026-03-02T15:00:00.000Z', scheduled_end: '2026-03-02T16:30:00.000Z' }
    await whole.updateTable('session').set(former).where('id', '=', first.id).execute()
    await whole.updateTable('tenant').set({ zone_rules: '2019a' }).execute()
  })
  const next = await startApp({
    database: async (dataDir) => {
      for (const name of ['institute.db', 'institute.db-wal', 'master-key']) {
        if (existsSync(path.join(app.dataDir, name))) cpSync(path.join(app.dataDir, name), path.join(dataDir, name))
      }
      return { url: app.app.config.databaseUrl, drop: async () => {} }
    },
  })
  try {
    await next.drain()
    const sessions = await sessionsOf(groupId, next.as(owner.credential))
    expect(sessions.slice(0, 2)).toMatchObject([
      { id: first.id, scheduledStart: '2026-03-02T14:00:00.000Z', scheduledEnd: '2026-03-02T15:30:00.000Z' },
      { id: second.id, scheduledStart: second.scheduledStart, updatedAt: second.updatedAt },
    ])
    const [entry, ...others] = await auditOf(next, institute, 'sessions.follow-zone')
    expect(entry).toMatchObject({ metadata: { movedSessions: 1, zoneRules: process.versions.tz } })
    expect(others).toEqual([])
  } finally {
    await next.close()
  }
})
