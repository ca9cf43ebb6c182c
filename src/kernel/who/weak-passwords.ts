import { ZxcvbnFactory, type MatchExtended } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { fold } from '#shared/text.ts'

/*
 * Which passwords are guessed too soon. The server and its pages ask the same function. It is loaded late, because its list
 * of 50,000 passwords takes time to unpack: see new-password.ts.
 */

/**
 * Why a password is too weak: it is like one that many people choose, it is a sequence or a repetition, or it is made of
 * names and addresses that belong to its owner.
 */
export type Weakness = 'common' | 'repetitive' | 'related'

/** How many guesses a password must withstand. Sign-in allows five wrong ones in 15 minutes. */
const GUESSES = 1e8
/** How many guesses a password must withstand when the owner's names and addresses are removed from it. */
const GUESSES_BESIDE_OWN = 1e6
/** Only this many characters of a password are checked: the time for a check grows faster than the length. */
const LOOKED_AT = 40
/** The work on look-alikes of letters (p4ssw0rd) grows with their number. */
const LOOKALIKES = 10
const OWN_WORD_LENGTH = 3
const FEW_CHARACTERS = 4
const MOST_STEPS = 0.7

const estimator = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  l33tMaxSubstitutions: LOOKALIKES,
  maxLength: LOOKED_AT,
})

const OWN = 'userInputs'
const PATTERNS = new Set(['repeat', 'sequence', 'spatial'])

/** Latin letters, and what the same keys type on an Arabic and on a Hebrew keyboard. */
const LATIN = 'qwertyuiopasdfghjkl;zxcvbnm,.'
const LAYOUTS = ['ضصثقفغعهخحشسيبلاتنمكئءؤرلىةوز', "/'קראטוןםפשדגכעיחלךףזסבהנמצתץ"]
const KEYS = new Map(
  LAYOUTS.flatMap((layout) => Array.from(layout, (letter, key) => [letter, LATIN[key] as string] as const)),
)

/** The keys of letters that are not Latin, as a Latin keyboard would type them: شسيبلا is asdfgh there. */
const onLatinKeys = (password: string): string =>
  Array.from(password, (letter) => (/\p{L}/u.test(letter) ? (KEYS.get(letter) ?? letter) : letter)).join('')

/** Few different characters (aaaaaaaaaa, 1212121212), or mostly steps of one (1234567890, abcdefghij). */
const isRepetitive = (password: string): boolean => {
  const codes = Array.from(password, (character) => character.codePointAt(0) as number)
  if (new Set(codes).size <= FEW_CHARACTERS) return true
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] as number)) === 1).length
  return steps >= (codes.length - 1) * MOST_STEPS
}

/** The words of names and addresses, by themselves and together. */
const wordsOf = (texts: readonly string[]): string[] => {
  const words = texts.flatMap((text) =>
    [text.toLowerCase(), fold(text)].flatMap((form) => {
      const parts = form.split(/[^\p{L}\p{N}\p{M}]+/u)
      return [form, parts.join(''), ...parts, ...form.split(/[^\p{L}\p{M}]+/u)]
    }),
  )
  return [...new Set(words)].filter((word) => word.length >= OWN_WORD_LENGTH)
}

const isOwn = (match: MatchExtended): boolean => 'dictionaryName' in match && match.dictionaryName === OWN

const lookAt = (password: string, words: string[]): Weakness | null => {
  const { guesses, sequence } = estimator.check(password, words)
  if (sequence.some(isOwn)) {
    const rest = sequence.flatMap((match) => (isOwn(match) ? [] : [match.token])).join('')
    if (guesses < GUESSES || estimator.check(rest).guesses < GUESSES_BESIDE_OWN) return 'related'
  }
  if (guesses >= GUESSES) return null
  return sequence.every(({ pattern }) => PATTERNS.has(pattern)) ? 'repetitive' : 'common'
}

/**
 * Why the password is guessed too soon; null: it is not.
 * @param own names and addresses of its owner and of their institutes
 */
export const weaknessOf = (password: string, own: readonly string[]): Weakness | null => {
  const beginning = password.slice(0, LOOKED_AT)
  if (isRepetitive(beginning)) return 'repetitive'
  const words = wordsOf(own)
  const latin = onLatinKeys(beginning)
  return lookAt(beginning, words) ?? (latin === beginning ? null : lookAt(latin, []))
}
