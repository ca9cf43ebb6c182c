import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { AccountDisabled } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { email, secret } from '#kernel/values/schema.ts'
import { Busy, type Passwords, type QueueClient } from '#ports/passwords/port.ts'
import { emailKey, findAccount, lockAccount } from '../accounts.ts'
import { countLogin, type Identity } from '../deps.ts'
import { knownUser, placeForSignIn } from '../queue-place.ts'
import { AccountLocked, signInDoor } from '../lockout.ts'
import { InvalidCredentials } from '../password-check.ts'
import { secondFactorSince } from '../second-factor/factor.ts'
import { SecondFactorNeeded, secondStep } from '../second-factor/ticket.ts'
import { tenantToOpen } from '../selected-tenant.ts'
import { Client, COOKIE_HEADER, logOf, prepareSession, SignedIn, signIn } from '../sign-in.ts'
import { SESSION } from '../credentials.ts'

const Login = named(
  'Login',
  v.object({
    email,
    password: secret(1),
    client: v.optional(Client, 'web'),
  }),
  {
    password: 'As it was typed.',
    client: 'Where the refresh token goes: into a cookie (web) or into the reply (mobile).',
  },
)

/**
 * Hashes the password again when its stored hash has outdated parameters; a busy server leaves that to a later sign-in.
 */
const upgraded = async (
  passwords: Passwords,
  { hash, password, place }: { hash: string; password: string; place: QueueClient },
): Promise<string | undefined> => {
  if (!passwords.needsRehash(hash)) return undefined
  try {
    return await passwords.hash(password, place)
  } catch (error) {
    if (error instanceof Busy) return undefined
    throw error
  }
}

export const loginEndpoint = (identity: Identity): Endpoint => {
  const { tokens, passwords, passwordCheck, sessionLifetime, vault } = identity
  return openChange({
    id: 'auth.login',
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with email and password',
    description:
      'For the client `web` the refresh token comes in a cookie, for `mobile` in the body. The institute is bound when there is exactly one active membership, but for platform admins, who choose with select-tenant. In cloud mode, at the verified domain of an institute, it is bound to that institute when the account has an active membership there, however many others it has, and to no other by itself. Five failures within 15 minutes lock the address for 15 minutes, known or not; the right password before that starts the count again. While more passwords wait to be checked than the server can check soon, some are refused with 429; whoever signs in from an address or with the cookie of a browser from which the account signed in before goes ahead. An account with a second factor is not signed in yet: 401 UNAUTHORIZED, details.reason second_factor_needed, with a ticket for POST /auth/login/second-factor.',
    access: 'anyone',
    body: Login,
    reply: SignedIn,
    replyHeaders: COOKIE_HEADER,
    credential: SESSION,
    fails: [InvalidCredentials, SecondFactorNeeded, AccountLocked, AccountDisabled],
    prepare: async ({ body, request, db, everywhere, begin }) => {
      const key = emailKey(body.email)
      await countLogin(identity, request, key)
      const place = await placeForSignIn(db, request, { emailKey: key, tokens })
      const account = await passwordCheck.run({ door: signInDoor(key), password: body.password, place, begin }, () =>
        findAccount(db, key),
      )
      if (account.status === 'disabled') throw AccountDisabled()
      const tenantId = await tenantToOpen(identity, { everywhere, request }, account.id)
      return {
        account,
        newHash: await upgraded(passwords, {
          hash: account.password_hash,
          password: body.password,
          place: knownUser(account.id),
        }),
        ready: await prepareSession(tokens, request, { userId: account.id, tenantId, client: body.client }),
      }
    },
    handle: async ({ tx, request, prepared: { account, newHash, ready } }) => {
      const present = await lockAccount(tx, account.id)
      // The password of the account may have changed since it was checked.
      if (present.password_hash !== account.password_hash) throw InvalidCredentials()
      if (present.status === 'disabled') throw AccountDisabled()
      if ((await secondFactorSince(tx.db, account.id)) !== null) {
        const { client } = ready.session
        throw secondStep(vault, { userId: account.id, passwordHash: account.password_hash, client, now: tx.now })
      }
      if (newHash !== undefined) {
        await tx.db.updateTable('user').set({ password_hash: newHash }).where('id', '=', account.id).execute()
      }
      const reply = await signIn(tx, request, ready, sessionLifetime)
      const log = await logOf(tx, ready.session.tenantId)
      log.audit({
        entityType: 'user',
        entityId: account.id,
        metadata: { sessionId: ready.session.sessionId, client: ready.session.client },
      })
      return reply
    },
  })
}
