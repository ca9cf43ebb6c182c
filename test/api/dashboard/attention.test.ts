import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { runSql } from '#kit/fill.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'
import { newLead } from '../examples/leads.ts'
import { newFailedMessage } from '../examples/notifications.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let world: World
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
  owner = institute.owner
})
afterAll(() => app.close())

const attention = async (client = owner, query = '') => {
  const reply = await client.get(`/dashboard/attention${query}`)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const at = (day: string, hour: string) => ({
  scheduledStart: `${day}T${hour}:00.000Z`,
  scheduledEnd: `${day}T${hour.slice(0, 3)}59:00.000Z`,
})
/** A group with one student, enrolled long ago. */
const oldGroup = async (place: Pick<World, 'owner' | 'branchId'> = institute, fields = {}) => {
  const groupId = await newGroup(place, fields)
  const studentId = await newPupil(place, groupId)
  await runSql(app, `update "enrollment" set enrolled_at = '2025-01-01T00:00:00.000Z' where group_id = '${groupId}'`)
  return { groupId, studentId }
}

describe('GET /dashboard/attention', () => {
  test('in a new institute says that nothing needs anybody', async () => {
    const fresh = await makeInstitute(app)
    const nothing = { count: 0, balance: { amountMinor: 0, currency: 'ILS' } }
    expect(await attention(fresh.owner)).toMatchObject({
      date: '2026-03-02',
      unmarkedSessions: { count: 0, latest: [] },
      invoicesDueToday: nothing,
      invoicesOverdue: nothing,
      newLeads: 0,
      failedMessages: 0,
      callsToMake: 0,
      setUp: { people: false, course: false, group: false, fees: false },
      license: { state: 'unlicensed' },
    })
  })

  test('names the sessions of past days without an entry, latest first', async () => {
    const { groupId, studentId } = await oldGroup()
    const add = (day: string, hour: string, group = groupId) => newSession(institute, group, at(day, hour))
    const month = await add('2026-01-31', '12:00')
    const yesterday = await add('2026-03-01', '12:00')
    await add('2026-01-30', '12:00')
    await add('2026-03-02', '06:00')
    const cancelled = await add('2026-02-20', '12:00')
    await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'Storm' })
    const marked = await add('2026-02-21', '12:00')
    const entries = [{ studentId, status: 'present' }]
    expect((await owner.put(`/sessions/${marked}/attendance`, { entries })).status).toBe(200)
    await add('2026-02-22', '12:00', await newGroup(institute))
    const { unmarkedSessions } = await attention()
    expect(unmarkedSessions.count).toBe(2)
    expect(unmarkedSessions.latest).toMatchObject([
      { sessionId: yesterday, groupId, rosterCount: 1, ...at('2026-03-01', '12:00') },
      { sessionId: month, rosterCount: 1 },
    ])
  })

  test('counts what is due today and what is overdue, and sums up the institute’s currency', async () => {
    const fresh = await makeInstitute(app)
    const place = worldOf(app, fresh)
    await issuedInvoice(place, { dueDate: '2026-03-02' })
    const part = await issuedInvoice(place, { dueDate: '2026-03-02' })
    const payment = { amountMinor: 5_000, currency: 'ILS', method: 'cash' }
    expect((await fresh.owner.post(`/invoices/${part.id}/payments`, payment)).status).toBe(201)
    await issuedInvoice(place, { dueDate: '2026-03-02', currency: 'USD' })
    await issuedInvoice(place, { dueDate: '2026-03-03' })
    await newInvoice(place, { dueDate: '2026-03-02' })
    const late = await issuedInvoice(place, { dueDate: '2026-03-01' })
    await runSql(app, `update "invoice" set status = 'overdue' where id = '${late.id}'`)
    expect(await attention(fresh.owner)).toMatchObject({
      invoicesDueToday: { count: 3, balance: { amountMinor: 85_000, currency: 'ILS' } },
      invoicesOverdue: { count: 1, balance: { amountMinor: 45_000, currency: 'ILS' } },
    })
  })

  test('counts leads that nobody has worked on, and messages that failed in the last seven days', async () => {
    const before = await attention()
    const id = await newLead(world)
    await newLead(world)
    await owner.patch(`/leads/${id}`, { status: 'contacted' })
    const message = await newFailedMessage(world)
    expect(await attention()).toMatchObject({ newLeads: before.newLeads + 1, failedMessages: before.failedMessages })
    await runSql(app, `update "notification" set status = 'failed' where id = '${message}'`)
    expect((await attention()).failedMessages).toBe(before.failedMessages + 1)
    await runSql(app, `update "notification" set created_at = '2026-02-23T07:59:59.000Z' where id = '${message}'`)
    expect((await attention()).failedMessages).toBe(before.failedMessages)
  })

  test('says when the last backup was made, to whoever manages the whole institute', async () => {
    const folder = path.join(app.dataDir, 'backups')
    const { backup } = await attention()
    if (engine === 'postgres') {
      // Backups of a Postgres database are made by others.
      expect(backup).toBeNull()
      return
    }
    expect(backup).toMatchObject({ state: 'warning', lastGoodAt: null, offServer: 'none' })
    mkdirSync(folder, { recursive: true })
    try {
      writeFileSync(path.join(folder, 'institute-2026-03-02T00-30-00-000Z.tar.gz'), 'kept')
      expect((await attention()).backup).toMatchObject({
        state: 'ok',
        lastGoodAt: '2026-03-02T00:30:00.000Z',
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('of a branch is what its manager reaches; a figure that somebody may not see is null', async () => {
    const { body: north } = await owner.post('/branches', { name: 'Attention north' })
    const place = { ...world, branchId: north.id }
    const manager = await institute.member({ role: 'branch_manager', branchId: north.id })
    const { groupId } = await oldGroup(place)
    const unmarked = await newSession(institute, groupId, at('2026-02-25', '12:00'))
    await issuedInvoice(place, { dueDate: '2026-03-02' })
    await newLead(place)
    expect(await attention(manager)).toMatchObject({
      unmarkedSessions: { count: 1, latest: [{ sessionId: unmarked }] },
      invoicesDueToday: { count: 1 },
      newLeads: 1,
      failedMessages: null,
      backup: null,
      license: null,
    })
    const message = await newFailedMessage(place)
    await runSql(app, `update "notification" set status = 'failed' where id = '${message}'`)
    expect(await attention(owner, `?branchId=${north.id}`)).toMatchObject({
      unmarkedSessions: { count: 1, latest: [{ sessionId: unmarked }] },
      invoicesDueToday: { count: 1 },
      invoicesOverdue: { count: 0 },
      newLeads: 1,
      failedMessages: 1,
    })
    expect(await attention(manager, `?branchId=${institute.branchId}`)).toMatchObject({
      unmarkedSessions: { count: 0, latest: [] },
      invoicesDueToday: { count: 0 },
      newLeads: 0,
    })
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const own = await oldGroup(institute, { teacherStaffId })
    await newSession(institute, own.groupId, at('2026-02-26', '12:00'))
    expect(await attention(teacher)).toMatchObject({
      unmarkedSessions: { count: 1, latest: [{ groupId: own.groupId }] },
      invoicesDueToday: null,
      invoicesOverdue: null,
      newLeads: null,
    })
    const nothing = await attention(await institute.member({ role: 'guardian' }))
    expect(Object.entries(nothing).filter(([, value]) => value !== null)).toEqual([['date', '2026-03-02']])
    const { backup, license } = await attention(await institute.member({ role: 'admin' }))
    expect({ hasBackup: backup !== null, license }).toEqual({ hasBackup: engine === 'sqlite', license: null })
  })
})
