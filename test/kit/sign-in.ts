import { plusSeconds } from '#kernel/time/clock.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { TestApp } from './app.ts'
import type { Client, Reply } from './client.ts'

/** The password of every user from test/kit/institute.ts. */
export const PASSWORD = 'correct horse'

export const emailOf = (userId: string): string => `user-${userId}@example.org`

/**
 * The refresh token that a reply put into the cookie; '' when it cleared the cookie, undefined when it did not set it.
 */
export const cookieOf = ({ headers }: Reply): string | undefined =>
  /institute_refresh=([\w-]*)/.exec(headers.get('set-cookie') ?? '')?.[1]

/** Sends the refresh token as a browser does. */
export const refreshByCookie = (app: TestApp, token: string, headers: Record<string, string> = {}): Promise<Reply> =>
  app.send('POST', '/auth/refresh', { headers: { cookie: `institute_refresh=${token}`, ...headers } })

/** The one-time token in the last mail to an address that links to the page. */
export const mailedToken = (
  { mails }: TestApp,
  to: string,
  page: 'reset-password' | 'verify-email' | 'invitation',
): string => {
  const link = new RegExp(`/${page}\\?token=(\\S+)`)
  const tokens = mails.filter((mail) => mail.to === to).map(({ text }) => link.exec(text)?.[1])
  const token = tokens.findLast((one) => one !== undefined)
  if (token === undefined) throw new Error(`there is no mail to ${to} with a link to ${page}`)
  return token
}

/** Audit entries of one action, oldest first. */
export const auditOf = ({ app }: TestApp, action: string) =>
  app.database.read.selectFrom('audit_entry').selectAll().where('action', '=', action).orderBy('id').execute()

/** A platform admin who impersonates a user. */
export const impersonate = async (
  test: TestApp,
  { userId, tenantId }: { userId: string; tenantId: string },
): Promise<Client> => {
  const sessionId = newId()
  const now = test.clock.now()
  await test.app.database.write((db) =>
    db
      .insertInto('auth_session')
      .values({
        id: sessionId,
        user_id: userId,
        tenant_id: tenantId,
        client: 'web',
        ip: null,
        user_agent: null,
        token_hash: sessionId,
        recent_rotations: [],
        expires_at: plusSeconds(now, 600),
        ends_at: plusSeconds(now, 600),
        revoked_at: null,
        impersonator_id: newId(),
        created_at: now,
        last_used_at: now,
      })
      .execute(),
  )
  return test.as(await test.app.tokens.issue({ userId, sessionId, tenantId }))
}
