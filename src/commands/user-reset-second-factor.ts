import { resetSecondFactor } from '#app/operator/accounts.ts'
import { result, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { EMAIL, emailIn } from './user-email.ts'

export const userResetSecondFactor: Command = {
  about: 'Take away the codes and passkeys of a person who lost them; the password stays',
  usage: '--email EMAIL',
  options: { email: EMAIL },
  run: async (invocation) => {
    const email = emailIn(invocation)
    const changed = await resetSecondFactor(openConfig(invocation), email)
    result(
      changed
        ? `${email} signs in with the password alone, and is signed out everywhere.`
        : `${email} has neither codes nor passkeys: there is nothing to take away.`,
    )
    return 0
  },
}
