import { randomInt } from 'node:crypto'

/** No vowels, so that chance makes no word, and nothing that is read as something else. */
const LETTERS = 'bcdfghjkmnpqrstvwxz23456789'
const LENGTH = 10
const FORM = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)

/** Names are public in the logs of certificate authorities, so they say nothing of whose they are. */
export const randomLabel = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

export const isLabel = (text: string): boolean => FORM.test(text)
