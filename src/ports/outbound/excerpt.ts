const MAX_CHARACTERS = 1000

/**
 * Returns the beginning of a response as text for a database column: at most 1000 UTF-16 units, without a lone
 * surrogate, and with U+FFFD in place of invalid UTF-8 and NUL (Postgres can store neither).
 */
export function excerptOf(body: Buffer, truncated: boolean): string {
  // With `stream`, the decoder drops a character whose last bytes were cut off.
  const text = new TextDecoder().decode(body, { stream: truncated }).replaceAll('\0', '\uFFFD')
  return text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
}
