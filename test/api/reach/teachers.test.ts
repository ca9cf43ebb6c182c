import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

/**
 * The teacher's role reaches the groups that its user teaches or substitutes; for one branch, only that branch's
 * records.
 */

let app: TestApp
let institute: TestInstitute
let north: string
let south: string

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  north = institute.branchId
  south = (await institute.owner.post('/branches', { name: 'South' })).body.id
})
afterAll(() => app.close())

const inBranch = (branchId: string) => ({ owner: institute.owner, branchId })

/** A group of a branch with one student and one future session. */
const newClass = async (
  branchId: string,
  group: Record<string, unknown> = {},
  session: Record<string, unknown> = {},
) => {
  const place = inBranch(branchId)
  const groupId = await newGroup(place, group)
  const studentId = await newPupil(place, groupId)
  await institute.owner.patch(`/students/${studentId}`, { notes: 'Allergic to nuts' })
  return { groupId, studentId, sessionId: await newSession(place, groupId, session) }
}
type Class = Awaited<ReturnType<typeof newClass>>

/** The status of each reply that a teacher gets about a class. */
const statuses = async (teacher: TestMember, { groupId, studentId, sessionId }: Class): Promise<number[]> => {
  const entries = [{ studentId, status: 'present' }]
  const replies = [
    await teacher.get(`/groups/${groupId}`),
    await teacher.get(`/students/${studentId}`),
    await teacher.get(`/sessions/${sessionId}`),
    await teacher.get(`/sessions/${sessionId}/attendance`),
    await teacher.put(`/sessions/${sessionId}/attendance`, { entries }),
    await teacher.patch(`/sessions/${sessionId}`, { topic: 'Verbs' }),
  ]
  return replies.map(({ status }) => status)
}
const ALL = Array<number>(6).fill(200)
const NONE = Array<number>(6).fill(404)

const groupsOf = async (teacher: TestMember): Promise<string[]> =>
  (await teacher.get('/groups')).body.data.map(({ id }: { id: string }) => id).toSorted()

const assign = (membershipId: string, roleId: string, branchId: string): Promise<unknown> =>
  runInTransaction(app.app.runtime, systemAuditContext('test.roles'), (unit) =>
    unit
      .tenant(institute.tenant, 'all')
      .whole.insertInto('role_assignment')
      .values({ id: newId(), membership_id: membershipId, role_id: roleId, branch_id: branchId, created_at: unit.now })
      .execute(),
  )

describe('a teacher’s role for one branch', () => {
  test.each(['teaches', 'substitutes'] as const)(
    'reaches of the groups that its holder %s those of the branch',
    async (how) => {
      const teacher = await institute.member({ role: 'teacher', branchId: south })
      const staff = { teacherStaffId: await newStaff(institute, { userId: teacher.userId }) }
      const made = (branchId: string) => (how === 'teaches' ? newClass(branchId, staff) : newClass(branchId, {}, staff))
      const [ours, theirs] = [await made(south), await made(north)]
      expect(await statuses(teacher, ours)).toEqual(ALL)
      expect(await statuses(teacher, theirs)).toEqual(NONE)
      expect(await groupsOf(teacher)).toEqual([ours.groupId])
      expect((await teacher.get('/students')).body.data).toMatchObject([{ id: ours.studentId }])
    },
  )

  test('reaches nothing of the branch that others teach', async () => {
    const teacher = await institute.member({ role: 'teacher', branchId: south })
    expect(await statuses(teacher, await newClass(south))).toEqual(NONE)
  })

  test('for two branches reaches the user’s own groups of both', async () => {
    const teacher = await institute.member({ role: 'teacher', branchId: south })
    await assign(teacher.membershipId, institute.roles.teacher, north)
    const { body: east } = await institute.owner.post('/branches', { name: 'East' })
    const staff = { teacherStaffId: await newStaff(institute, { userId: teacher.userId }) }
    const own = [await newClass(north, staff), await newClass(south, staff)]
    for (const one of own) expect(await statuses(teacher, one)).toEqual(ALL)
    expect(await statuses(teacher, await newClass(east.id, staff))).toEqual(NONE)
    expect(await groupsOf(teacher)).toEqual(own.map(({ groupId }) => groupId).toSorted())
  })

  test('loses a group that moves to another branch, and gains one that moves here', async () => {
    const teacher = await institute.member({ role: 'teacher', branchId: south })
    const staff = { teacherStaffId: await newStaff(institute, { userId: teacher.userId }) }
    const { groupId } = await newClass(south, staff)
    for (const [branchId, status] of [
      [north, 404],
      [south, 200],
    ] as const) {
      expect((await institute.owner.patch(`/groups/${groupId}`, { branchId })).status).toBe(200)
      expect((await teacher.get(`/groups/${groupId}`)).status).toBe(status)
    }
  })
})

describe('a substitute', () => {
  test('of a cancelled session no longer reaches the group', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const substituted = await newClass(north, {}, { teacherStaffId })
    expect((await teacher.get(`/students/${substituted.studentId}`)).body.notes).toBe('Allergic to nuts')
    const cancel = { status: 'cancelled', reason: 'Storm' }
    expect((await institute.owner.patch(`/sessions/${substituted.sessionId}`, cancel)).status).toBe(200)
    expect(await statuses(teacher, substituted)).toEqual(NONE)
  })

  test('who reaches the group by another session can no longer change the cancelled one', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const { groupId, sessionId } = await newClass(north, {}, { teacherStaffId })
    await newSession(institute, groupId, { teacherStaffId })
    await institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Storm' })
    expect((await teacher.get(`/sessions/${sessionId}`)).status).toBe(200)
    expect((await teacher.patch(`/sessions/${sessionId}`, { topic: 'Verbs' })).status).toBe(403)
  })

  test('of a held session still reaches the group', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const substituted = await newClass(north, {}, { teacherStaffId })
    expect((await institute.owner.put(`/sessions/${substituted.sessionId}/attendance`, { entries: [] })).status).toBe(
      200,
    )
    expect(await statuses(teacher, substituted)).toEqual(ALL)
  })
})

describe('somebody who is inactive on the staff', () => {
  test('reaches neither groups that they taught nor those that they substituted, and does again once active', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const classes = [await newClass(north, { teacherStaffId }), await newClass(north, {}, { teacherStaffId })]
    for (const [isActive, right] of [
      [false, NONE],
      [true, ALL],
    ] as const) {
      expect((await institute.owner.patch(`/staff/${teacherStaffId}`, { isActive })).status).toBe(200)
      for (const one of classes) expect(await statuses(teacher, one)).toEqual(right)
    }
  })

  test('is nobody’s teacher for a user who marks attendance by another role', async () => {
    const marker = await institute.member({ permissions: ['attendance.mark'] })
    const teacherStaffId = await newStaff(institute, { userId: marker.userId, isActive: false })
    const { sessionId } = await newClass(north, { teacherStaffId }, { teacherStaffId })
    expect((await marker.patch(`/sessions/${sessionId}`, { topic: 'Verbs' })).status).toBe(403)
  })
})
