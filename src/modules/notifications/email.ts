import { writeNotice } from '#modules/mail/index.ts'
import { MailError, type Mailer } from '#ports/mail/port.ts'
import type { Channel } from './channel.ts'

/** Email over the server's own mailer. */
export const emailOver = (mailer: Mailer): Channel => ({
  isSetUp: async () => true,
  send: async ({ id, tenant, locale, address, title, body }) => {
    if (address === null) return { kind: 'skipped', reason: 'There is no email address on record.' }
    try {
      await mailer.send({
        id,
        to: address,
        locale,
        ...writeNotice({ subject: title, text: body }, locale, tenant.name),
      })
      return { kind: 'sent' }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      return { kind: error.permanent ? 'failed' : 'later', reason: error.message }
    }
  },
})
