import nacl from 'tweetnacl'

/**
 * Seals what this browser keeps of people: a shared computer's disk shows it to nobody else. The key comes from the server
 * with whoever is signed in, is always the same for them, and is in memory alone: what was sealed is read again once they
 * have signed in there anew. The browser's own cryptography is missing where a school's server has no certificate.
 */

let key: Uint8Array | undefined

const bytesOf = (base64url: string): Uint8Array =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** @param given of GET /auth/me; null: nothing is to be kept, because somebody works in another's name */
export const holdDeviceKey = (given: string | null): void => {
  key = given === null ? undefined : bytesOf(given)
}

const held = (): Uint8Array => {
  if (!key) throw new Error('There is no key to keep anything under.')
  return key
}

/** @throws an Error without a key */
export const seal = (value: unknown): Uint8Array => {
  const nonce = nacl.randomBytes(nacl.secretbox.nonceLength)
  const box = nacl.secretbox(new TextEncoder().encode(JSON.stringify(value)), nonce, held())
  const sealed = new Uint8Array(nonce.length + box.length)
  sealed.set(nonce)
  sealed.set(box, nonce.length)
  return sealed
}

/** @returns undefined: it was sealed under another key @throws an Error without a key */
export const unseal = (sealed: Uint8Array): unknown => {
  const { nonceLength } = nacl.secretbox
  const opened = nacl.secretbox.open(sealed.subarray(nonceLength), sealed.subarray(0, nonceLength), held())
  return opened ? JSON.parse(new TextDecoder().decode(opened)) : undefined
}
