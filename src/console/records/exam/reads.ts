import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

export type Gradebook = Schemas['Gradebook']
export type GradebookExam = Gradebook['exams'][number]

/** As many exams as a gradebook can have. */
const MOST = 100

/** The exams of a group beside its students. */
export const useGradebook = (groupId: string) =>
  useGet(['/groups', groupId, 'gradebook'], (signal) =>
    answer(api.GET('/groups/{id}/gradebook', { params: { path: { id: groupId }, query: { exams: MOST } }, signal })),
  )
