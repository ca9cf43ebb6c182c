import type { Schemas } from '../../api/client.ts'

export type Result = Omit<Schemas['SearchResult'], 'type'> & { type: Schemas['SearchedType'] | 'lead' }

const MOST = 8

/** What was looked at lately, in memory alone: it is gone with the page, and at the latest when somebody signs out. */
let looked: readonly Result[] = []

export const remember = (result: Result): void => {
  looked = [result, ...looked.filter(({ id }) => id !== result.id)].slice(0, MOST)
}

export const lookedAt = (): readonly Result[] => looked
