import type { Titles } from './titles.ts'

/** The last part of a path is English already. */
export const en: Titles = { id: 'files' }
