import { createHash, randomBytes, randomInt } from 'node:crypto'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX_LENGTH = 8
/** 32 bytes take at most 43 digits of base 62. */
const SECRET_LENGTH = 43

const base62 = (bytes: Buffer): string => {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (value > 0n) {
    text = DIGITS.charAt(Number(value % 62n)) + text
    value /= 62n
  }
  return text.padStart(SECRET_LENGTH, '0')
}

/** The database stores only this hash of a key. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Makes a key: `ims_sk_` or `ims_pk_`, 8 characters that identify it, `_`, 32 random bytes in base 62. */
export const newKey = (kind: 'secret' | 'publishable'): { key: string; prefix: string } => {
  const shown = Array.from({ length: PREFIX_LENGTH }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('')
  const prefix = `ims_${kind === 'secret' ? 'sk' : 'pk'}_${shown}`
  return { key: `${prefix}_${base62(randomBytes(32))}`, prefix }
}
