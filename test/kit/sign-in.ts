import type { Reply } from './client.ts'
import type { TestApp } from './app.ts'

/** The password of everybody that test/kit/institute.ts makes. */
export const PASSWORD = 'correct horse'

export const emailOf = (userId: string): string => `user-${userId}@example.org`

/** The refresh token that a reply put into the cookie; '' when it cleared it, undefined when it left it alone. */
export const cookieOf = ({ headers }: Reply): string | undefined =>
  /institute_refresh=([\w-]*)/.exec(headers.get('set-cookie') ?? '')?.[1]

/** Sends the refresh token as a browser does. */
export const refreshByCookie = (app: TestApp, token: string, headers: Record<string, string> = {}): Promise<Reply> =>
  app.send('POST', '/auth/refresh', { headers: { cookie: `institute_refresh=${token}`, ...headers } })

/** The one-time token in the link of the last mail to an address. */
export const mailedToken = ({ mails }: TestApp, to: string): string => {
  const mail = mails.findLast((one) => one.to === to)
  const token = /\?token=(\S+)/.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`there is no mail with a link to ${to}`)
  return token
}

/** Audit entries of one action, oldest first. */
export const auditOf = ({ app }: TestApp, action: string) =>
  app.database.read.selectFrom('audit_entry').selectAll().where('action', '=', action).orderBy('id').execute()
