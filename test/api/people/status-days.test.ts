import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepDaysJob } from '#modules/people/students/sweep-days.ts'
import { sweepEndsJob } from '#modules/groups/sweep-ends.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'

/** Students who pause or leave on a day that is said. */

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 400 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Monday, ten in the morning in Jerusalem, two hours ahead.
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
})

const good = async (asked: ReturnType<Client['get']>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
const sweepAt = async (instant: string): Promise<void> => {
  app.clock.set(instant)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(sweepDaysJob, {})
    unit.system().enqueue(sweepEndsJob, {})
  })
  await app.drain()
}

const newActive = async (): Promise<string> => {
  const names = { firstName: 'Omar', lastName: 'Nasser' }
  const { id } = await good(owner.post('/students', { branchId: institute.branchId, ...names }))
  await good(owner.post(`/students/${id}/status`, { status: 'active' }))
  return id
}
const enrolled = async (studentId: string, fields: Record<string, unknown> = {}) => {
  const groupId = await newGroup(institute)
  const since = { enrolledAt: '2026-01-01', ...fields }
  return { groupId, id: (await good(owner.post('/enrollments', { studentId, groupId, ...since }))).id as string }
}
const newSession = async (groupId: string, day: string): Promise<string> => {
  const times = { scheduledStart: `${day}T14:00:00.000Z`, scheduledEnd: `${day}T15:00:00.000Z` }
  return (await good(owner.post(`/groups/${groupId}/sessions`, times))).id
}
const change = (id: string, body: Record<string, unknown>) => owner.post(`/students/${id}/status`, body)
const rehearse = (id: string, body: Record<string, unknown>) =>
  good(owner.post(`/students/${id}/status/rehearsal`, body))
const standing = async (id: string) => {
  const { status, pausedFrom, pausedTo, leftOn, leavingAs } = await good(owner.get(`/students/${id}`))
  return [status, pausedFrom, pausedTo, leftOn, leavingAs]
}
const issueOf = async (asked: ReturnType<Client['get']>) => {
  const { status, body } = await asked
  return [status, body.error?.details?.issues?.[0]?.path[0]]
}
const rosterOf = async (sessionId: string): Promise<string[]> =>
  (await good(owner.get(`/sessions/${sessionId}/attendance`))).entries.map(
    ({ studentId }: { studentId: string }) => studentId,
  )

