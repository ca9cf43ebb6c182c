import * as v from 'valibot'
import { parse } from 'uuid'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { list, Ok, ok, orNull, secret, title } from '#kernel/values/schema.ts'
import { lockAccount } from '../accounts.ts'
import { ASKS_PASSWORD, confirmingFails, confirmPassword } from '../confirm-password.ts'
import { PASSKEY } from '../credentials.ts'
import type { Identity } from '../deps.ts'
import { mailChange } from '../notices.ts'
import { InvalidCredentials } from '../password-check.ts'
import { makeChallenge, useChallenge } from '../passkeys/challenges.ts'
import {
  addPasskey,
  credentialIdsOf,
  Passkey,
  PasskeyInvalid,
  PasskeyKnown,
  PasskeysImpossible,
  passkeysOf,
  removePasskey,
  renamePasskey,
  TooManyPasskeys,
} from '../passkeys/passkeys.ts'
import { OBSTACLES, whereOf } from '../passkeys/place.ts'
import { base64url, orInvalid } from '../passkeys/sent.ts'
import { checkRegistration } from '../passkeys/web-authn.ts'
import { checkMayChange, UseWhatThereIs } from '../second-factor/factor.ts'
import { noteSecondFactor } from '../sessions.ts'
import { logOf, sessionOf } from '../sign-in.ts'

const Passkeys = named(
  'Passkeys',
  v.object({
    passkeys: list(Passkey),
    address: v.string(),
    obstacle: orNull(v.picklist(OBSTACLES)),
  }),
  {
    passkeys: 'Oldest first, at most 20.',
    address: 'The address at which they are made and used: browsers do neither anywhere else.',
    obstacle:
      'Why browsers make none for this address: it is plain HTTP, or has no name but an IP address. null: nothing is in the way.',
  },
)

const PasskeyOptions = named(
  'PasskeyOptions',
  v.object({
    challenge: v.string(),
    rpId: v.string(),
    userHandle: v.string(),
    userName: v.string(),
    displayName: v.string(),
    known: list(v.string()),
  }),
  {
    challenge: 'What the browser signs, in base64url: good for five minutes, and once.',
    rpId: 'The host for which it is made.',
    userHandle: 'The account, in base64url.',
    userName: 'The email address of the account.',
    displayName: 'The name of its person.',
    known: 'How devices know the passkeys that there are, so that none is added twice.',
  },
)

const NewPasskey = named(
  'NewPasskey',
  v.object({
    name: title(100),
    clientData: base64url(4000),
    authenticatorData: base64url(4000),
    publicKey: base64url(2000),
  }),
  {
    name: 'What its person will know it by.',
    clientData: 'clientDataJSON of the browser, in base64url.',
    authenticatorData: 'getAuthenticatorData() of the browser, in base64url.',
    publicKey: 'getPublicKey() of the browser, in base64url: ES256, EdDSA or RS256.',
  },
)

const PasskeyChanges = named('PasskeyChanges', v.object({ name: title(100) }), {
  name: 'What its person calls it.',
})

