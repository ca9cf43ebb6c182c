const HIDDEN = '***'
/** The shortest part of a base64 text that counts as a secret; a shorter one occurs in other words by chance. */
const LEAST_PART = 4

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
const hexOf = (text: string): string[] => [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0'))

/** A character as it is, behind a backslash, or by its bytes as in URLs (%40), quoted-printable (=40) and SMTP (+40). */
const characterPattern = (character: string): string => {
  const encoded = hexOf(character).map((byte) => `[%=+]${byte}`)
  return String.raw`(?:\\?${escaped(character)}|${encoded.join('')}${character === ' ' ? String.raw`|\+` : ''})`
}

const plainPattern = (secret: string): string => Array.from(secret, characterPattern).join('')

/** Bytes one after the other, or apart as in `70:61`, `70 61`, `0x70 0x61` and `\x70\x61`. */
const hexPattern = (secret: string): string => {
  const pattern = hexOf(secret).join(String.raw`(?:[\s:,-]|0x|\\x)*`)
  const isShort = secret.length < LEAST_PART
  return isShort ? String.raw`(?:0x|\\x|(?<![\da-z]))${pattern}(?![\da-z])` : String.raw`(?:0x|\\x)?${pattern}`
}

/** Base64 as it is compared: without padding, in the standard alphabet, in small letters. */
const base64Form = (text: string): string =>
  text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '').toLowerCase()

/**
 * What stands in the base64 of every text that has the secret in it, such as a user and a password joined: one part for
 * each of the three places at which the secret may begin within a group of three bytes.
 */
const base64Parts = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const from = Math.ceil((before * 8) / 6)
    return base64Form(encoded.slice(from, Math.floor(((before + bytes.length) * 8) / 6)))
  })
}

const ENCODED_RUN = /[\w+/-]+={0,2}/g
const HEX_RUN = /^(?:[\da-f]{2})+$/i
/** A secret of one byte is in a quarter of all that is decoded. */
const LEAST_DECODED = 2

/** Whether a run that somebody encoded, in hex or base64, has a secret in it: also one too short for `base64Parts`. */
const decodesTo = (run: string, secrets: readonly string[]): boolean => {
  const readings = [Buffer.from(run, 'base64'), ...(HEX_RUN.test(run) ? [Buffer.from(run, 'hex')] : [])]
  return secrets.some(
    (secret) => Buffer.byteLength(secret) >= LEAST_DECODED && readings.some((bytes) => bytes.includes(secret)),
  )
}

/** Hides every run of base64 or hex in which a secret is. */
const withoutEncoded = (text: string, secrets: readonly string[]): string => {
  const parts = secrets.flatMap(base64Parts).filter((part) => part.length >= LEAST_PART)
  const wholes = new Set(secrets.map((secret) => base64Form(Buffer.from(secret).toString('base64'))))
  return text.replaceAll(ENCODED_RUN, (run) => {
    const form = base64Form(run)
    const isTold = wholes.has(form) || parts.some((part) => form.includes(part)) || decodesTo(run, secrets)
    return isTold ? HIDDEN : run
  })
}

/**
 * Words of another server on one line, without the secrets that it may repeat: as they are, percent-encoded, in base64
 * (also joined with something else) and in hex, in capitals or small letters.
 * @param longest the most characters
 */
export const quoted = (words: string, secrets: readonly string[], longest: number): string => {
  const told = secrets.filter((secret) => secret !== '')
  // The longest first: one may be a part of another.
  const patterns = told
    .toSorted((one, other) => other.length - one.length)
    .flatMap((secret) => [plainPattern(secret), hexPattern(secret)])
  // What is encoded first: a short secret may stand in it by chance too, and would break it up.
  const open = withoutEncoded(words, told)
  return patterns
    .reduce((text, pattern) => text.replaceAll(new RegExp(pattern, 'giu'), HIDDEN), open)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
}
