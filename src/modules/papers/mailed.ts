import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { editionNow, receiptOfPayment, takeOriginal, type Edition, type OfPaper } from '#modules/billing/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import { PAPER_TYPE, readyPaper, type PaperDeps, type ReadyPaper } from './frame.ts'
import { invoicePaper } from './invoice.ts'
import { receiptPaper } from './receipt.ts'

/** What a mail is about. */
export interface AboutMoney {
  tenant: TenantInfo
  locale: Locale
  /** The receipt that it brings, else the invoice that it is about, and the payment where it is about one. */
  of: { receiptId: string } | { invoiceId: string; paymentId: string | undefined }
  /** The message that carries it. */
  messageId: string
  now: string
  /** Runs a transaction of its own. */
  change: <T>(work: (system: SystemTx) => Promise<T>) => Promise<T>
}

/** Which edition of a paper the message carries: the same at each attempt to send it. */
const editionFor =
  (whole: ScopedDb, { tenant, messageId, now, change }: AboutMoney) =>
  async (of: OfPaper): Promise<Edition> => {
    const taker = { id: messageId, actor: null }
    const edition = await editionNow(whole, of, { taker, now })
    return edition ?? change((system) => takeOriginal(system.inTenant(tenant), of, taker))
  }

/** A paper that goes with a mail. */
export type MailedPaper = Pick<ReadyPaper, 'name' | 'print'> & { type: string }

/** A receipt goes with the mail that names the first of its payments: others of its mails, of another payer or day, go without. */
const draftFor = async (whole: ScopedDb, about: AboutMoney) => {
  const { tenant, locale, of } = about
  const context = { db: whole, whole, tenant, editionOf: editionFor(whole, about) }
  if ('receiptId' in of) return receiptPaper(context, of.receiptId, { locale, size: 'a4' })
  const { papers } = await readSettings(whole)
  if (!papers.inMails) return null
  const { invoiceId, paymentId } = of
  if (paymentId === undefined) return invoicePaper(context, invoiceId, { locale })
  const { id, payments } = await receiptOfPayment(whole, paymentId)
  return payments[0]?.id === paymentId ? receiptPaper(context, id, { locale, size: 'a4' }) : null
}

/** Makes the function that finds the paper of a mail; null: none goes with it. */
export const mailedPaper =
  (deps: PaperDeps) =>
  async (whole: ScopedDb, about: AboutMoney): Promise<MailedPaper | null> => {
    const draft = await draftFor(whole, about)
    return draft && { type: PAPER_TYPE, ...(await readyPaper(deps, { whole }, draft)) }
  }