export const passkeyEndpoints = (identity: Identity): readonly Endpoint[] => {
  const { passwords, sendMail } = identity
  const confirm = confirmPassword(passwords)
  return [
    openRead({
      id: 'me.list-passkeys',
      path: '/me/passkeys',
      summary: 'List the passkeys of the account',
      access: 'user',
      beforeSecondFactor: true,
      reply: Passkeys,
      handle: async ({ db, everywhere, caller, request }) => {
        const { origin, obstacle } = await whereOf(identity, { everywhere, request })
        return { passkeys: await passkeysOf(db, sessionOf(caller).userId), address: origin, obstacle }
      },
    }),
    openChange({
      id: 'me.begin-passkey',
      method: 'POST',
      path: '/me/passkeys/options',
      summary: 'Begin to add a passkey',
      description: `Answers what navigator.credentials.create() is asked for: discoverable, with the person verified, without attestation. ${ASKS_PASSWORD} A session without the second factor that a role asks for begins only where the account has none (409).`,
      access: 'user',
      lasting: true,
      beforeSecondFactor: true,
      body: named('PasskeyRequest', v.object({ password: secret(1) }), {
        password: 'The password of the account, typed once more.',
      }),
      reply: PasskeyOptions,
      fails: [...confirmingFails, PasskeysImpossible, UseWhatThereIs],
      prepare: async ({ caller, body, db, everywhere, begin, request }) => {
        const { rpId, obstacle } = await whereOf(identity, { everywhere, request })
        if (obstacle !== null) throw PasskeysImpossible()
        return { rpId, checked: await confirm({ caller, db, begin }, body.password) }
      },
      handle: async ({ tx, caller, prepared: { rpId, checked } }) => {
        const { userId } = sessionOf(caller)
        const account = await lockAccount(tx, userId)
        if (account.password_hash !== checked) throw InvalidCredentials()
        await checkMayChange(tx.db, caller, userId)
        return {
          challenge: await makeChallenge(tx, userId),
          rpId,
          userHandle: Buffer.from(parse(userId)).toString('base64url'),
          userName: account.email,
          displayName: account.full_name || account.email,
          known: await credentialIdsOf(tx.db, userId),
        }
      },
    }),
    openChange({
      id: 'me.add-passkey',
      method: 'POST',
      path: '/me/passkeys',
      summary: 'Add the passkey that the browser made',
      description:
        'Signs in from now on, as password and second factor together. The account is mailed. This session counts as one with a second factor.',
      access: 'user',
      beforeSecondFactor: true,
      body: NewPasskey,
      status: 201,
      reply: Passkey,
      credential: PASSKEY,
      fails: [PasskeyInvalid, PasskeyKnown, TooManyPasskeys, UseWhatThereIs],
      prepare: async ({ body, everywhere, request }) => {
        const where = await whereOf(identity, { everywhere, request })
        return { rpId: where.rpId, made: orInvalid(() => checkRegistration(body, where)) }
      },
      handle: async ({ tx, caller, body, prepared: { rpId, made } }) => {
        const { userId, sessionId, tenantId } = sessionOf(caller)
        await checkMayChange(tx.db, caller, userId)
        const { challenge, ...passkey } = made
        if (!(await useChallenge(tx, challenge, userId))) throw PasskeyInvalid()
        const added = await addPasskey(tx, { ...passkey, userId, rpId, name: body.name })
        await noteSecondFactor(tx, { sessionId }, true)
        await mailChange(tx, sendMail, { userId, change: 'passkey_added' })
        const log = await logOf(tx, tenantId)
        log.audit({ entityType: 'passkey', entityId: added.id, after: added })
        return added
      },
    }),
    openChange({
      id: 'me.rename-passkey',
      method: 'PATCH',
      path: '/me/passkeys/{id}',
      summary: 'Rename a passkey',
      access: 'user',
      body: PasskeyChanges,
      reply: Passkey,
      handle: async ({ tx, caller, params, body }) => {
        const { userId, tenantId } = sessionOf(caller)
        const { before, after } = await renamePasskey(tx, { userId, passkeyId: params.id, name: body.name })
        const log = await logOf(tx, tenantId)
        log.audit({ entityType: 'passkey', entityId: params.id, before, after })
        return after
      },
    }),
    openChange({
      id: 'me.remove-passkey',
      method: 'DELETE',
      path: '/me/passkeys/{id}',
      summary: 'Remove a passkey',
      description: 'It signs nobody in any more. Sessions that began with it go on. The account is mailed.',
      access: 'user',
      reply: Ok,
      handle: async ({ tx, caller, params }) => {
        const { userId, tenantId } = sessionOf(caller)
        const before = await removePasskey(tx, userId, params.id)
        await mailChange(tx, sendMail, { userId, change: 'passkey_removed' })
        const log = await logOf(tx, tenantId)
        log.audit({ entityType: 'passkey', entityId: params.id, before })
        return ok
      },
    }),
  ]
}
