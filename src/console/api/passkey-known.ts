/** The person gave it up, it took too long, or the device has none that fits: browsers do not say which. */
export class PasskeyGivenUp extends Error {}

const IS_NUMBER = /^\[|^[\d.]+$/

/** Firefox before 119 has passkeys, and does not give their keys. */
const givesKeys = (): boolean =>
  'AuthenticatorAttestationResponse' in window && 'getPublicKey' in AuthenticatorAttestationResponse.prototype

/** Whether this browser knows passkeys, on this page: with HTTPS or on this very machine, and with a name. */
export const knowsPasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && givesKeys() && !IS_NUMBER.test(location.hostname)