describe('a pause', () => {
  test('ahead begins on its first day and ends on the day after its last, in the institute’s zone', async () => {
    const id = await newActive()
    await good(change(id, { status: 'paused', pausedFrom: '2026-03-10', pausedTo: '2026-03-20', reason: 'Travels' }))
    expect(await standing(id)).toEqual(['active', '2026-03-10', '2026-03-20', null, null])
    await sweepAt('2026-03-09T21:50:00.000Z')
    expect((await standing(id))[0]).toBe('active')
    await sweepAt('2026-03-09T22:10:00.000Z')
    expect((await standing(id))[0]).toBe('paused')
    await sweepAt('2026-03-20T21:50:00.000Z')
    expect((await standing(id))[0]).toBe('paused')
    await sweepAt('2026-03-20T22:10:00.000Z')
    expect(await standing(id)).toEqual(['active', null, null, null, null])
    const moves = (await eventsOf(app, institute, 'student.status_changed')).slice(1)
    expect(moves).toEqual([
      { studentId: id, previousStatus: 'active', status: 'paused' },
      { studentId: id, previousStatus: 'paused', status: 'active' },
    ])
  })

  test('that is over is only recorded: the student stays active, and is not billed for that month', async () => {
    const id = await newActive()
    const { groupId } = await enrolled(id)
    await newFeeSchedule(institute, { groupId })
    await good(change(id, { status: 'paused', pausedFrom: '2026-02-01', pausedTo: '2026-02-28' }))
    expect(await standing(id)).toEqual(['active', null, null, null, null])
    const run = async (month: string) => good(owner.post('/billing/runs', { month, dryRun: true }))
    expect((await run('2026-02')).skipped).toMatchObject([{ studentId: id, reason: 'paused' }])
    expect((await run('2026-03')).created).toBe(1)
  })

  test('is said anew, and takes the place of the one before; active takes it back', async () => {
    const id = await newActive()
    await good(change(id, { status: 'paused' }))
    await good(change(id, { status: 'paused', pausedTo: '2026-03-15' }))
    expect(await standing(id)).toEqual(['paused', '2026-03-02', '2026-03-15', null, null])
    await good(change(id, { status: 'paused', pausedFrom: '2026-03-05', pausedTo: '2026-03-08' }))
    expect(await standing(id)).toEqual(['paused', '2026-03-02', '2026-03-04', null, null])
    await sweepAt('2026-03-05T08:00:00.000Z')
    expect(await standing(id)).toEqual(['paused', '2026-03-05', '2026-03-08', null, null])
    await good(change(id, { status: 'active' }))
    expect(await standing(id)).toEqual(['active', null, null, null, null])
    await good(change(id, { status: 'paused', pausedFrom: '2026-04-01' }))
    await good(change(id, { status: 'active' }))
    expect(await standing(id)).toEqual(['active', null, null, null, null])
    expect((await change(id, { status: 'active' })).status).toBe(409)
  })

  test('keeps the student off the rosters of its days, and the desk from telling of an absence', async () => {
    const id = await newActive()
    const { groupId } = await enrolled(id)
    const [before, within, after] = [
      await newSession(groupId, '2026-02-09'),
      await newSession(groupId, '2026-02-16'),
      await newSession(groupId, '2026-02-23'),
    ]
    await good(change(id, { status: 'paused', pausedFrom: '2026-02-10', pausedTo: '2026-02-22' }))
    expect(await rosterOf(before)).toEqual([id])
    expect(await rosterOf(within)).toEqual([])
    expect(await rosterOf(after)).toEqual([id])
    const entries = [{ studentId: id, status: 'absent' }]
    expect(await issueOf(owner.put(`/sessions/${within}/attendance`, { entries }))).toEqual([422, 'entries'])
    expect(await eventsOf(app, institute, 'student.absent')).toEqual([])
    const week = await good(owner.get('/sessions?from=2026-02-16&to=2026-02-16'))
    expect(week.data).toMatchObject([{ id: within, rosterCount: 0 }])
  })
})

describe('leaving', () => {
  test('ahead ends the groups on the last day, and the status changes on it', async () => {
    const id = await newActive()
    const { id: enrollmentId } = await enrolled(id)
    const { id: later } = await enrolled(id, { enrolledAt: '2026-04-01' })
    await good(change(id, { status: 'withdrawn', leftOn: '2026-03-10' }))
    expect(await standing(id)).toEqual(['active', null, null, '2026-03-10', 'withdrawn'])
    expect(await good(owner.get(`/enrollments/${enrollmentId}`))).toMatchObject({
      status: 'active',
      endedAt: '2026-03-10T21:59:59.999Z',
    })
    expect((await good(owner.get(`/enrollments/${later}`))).status).toBe('dropped')
    await sweepAt('2026-03-09T22:10:00.000Z')
    expect(await standing(id)).toEqual(['withdrawn', null, null, '2026-03-10', null])
    expect(await good(owner.get(`/enrollments/${enrollmentId}`))).toMatchObject({
      status: 'dropped',
      droppedAt: '2026-03-10T21:59:59.999Z',
    })
  })

  test('as of a former day ends the groups then, and not before the student was enrolled', async () => {
    const id = await newActive()
    const { id: enrollmentId } = await enrolled(id, { enrolledAt: '2026-02-10' })
    expect(await issueOf(change(id, { status: 'graduated', leftOn: '2026-02-09' }))).toEqual([422, 'leftOn'])
    await good(change(id, { status: 'graduated', leftOn: '2026-02-20' }))
    expect(await standing(id)).toEqual(['graduated', null, null, '2026-02-20', null])
    expect((await good(owner.get(`/enrollments/${enrollmentId}`))).droppedAt).toBe('2026-02-20T21:59:59.999Z')
  })

  test('is moved to another day, and taken back with the ends that it set', async () => {
    const id = await newActive()
    const { id: enrollmentId } = await enrolled(id)
    const { id: own } = await enrolled(id)
    await good(owner.post(`/enrollments/${own}/drop`, { endedAt: '2026-03-05' }))
    const endOf = async (of: string) => (await good(owner.get(`/enrollments/${of}`))).endedAt
    await good(change(id, { status: 'withdrawn', leftOn: '2026-03-10' }))
    await good(change(id, { status: 'withdrawn', leftOn: '2026-03-20' }))
    expect(await endOf(enrollmentId)).toBe('2026-03-20T21:59:59.999Z')
    expect(await endOf(own)).toBe('2026-03-05T21:59:59.999Z')
    await good(change(id, { status: 'active' }))
    expect(await standing(id)).toEqual(['active', null, null, null, null])
    expect(await endOf(enrollmentId)).toBeNull()
    expect(await endOf(own)).toBe('2026-03-05T21:59:59.999Z')
  })
})

