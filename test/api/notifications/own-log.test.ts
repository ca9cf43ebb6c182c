import { expect, test } from 'vitest'
import { newFamily } from '#kit/family.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { newStaff } from '../examples/sessions.ts'

/** Teachers see what they wrote themselves, and what became of it. */

const at = useMailApp()

const begin = async () => {
  await at.fresh()
  const family = await newFamily(at.institute)
  const teacher = await at.institute.member({ role: 'teacher' })
  await at.institute.owner.patch(`/staff/${family.teacherStaffId}`, { userId: teacher.userId })
  const audience = { kind: 'group', groupIds: [family.groupId] }
  const message = { templateKey: 'message', channels: ['email'], data: { title: 'Algebra', message: 'Bring a ruler.' } }
  const { body } = await teacher.post('/notifications/send', { ...message, audience })
  await at.institute.owner.post('/notifications/send', {
    ...message,
    data: { title: 'Office', message: 'Closed' },
    audience,
  })
  await at.app.drain()
  return { family, teacher, batchId: body.batchId as string }
}

test('a teacher lists and reads what they sent, without the addresses of families', async () => {
  const { teacher, batchId } = await begin()
  const { owner } = at.institute
  const { data } = (await teacher.get('/notifications')).body
  expect(data.length).toBeGreaterThan(0)
  for (const entry of data) {
    expect(entry).toMatchObject({ title: expect.stringContaining('Algebra'), sourceId: batchId, reason: null })
    expect(entry.recipient.address).toBeNull()
    expect((await teacher.get(`/notifications/${entry.id}`)).body).toMatchObject({
      id: entry.id,
      recipient: { address: null },
    })
  }
  const whole = (await owner.get('/notifications')).body.data
  expect(whole.some((entry: { recipient: { address: string | null } }) => entry.recipient.address !== null)).toBe(true)
  const foreign = whole.find(({ title }: { title: string }) => title.includes('Office'))
  expect((await teacher.get(`/notifications/${foreign.id}`)).status).toBe(404)
  // The filter cannot be turned to somebody else.
  const ofOwner = `/notifications?sentByUserId=${at.institute.ownerUserId}`
  expect((await teacher.get(ofOwner)).body.data).toEqual(data)
  expect((await owner.get(ofOwner)).body.data.map(({ sourceId }: { sourceId: string }) => sourceId)).not.toContain(
    batchId,
  )
  expect((await owner.get(`/notifications?sentByUserId=${teacher.userId}`)).body.data).toHaveLength(data.length)
})

test('another teacher sees nothing of it, nor does a family', async () => {
  await begin()
  const other = await at.institute.member({ role: 'teacher' })
  await newStaff(at.institute, { userId: other.userId })
  expect((await other.get('/notifications')).body.data).toEqual([])
  for (const role of ['guardian', 'student'] as const) {
    expect((await (await at.institute.member({ role })).get('/notifications')).status).toBe(403)
  }
})
