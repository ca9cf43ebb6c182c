import type { Client } from '#kit/client.ts'
import type { TestInstitute } from '#kit/institute.ts'
import { create, newGroup, newStaff } from '../examples/sessions.ts'

/** The clock of these tests stands at Monday 2026-03-02, ten in the morning in Jerusalem. */
export const NEXT = { startsOn: '2026-09-01', endsOn: '2027-06-30' }

const MONDAYS = { weekday: 1, startTime: '16:00', endTime: '17:00', validFrom: '2026-01-01', validTo: null }

/** A group that ends in June and meets on Mondays, with a teacher. */
export const newYearGroup = async (
  institute: TestInstitute,
  fields: Record<string, unknown> = {},
): Promise<{ groupId: string; teacherStaffId: string }> => {
  const teacherStaffId = (fields['teacherStaffId'] as string | undefined) ?? (await newStaff(institute))
  const groupId = await newGroup(institute, {
    name: 'English 2025/26',
    startsOn: '2025-09-01',
    endsOn: '2026-06-30',
    feeMinor: 30_000,
    teacherStaffId,
    ...fields,
  })
  await institute.owner.put(`/groups/${groupId}/schedules`, { schedules: [MONDAYS] })
  return { groupId, teacherStaffId }
}

let made = 0

/** A student who is in the group. @returns its id */
export const newMember = async (
  { owner, branchId }: { owner: Client; branchId: string },
  groupId: string,
  enrollment: Record<string, unknown> = {},
): Promise<string> => {
  const named = { branchId, firstName: 'Pupil', lastName: `Number ${(made += 1)}` }
  const studentId = await create({ owner }, '/students', named)
  await owner.post(`/students/${studentId}/status`, { status: 'active' })
  await create({ owner }, '/enrollments', { studentId, groupId, ...enrollment })
  return studentId
}

/** @throws what a request was refused with */
// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
export const good = async (asked: ReturnType<Client['get']>): Promise<any> => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
