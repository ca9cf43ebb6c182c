import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

/** The tokens of a test whose clock goes to a later day and back. */
export const LONG_TOKENS = { accessTokenSeconds: 400 * 24 * 3600 }

/**
 * Takes the attendance of a session when it begins, and sets the clock back: before its day it is refused. The app has
 * `LONG_TOKENS`.
 * @returns the reply
 */
export const takeAttendance = async (
  { clock }: Pick<TestApp, 'clock'>,
  client: Client,
  sessionId: string,
  body: unknown,
): ReturnType<Client['put']> => {
  const { scheduledStart } = (await client.get(`/sessions/${sessionId}`)).body
  const now = clock.now()
  if (scheduledStart > now) clock.set(scheduledStart)
  try {
    return await client.put(`/sessions/${sessionId}/attendance`, body)
  } finally {
    clock.set(now)
  }
}
