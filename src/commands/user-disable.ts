import { disableAccount } from '#app/program.ts'
import { result, tell, WrongUsage, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const userDisable: Command = {
  about: 'Bar a person from signing in, and end every session of theirs',
  usage: '--email EMAIL',
  options: { email: { value: 'EMAIL', about: 'The email with which they sign in' } },
  run: async (invocation) => {
    const { email } = invocation.options
    if (!email) throw new WrongUsage('Usage: institute user disable --email EMAIL')
    if (!(await disableAccount(openConfig(invocation), email))) {
      tell(`There is no account with the email ${email}.`)
      return 1
    }
    result(`${email} is disabled and signed out everywhere.`)
    return 0
  },
}
