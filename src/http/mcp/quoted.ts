/**
 * What acts on the text around it, or is not seen at all: marks and overrides of direction, blanks without width, line
 * separators, tag characters, variation selectors. What letters need stays: the joiners of Arabic, Persian and emoji, and
 * the selectors between a letter and its picture.
 */
const UNSEEN =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\x7f-\x9f]/gu

const escaped = (character: string): string =>
  // JSON escapes each half of what lies beyond U+FFFF.
  character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Anything as JSON in which nothing turns around or hides what stands beside it: the text for a model and for the person
 * who looks on. Read as JSON it is the same as before.
 */
export const quotedJson = (value: unknown): string => JSON.stringify(value).replaceAll(UNSEEN, escaped)
