import { useWords } from '../../words/language.tsx'
import { answer, api, type Schemas } from '../../api/client.ts'
import type { Refusal } from '../../parts/form.tsx'

/** The reasons why a link is refused, and the field at which they are said. */
export const LINK_REFUSALS = { VIDEO_URL_INVALID: 'url', VIDEO_PROVIDER_UNSUPPORTED: 'url' } as const

/** What is said of a link that the server does not take, where it is not what is said of links everywhere. */
export const useLinkWords = () => {
  const { curriculum: words } = useWords()
  return {
    missing: words.linkMissing,
    refused: ({ reason }: Refusal) => (reason === 'malformed' ? words.linkMalformed : undefined),
  }
}

export const saveLink = (lessonId: string, url: string): Promise<Schemas['Lesson']> =>
  answer(api.PUT('/lessons/{id}/video', { params: { path: { id: lessonId } }, body: { url: url.trim() } }))
