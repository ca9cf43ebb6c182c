/**
 * Palestinian mobile phones (059 and 056) are dialled under two country codes, +970 and +972, and people write either.
 * Browsers use it too.
 */
const TWIN_CODES = /^\+97([02])(?=5[69]\d{7}$)/

/** The other number in E.164 that reaches the same phone; the number itself where there is none. */
export const twinPhone = (e164: string): string =>
  e164.replace(TWIN_CODES, (_, digit: string) => (digit === '0' ? '+972' : '+970'))

/** Both numbers as one: equal for two that reach the same phone. */
export const phoneKey = (e164: string): string => e164.replace(TWIN_CODES, '+970')

export const isSamePhone = (one: string, other: string): boolean => phoneKey(one) === phoneKey(other)

/**
 * A number as search looks for it: of one that has two codes, what is dialled within the country, which is stored beside
 * both.
 */
export const withoutTwinCode = (digits: string): string => digits.replace(/^\+?97[02](?=5[69]\d{7}$)/, '0')
