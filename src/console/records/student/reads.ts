import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { addDays, type Format } from '../../words/format.ts'

/** All enrollments of a student, the newest first: the active ones and those before. */
export const useEnrollments = (studentId: string, isOff = false) =>
  useGet(
    ['/students', studentId, 'enrollments'],
    async (signal) => {
      const query = { limit: 100 }
      const reply = api.GET('/students/{id}/enrollments', { params: { path: { id: studentId }, query }, signal })
      return (await answer(reply)).data
    },
    { isOff },
  )

const AHEAD_DAYS = 14

/** What the lessons of a group are from today on, cancelled ones left out. */
export const readComingSessions = async (
  groupId: string,
  format: Format,
  signal: AbortSignal,
): Promise<readonly Schemas['TimetableSession'][]> => {
  const from = format.today()
  const query = { groupId, from, to: addDays(from, AHEAD_DAYS), status: ['scheduled', 'held'] as const, limit: 10 }
  const reply = await answer(
    api.GET('/sessions', { params: { query: { ...query, status: [...query.status] } }, signal }),
  )
  return reply.data
}

export const comingKey = (groupId: string): readonly [string, ...unknown[]] => ['/sessions', 'coming', groupId]
