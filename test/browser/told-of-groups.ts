import { LOCALES } from '#shared/locale.ts'
import type { TestApp } from '#kit/app.ts'
import type { TestInstitute } from '#kit/institute.ts'
import { create, newPupil, newSession } from '../api/examples/sessions.ts'

/** Does what families and teachers are told of about a group. */

type School = Pick<TestInstitute, 'owner' | 'branchId'> & { groupId: string; studentIds: readonly string[] }
interface Person {
  firstName: string
  lastName: string
}

/** Lets a teacher stand in for another from day to day, and takes it back. */
export const tellOfCover = async (
  app: TestApp,
  school: School,
  teacher: Person,
  cover: { substituteStaffId: string; tellFamilies: boolean },
): Promise<void> => {
  const { owner, branchId, groupId } = school
  const inHours = (hours: number) => new Date(app.clock.millis() + hours * 3_600_000).toISOString()
  const teacherStaffId = await create(school, '/staff', { branchId, ...teacher })
  const times = { scheduledStart: inHours(2), scheduledEnd: inHours(3) }
  await newSession(school, groupId, { ...times, teacherStaffId })
  const days = { from: inHours(0).slice(0, 10), to: inHours(48).slice(0, 10) }
  const planned = await owner.post(`/staff/${teacherStaffId}/cover`, { ...cover, ...days })
  await app.drain()
  await owner.delete(`/covers/${planned.body.cover.id}`)
  await app.drain()
}

/** Closes a day on which there is a lesson, opens it again, and lets the group end before it. */
export const tellOfDays = async (app: TestApp, school: School): Promise<void> => {
  const { owner, groupId } = school
  const inDays = (days: number) => new Date(app.clock.millis() + days * 24 * 3600 * 1000).toISOString()
  const [day, scheduledEnd] = [inDays(3).slice(0, 10), new Date(Date.parse(inDays(3)) + 3_600_000).toISOString()]
  await newSession(school, groupId, { scheduledStart: inDays(3), scheduledEnd })
  const closureId = await create(school, '/closures', { name: 'عيد الفطر', from: day, to: day })
  await app.drain()
  await owner.delete(`/closures/${closureId}`)
  await app.drain()
  const [first, second] = [inDays(3).slice(0, 10), inDays(4).slice(0, 10)]
  const closures = [
    { name: 'عيد الفطر', from: first, to: first },
    { name: 'ראש השנה', from: second, to: second },
  ]
  const { body } = await owner.post('/closures/many', { closures })
  await app.drain()
  for (const { id } of body) await owner.delete(`/closures/${id}`)
  await app.drain()
  await owner.patch(`/groups/${groupId}`, { endsOn: inDays(1).slice(0, 10) })
  await app.drain()
}

/** Lets the group go on in a new year, and offers everybody a place in another one, for which they wait. */
export const tellOfPlaces = async (app: TestApp, school: School, name: string, student: Person): Promise<void> => {
  const { owner, branchId, groupId, studentIds } = school
  const inDays = (days: number) => new Date(app.clock.millis() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const year = { startsOn: inDays(100), endsOn: inDays(300) }
  await owner.post('/groups/rollover', {
    groupIds: [groupId],
    ...year,
    names: [{ groupId, name }],
    notify: true,
  })
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  const full = await create(school, '/groups', { courseId, branchId, name, capacity: 1 })
  await newPupil(school, full, { ...student })
  const entryIds: string[] = []
  for (const studentId of studentIds) entryIds.push(await create(school, `/groups/${full}/waiting`, { studentId }))
  await owner.patch(`/groups/${full}`, { capacity: 4 })
  for (const id of entryIds) await owner.post(`/waiting/${id}/offer`)
  await app.drain()
}

interface Family extends TestInstitute {
  /** A parent for each language. */
  parentIds: readonly string[]
}

/** A parent of each language asks for two changes of what is kept of them: one is made, one is not. */
export const tellOfProposals = async (
  app: TestApp,
  school: Family,
  { member: fullName, reason }: { member: string; reason: string },
): Promise<void> => {
  const { owner, parentIds } = school
  for (const [n, locale] of LOCALES.entries()) {
    const guardianId = parentIds[n]
    const parent = await school.member({ role: 'guardian' })
    await parent.patch('/me', { locale, fullName })
    await owner.patch(`/guardians/${guardianId}`, { userId: parent.userId })
    for (const how of ['accept', 'decline']) {
      await parent.post('/me/proposed-changes', { guardianId, changes: { address: { line1: `Herzl 5, ${how}` } } })
      const [open] = (await owner.get('/proposed-changes')).body.data
      await owner.post(`/proposed-changes/${open.id}/${how}`, { seen: open.seen, remark: reason })
    }
    await app.drain()
    await owner.patch(`/guardians/${guardianId}`, { userId: null })
  }
}
