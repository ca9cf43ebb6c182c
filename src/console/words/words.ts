import type { first } from './en/first.ts'
import type { en } from './en/index.ts'

/** Every word of the console in one language. English says which there are; the others have the same. */
export type Words = typeof en

/** Those of the page where one signs in. */
export type FirstWords = typeof first
