import { directionOf, type Locale } from './locale.ts'

/**
 * Values keep their own direction within a sentence: a Latin name or a number must not change the order of the Hebrew or
 * the Arabic around it, nor the other way round. Words isolate what they are given; nothing else does.
 */

/** What people wrote, of either direction (FSI … PDI). */
export const isolate = (text: string | number): string => `\u2068${text}\u2069`

/** What is read from left to right in every language: a number, a code (LRI … PDI). */
export const isolateLeftToRight = (text: string | number): string => `\u2066${text}\u2069`

/** A number in groups: a telephone, a span of years. */
const GROUPED_NUMBER = /\+?\d+(?:[- ]\d+)+/g

/** What people wrote, in which the groups of a number keep their order after Arabic letters (LEFT-TO-RIGHT MARK). */
export const withNumbersInOrder = (text: string | number): string =>
  String(text).replace(GROUPED_NUMBER, '\u200E$&\u200E')

/** A number that stays in one piece: no line ends at one of its hyphens (WORD JOINER). */
export const unbroken = (number: string): string => isolateLeftToRight(number.replaceAll('-', '-\u2060'))

const LEFT_TO_RIGHT = /^[^\p{Script=Hebrew}\p{Script=Arabic}]*$/u

/** Whether nothing of the text changes the order of another one in this language. */
export const isInOrder = (text: string, locale: Locale): boolean =>
  text === '' || (directionOf(locale) === 'ltr' && LEFT_TO_RIGHT.test(text))

/** Leaves a value as it is where it is in order: a text message then stays in the short alphabet. */
export const isolateIn = (text: string, locale: Locale): string => (isInOrder(text, locale) ? text : isolate(text))
