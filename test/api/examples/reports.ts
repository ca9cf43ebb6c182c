import type { Example, Examples, World } from '#kit/examples.ts'
import { newPayment } from './billing.ts'
import { newGroup, newPupil, newSession, newStaff } from './sessions.ts'

/** A lesson that a teacher held. */
const newLesson = async (world: World): Promise<void> => {
  await world.owner.patch('/feature-flags', { advanced_reports: true })
  const groupId = await newGroup(world, { name: 'English A', teacherStaffId: await newStaff(world) })
  const studentId = await newPupil(world, groupId)
  const sessionId = await newSession(world, groupId)
  await world.owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'absent' }] })
}

const ofLesson =
  (query: string) =>
  async (world: World): Promise<Example> => {
    await newLesson(world)
    return { query }
  }

const ofMoney =
  (query: string) =>
  async (world: World): Promise<Example> => {
    await world.owner.patch('/feature-flags', { advanced_reports: true })
    await newPayment(world)
    return { query }
  }

const answersAll = 'it answers every holder of the permission with the figures that they reach'

export const reportExamples: Examples = {
  'reports.attendance': { make: ofLesson('?by=group'), branchless: answersAll },
  'reports.income': { make: ofMoney('?by=method'), branchless: answersAll },
  'reports.collected': { make: ofMoney('?method=cash'), branchless: answersAll },
  'reports.debts': { make: ofMoney('?by=family'), branchless: answersAll },
  'reports.enrollment': { make: ofLesson('?by=group'), branchless: answersAll },
  'reports.enrollment-moves': { make: ofLesson('?what=joined'), branchless: answersAll },
  'reports.staff-hours': { make: ofLesson(''), branchless: answersAll },
}
