import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volume } from '#kit/volume.ts'
import { act } from '../billing/books-acts.ts'
import { playIn, type Play } from '../billing/books-play.ts'
import { payDesk, STRIPE } from './pay-desk.ts'

/** Histories of a family's money in which invoices are paid by card too, compared with the second set of books. */

const desk = payDesk()
const HISTORIES = volume(4, 200)
const STEPS = 30

const byCard = fc.record({ kind: fc.constant('card' as const), nth: fc.nat(20), isLate: fc.boolean() })

test(`${HISTORIES} histories with payments by card agree with the second books`, { timeout: 600_000 }, async () => {
  const played = fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(act, byCard), { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const { plays, school } = await playIn(desk.app)
      const play = plays[0] as Play
      const { owner } = school
      const { books } = play
      const { noticeUrl } = (await owner.put('/payment-providers/stripe', { isOn: true, ...STRIPE })).body
      const path = new URL(noticeUrl).pathname.replace('/api/v1', '')
      /** Pages on which somebody is still typing while the desk goes on. */
      const typing: { page: string; invoiceId: string; amount: number }[] = []
      const arrive = async ({ page, invoiceId, amount }: (typeof typing)[number]): Promise<void> => {
        const { state, payer } = books.invoices.get(invoiceId) as { state: string; payer: string }
        const toInvoice = state === 'issued' ? Math.min(books.owed(invoiceId), amount) : 0
        desk.providers.stripe.pay(page)
        const notice = desk.providers.stripe.notice('completed', page)
        await Promise.all([desk.send(path, notice), desk.send(path, notice)])
        await desk.app.drain()
        const { data } = (await owner.get(`/online-payments?invoiceId=${invoiceId}&state=paid`)).body
        const paid = data.find((one: { receiptId: string }) => !books.receipts.has(one.receiptId))
        const rest = amount - toInvoice
        books.receive(
          paid.receiptId,
          toInvoice > 0 ? [{ invoice: invoiceId, amount: toInvoice }] : [],
          rest > 0 ? { holder: payer, amount: rest } : null,
        )
      }
      for (const step of steps) {
        desk.app.clock.advance(60)
        if (step.kind !== 'card') {
          await play.step(step)
          continue
        }
        const [invoiceId] = [...books.invoices].filter(([id]) => books.owed(id) >= 200)[step.nth] ?? []
        if (invoiceId === undefined || typing.some((one) => one.invoiceId === invoiceId)) continue
        const { body } = await owner.post(`/invoices/${invoiceId}/pay`)
        if (body.url === undefined) continue
        const opened = { page: String(body.url).split('/').at(-1) as string, invoiceId, amount: books.owed(invoiceId) }
        if (step.isLate) typing.push(opened)
        else await arrive(opened)
      }
      for (const opened of typing) await arrive(opened)
      await play.compare()
    }),
    { numRuns: HISTORIES, seed: 20_261_130, endOnFailure: true },
  )
  await expect(played).resolves.toBeUndefined()
})
