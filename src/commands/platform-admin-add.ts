import * as v from 'valibot'
import { addPlatformAdmin } from '#app/operator/accounts.ts'
import { email as Email } from '#kernel/values/schema.ts'
import { result, WrongUsage, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { askPassword, passwordFromInput } from './password.ts'
import { EMAIL, emailIn } from './user-email.ts'

const SAID = {
  added: 'is a platform admin.',
  promoted: 'is a platform admin now, with the account that was there.',
  unchanged: 'was a platform admin already.',
}

export const platformAdminAdd: Command = {
  about: 'Make somebody a platform admin, who manages the institutes of a cloud, or the licences of a vendor',
  usage: '--email EMAIL [--password-stdin]',
  options: {
    email: EMAIL,
    'password-stdin': {
      about:
        'Read the password from standard input; without it the terminal is asked, and only for somebody who has none yet',
    },
  },
  run: async (invocation) => {
    const email = v.safeParse(Email, emailIn(invocation))
    if (!email.success) throw new WrongUsage(`--email ${emailIn(invocation)}: it must be an email address.`)
    const config = openConfig(invocation)
    const given = invocation.switches.has('password-stdin') ? await passwordFromInput() : undefined
    const outcome = await addPlatformAdmin(config, email.output, { given, ask: () => askPassword(email.output) })
    result(`${email.output} ${SAID[outcome]}`)
    return 0
  },
}
