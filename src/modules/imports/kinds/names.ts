import type * as v from 'valibot'
import { cleanName, firstWords, joinedName, nameKey } from '#shared/names.ts'
import { RowRefused, type Reason } from '../complaints.ts'
import type { Values } from '../rows.ts'

export interface Names {
  firstName: string
  lastName: string
}

/** The first name and the other words; `Levi, Dana` is the other way round. */
const split = (full: string): Partial<Names> => {
  const [before = '', after] = full.split(/\s*[,\u060C]\s*/, 2)
  if (after) return { firstName: after, lastName: before }
  const words = before.split(/\s+/)
  const [first, others] = [words.slice(0, firstWords(words)), words.slice(firstWords(words))]
  return { firstName: first.join(' '), ...(others.length > 0 && { lastName: others.join(' ') }) }
}

/** @param prefix of the fields: `firstName`, or `motherFirstName` and so on; @returns undefined: the row names nobody */
export const namesIn = (values: Values, prefix = ''): Partial<Names> | undefined => {
  const at = (part: string): string | undefined => {
    const text = values[prefix === '' ? part.charAt(0).toLowerCase() + part.slice(1) : prefix + part]
    return text === undefined ? undefined : cleanName(text as string) || undefined
  }
  const full = at(prefix === '' ? 'FullName' : 'Name')
  const [firstName, lastName] = [at('FirstName'), at('LastName')]
  if (firstName === undefined && lastName === undefined && full === undefined) return undefined
  const parts = full === undefined ? {} : split(full)
  return {
    ...((firstName ?? parts.firstName) !== undefined && { firstName: (firstName ?? parts.firstName) as string }),
    ...((lastName ?? parts.lastName) !== undefined && { lastName: (lastName ?? parts.lastName) as string }),
  }
}

/** @throws RowRefused when a part is missing */
export const wholeName = ({ firstName, lastName }: Partial<Names> = {}): Names => {
  if (firstName === undefined) throw new RowRefused('missing', 'firstName')
  if (lastName === undefined) throw new RowRefused('missing', 'lastName')
  return { firstName, lastName }
}

/** A name as it is compared, however it is spelled. */
export const foldedName = ({ firstName = '', lastName = '' }: Partial<Names> = {}): string =>
  joinedName(`${firstName} ${lastName}`)

const wordsOf = ({ firstName = '', lastName = '' }: Partial<Names>): string[] =>
  nameKey(`${firstName} ${lastName}`).split(' ')

/** Whether two names have a word in common. */
export const shareAWord = (one: Partial<Names>, other: Partial<Names>): boolean => {
  const words = new Set(wordsOf(one))
  return foldedName(one) === foldedName(other) || wordsOf(other).some((word) => words.has(word))
}

const REASON_OF_TYPE: Readonly<Record<string, Reason>> = { max_length: 'too_long', min_length: 'missing' }

/**
 * Takes what the API would take of a body made of a row.
 * @param fieldOf the field of the file that holds a field of the body
 * @throws RowRefused
 */
export const taken = <T>(
  result: v.SafeParseResult<v.GenericSchema<unknown, T>>,
  fieldOf = (name: string) => name,
): T => {
  if (result.success) return result.output
  const [issue] = result.issues
  const [path] = issue.path ?? []
  throw new RowRefused(REASON_OF_TYPE[issue.type] ?? 'not_valid', path === undefined ? null : fieldOf(String(path.key)))
}
