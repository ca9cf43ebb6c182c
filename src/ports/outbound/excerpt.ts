const MAX_CHARACTERS = 1000

/**
 * The beginning of an answer as text for a database column: at most 1000 UTF-16 units, no half of a
 * surrogate pair, and U+FFFD for broken UTF-8 and for NUL (Postgres stores neither).
 */
export function excerptOf(body: Buffer, truncated: boolean): string {
  // With `stream` the decoder leaves out a character whose last bytes were cut off.
  const text = new TextDecoder().decode(body, { stream: truncated }).replaceAll('\0', '\uFFFD')
  return text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
}
