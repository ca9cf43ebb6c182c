import { makeResetLink } from '#app/operator/accounts.ts'
import { OPENING, result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { EMAIL, emailIn } from './user-email.ts'

export const userResetPassword: Command = {
  about: 'Print a link with which a person chooses a new password, once, within an hour',
  usage: '--email EMAIL',
  options: { email: EMAIL },
  // The settings after OPENING decide what the link begins with.
  settings: [...OPENING, 'INSTITUTE_BASE_URL', 'INSTITUTE_PORT', 'INSTITUTE_TLS_CERT', 'INSTITUTE_TLS_KEY'],
  run: async (invocation) => {
    const email = emailIn(invocation)
    const { link, expiresAt } = await makeResetLink(openConfig(invocation), email)
    tell(
      `Whoever opens this link chooses the password of ${email}: give it to them alone. It works once, until ${expiresAt}.`,
    )
    result(link)
    return 0
  },
}
