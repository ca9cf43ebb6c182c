import * as v from 'valibot'
import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { locale, orNull } from '#kernel/values/schema.ts'
import type { OutsideDb, SystemDb } from '#kernel/contract/tables.ts'
import { findInvitation, namesOfInvitation } from '#modules/members/index.ts'
import { isProven } from '../accounts.ts'
import type { Identity } from '../deps.ts'
import { checkToken, TokenInvalid } from '../email-tokens.ts'

const Page = v.picklist(['invitation', 'reset-password', 'verify-email'])
type Page = v.InferOutput<typeof Page>

const LinkFacts = v.object({
  locale,
  institute: orNull(v.string()),
  inviter: orNull(v.string()),
  email: v.string(),
  /** The name under which the institute knows them; empty: it knows none, or the account has one. */
  fullName: v.string(),
  /** The fields that accepting an invitation requires. */
  needs: v.object({ fullName: v.boolean(), password: v.boolean() }),
  signInUrl: orNull(v.string()),
})
type LinkFacts = Omit<v.InferOutput<typeof LinkFacts>, 'signInUrl'>

interface LinkContext {
  db: OutsideDb
  everywhere: SystemDb
  now: string
}

const NEEDS_NOTHING = { fullName: false, password: false }

const factsOf = async (
  { instituteName, recordedName }: Pick<Identity, 'instituteName' | 'recordedName'>,
  { db, everywhere, now }: LinkContext,
  page: Page,
  token: string,
): Promise<LinkFacts> => {
  if (page === 'invitation') {
    const invitation = await findInvitation(everywhere, token, now)
    if (!invitation) throw TokenInvalid()
    const { institute, inviter } = await namesOfInvitation(everywhere, invitation)
    const account = await accountOf(db, invitation.userId)
    const fullName = account.full_name === '' ? await recordedName(everywhere, invitation) : ''
    const needs = { fullName: account.full_name === '' && fullName === '', password: !isProven(account) }
    return { locale: account.locale, institute, inviter: inviter || null, email: account.email, fullName, needs }
  }
  const userId = await checkToken(db, page === 'reset-password' ? 'reset_password' : 'verify_email', token, now)
  const { locale: language, email } = await accountOf(db, userId)
  const institute = await instituteName(db)
  return { locale: language, institute, inviter: null, email, fullName: '', needs: NEEDS_NOTHING }
}

const accountOf = (db: OutsideDb, userId: string) =>
  db
    .selectFrom('user')
    .select(['email', 'locale', 'full_name', 'email_verified', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

/** The facts for the page of a mailed link. Without a valid token it reveals nothing about the institute. */
export const linkEndpoint = (identity: Identity): Endpoint =>
  openRead({
    id: 'auth.link',
    path: '//links/{page}',
    params: { page: Page },
    summary: 'What a mailed link is for, for the page behind it',
    description: 'The token stands in the header X-Link-Token, and stays good.',
    access: 'anyone',
    forPeople: true,
    reply: LinkFacts,
    fails: [TokenInvalid],
    handle: async ({ params, request, ...place }) => {
      const page = v.parse(Page, params.page)
      const facts = await factsOf(identity, place, page, request.header('x-link-token') ?? '')
      return { ...facts, signInUrl: identity.signInUrl ?? null }
    },
  })
