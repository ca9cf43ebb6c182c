import type { Audience } from '#kit/audience.ts'
import { makeInstitute } from '#kit/institute.ts'

/** Members of another institute on the same server, whom nothing of this one concerns. */
export const peopleElsewhere = async (audience: Audience): Promise<void> => {
  const other = await makeInstitute(audience.app)
  for (const [locale, name] of [
    ['ar', 'ليلى منصور'],
    ['he', 'ליאור גל'],
    ['en', 'Lily Stone'],
  ] as const) {
    const invited = await other.member({ role: 'teacher' })
    await invited.patch('/me', { locale })
    audience.stranger('somebody with an account elsewhere', name, locale, {
      email: `user-${invited.userId}@example.org`,
    })
  }
}