describe('a rehearsal says what would follow, and changes nothing', () => {
  test('of leaving: groups, lessons until then, the month after and what was paid ahead', async () => {
    const id = await newActive()
    const { groupId } = await enrolled(id)
    for (const day of ['2026-03-05', '2026-03-12', '2026-03-19']) await newSession(groupId, day)
    const feeScheduleId = await newFeeSchedule(institute, { groupId, amountMinor: 40_000, proration: 'none' })
    const run = await good(owner.post('/billing/runs', { month: '2026-05', feeScheduleIds: [feeScheduleId] }))
    const invoiceId = run.invoices[0].id as string
    await good(owner.post(`/invoices/${invoiceId}/issue`))
    await good(
      owner.post('/payments', {
        amountMinor: 40_000,
        currency: 'ILS',
        method: 'cash',
        allocations: [{ invoiceId, amountMinor: 40_000 }],
      }),
    )
    const before = await good(owner.get(`/students/${id}`))
    const ils = (amountMinor: number) => [{ amountMinor, currency: 'ILS' }]
    expect(await rehearse(id, { status: 'withdrawn', leftOn: '2026-03-12' })).toMatchObject({
      status: 'active',
      groups: [{ groupId, lastDay: '2026-03-12', lessons: 2 }],
      fees: { month: '2026-04', before: ils(40_000), after: [] },
      paidAhead: ils(40_000),
    })
    expect(await good(owner.get(`/students/${id}`))).toEqual(before)
    expect((await rehearse(id, { status: 'withdrawn' })).status).toBe('withdrawn')
  })

  test('of a pause: the lessons within it, and the fee of the month', async () => {
    const id = await newActive()
    const { groupId } = await enrolled(id)
    for (const day of ['2026-04-05', '2026-04-12', '2026-04-19']) await newSession(groupId, day)
    await newFeeSchedule(institute, { groupId, amountMinor: 30_000, proration: 'days' })
    const ils = (amountMinor: number) => [{ amountMinor, currency: 'ILS' }]
    const body = { status: 'paused', pausedFrom: '2026-04-11', pausedTo: '2026-04-30' }
    expect(await rehearse(id, body)).toMatchObject({
      status: 'active',
      groups: [{ groupId, lastDay: null, lessons: 2 }],
      fees: { month: '2026-04', before: ils(30_000), after: ils(10_000) },
      paidAhead: [],
    })
    expect(await standing(id)).toEqual(['active', null, null, null, null])
  })
})

test('days are said with their status, in their order, and not too far away', async () => {
  const id = await newActive()
  for (const [body, field] of [
    [{ status: 'paused', pausedFrom: '2027-03-04' }, 'pausedFrom'],
    [{ status: 'paused', pausedFrom: '2025-02-28' }, 'pausedFrom'],
    [{ status: 'paused', pausedFrom: '2026-03-10', pausedTo: '2026-03-09' }, 'pausedTo'],
    [{ status: 'withdrawn', leftOn: '2027-03-04' }, 'leftOn'],
    [{ status: 'withdrawn', pausedFrom: '2026-03-04' }, 'pausedFrom'],
    [{ status: 'paused', leftOn: '2026-03-04' }, 'leftOn'],
  ] as const) {
    expect(await issueOf(change(id, body))).toEqual([422, field])
    expect(await issueOf(owner.post(`/students/${id}/status/rehearsal`, body))).toEqual([422, field])
  }
  expect((await owner.post(`/students/${id}/status/rehearsal`, { status: 'lead' })).status).toBe(409)
})
