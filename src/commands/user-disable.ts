import { disableAccount } from '#app/operator/accounts.ts'
import { result, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { EMAIL, emailIn } from './user-email.ts'

export const userDisable: Command = {
  about: 'Bar a person from signing in, and end every session of theirs',
  usage: '--email EMAIL [--force]',
  options: {
    email: EMAIL,
    force: { about: 'Also the last active owner of an institute' },
  },
  run: async (invocation) => {
    const email = emailIn(invocation)
    const changed = await disableAccount(openConfig(invocation), email, { force: invocation.switches.has('force') })
    result(changed ? `${email} is disabled and signed out everywhere.` : `${email} was disabled already.`)
    return 0
  },
}
