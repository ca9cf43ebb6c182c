import { bech32 } from '@scure/base'

/** The keys to encrypted backups, as age writes them: a public one, and the private one that the owner keeps. */

const KEY_BYTES = 32

const holdsKey = (text: string, prefix: string): boolean => {
  const decoded = bech32.decodeUnsafe(text, 100)
  return decoded?.prefix === prefix && bech32.fromWordsUnsafe(decoded.words)?.length === KEY_BYTES
}

/** Whether it is a public key (`age1…`) without an error in its letters. */
export const isRecipient = (text: string): boolean => holdsKey(text, 'age')

/** Whether it is a private key (`AGE-SECRET-KEY-1…`) without an error in its letters. */
export const isIdentity = (text: string): boolean => holdsKey(text.toLowerCase(), 'age-secret-key-')
