import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { AccountChange, SendMail } from '#modules/mail/index.ts'

/** Mails somebody that what they sign in with has changed: whoever did it in their place is noticed. */
export const mailChange = async (
  tx: SystemTx,
  sendMail: SendMail,
  { userId, change }: { userId: string; change: AccountChange },
): Promise<void> => {
  const { email, locale } = await tx.db
    .selectFrom('user')
    .select(['email', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  sendMail(tx, { template: 'account-changed', change, to: email, locale })
}
