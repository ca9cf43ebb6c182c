/**
 * The text of a CSV file in any of the encodings that spreadsheet programs here write: UTF-8, UTF-16 with a byte order
 * mark or without, and the Hebrew and Arabic ones of Windows.
 */

const WINDOWS = ['windows-1255', 'windows-1256'] as const

const decoded = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const SAMPLE_BYTES = 65_536

/**
 * UTF-16 without a byte order mark: every second byte of what is Latin (separators, digits, line ends) is zero. Text of
 * another encoding with some zeros in it would be Chinese in one line.
 */
const bareUtf16 = (bytes: Uint8Array): string | undefined => {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < sample.length / 20) return undefined
  const text = decoded(bytes, even > odd ? 'utf-16be' : 'utf-16le')
  return text !== undefined && /[\r\n]/.test(text) ? text : undefined
}

/**
 * How much a text looks like words: letters beside letters of the same script count for it, Latin letters with accents,
 * vowel signs and letters of another script in the middle of a word against it.
 */
const looksLikeWords = (text: string): number => {
  let score = 0
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (/^[a-z]+$/i.test(word)) continue
    if (/^\p{Script=Hebrew}{2,}$/u.test(word)) {
      score += word.length
      // A final letter stands at the end of a word and nowhere else.
      if (/[\u05DA\u05DD\u05DF\u05E3\u05E5](?=.)/u.test(word)) score -= 2 * word.length
    } else if (/^\p{Script=Arabic}{2,}$/u.test(word)) {
      score += word.length
      if (/[\u0629\u0649](?=.)/u.test(word)) score -= 2 * word.length
      if (/\u0627\u0644/u.test(word)) score += 2
    } else score -= word.length
  }
  return score
}

const inAnyEncoding = (bytes: Uint8Array): string | undefined => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be')
  if (bytes.subarray(0, SAMPLE_BYTES).includes(0)) return bareUtf16(bytes)
  const utf8 = decoded(bytes, 'utf-8')
  if (utf8 !== undefined) return utf8
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const [best] = WINDOWS.map((encoding) => ({
    encoding,
    score: looksLikeWords(new TextDecoder(encoding).decode(sample)),
  })).toSorted((a, b) => b.score - a.score)
  return best && new TextDecoder(best.encoding).decode(bytes)
}

/** @returns undefined: the bytes are no text, but a picture or a program, which these encodings take for letters */
export const textOf = (bytes: Uint8Array): string | undefined => {
  const text = inAnyEncoding(bytes)
  // oxlint-disable-next-line no-control-regex -- text has none of these
  return text === undefined || /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text
}
