import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { fromBase64url } from '#kernel/basics/base64url.ts'

/**
 * What of WebAuthn (Level 3) a server has to check that asks for no attestation: the device says nothing of itself that
 * anybody vouches for, so its public key is taken as the browser hands it out (SubjectPublicKeyInfo), and no CBOR is read.
 */

/** The host that passkeys are made for, and the address of the pages that may ask for them. */
export interface Place {
  rpId: string
  origin: string
}

/** A message of a browser that is not what it should be. Its text says what, for the log alone. */
export class PasskeyFault extends Error {}

const ClientData = v.object({
  type: v.string(),
  challenge: v.string(),
  origin: v.string(),
  crossOrigin: v.optional(v.boolean()),
})

const bytesOf = (text: string): Buffer => {
  const bytes = fromBase64url(text)
  if (!bytes) throw new PasskeyFault('not base64url')
  return bytes
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What the browser says that it was asked, and on which page. @returns the challenge */
const checkClientData = (bytes: Buffer, type: 'webauthn.create' | 'webauthn.get', { origin }: Place): string => {
  const data = v.safeParse(ClientData, parsed(bytes))
  if (!data.success) throw new PasskeyFault('the client data is not readable')
  if (data.output.type !== type) throw new PasskeyFault('made for something else')
  if (data.output.origin !== origin || data.output.crossOrigin === true) throw new PasskeyFault('made on another page')
  return data.output.challenge
}

const PRESENT = 0x01
const VERIFIED = 0x04
const SYNCED = 0x10
const ATTESTED = 0x40
const FLAGS_AT = 32
const COUNT_AT = 33
const ATTESTED_AT = 37
const AAGUID_BYTES = 16
const LENGTH_BYTES = 2
const LONGEST_ID = 1023

/** The device must have seen the person, and known them by a finger, a face or a PIN. */
const checkDevice = (data: Buffer, { rpId }: Place): { flags: number; signCount: number; isSynced: boolean } => {
  if (data.length < ATTESTED_AT) throw new PasskeyFault('the authenticator data is too short')
  if (!data.subarray(0, FLAGS_AT).equals(sha256(rpId))) throw new PasskeyFault('made for another host')
  const flags = data.readUInt8(FLAGS_AT)
  if ((flags & PRESENT) === 0 || (flags & VERIFIED) === 0) throw new PasskeyFault('nobody was verified')
  return { flags, signCount: data.readUInt32BE(COUNT_AT), isSynced: (flags & SYNCED) !== 0 }
}

const SMALLEST_RSA = 2048

/** The keys that a browser is asked for: ES256, EdDSA and RS256. */
const keyOf = (spki: string): KeyObject => {
  let key: KeyObject
  try {
    key = createPublicKey({ key: bytesOf(spki), format: 'der', type: 'spki' })
  } catch {
    throw new PasskeyFault('the public key is not readable')
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  const isGood =
    type === 'ed25519' ||
    (type === 'ec' && details?.namedCurve === 'prime256v1') ||
    (type === 'rsa' && (details?.modulusLength ?? 0) >= SMALLEST_RSA)
  if (!isGood) throw new PasskeyFault('a key of another kind')
  return key
}

interface Registration {
  clientData: string
  authenticatorData: string
  publicKey: string
}

/** @returns what is kept of a new passkey, and the challenge to which it answers @throws PasskeyFault */
export const checkRegistration = ({ clientData, authenticatorData, publicKey }: Registration, place: Place) => {
  const challenge = checkClientData(bytesOf(clientData), 'webauthn.create', place)
  const data = bytesOf(authenticatorData)
  const { flags, signCount, isSynced } = checkDevice(data, place)
  const idAt = ATTESTED_AT + AAGUID_BYTES + LENGTH_BYTES
  if ((flags & ATTESTED) === 0 || data.length < idAt) throw new PasskeyFault('there is no credential')
  const length = data.readUInt16BE(idAt - LENGTH_BYTES)
  const id = data.subarray(idAt, idAt + length)
  if (length === 0 || length > LONGEST_ID || id.length !== length) throw new PasskeyFault('the credential has no id')
  keyOf(publicKey)
  return { challenge, credentialId: id.toString('base64url'), publicKey, signCount, isSynced }
}

interface Assertion {
  clientData: string
  authenticatorData: string
  signature: string
}

/** @returns the challenge that was signed, and what the device counts @throws PasskeyFault */
export const checkAssertion = (
  { clientData, authenticatorData, signature }: Assertion,
  { publicKey, ...place }: Place & { publicKey: string },
) => {
  const client = bytesOf(clientData)
  const challenge = checkClientData(client, 'webauthn.get', place)
  const data = bytesOf(authenticatorData)
  const { signCount, isSynced } = checkDevice(data, place)
  const key = keyOf(publicKey)
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  if (!verify(hash, Buffer.concat([data, sha256(client)]), key, bytesOf(signature))) {
    throw new PasskeyFault('the signature is not right')
  }
  return { challenge, signCount, isSynced }
}
