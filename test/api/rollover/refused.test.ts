import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fillJob, fillOn } from '#modules/rollover/fill.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newParent } from '#kit/family.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { create } from '../examples/sessions.ts'
import { good, newMember, newYearGroup, NEXT } from './year.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
})

const rollOver = (groupIds: string[], more: Record<string, unknown> = {}, by: Client = owner) =>
  by.post('/groups/rollover', { groupIds, ...NEXT, ...more })
const conflict = (reason: string, details: Record<string, unknown>) => ({
  status: 409,
  body: { error: { details: { reason, ...details } } },
})
const groupCount = async (): Promise<number> => (await good(owner.get('/groups?limit=100'))).data.length

describe('a rollover is refused', () => {
  test('by the field whose days do not fit', async () => {
    const { groupId } = await newYearGroup(institute)
    for (const [more, field] of [
      [{ endsOn: '2026-08-31' }, 'endsOn'],
      [{ endsOn: '2027-10-10' }, 'endsOn'],
      [{ startsOn: '2027-03-04', endsOn: '2027-06-30' }, 'startsOn'],
      [{ startsOn: '2025-02-28', endsOn: '2025-06-30' }, 'startsOn'],
      [{ groupIds: [] }, 'groupIds'],
      [{ groupIds: Array.from({ length: 201 }, () => groupId) }, 'groupIds'],
    ] as const) {
      const { status, body } = await rollOver([groupId], more)
      expect([status, body.error.details.issues[0].path[0]]).toEqual([422, field])
    }
  })

  test('before the end of a former group, and of one that was cancelled: each by its name', async () => {
    const { groupId: late } = await newYearGroup(institute, { name: 'Late', endsOn: '2026-09-01' })
    const { groupId: cancelled } = await newYearGroup(institute, { name: 'Off' })
    await owner.patch(`/groups/${cancelled}`, { status: 'cancelled' })
    const { groupId } = await newYearGroup(institute)
    for (const dryRun of [true, false]) {
      expect(await rollOver([groupId, late], { dryRun })).toMatchObject(
        conflict('begins_before_end', { groups: [{ id: late, name: 'Late', endsOn: '2026-09-01' }] }),
      )
      expect(await rollOver([groupId, cancelled], { dryRun })).toMatchObject(
        conflict('groups_cancelled', { groups: [{ id: cancelled, name: 'Off' }] }),
      )
    }
    expect(await groupCount()).toBe(3)
  })

  test('twice in the same days, until the new group is cancelled or gone; another year is another one', async () => {
    const { groupId } = await newYearGroup(institute)
    const first = await good(rollOver([groupId]))
    const { newGroupId, name } = first.groups[0]
    const refused = conflict('already_rolled_over', { groups: [{ id: groupId, newGroupId, newName: name }] })
    expect(await rollOver([groupId])).toMatchObject(refused)
    expect(await rollOver([groupId], { startsOn: '2027-06-30', endsOn: '2027-07-31', dryRun: true })).toMatchObject({
      status: 422,
    })
    expect(await rollOver([groupId], { startsOn: '2026-08-01', endsOn: '2026-09-01' })).toMatchObject(refused)
    expect((await rollOver([groupId], { startsOn: '2026-07-01', endsOn: '2026-08-31', dryRun: true })).status).toBe(200)
    await owner.patch(`/groups/${newGroupId}`, { status: 'cancelled' })
    const second = await good(rollOver([groupId]))
    await good(owner.delete(`/groups/${second.groups[0].newGroupId}`))
    expect((await rollOver([groupId])).status).toBe(201)
  })

  test('by one of two at once: each group goes on once', async () => {
    const { groupId } = await newYearGroup(institute)
    const { groupId: other } = await newYearGroup(institute)
    await newMember(institute, groupId)
    const replies = await Promise.all([rollOver([groupId, other]), rollOver([other, groupId])])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    await app.drain()
    expect(await groupCount()).toBe(4)
  })

  test('for a group that is not there, by its place', async () => {
    const { groupId } = await newYearGroup(institute)
    const gone = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect(await rollOver([groupId, gone])).toMatchObject({
      status: 404,
      body: { error: { details: { path: ['groupIds', '1'] } } },
    })
  })

  test('for a group of another branch, and without the right to enroll', async () => {
    const { groupId } = await newYearGroup(institute)
    const branchId = await create(institute, '/branches', { name: 'Haifa' })
    const elsewhere = await institute.member({ permissions: ['groups.write', 'enrollments.write'], branchId })
    expect(await rollOver([groupId], {}, elsewhere)).toMatchObject({ status: 404 })
    const opener = await institute.member({ permissions: ['groups.write'] })
    expect(await rollOver([groupId], {}, opener)).toMatchObject({
      status: 403,
      body: { error: { details: { permissions: ['enrollments.write'] } } },
    })
  })

  test('where the plan has no room for all of them; a dry run tells what there is', async () => {
    const { groupId } = await newYearGroup(institute)
    const { groupId: other } = await newYearGroup(institute)
    await grant(app, institute, { quotas: { maxGroups: 3 } })
    expect(await rollOver([groupId, other], { dryRun: true })).toMatchObject({
      status: 200,
      body: { quota: { limit: 3, current: 2 } },
    })
    expect(await rollOver([groupId, other])).toMatchObject({
      status: 403,
      body: { error: { code: 'QUOTA_EXCEEDED', details: { limit: 3, current: 2, key: 'maxGroups' } } },
    })
    expect((await rollOver([groupId])).status).toBe(201)
  })
})

