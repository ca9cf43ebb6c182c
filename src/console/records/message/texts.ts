import { answer, api } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'
import type { Words } from '../../words/words.ts'
import type { Template } from './reads.ts'

/** Every text of messages: the institute's own, and the usual ones where it has none. */
export const useTexts = (isOff = false) =>
  useGet(
    ['/notification-templates'],
    (signal) =>
      readAll((cursor) =>
        answer(api.GET('/notification-templates', { params: { query: { limit: 100, cursor } }, signal })),
      ),
    { isOff },
  )

/** A variable as it stands in a text. */
const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The names of the variables of a text, each once. */
export const variablesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(VARIABLE), ([, name]) => name ?? '')),
]

/** The text with what stands for its variables; one without a value stays as it is. */
export const filledIn = (text: string, valueOf: (name: string) => string | undefined): string =>
  text.replaceAll(VARIABLE, (whole, name: string) => valueOf(name) ?? whole)

/** What a text is for, in words: an event, or the name that the institute gave it. */
export const kindOf = (key: string, { messageTexts }: Words): string =>
  (messageTexts.events as Readonly<Record<string, string>>)[key] ?? key

/** Whether a key is one of the institute's own, and no event. */
export const isOwnKey = (key: string, { messageTexts }: Words): boolean => !Object.hasOwn(messageTexts.events, key)

/** What a request that sends a text of one's own has to say: its `data.` variables. */
export const askedBy = (texts: readonly Template[]): string[] => [
  ...new Set(
    texts
      .flatMap(({ subject, body }) => variablesIn(`${subject ?? ''} ${body}`))
      .filter((name) => name.startsWith('data.'))
      .map((name) => name.slice('data.'.length)),
  ),
]
