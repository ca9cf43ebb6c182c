import { answer, api, type Schemas } from '../client.ts'
import { queryClient } from '../queries.ts'
import { randomName } from '../random.ts'
import { sessionOwner } from '../session.ts'
import { senderOf, type Answer } from './sender.ts'
import type { Kept, Saved } from './store.ts'

/** A payment that was sent and has no answer yet. */
export interface KeptPayment extends Kept {
  body: Schemas['NewReceipt']
}

/** The server knows a request again for a day: an hour less is safe. */
const KNOWN_MILLIS = 23 * 3_600_000

export const isTooOld = ({ savedAt }: KeptPayment): boolean => Date.now() - Date.parse(savedAt) > KNOWN_MILLIS

/** Those for whose answer a page of this tab waits. */
const awaited = new Set<string>()

/** A former version of the console kept them in localStorage, in the clear. */
const bringFormer = async (): Promise<void> => {
  const prefix = `institute.payment.${sessionOwner()}.`
  for (const entry of Object.keys(localStorage).filter((key) => key.startsWith(prefix))) {
    const {
      name: key,
      body,
      askedAt,
    } = JSON.parse(localStorage.getItem(entry) ?? '') as {
      name: string
      body: KeptPayment['body']
      askedAt: string
    }
    const former: Saved<KeptPayment> = { key, body, savedAt: askedAt, isTried: true }
    const id = await payments.save((all) => ({ kept: former, forget: all.filter((one) => one.key === key) }))
    // What is in memory alone must not be lost with the page.
    if (id > 0) localStorage.removeItem(entry)
  }
}

const payments = senderOf<KeptPayment, Schemas['Receipt']>({
  kind: 'payment',
  change: 'payment',
  lineOf: ({ key }) => key,
  send: ({ body }, header) => answer(api.POST('/payments', { params: { header }, body })),
  onReply: (receipt) => queryClient.setQueryData(['/receipts', receipt.id], receipt),
  isOver: isTooOld,
  isKeptInMemory: true,
  bringFormer,
})

export type PaymentAnswer = Answer<KeptPayment, Schemas['Receipt']>

/** Calls back with each answer, and whether a page of this tab waits for it. */
export const onPaymentAnswer = (listener: (answer: PaymentAnswer, isAwaited: boolean) => void): (() => void) =>
  payments.onAnswer((heard) => listener(heard, awaited.has(heard.key)))

/**
 * Takes a payment, and asks again until an answer comes.
 * @param onAnswer called once, unless the page is left before: then the frame tells of it
 * @returns `isUnanswered`, once it was sent, says whether its answer was lost; `leave` ends the wait of the page
 */
export const takePayment = (body: KeptPayment['body'], onAnswer: (answer: PaymentAnswer) => void) => {
  const key = randomName()
  awaited.add(key)
  const leave = (): void => {
    ignore()
    if (awaited.delete(key)) payments.tell()
  }
  const ignore = payments.onAnswer((heard) => {
    if (heard.key !== key) return
    // Once all have heard it that want to know whether a page waits for it.
    queueMicrotask(leave)
    onAnswer(heard)
  })
  const keepAndSend = async (): Promise<boolean> => {
    await payments.save(() => ({ kept: { key, body, savedAt: new Date().toISOString(), isTried: false } }))
    await payments.sendLine(key)
    return payments.kept().some((one) => one.key === key)
  }
  return { isUnanswered: keepAndSend(), askAgain: () => void payments.sendLine(key), leave }
}

/** Gives up a payment of which the server can no longer be asked. */
export const forgetPayment = ({ id }: KeptPayment): Promise<void> => payments.drop([id])

/** Those of whoever is signed in that have no answer yet, but for those for which a page of this tab waits itself. */
export const useUnanswered = (): KeptPayment[] => payments.useKept().filter(({ key }) => !awaited.has(key))

export const { useSending: useSendingPayments } = payments
