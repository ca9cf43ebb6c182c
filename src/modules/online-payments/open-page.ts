import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Locale } from '#shared/locale.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { found } from '#kernel/values/errors.ts'
import { invoiceForPaying, OPEN } from '#modules/billing/index.ts'
import { changeRecord, createRecord, lockRow } from '#runtime/records/records.ts'
import { NothingToPay, NotPaidOnline, PageNotOpened, PaymentPending } from './failures.ts'
import { payCode, PAY_PATH } from './link.ts'
import { accountOf, noticeUrl, providerOn, type ProviderDeps, type ProviderRow } from './providers.ts'
import { onlinePaymentRecord, type OnlinePaymentRow } from './record.ts'
import { LIVE_STATES } from './tables.ts'
import { WORDS } from './words/index.ts'

/** An hour: long enough to find the card, and short enough that what is paid is what is due. */
const PAGE_SECONDS = 3600
/** A page with less time left is not shown to anybody any more. */
const LEAST_SECONDS = 300

interface Reserved {
  row: OnlinePaymentRow
  provider: ProviderRow
  /** Pages on which something else was asked for. */
  stale: OnlinePaymentRow[]
  number: string
}

/**
 * Finds the page on which the balance of an invoice is paid, or makes room for one. The lock on the invoice gives two who
 * press at once the same page.
 * @throws NotFound, NothingToPay, NotPaidOnline, PaymentPending
 */
const reserve = async (tx: Tx, invoiceId: string, payerGuardianId: string | null): Promise<Reserved> => {
  const invoice = await invoiceForPaying(tx, invoiceId)
  const { status, currency, number } = invoice
  const amountMinor = invoice.total_minor - invoice.paid_minor
  if (!OPEN.includes(status) || amountMinor <= 0) throw NothingToPay()
  const provider = await providerOn(tx.whole)
  if (!provider) throw NotPaidOnline()
  const live = await tx.whole
    .selectFrom('online_payment')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .where('state', 'in', LIVE_STATES)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  if (live.some(({ state }) => state === 'pending')) throw PaymentPending()
  const fits = (row: OnlinePaymentRow): boolean =>
    row.provider === provider.provider &&
    row.amount_minor === amountMinor &&
    row.payer_guardian_id === payerGuardianId &&
    row.expires_at > plusSeconds(tx.now, LEAST_SECONDS)
  const known = live.findLast(fits)
  const stale = live.filter((row) => row !== known && row.page_id !== null && row.state === 'open')
  if (known) return { row: known, provider, stale, number }
  const { id } = await createRecord(tx, onlinePaymentRecord, {
    invoiceId,
    payerGuardianId,
    amountMinor,
    currency,
    provider: provider.provider,
    state: 'opening',
    expiresAt: plusSeconds(tx.now, PAGE_SECONDS),
  })
  const row = await tx.whole.selectFrom('online_payment').selectAll().where('id', '=', id).executeTakeFirst()
  return { row: found(row), provider, stale, number }
}

export interface Opening {
  begin: Begin
  tenant: TenantInfo
  locale: Locale
  invoiceId: string
  payerGuardianId: string | null
  now: string
}

export interface Opened {
  row: OnlinePaymentRow
  pageId: string
  url: string
}

/**
 * Opens a page at the provider, or finds the one that is open. A kill in between leaves a row that the next press goes on
 * with: its id is the key by which the provider knows the request again.
 * @throws NotFound, NothingToPay, NotPaidOnline, PageNotOpened
 */
export const openPage = async (
  { vault, ports, baseUrl }: ProviderDeps,
  { begin, tenant, locale, invoiceId, payerGuardianId, now }: Opening,
): Promise<Opened> => {
  const { row, provider, stale, number } = await begin((system) =>
    reserve(system.inTenant(tenant), invoiceId, payerGuardianId),
  )
  if (row.page_id !== null && row.page_url !== null) return { row, pageId: row.page_id, url: row.page_url }
  const account = accountOf(vault, provider)
  // What cannot be ended now, ends by itself; should somebody pay on it, that is booked too.
  for (const old of stale)
    if (old.provider === row.provider) await ports[old.provider].close(account, old.page_id as string)
  const base = await baseUrl(tenant.id)
  const asked = await ports[row.provider].open(account, {
    reference: row.id,
    about: invoiceId,
    amountMinor: row.amount_minor,
    currency: row.currency,
    words: WORDS[locale].paid(number),
    locale,
    returnUrl: `${base}/${PAY_PATH}/${payCode(vault, tenant.id, invoiceId)}?back=1`,
    noticeUrl: noticeUrl(base, provider.id),
    expiresAt: row.expires_at,
    now,
  })
  if (asked.ok) return { row, ...asked.value }
  if (!asked.mayPass) {
    await begin(async (system) => {
      const tx = system.inTenant(tenant)
      const locked = await lockRow({ db: tx.whole }, onlinePaymentRecord, row.id)
      if (locked.state === 'opening')
        await changeRecord(tx.within('all'), onlinePaymentRecord, locked, { state: 'failed' })
    })
  }
  throw PageNotOpened({ words: asked.words })
}

/**
 * Keeps the page that was opened. Of two that were opened at once the first is kept, and both payers are led to it: a page
 * that nobody keeps could not be asked for. A notice that came before leaves the state as it is.
 */
export const keepPage = async (tx: Tx, { row, pageId, url }: Opened): Promise<{ url: string; expiresAt: string }> => {
  const locked = await lockRow({ db: tx.whole }, onlinePaymentRecord, row.id)
  const { expires_at: expiresAt } = row
  if (locked.page_id !== null) return { url: locked.page_url ?? url, expiresAt }
  await changeRecord(tx.within('all'), onlinePaymentRecord, locked, {
    pageId,
    pageUrl: url,
    ...(locked.state === 'opening' && { state: 'open' as const }),
  })
  return { url, expiresAt }
}

/** The guardian behind a caller, where they are one of this student; null: not, or an office that opens it. */
export const guardianBehind = async (
  tx: Pick<Tx, 'whole'>,
  { actor }: Pick<Caller, 'actor'>,
  studentId: string,
): Promise<string | null> => {
  if (actor.type !== 'user') return null
  const guardian = await tx.whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select('guardian.id')
    .where('guardian.user_id', '=', actor.userId)
    .where('guardian_link.student_id', '=', studentId)
    .executeTakeFirst()
  return guardian?.id ?? null
}