describe('many groups', () => {
  test('are filled by a job: killed at any step, nobody is lost and nobody enrolled twice', async () => {
    const groups: { groupId: string; students: string[] }[] = []
    for (let nth = 0; nth < 3; nth += 1) {
      const { groupId } = await newYearGroup(institute)
      const students = [await newMember(institute, groupId), await newMember(institute, groupId)]
      groups.push({ groupId, students: students.toSorted() })
    }
    const ids = groups.map(({ groupId }) => groupId)
    const reply = await good(rollOver(ids))
    expect(reply).toMatchObject({ isDone: false, kept: 6 })
    const enrolled = async (at: number): Promise<string[]> => {
      const { data } = await good(owner.get(`/groups/${reply.groups[at].newGroupId}/enrollments`))
      return data.map(({ studentId }: { studentId: string }) => studentId).toSorted()
    }
    const [{ payload } = { payload: {} }] = await app.app.database.read
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', fillJob.name)
      .where('tenant_id', '=', institute.tenant.id)
      .execute()
    /** Does the next step; where it is killed, all of it is done and nothing is kept. */
    const step = (isKilled: boolean): Promise<void> => {
      const finish: JobContext['finish'] = (work) =>
        runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
          await work(unit.system())
          if (isKilled) throw new Error('killed')
        })
      return fillOn({ payload, finish } as never)
    }
    const isLeft = async (): Promise<boolean> =>
      (await app.app.database.read
        .selectFrom('group_continuation')
        .select('id')
        .where('tenant_id', '=', institute.tenant.id)
        .where('filled_at', 'is', null)
        .executeTakeFirst()) !== undefined
    let steps = 0
    for (; await isLeft(); steps += 1) {
      const before = [await enrolled(0), await enrolled(1), await enrolled(2)]
      await expect(step(true)).rejects.toThrow('killed')
      expect([await enrolled(0), await enrolled(1), await enrolled(2)]).toEqual(before)
      await step(false)
    }
    expect(steps).toBe(2)
    // The jobs that were enqueued find nothing left to do.
    await app.drain()
    for (const [at, { students }] of groups.entries()) {
      expect(await enrolled(at)).toEqual(students)
      const { data } = await good(owner.get(`/groups/${reply.groups[at].newGroupId}/sessions?limit=100`))
      expect(new Set(data.map((one: { scheduledStart: string }) => one.scheduledStart)).size).toBe(data.length)
      expect(data.length).toBeGreaterThan(0)
    }
  })

  test('are told to each person once, with what each child has; without notify to nobody', async () => {
    const { groupId } = await newYearGroup(institute)
    const { groupId: other } = await newYearGroup(institute, { name: 'Chess' })
    const studentId = await newMember(institute, groupId)
    const siblingId = await newMember(institute, other)
    await create(institute, '/enrollments', { studentId: siblingId, groupId })
    const strangerId = await newMember(institute, groupId)
    const motherId = await newParent(institute, studentId, { email: 'mother@example.org', preferredLocale: 'en' })
    const link = { guardianId: motherId, relationship: 'mother', isPrimary: true, isPayer: true }
    await owner.post(`/students/${siblingId}/guardians`, link)
    await newParent(institute, strangerId, { email: 'stranger@example.org', preferredLocale: 'en' })
    await app.drain()
    app.mails.length = 0
    const { groupId: silent } = await newYearGroup(institute)
    await create(institute, '/enrollments', { studentId, groupId: silent })
    await good(rollOver([silent]))
    await app.drain()
    expect(app.mails).toEqual([])
    await good(rollOver([groupId, other], { notify: true }))
    await app.drain()
    expect(app.mails.map(({ to }) => to).toSorted()).toEqual(['mother@example.org', 'stranger@example.org'])
    const nameOf = async (id: string) => (await good(owner.get(`/students/${id}`))).lastName as string
    const text = app.mails.find(({ to }) => to === 'mother@example.org')?.text ?? ''
    const lines = text.split('\n').filter((line) => line.includes('Pupil'))
    expect(lines).toHaveLength(3)
    const sibling = await nameOf(siblingId)
    expect(lines.filter((line) => line.includes(`${sibling}:`))).toHaveLength(2)
    expect(text).toContain('Chess 2026')
    expect(text).toContain('Monday, 7 September 2026')
    expect(text).not.toContain(`${await nameOf(strangerId)}:`)
  })
})
