/** What browsers do with passkeys, loaded when somebody wants one. */

import { PasskeyGivenUp } from './passkey-known.ts'

const TIMEOUT_MILLIS = 120_000

const toBytes = (text: string): Uint8Array<ArrayBuffer> => {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.codePointAt(0) ?? 0)
}

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** @throws PasskeyGivenUp */
const given = async (credential: Promise<Credential | null>): Promise<PublicKeyCredential> => {
  const found = await credential.catch((error: unknown) => {
    throw error instanceof DOMException ? new PasskeyGivenUp(error.message) : error
  })
  if (!(found instanceof PublicKeyCredential)) throw new PasskeyGivenUp()
  return found
}

/** Signs what the server asks, with a passkey that the person chooses. @throws PasskeyGivenUp */
export const signWithPasskey = async ({ challenge, rpId }: { challenge: string; rpId: string }) => {
  const { rawId, response } = await given(
    navigator.credentials.get({
      publicKey: { challenge: toBytes(challenge), rpId, userVerification: 'required', timeout: TIMEOUT_MILLIS },
    }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    credentialId: toText(rawId),
    userHandle: userHandle === null ? '' : toText(userHandle),
    clientData: toText(clientDataJSON),
    authenticatorData: toText(authenticatorData),
    signature: toText(signature),
  }
}

interface Wanted {
  challenge: string
  rpId: string
  userHandle: string
  userName: string
  displayName: string
  known: readonly string[]
}

const ES256 = -7
const EDDSA = -8
const RS256 = -257

/** Makes a passkey on this device, or on one that the person chooses. @throws PasskeyGivenUp */
export const makePasskey = async (wanted: Wanted) => {
  const { response } = await given(
    navigator.credentials.create({
      publicKey: {
        challenge: toBytes(wanted.challenge),
        rp: { id: wanted.rpId, name: document.title || wanted.rpId },
        user: { id: toBytes(wanted.userHandle), name: wanted.userName, displayName: wanted.displayName },
        pubKeyCredParams: [ES256, EDDSA, RS256].map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: wanted.known.map((id) => ({ type: 'public-key', id: toBytes(id) })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        timeout: TIMEOUT_MILLIS,
      },
    }),
  )
  const made = response as AuthenticatorAttestationResponse
  const publicKey = made.getPublicKey()
  // The browser does not know this kind of key.
  if (publicKey === null) throw new PasskeyGivenUp()
  return {
    clientData: toText(made.clientDataJSON),
    authenticatorData: toText(made.getAuthenticatorData()),
    publicKey: toText(publicKey),
  }
}
