import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { codeAt, stepAt } from '#modules/identity/second-factor/totp.ts'
import type { TestApp } from './app.ts'
import type { Client } from './client.ts'
import { PASSWORD } from './sign-in.ts'

/** The app of somebody, which shows codes. */
export interface CodeApp {
  secret: string
  recoveryCodes: string[]
  /** The code of now, or of half minutes from now. */
  code(halfMinutes?: number): string
}

/** Sets up an app for a member, and moves the clock on, so that the next code is fresh. */
export const setUpCodes = async (app: TestApp, member: Client): Promise<CodeApp> => {
  const { appSecret: secret } = (await member.post('/me/second-factor', { password: PASSWORD })).body as {
    appSecret: string
  }
  const code = (halfMinutes = 0) => codeAt(secret, stepAt(app.clock.now()) + halfMinutes)
  const { recoveryCodes } = (await member.post('/me/second-factor/confirm', { code: code() })).body
  app.clock.advance(60)
  return { secret, recoveryCodes, code }
}

/** The first step of a sign-in. @returns the ticket */
export const firstStep = async (app: TestApp, email: string): Promise<string> => {
  const { body } = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
  return body.error.details.ticket as string
}

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer): string => bytes.toString('base64url')

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

export interface Device {
  credentialId: string
  userHandle: string
  key: KeyObject
  publicKey: string
  rpId: string
  origin: string
  signCount: number
}

interface Message {
  type: 'webauthn.create' | 'webauthn.get'
  challenge: string
  /** Default: that of the server. */
  origin?: string
  rpId?: string
  isVerified?: boolean
}

type Place = Pick<Device, 'rpId' | 'origin' | 'signCount'>

const said = (place: Place, { type, challenge, origin, rpId, isVerified = true }: Message, more = Buffer.alloc(0)) => {
  const clientData = Buffer.from(
    JSON.stringify({ type, challenge, origin: origin ?? place.origin, crossOrigin: false }),
  )
  const flags = PRESENT + (isVerified ? VERIFIED : 0) + (more.length > 0 ? ATTESTED : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(place.signCount)
  return { clientData, data: Buffer.concat([sha256(rpId ?? place.rpId), Buffer.from([flags]), count, more]) }
}

const KINDS = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

/** An authenticator in software: what a browser would send of a new passkey, and the device that holds it. */
export const newPasskey = async (
  member: Client,
  {
    kind = 'ES256',
    name = 'Test device',
    ...message
  }: Partial<Message> & { kind?: keyof typeof KINDS; name?: string } = {},
): Promise<{ device: Device; body: Record<string, string> }> => {
  const { challenge, rpId, userHandle } = (await member.post('/me/passkeys/options', { password: PASSWORD })).body
  const { address } = (await member.get('/me/passkeys')).body
  const pair = KINDS[kind]()
  const id = randomBytes(32)
  const device: Device = {
    credentialId: base64url(id),
    userHandle,
    key: createPrivateKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' })),
    publicKey: base64url(pair.publicKey.export({ format: 'der', type: 'spki' })),
    rpId,
    origin: address,
    signCount: 0,
  }
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const attested = Buffer.concat([Buffer.alloc(16), length, id])
  const { clientData, data } = said(device, { type: 'webauthn.create', challenge, ...message }, attested)
  const { publicKey } = device
  return { device, body: { name, clientData: base64url(clientData), authenticatorData: base64url(data), publicKey } }
}

/** Adds a passkey to an account. */
export const addPasskey = async (member: Client, name?: string): Promise<Device & { id: string }> => {
  const { device, body } = await newPasskey(member, name === undefined ? {} : { name })
  const { id } = (await member.post('/me/passkeys', body)).body as { id: string }
  return { ...device, id }
}

/** What a browser sends to sign in. */
export const assertion = async (app: TestApp, device: Device, message: Partial<Message> = {}) => {
  const challenge = message.challenge ?? (await app.post('/auth/passkey/options')).body.challenge
  const { clientData, data } = said(device, { type: 'webauthn.get', ...message, challenge })
  const hash = device.key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return {
    credentialId: device.credentialId,
    userHandle: device.userHandle,
    clientData: base64url(clientData),
    authenticatorData: base64url(data),
    signature: base64url(sign(hash, Buffer.concat([data, sha256(clientData)]), device.key)),
    client: 'mobile',
  }
}
