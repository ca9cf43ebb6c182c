import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify, type KeyObject } from 'node:crypto'
import { fromBase64url } from '#kernel/basics/base64url.ts'

/**
 * Ed25519 for licences, by node:crypto: a check takes a tenth of a millisecond of the event loop, one by tweetnacl takes
 * five, and strangers can ask for it. OpenSSL accepts keys under which anybody can forge and keys in more than one
 * encoding; both are refused here. Keys and signatures are texts of base64url without padding.
 */

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

export interface PublicKey {
  /** 32 bytes as base64url: 43 characters. */
  readonly text: string
  /** A short name of the key, made from the key itself. It selects nothing: it says which key made a signature. */
  readonly keyId: string
  readonly handle: KeyObject
}

export interface Signer {
  readonly key: PublicKey
  /** @returns the signature, 64 bytes as base64url */
  sign(message: Uint8Array): string
}

const PRIME = 2n ** 255n - 19n
/** The order of the base point. S and S + ORDER are the same number in the equation, so only S < ORDER is accepted. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)

const EIGHTH = littleEndian(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'))
/** The y coordinates of the points whose order divides 8. With such a key one signature fits many messages. */
const LOW_ORDER = new Set([0n, 1n, PRIME - 1n, EIGHTH, PRIME - EIGHTH])

/** Whether the 32 bytes are the canonical encoding of an Ed25519 point that is not of low order. */
const isSoundPoint = (bytes: Uint8Array): boolean => {
  const y = littleEndian(bytes) & (2n ** 255n - 1n)
  return y < PRIME && !LOW_ORDER.has(y)
}

/** @returns undefined for bytes that are no key, or a key of low order */
const keyOf = (bytes: Buffer): PublicKey | undefined => {
  if (bytes.length !== KEY_BYTES || !isSoundPoint(bytes)) return undefined
  const text = bytes.toString('base64url')
  return {
    text,
    keyId: createHash('sha256').update(bytes).digest('base64url').slice(0, 16),
    handle: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' }),
  }
}

/** Reads a public key. @returns undefined for a text that is no key, or a key of low order */
export const readPublicKey = (text: string): PublicKey | undefined => {
  const bytes = fromBase64url(text)
  return bytes && keyOf(bytes)
}

/** Makes the secret of a new key pair, 32 random bytes as base64url. The caller seals it. */
export const newSigningSecret = (): string => randomBytes(KEY_BYTES).toString('base64url')

/** What precedes the 32 bytes of a private key in PKCS #8. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param secret from `newSigningSecret` @throws Error for anything else */
export const signerOf = (secret: string): Signer => {
  const der = Buffer.concat([PKCS8_HEAD, fromBase64url(secret) ?? Buffer.alloc(0)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const key = readPublicKey(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '')
  if (!key) throw new Error('This is no secret of an Ed25519 key.')
  return { key, sign: (message) => sign(null, message, privateKey).toString('base64url') }
}

/** Whether `signature` is one that the holder of the key made for exactly these bytes, in its one encoding. */
export const isSignedBy = (key: PublicKey, message: Uint8Array, signature: string): boolean => {
  const bytes = fromBase64url(signature)
  return (
    bytes?.length === SIGNATURE_BYTES &&
    littleEndian(bytes.subarray(KEY_BYTES)) < ORDER &&
    isSoundPoint(bytes.subarray(0, KEY_BYTES)) &&
    verify(null, message, key.handle, bytes)
  )
}
