import type { Example, Examples, World } from '#kit/examples.ts'
import { create, newGroup, newPupil } from './sessions.ts'

type Place = Pick<World, 'owner' | 'branchId'>

/** An exam of a fresh group, or of the given one. */
export const newExam = async (place: Place, groupId?: string, fields: Record<string, unknown> = {}): Promise<string> =>
  create(place, `/groups/${groupId ?? (await newGroup(place))}/exams`, {
    title: 'Unit 1',
    kind: 'quiz',
    maxScore: 20,
    ...fields,
  })

/** An exam with a student of its group who scored 17. */
export const newResult = async (place: Place): Promise<{ groupId: string; examId: string; studentId: string }> => {
  const groupId = await newGroup(place)
  const studentId = await newPupil(place, groupId)
  const examId = await newExam(place, groupId)
  await place.owner.put(`/exams/${examId}/results`, { results: [{ studentId, score: 17 }] })
  return { groupId, examId, studentId }
}

const ofGroup = async (world: World): Promise<Example> => ({ params: { groupId: await newGroup(world) } })
const ofExam = async (world: World): Promise<Example> => ({ params: { id: await newExam(world) } })

export const examExamples: Examples = {
  'exams.list': ofGroup,
  'exams.create': async (world) => ({
    ...(await ofGroup(world)),
    body: { title: 'Unit 1', kind: 'quiz', maxScore: 20, weight: 0.5, heldAt: '2026-03-08' },
  }),
  'exams.read': ofExam,
  'exams.update': async (world) => ({ ...(await ofExam(world)), body: { maxScore: 25 } }),
  'exams.delete': ofExam,
  'exams.publish': ofExam,
  'exams.results': async (world) => ({ params: { id: (await newResult(world)).examId } }),
  'exams.enter-results': async (world) => {
    const { examId, studentId } = await newResult(world)
    return { params: { id: examId }, body: { results: [{ studentId, score: 18.5, remarks: 'Well done' }] } }
  },
  'exams.gradebook': async (world) => ({ params: { id: (await newResult(world)).groupId } }),
  'exams.enter-gradebook': async (world) => {
    const { groupId, examId, studentId } = await newResult(world)
    return { params: { id: groupId }, body: { exams: [{ examId, results: [{ studentId, score: 18.5 }] }] } }
  },
  'exams.student-results': async (world) => ({ params: { id: (await newResult(world)).studentId } }),
}
