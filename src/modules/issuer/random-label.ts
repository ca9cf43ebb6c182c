import { randomInt } from 'node:crypto'
import { LABEL_LENGTH, LABEL_LETTERS } from '#kernel/basics/lan-label.ts'

/** Names are public in the logs of certificate authorities, so they say nothing of whose they are. */
export const randomLabel = (): string =>
  Array.from({ length: LABEL_LENGTH }, () => LABEL_LETTERS[randomInt(LABEL_LETTERS.length)]).join('')
