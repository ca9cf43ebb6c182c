import { invalid } from '#kernel/values/errors.ts'
import type { Weakness } from './weak-passwords.ts'

/** What is said of a password that is too weak; the pages say the same. */
export const WEAK: Readonly<Record<Weakness, string>> = {
  common: 'This password, or one much like it, is among the first that are guessed. Please choose another one.',
  repetitive: 'A simple sequence or repetition is guessed quickly. Please choose another password.',
  related:
    'It is made of a name or an address of yours or of the institute, which is guessed quickly. Please choose another password.',
}

export const NEW_PASSWORD =
  'At least 10 characters; not a common password, a sequence, or one that is made of names or addresses of the person or the institute.'

/** Names and addresses; those that nobody has given yet are left out. */
export type OwnWords = readonly (string | null | undefined)[]

/**
 * Why a new password is refused, in words; undefined: it is not.
 * @param own names and addresses of its owner and of their institutes
 */
export const faultOfPassword = async (password: string, own: OwnWords): Promise<string | undefined> => {
  const { weaknessOf } = await import('./weak-passwords.ts')
  const weakness = weaknessOf(
    password,
    own.flatMap((text) => text ?? []),
  )
  return weakness === null ? undefined : WEAK[weakness]
}

/** @param path leads to the password in the body @throws VALIDATION_ERROR for a password that is too weak */
export const checkNewPassword = async (password: string, own: OwnWords, path: string[]): Promise<void> => {
  const fault = await faultOfPassword(password, own)
  if (fault !== undefined) throw invalid(path, fault)
}
