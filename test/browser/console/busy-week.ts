import type { School } from './school.ts'

/**
 * Gives the groups of a school their weekly times, so that the week of 22 November is full: two lessons in one room at
 * once on Thursday, one that is cancelled on Wednesday, one that passes midnight on Thursday.
 * @returns the group that has only these times
 */
export const fillWeek = async ({ institute: { owner, branchId }, names, groupIds, teacherStaffId }: School) => {
  const { courseId } = (await owner.get(`/groups/${groupIds[0]}`)).body
  const group = {
    courseId,
    branchId,
    name: `${names.groups[0]} 2`,
    teacherStaffId,
    room: `${names.room} 2`,
    capacity: 12,
  }
  const busyId = (await owner.post('/groups', group)).body.id as string
  const rule = (weekday: number, startTime: string, endTime: string) => ({
    weekday,
    startTime,
    endTime,
    validFrom: '2026-11-25',
  })
  const schedules = {
    [groupIds[0] as string]: [rule(3, '15:00', '16:30'), rule(0, '15:00', '16:30')],
    [groupIds[1] as string]: [rule(4, '16:00', '17:30'), rule(1, '16:00', '17:30')],
    [groupIds[2] as string]: [rule(3, '17:00', '17:45'), rule(5, '09:00', '10:30')],
    [busyId]: [rule(4, '17:00', '18:00'), rule(3, '18:00', '18:30')],
  }
  for (const [id, schedule] of Object.entries(schedules))
    await owner.put(`/groups/${id}/schedules`, { schedules: schedule })
  const sessions = async (id: string) => (await owner.get(`/groups/${id}/sessions`)).body.data as { id: string }[]
  const [first] = await sessions(busyId)
  await owner.patch(`/sessions/${first?.id}`, { status: 'cancelled', reason: '…' })
  const night = { scheduledStart: '2026-11-26T20:30:00.000Z', scheduledEnd: '2026-11-26T23:00:00.000Z' }
  await owner.post(`/groups/${groupIds[3]}/sessions`, night)
  return busyId
}
