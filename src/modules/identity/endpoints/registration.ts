import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { failure, invalid } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import { named } from '#kernel/values/named.ts'
import { checkNewPassword, NEW_PASSWORD } from '#kernel/who/new-password.ts'
import { currency, email, locale, name, Ok, ok, secret, timezone } from '#kernel/values/schema.ts'
import { FALLBACK_LOCALE } from '#shared/locale.ts'
import { createTenant } from '#modules/provisioning/index.ts'
import { slug, TenantSlugTaken } from '#modules/tenants/index.ts'
import { orTooBusy } from '#ports/passwords/port.ts'
import { createUser, emailKey, EmailTaken, findAccount } from '../accounts.ts'
import { countAddress, type Identity } from '../deps.ts'
import { consumeToken, mailToken, TokenInvalid } from '../email-tokens.ts'
import { unknownClient } from '../queue-place.ts'
import { Client, COOKIE_HEADER, prepareSession, SignedIn, signIn } from '../sign-in.ts'
import { askForLink } from './ask-for-link.ts'
import { SESSION } from '../credentials.ts'

const RegistrationDisabled = failure(
  'REGISTRATION_DISABLED',
  'registration_disabled',
  'Nobody can register here by themselves: ask for an invitation.',
)

const Registration = named(
  'NewAccount',
  v.object({
    email,
    password: secret(10),
    fullName: name(200),
    locale: v.optional(locale),
    client: v.optional(Client, 'web'),
    tenant: v.optional(
      named(
        'NewTenant',
        v.object({
          slug,
          name: name(200),
          defaultLocale: v.optional(locale),
          timezone: v.optional(timezone, 'Asia/Jerusalem'),
          currency: v.optional(currency, 'ILS'),
        }),
        { currency: 'ISO 4217.' },
      ),
    ),
  }),
  {
    password: NEW_PASSWORD,
    client: 'Where the refresh token goes: into a cookie (web) or into the reply (mobile).',
    tenant: 'An institute that is made with the account; in a cloud only.',
  },
)

export const registrationEndpoints = (identity: Identity): readonly Endpoint[] => {
  const { deploymentMode, registration, tokens, passwords, sessionLifetime, sendMail } = identity
  return [
    openChange({
      id: 'auth.register',
      method: 'POST',
      path: '/auth/register',
      summary: 'Make an account and sign in',
      description:
        'Open only where INSTITUTE_REGISTRATION is on. With `tenant` (cloud mode only, else 422) an institute is made and the caller becomes its owner; its language is `tenant.defaultLocale`, else `locale`. `locale` is `tenant.defaultLocale` when it is left out, else en. `client` as for login. A link to confirm the address is mailed, unless the address (whatever stands behind a plus in it) was sent 10 within the hour. An address that has an account, or was invited, is 409. Names are one line, without the address of a page (`http:`, `://`, `www.`: 422).',
      access: 'anyone',
      closed: registration ? undefined : RegistrationDisabled,
      body: Registration,
      status: 201,
      reply: SignedIn,
      replyHeaders: COOKIE_HEADER,
      credential: SESSION,
      fails: [RegistrationDisabled, EmailTaken, TenantSlugTaken],
      prepare: async ({ body, request, db }) => {
        await countAddress(identity, request)
        if (body.tenant && deploymentMode !== 'cloud') {
          throw invalid(['tenant'], 'An institute can be registered in cloud mode only.')
        }
        const own = [body.email, body.fullName, body.tenant?.name, body.tenant?.slug]
        await checkNewPassword(body.password, own, ['password'])
        if (await findAccount(db, emailKey(body.email))) throw EmailTaken()
        const tenantId = body.tenant ? newId() : null
        return {
          mail: await identity.mailBudget.mayMailLink(body.email),
          hash: await passwords.hash(body.password, unknownClient(request)).catch(orTooBusy),
          ready: await prepareSession(tokens, request, { userId: newId(), tenantId, client: body.client }),
        }
      },
      handle: async ({ tx, body, request, prepared: { mail, hash, ready } }) => {
        const { userId, tenantId } = ready.session
        const language = body.locale ?? body.tenant?.defaultLocale ?? FALLBACK_LOCALE
        await createUser(tx, {
          id: userId,
          email: body.email,
          fullName: body.fullName,
          locale: language,
          emailVerified: false,
          passwordHash: hash,
        })
        if (body.tenant && tenantId !== null) {
          await createTenant(tx, {
            ...body.tenant,
            id: tenantId,
            deploymentMode,
            defaultLocale: body.tenant.defaultLocale ?? language,
            ownerUserId: userId,
          })
        }
        if (mail) await mailToken(tx, sendMail, 'verify_email', userId)
        return signIn(tx, request, ready, sessionLifetime)
      },
    }),
    openChange({
      id: 'auth.verify-email',
      method: 'POST',
      path: '/auth/verify-email',
      summary: 'Confirm the email address with the token of a mailed link',
      access: 'anyone',
      body: named('EmailVerification', v.object({ token: secret(1) })),
      reply: Ok,
      fails: [TokenInvalid],
      prepare: async ({ request }) => {
        await countAddress(identity, request)
      },
      handle: async ({ tx, body }) => {
        const { id: userId } = await consumeToken(tx, 'verify_email', body.token)
        await tx.db
          .updateTable('user')
          .set({ email_verified: true, updated_at: tx.now })
          .where('id', '=', userId)
          .execute()
        tx.audit({
          entityType: 'user',
          entityId: userId,
          before: { emailVerified: false },
          after: { emailVerified: true },
        })
        return ok
      },
    }),
    askForLink(identity, {
      id: 'auth.resend-verification',
      path: '/auth/resend-verification',
      summary: 'Ask for another link to confirm the email address',
      description:
        'Always Ok, whether or not there is such an account and whether or not it is confirmed already. The link works once within 24 hours; a newer one kills it. One address is sent at most 10 mails an hour.',
      bodyName: 'VerificationRequest',
      kind: 'verify_email',
    }),
  ]
}
