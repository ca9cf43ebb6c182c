import * as v from 'valibot'
import { stringify } from 'uuid'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { AccountDisabled } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { lockAccount } from '../accounts.ts'
import { SESSION } from '../credentials.ts'
import { countAddress, type Identity } from '../deps.ts'
import { makeChallenge, useChallenge } from '../passkeys/challenges.ts'
import { findPasskey, noteUse, PasskeyInvalid, PasskeysImpossible } from '../passkeys/passkeys.ts'
import { whereOf } from '../passkeys/place.ts'
import { base64url, orInvalid } from '../passkeys/sent.ts'
import { checkAssertion } from '../passkeys/web-authn.ts'
import { tenantToOpen } from '../selected-tenant.ts'
import { Client, COOKIE_HEADER, logOf, prepareSession, SignedIn, signIn } from '../sign-in.ts'

const USER_BYTES = 16

/** The account that the device names; undefined: none could have this name. */
const userOf = (handle: string): string | undefined => {
  const bytes = Buffer.from(handle, 'base64url')
  if (bytes.length !== USER_BYTES) return undefined
  try {
    return stringify(bytes)
  } catch {
    return undefined
  }
}

export const passkeySignInEndpoints = (identity: Identity): readonly Endpoint[] => {
  const { tokens, sessionLifetime } = identity
  return [
    openChange({
      id: 'auth.begin-passkey',
      method: 'POST',
      path: '/auth/passkey/options',
      summary: 'Begin to sign in with a passkey',
      description:
        'Answers what navigator.credentials.get() is asked for; the device offers the accounts that it knows here. It says nothing of who has an account.',
      access: 'anyone',
      reply: named('PasskeyChallenge', v.object({ challenge: v.string(), rpId: v.string() }), {
        challenge: 'What the browser signs, in base64url: good for five minutes, and once.',
        rpId: 'The host for which passkeys are made here.',
      }),
      fails: [PasskeysImpossible],
      prepare: async ({ request, everywhere }) => {
        await countAddress(identity, request)
        const { rpId, obstacle } = await whereOf(identity, { everywhere, request })
        if (obstacle !== null) throw PasskeysImpossible()
        return { rpId }
      },
      handle: async ({ tx, prepared: { rpId } }) => ({ challenge: await makeChallenge(tx, null), rpId }),
    }),
    openChange({
      id: 'auth.passkey',
      method: 'POST',
      path: '/auth/passkey',
      summary: 'Sign in with a passkey',
      description:
        'It counts as password and second factor together: no code is asked for. `client` and the institute as for POST /auth/login. A challenge is taken once. A device whose count of signatures went back holds a copy of somebody’s passkey, and is refused.',
      access: 'anyone',
      body: named(
        'PasskeyLogin',
        v.object({
          credentialId: base64url(1400),
          userHandle: base64url(100),
          clientData: base64url(4000),
          authenticatorData: base64url(4000),
          signature: base64url(2000),
          client: v.optional(Client, 'web'),
        }),
        {
          credentialId: 'By which the device knows the passkey: its id, in base64url.',
          userHandle: 'The account that the device names, in base64url.',
          clientData: 'clientDataJSON of the browser, in base64url.',
          authenticatorData: 'authenticatorData of the browser, in base64url.',
          signature: 'signature of the browser, in base64url.',
          client: 'Where the refresh token goes: into a cookie (web) or into the reply (mobile).',
        },
      ),
      reply: SignedIn,
      replyHeaders: COOKIE_HEADER,
      credential: SESSION,
      fails: [PasskeyInvalid, AccountDisabled],
      prepare: async ({ body, request, db, everywhere }) => {
        await countAddress(identity, request)
        const passkey = await findPasskey(db, body.credentialId)
        const userId = userOf(body.userHandle)
        if (!passkey || passkey.user_id !== userId) throw PasskeyInvalid()
        const { rpId, origin } = await whereOf(identity, { everywhere, request })
        if (passkey.rp_id !== rpId) throw PasskeyInvalid()
        const signed = orInvalid(() => checkAssertion(body, { publicKey: passkey.public_key, rpId, origin }))
        const tenantId = await tenantToOpen(identity, { everywhere, request }, userId)
        return {
          passkeyId: passkey.id,
          signed,
          ready: await prepareSession(tokens, request, {
            userId,
            tenantId,
            client: body.client,
            hasSecondFactor: true,
          }),
        }
      },
      handle: async ({ tx, request, prepared: { passkeyId, signed, ready } }) => {
        const { userId, tenantId, sessionId, client } = ready.session
        const { status } = await lockAccount(tx, userId)
        if (!(await useChallenge(tx, signed.challenge, null))) throw PasskeyInvalid()
        if (status === 'disabled') throw AccountDisabled()
        if (!(await noteUse(tx, { passkeyId, ...signed }))) throw PasskeyInvalid()
        const reply = await signIn(tx, request, ready, sessionLifetime)
        const log = await logOf(tx, tenantId)
        log.audit({ entityType: 'user', entityId: userId, metadata: { sessionId, client, with: 'passkey' } })
        return reply
      },
    }),
  ]
}
