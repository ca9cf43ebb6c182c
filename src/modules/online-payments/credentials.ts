import type { Credential } from '#kernel/contract/credential.ts'

export const PAY_LINK: Credential = {
  name: 'pay-link',
  of: 'recipient',
  opens:
    'Shows what is to be paid of one invoice, and opens a page at the provider to pay it. It shows nothing of the student, and takes no money by itself.',
  lasting: true,
  purposes: ['pay-link'],
  ends: [],
  why: 'It stands in mails to people without an account, and who forwards it lets somebody else pay. Once nothing is to be paid it says so and no more.',
}

export const PAYMENT_ACCOUNT: Credential = {
  name: 'payment-account',
  of: 'institute',
  opens: 'The institute’s account at the provider over whom people pay. It is never shown again.',
  lasting: true,
  columns: ['payment_provider.secret'],
  purposes: ['payment-provider'],
  ends: [],
  why: 'It opens nothing here: the institute was given it by the provider, whose notices are signed with it.',
}
