import { answer, api, type Schemas } from '../../api/client.ts'
import { stepOf, type IntentHeader } from '../../api/intents/intent.ts'
import { Problem } from '../../api/problem.ts'

/** A category has a short name for addresses, of which nobody needs to know. */
const slugOf = (name: string): string =>
  name
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}._-]+/gu, '-')
    .slice(0, 100) || 'category'

/** Adds a category. Where another has its short name, it gets one of its own. */
export const addCategory = async (
  { name, parentId }: { name: string; parentId?: string },
  header: IntentHeader,
): Promise<Schemas['CourseCategory']> => {
  const add = (slug: string, step: IntentHeader) =>
    answer(
      api.POST('/course-categories', {
        params: { header: step },
        body: { name: name.trim(), slug, ...(parentId && { parentId }) },
      }),
    )
  try {
    return await add(slugOf(name), header)
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'category_slug_taken') throw error
    return add(`${slugOf(name)}-${header['Idempotency-Key'].slice(0, 6)}`, stepOf(header, 'other-slug'))
  }
}
