import * as v from 'valibot'
import { PASSWORD_UNUSED, sendTestMail } from '#app/operator/mail-trial.ts'
import { email } from '#kernel/values/schema.ts'
import { OPENING, result, tell, WrongUsage, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const mailTest: Command = {
  about: 'Send a test mail as mails are sent here, and say what the mail server answered',
  usage: 'ADDRESS',
  words: 1,
  settings: [...OPENING, 'INSTITUTE_SMTP_URL', 'INSTITUTE_MAIL_FROM'],
  run: async (invocation) => {
    const [to = ''] = invocation.words
    if (!v.safeParse(email, to).success) throw new WrongUsage(`"${to}" is not an email address.`)
    const { server, sender, taken, passwordUnused, failure } = await sendTestMail(openConfig(invocation), to)
    if (failure) {
      tell(failure.advice)
      tell(`What happened: ${failure.message}`)
      return 1
    }
    if (server === null) {
      tell('Nothing was sent: there is no mail server (INSTITUTE_SMTP_URL); institute mail-setup names one.')
      tell('The mail lies in this file:')
      result(taken)
      return 1
    }
    result(`The mail server ${server} took the mail from ${sender} to ${to}. It said: ${taken}`)
    if (passwordUnused) tell(PASSWORD_UNUSED)
    tell('Now look whether it arrives, also among the unwanted mail.')
    return 0
  },
}
