import { readSessions } from '../../records/session/reads.ts'

/**
 * Since when somebody belongs to a group who is enrolled now. In the middle of a lesson, since it began: whoever sits in it
 * stands on its roster. Otherwise since now, so that no lesson of before waits for a mark again.
 * @returns what an enrolment says of it
 */
export const enrolledSince = async (groupId: string): Promise<{ enrolledAt?: string }> => {
  const { data } = await readSessions({ groupId, status: ['scheduled', 'held'], limit: 100 })
  const now = new Date().toISOString()
  const running = data.find(({ scheduledStart, scheduledEnd }) => scheduledStart <= now && now < scheduledEnd)
  return running ? { enrolledAt: running.scheduledStart } : {}
}
