import { answer, api, type Schemas } from '../client.ts'
import { queryClient } from '../queries.ts'
import { sessionOwner } from '../session.ts'
import { keptSenderOf } from './kept-sender.ts'

type NewReceipt = Schemas['NewReceipt']

/** A former version of the console kept them in localStorage, in the clear. */
const bringFormer = async (): Promise<void> => {
  const prefix = `institute.payment.${sessionOwner()}.`
  for (const entry of Object.keys(localStorage).filter((key) => key.startsWith(prefix))) {
    const {
      name: key,
      body,
      askedAt: savedAt,
    } = JSON.parse(localStorage.getItem(entry) ?? '') as { name: string; body: NewReceipt; askedAt: string }
    const former = { key, body, savedAt, isTried: true }
    const id = await payments.save((all) => ({ kept: former, forget: all.filter((one) => one.key === key) }))
    // What is in memory alone must not be lost with the page.
    if (id > 0) localStorage.removeItem(entry)
  }
}

/** Payments that are taken. */
export const payments = keptSenderOf<NewReceipt, Schemas['Receipt']>({
  kind: 'payment',
  change: 'payment',
  send: ({ body }, header) => answer(api.POST('/payments', { params: { header }, body })),
  onReply: (receipt) => queryClient.setQueryData(['/receipts', receipt.id], receipt),
  bringFormer,
})
