import type { TestInstitute } from '#kit/institute.ts'
import { create, newPupil } from '../examples/sessions.ts'

/** Students wait for a full group of the same course; it grows, and each is offered a place. */
export const offerPlaces = async (
  institute: TestInstitute,
  groupId: string,
  studentIds: readonly string[],
): Promise<void> => {
  const { owner, branchId } = institute
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  const clubId = await create(institute, '/groups', { courseId, branchId, name: 'Chess club', capacity: 1 })
  await newPupil(institute, clubId)
  const entries: string[] = []
  for (const studentId of studentIds) entries.push(await create(institute, `/groups/${clubId}/waiting`, { studentId }))
  await owner.patch(`/groups/${clubId}`, { capacity: 4 })
  for (const id of entries) {
    const { status } = await owner.post(`/waiting/${id}/offer`)
    if (status !== 200) throw new Error(`an offer is ${status}`)
  }
}
