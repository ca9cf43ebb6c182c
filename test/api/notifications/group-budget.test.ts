import { expect, test } from 'vitest'
import type { Client } from '#kit/client.ts'
import { newFamily, type TestFamily } from '#kit/family.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { newGroup, newPupil, newStaff } from '../examples/sessions.ts'

const at = useMailApp()

const MESSAGE = { templateKey: 'message', channels: ['email'], data: { title: 'Algebra', message: 'Bring a ruler.' } }

/** A group with a teacher who may sign in. */
const begin = async (): Promise<{ family: TestFamily; teacher: Client }> => {
  await at.fresh()
  const family = await newFamily(at.institute)
  const teacher = await at.institute.member({ role: 'teacher' })
  const reply = await at.institute.owner.patch(`/staff/${family.teacherStaffId}`, { userId: teacher.userId })
  expect(reply.status).toBe(200)
  return { family, teacher }
}

const write = (as: Client, groupIds: string[], more: object = {}) =>
  as.post('/notifications/send', { ...MESSAGE, audience: { kind: 'group', groupIds }, ...more })

test('a teacher writes to the families of own groups, and to nobody else', async () => {
  const { family, teacher } = await begin()
  const far = await newGroup(at.institute)
  const farPupil = await newPupil(at.institute, far)
  expect((await write(teacher, [family.groupId])).body).toMatchObject({ queued: 3, budget: { most: 3, left: 3 } })
  expect((await write(teacher, [far])).status).toBe(404)
  expect((await write(teacher, [family.groupId, far])).status).toBe(404)
  const named = (recipients: object) => teacher.post('/notifications/send', { ...MESSAGE, recipients })
  expect((await named({ groupId: family.groupId })).status).toBe(202)
  for (const recipients of [
    { studentIds: [family.studentId] },
    { studentIds: [farPupil] },
    { guardianIds: [family.motherId] },
    { groupId: family.groupId, guardianIds: [family.motherId] },
  ]) {
    expect((await named(recipients)).body.error.details).toMatchObject({
      reason: 'permission_missing',
      permissions: ['notifications.send'],
    })
  }
  for (const audience of [
    { kind: 'debtors' },
    { kind: 'absent' },
    { kind: 'branch', branchId: at.institute.branchId },
  ]) {
    expect((await teacher.post('/notifications/send', { ...MESSAGE, audience })).status).toBe(403)
  }
  const absent = { kind: 'absent', groupIds: [family.groupId] }
  const asked = await teacher.post('/notifications/send', { ...MESSAGE, audience: absent, dryRun: true })
  expect(asked.body).toMatchObject({ people: 0, budget: { left: 1 } })
  const marker = await at.institute.member({ permissions: ['attendance.mark'] })
  expect((await write(marker, [family.groupId])).status).toBe(403)
})

test('as often a day as the setting says, whoever of the teachers writes; then it says when it is open again', async () => {
  const { family, teacher } = await begin()
  const { owner } = at.institute
  const second = await at.institute.member({ role: 'teacher' })
  const staffId = await newStaff(at.institute, { userId: second.userId })
  await owner.patch('/settings', { teacherMessagesPerDay: 2 })
  expect((await write(teacher, [family.groupId])).status).toBe(202)
  // A dry run takes nothing of it.
  expect((await write(teacher, [family.groupId], { dryRun: true })).body.budget).toMatchObject({ most: 2, left: 1 })
  expect((await owner.patch(`/groups/${family.groupId}`, { teacherStaffId: staffId })).status).toBe(200)
  expect((await write(second, [family.groupId])).status).toBe(202)
  const refused = await write(second, [family.groupId])
  expect(refused).toMatchObject({
    status: 429,
    body: {
      error: {
        code: 'RATE_LIMITED',
        details: { reason: 'group_told_often', groupId: family.groupId, most: 2, opensAt: expect.any(String) },
      },
    },
  })
  const { opensAt } = refused.body.error.details
  const seconds = Number(refused.headers.get('retry-after'))
  expect(Math.abs(Date.parse(opensAt) - at.app.clock.millis() - seconds * 1000)).toBeLessThan(2000)
  // Whoever may send messages is not held by it.
  expect((await write(owner, [family.groupId])).body).toMatchObject({ budget: null })
  at.app.clock.advance(seconds)
  expect((await write(second, [family.groupId])).status).toBe(202)
})

test('none at all where the setting says 0', async () => {
  const { family, teacher } = await begin()
  await at.institute.owner.patch('/settings', { teacherMessagesPerDay: 0 })
  expect((await write(teacher, [family.groupId])).body.error).toMatchObject({
    code: 'FORBIDDEN',
    details: { reason: 'teachers_do_not_write' },
  })
})

test('several at once do not pass it', async () => {
  const { family, teacher } = await begin()
  const other = await newGroup(at.institute, { teacherStaffId: family.teacherStaffId })
  await newPupil(at.institute, other, { email: 'other@example.org' })
  const both = [family.groupId, other]
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) => write(teacher, n % 2 === 0 ? both : both.toReversed())),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 429, 429, 429, 429, 429])
  const rows = await at.app.app.database.read.selectFrom('group_messages').select('sent').execute()
  expect(rows.filter(({ sent }) => sent === 3)).toHaveLength(2)
})
