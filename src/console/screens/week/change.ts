import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'

/** Changes a lesson: moves it, cancels it, gives it to somebody else. */
export const useSessionChange = (id: string) =>
  useChange('session', (body: Schemas['SessionChanges'], header) =>
    answer(api.PATCH('/sessions/{id}', { params: { path: { id }, header }, body })),
  )

/** What each form of a lesson is given. */
export interface LessonFormProps {
  session: Schemas['TimetableSession']
  onBack: () => void
  onDone: () => void
}
