import { isolateLeftToRight, unbroken } from '#shared/isolate.ts'
import type { PayWords } from './pay-words.ts'

export const en: PayWords = {
  paid: (number) => `Invoice ${number}`,
  due: {
    title: (number) => `Pay invoice ${unbroken(number)} by card`,
    text: (amount, date) =>
      `${amount} is to be paid, due ${date}. You enter your card on the page of the payment company; the institute does not see it.`,
    button: 'Pay by card',
  },
  going: {
    title: 'The payment page opens',
    text: 'If it does not open by itself, press the button.',
    button: 'Continue',
  },
  done: {
    title: 'Paid, thank you',
    text: (number) => `The payment was received. Receipt no. ${isolateLeftToRight(number)}.`,
  },
  settled: { title: 'Nothing is to be paid', text: (number) => `Invoice ${isolateLeftToRight(number)} is paid.` },
  void: { title: 'Nothing is to be paid', text: (number) => `Invoice ${isolateLeftToRight(number)} was cancelled.` },
  waiting: {
    title: 'Not confirmed yet',
    text: 'If you have just paid, the confirmation comes within a few minutes. Do not pay again; this page looks again by itself.',
  },
  off: { title: 'Payment by card is not open', text: 'Please contact the institute to pay in another way.' },
  failed: {
    title: 'The payment page did not open',
    text: 'Nothing was paid. Try again in a while, or contact the institute to pay in another way.',
  },
}
