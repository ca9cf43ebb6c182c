import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 400 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  // The owner signs in a month before: a test begins then.
  app.clock.set('2026-11-01T08:00:00.000Z')
  institute = await makeInstitute(app)
  // Tuesday, ten in the morning in Jerusalem.
  app.clock.set('2026-12-01T08:00:00.000Z')
  owner = institute.owner
})

const SEPTEMBER = '2026-09-01T06:00:00.000Z'

/** A group with one student and a monthly fee. */
const newClass = async ({ enrolledAt, ...group }: Record<string, unknown> = { enrolledAt: SEPTEMBER }) => {
  const groupId = await newGroup(institute)
  if (Object.keys(group).length > 0) await good(owner.patch(`/groups/${groupId}`, group))
  const person = { branchId: institute.branchId, firstName: 'Omar', lastName: 'Nasser' }
  const studentId = (await good(owner.post('/students', person))).id
  const enrollment = await good(owner.post('/enrollments', { studentId, groupId, enrolledAt }))
  const feeScheduleId = await newFeeSchedule(institute, { groupId, dueDay: 10 })
  return { groupId, studentId, feeScheduleId, enrollmentId: enrollment.id as string }
}

const good = async (asked: ReturnType<Client['get']>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

const run = (month: string, body: Record<string, unknown> = {}) => good(owner.post('/billing/runs', { month, ...body }))

/** Why the run does not bill the one student; undefined: it does. */
const reasonIn = async (month: string): Promise<string | undefined> => {
  const { created, skipped } = await run(month, { dryRun: true })
  expect(created + skipped.length).toBe(1)
  return skipped[0]?.reason
}

describe('a run does not bill', () => {
  test('a student of a group that is cancelled', async () => {
    const { groupId } = await newClass()
    await good(owner.patch(`/groups/${groupId}`, { status: 'cancelled' }))
    expect(await reasonIn('2026-12')).toBe('group_cancelled')
  })

  test('a student of a group that was completed before the month', async () => {
    const { groupId } = await newClass()
    await good(owner.patch(`/groups/${groupId}`, { status: 'completed' }))
    expect(await reasonIn('2027-01')).toBe('group_over')
  })

  test('a student of a group that ended two months ago, but for the time before', async () => {
    await newClass({ enrolledAt: SEPTEMBER, endsOn: '2026-10-01' })
    expect(await reasonIn('2026-12')).toBe('group_over')
    expect(await reasonIn('2026-11')).toBe('group_over')
    expect(await reasonIn('2026-10')).toBeUndefined()
  })

  test('a student of a group that begins in two months', async () => {
    await newClass({ enrolledAt: SEPTEMBER, startsOn: '2027-02-01' })
    expect(await reasonIn('2026-12')).toBe('group_not_begun')
    expect(await reasonIn('2027-02')).toBeUndefined()
  })

  test('a student who pauses, in the months in which they pause all of the time', async () => {
    const { studentId } = await newClass()
    await good(owner.post(`/students/${studentId}/status`, { status: 'active' }))
    await good(owner.post(`/students/${studentId}/status`, { status: 'paused' }))
    expect(await reasonIn('2026-12')).toBe('paused')
    expect(await reasonIn('2026-11')).toBeUndefined()
    app.clock.set('2027-01-10T08:00:00.000Z')
    await good(owner.post(`/students/${studentId}/status`, { status: 'active' }))
    expect(await reasonIn('2026-12')).toBe('paused')
    expect(await reasonIn('2027-01')).toBeUndefined()
  })

  test('a student for September who was enrolled today', async () => {
    await newClass({ enrolledAt: undefined })
    expect(await reasonIn('2026-09')).toBe('enrolled_later')
    expect(await reasonIn('2026-12')).toBeUndefined()
  })

  test('a student who left before the month', async () => {
    const { enrollmentId } = await newClass()
    await good(owner.post(`/enrollments/${enrollmentId}/drop`))
    expect(await reasonIn('2027-01')).toBe('left_before')
  })

  test('a student who changed their mind before their first day', async () => {
    const { enrollmentId } = await newClass({ enrolledAt: '2026-12-20', endsOn: '2027-06-30' })
    await good(owner.post(`/enrollments/${enrollmentId}/drop`))
    expect(await reasonIn('2026-12')).toBe('left_before')
    expect(await reasonIn('2027-01')).toBe('left_before')
  })

  test('a fee that comes to nothing', async () => {
    const { feeScheduleId } = await newClass()
    await good(owner.patch(`/fee-schedules/${feeScheduleId}`, { amountMinor: 0 }))
    expect(await reasonIn('2026-12')).toBe('no_price')
  })

  test('a student of a group that was over more than a year before, and does not name them', async () => {
    await newClass({ enrolledAt: SEPTEMBER, endsOn: '2026-09-30' })
    expect(await reasonIn('2027-10')).toBe('group_over')
    expect(await run('2027-11', { dryRun: true })).toMatchObject({ created: 0, skipped: [] })
  })
})

test('who attended October and left on 1 November is billed when October is run late, at the branch of the group', async () => {
  app.clock.set('2026-11-01T08:00:00.000Z')
  const { studentId, enrollmentId, feeScheduleId } = await newClass()
  await good(owner.post(`/enrollments/${enrollmentId}/drop`))
  const north = (await good(owner.post('/branches', { name: 'North' }))).id
  await good(owner.patch(`/students/${studentId}`, { branchId: north }))
  app.clock.set('2026-12-01T08:00:00.000Z')
  expect(await run('2026-10', { branchId: north })).toMatchObject({ created: 0, skipped: [] })
  const late = await run('2026-10', { branchId: institute.branchId })
  expect(late).toMatchObject({ created: 1, invoices: [{ studentId, branchId: institute.branchId }], skipped: [] })
  expect((await good(owner.get(`/invoices/${late.invoices[0].id}`))).lines).toMatchObject([
    { description: 'Tuition, October 2026', enrollmentId, feeScheduleId },
  ])
  expect(await reasonIn('2026-12')).toBe('left_before')
})

test('a group that was cancelled meanwhile is charged for the months before, and not for the day on which it was', async () => {
  const { groupId } = await newClass()
  await good(owner.patch(`/groups/${groupId}`, { status: 'cancelled' }))
  app.clock.set('2026-12-20T08:00:00.000Z')
  await good(owner.patch(`/groups/${groupId}`, { name: 'Was cancelled' }))
  expect(await reasonIn('2026-11')).toBeUndefined()
  expect(await reasonIn('2026-12')).toBe('group_cancelled')
  await good(owner.patch(`/groups/${groupId}`, { status: 'active' }))
  expect(await reasonIn('2026-12')).toBeUndefined()
  await good(owner.patch(`/groups/${groupId}`, { status: 'cancelled' }))
  expect(await reasonIn('2026-12')).toBeUndefined()
  expect(await reasonIn('2027-01')).toBe('group_cancelled')
})

test('of several enrollments in a course the latest in force counts, though a later group is over or has not begun', async () => {
  const { groupId, studentId, enrollmentId } = await newClass()
  const { courseId } = await good(owner.get(`/groups/${groupId}`))
  const fields = { courseId, branchId: institute.branchId, startsOn: '2027-02-01' }
  const next = (await good(owner.post('/groups', { ...fields, name: 'Next' }))).id
  const later = await good(owner.post('/enrollments', { studentId, groupId: next }))
  const ofCourse = await newFeeSchedule(institute, { name: 'Course', courseId })
  const enrollmentOf = async (month: string) => {
    const { invoices } = await run(month, { feeScheduleIds: [ofCourse] })
    return (await good(owner.get(`/invoices/${invoices[0].id}`))).lines[0].enrollmentId
  }
  expect(await enrollmentOf('2026-12')).toBe(enrollmentId)
  expect(await enrollmentOf('2027-02')).toBe(later.id)
})

describe('a run again', () => {
  test('after all drafts of a run at a wrong price were voided and the fee was mended bills everybody anew', async () => {
    const { groupId, feeScheduleId } = await newClass()
    const person = { branchId: institute.branchId, firstName: 'Lina', lastName: 'Nasser' }
    const other = (await good(owner.post('/students', person))).id
    await good(owner.post('/enrollments', { studentId: other, groupId }))
    const wrong = await run('2026-12')
    const [issued, draft] = wrong.invoices.map(({ id }: { id: string }) => id)
    await good(owner.post(`/invoices/${issued}/issue`))
    const voided = await good(owner.post(`/billing/runs/${wrong.id}/void`, { reason: 'At a wrong price' }))
    expect(voided).toEqual({ id: wrong.id, voided: [draft], kept: [issued] })
    expect(await good(owner.get(`/invoices/${draft}`))).toMatchObject({
      status: 'void',
      voidReason: 'At a wrong price',
    })
    await good(owner.post(`/invoices/${issued}/void`, { reason: 'At a wrong price' }))
    await good(owner.patch(`/fee-schedules/${feeScheduleId}`, { amountMinor: 40_000 }))
    const right = await run('2026-12')
    expect(right).toMatchObject({ created: 2, skipped: [] })
    expect(right.invoices.map(({ total }: { total: { amountMinor: number } }) => total.amountMinor)).toEqual([
      40_000, 40_000,
    ])
    expect((await run('2026-12')).skipped).toMatchObject([{ reason: 'already_billed' }, { reason: 'already_billed' }])
    expect((await good(owner.post(`/billing/runs/${wrong.id}/void`, { reason: 'Again' }))).voided).toEqual([])
  })

  test('of a term whose draft was voided bills the term anew, in another month too', async () => {
    const { feeScheduleId } = await newClass()
    await good(owner.patch('/settings', { terms: [{ name: 'Autumn', startsOn: '2026-09-01' }] }))
    await good(owner.patch(`/fee-schedules/${feeScheduleId}`, { recurrence: 'per_term' }))
    const first = await run('2026-11')
    expect(await reasonIn('2026-12')).toBe('already_billed')
    await good(owner.post(`/billing/runs/${first.id}/void`, { reason: 'At a wrong price' }))
    expect((await run('2026-12')).created).toBe(1)
    expect(await reasonIn('2026-11')).toBe('already_billed')
  })

  test('of a line that was taken out of a draft bills that line anew, and no other', async () => {
    const { groupId, feeScheduleId } = await newClass()
    const books = await newFeeSchedule(institute, { name: 'Books', groupId })
    const [{ id }] = (await run('2026-12')).invoices
    const lines = [{ description: 'Books', unitAmountMinor: 45_000, feeScheduleId: books }]
    await good(owner.patch(`/invoices/${id}`, { lines }))
    const again = await run('2026-12')
    expect(again.skipped).toMatchObject([{ feeScheduleId: books, reason: 'already_billed' }])
    expect((await good(owner.get(`/invoices/${again.invoices[0].id}`))).lines).toMatchObject([{ feeScheduleId }])
  })
})

test('a run that is still making drafts cannot be voided, and an unknown one is 404', async () => {
  await newClass()
  const { id } = await run('2026-12')
  await runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) => {
    const { whole } = unit.tenant(institute.tenant, 'all')
    return whole.updateTable('billing_run').set({ finished_at: null }).where('id', '=', id).execute()
  })
  const refused = await owner.post(`/billing/runs/${id}/void`, { reason: 'At a wrong price' })
  expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'run_goes_on'])
  const unknown = await owner.post(`/billing/runs/${institute.branchId}/void`, { reason: 'At a wrong price' })
  expect(unknown.status).toBe(404)
})

test('under a role for one branch, the drafts of that branch alone are voided', async () => {
  const { groupId } = await newClass()
  const north = (await good(owner.post('/branches', { name: 'North' }))).id
  const person = { branchId: north, firstName: 'Lina', lastName: 'Nasser' }
  const there = (await good(owner.post('/students', person))).id
  await good(owner.post('/enrollments', { studentId: there, groupId }))
  const both = await run('2026-12')
  const manager = await institute.member({ role: 'branch_manager', branchId: north })
  const { voided } = await good(manager.post(`/billing/runs/${both.id}/void`, { reason: 'Not ours' }))
  const ofNorth = both.invoices.filter(({ branchId }: { branchId: string }) => branchId === north)
  expect(voided).toEqual(ofNorth.map(({ id }: { id: string }) => id))
  expect(voided).toHaveLength(1)
})
