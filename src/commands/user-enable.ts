import { enableAccount } from '#app/operator/accounts.ts'
import { result, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { EMAIL, emailIn } from './user-email.ts'

export const userEnable: Command = {
  about: 'Let a person who was disabled sign in again',
  usage: '--email EMAIL',
  options: { email: EMAIL },
  run: async (invocation) => {
    const email = emailIn(invocation)
    const changed = await enableAccount(openConfig(invocation), email)
    result(changed ? `${email} may sign in again.` : `${email} was not disabled.`)
    return 0
  },
}
