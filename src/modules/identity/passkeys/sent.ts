import * as v from 'valibot'
import { PasskeyInvalid } from './passkeys.ts'
import { PasskeyFault } from './web-authn.ts'

/** Bytes of a browser. */
export const base64url = (max: number) =>
  v.pipe(
    v.string(),
    v.maxLength(max, `Must have at most ${max} characters.`),
    v.regex(/^[\w-]+$/, 'Must be base64url.'),
  )

/** @throws PasskeyInvalid for what is no message of a browser to this server */
export const orInvalid = <T>(check: () => T): T => {
  try {
    return check()
  } catch (error) {
    throw error instanceof PasskeyFault ? PasskeyInvalid() : error
  }
}
