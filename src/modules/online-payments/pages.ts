import * as v from 'valibot'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { Locale } from '#shared/locale.ts'
import { openChange, openRead } from '#kernel/contract/endpoint.ts'
import type { OutsideDb, ScopedDb } from '#kernel/contract/tables.ts'
import { ApiError, TenantSuspended } from '#kernel/values/errors.ts'
import { content, type Content } from '#kernel/values/media.ts'
import { checkNotArchived } from '#kernel/who/tenant-state.ts'
import { balanceOf } from '#modules/billing/index.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { NotPaidOnline, PageNotOpened, PayLinkRefused } from './failures.ts'
import { openPayCode, PAY_PATH } from './link.ts'
import { keepPage, openPage } from './open-page.ts'
import { providerOn, type ProviderDeps } from './providers.ts'
import { WORDS } from './words/index.ts'

export type ShowPage = (
  language: Locale,
  page: {
    title: string
    text: string
    institute: string
    button?: { label: string; action: string; isPrimary: boolean }
    /** A button that leads to another server. */
    away?: { label: string; url: string }
  },
) => Content

/** As a mail writes an amount and a day. */
export interface Formats {
  amount(amountMinor: number, currency: Currency): string
  date(day: string): string
}

export interface PageDeps extends ProviderDeps {
  showPage: ShowPage
  formats: (locale: Locale, timezone: string) => Formats
}

/** Strangers may try codes, and each press asks the provider for a page. */
const OPENINGS = [{ per: 'network', requests: 60, seconds: 3600 }] as const

const SECONDS_TO_LOOK_AGAIN = 8

const common = {
  access: 'anyone',
  forPeople: true,
  secretPath: true,
  params: { code: v.pipe(v.string(), v.maxLength(100)) },
  reply: content(['text/html']),
  fails: [PayLinkRefused, TenantSuspended],
} as const

interface Target {
  tenant: TenantInfo
  invoiceId: string
}

/** @throws PayLinkRefused, TenantSuspended for an archived institute */
const openLink = async ({ vault }: ProviderDeps, db: OutsideDb, code: string): Promise<Target> => {
  const opened = openPayCode(vault, code)
  const tenant = opened && (await findTenant(db, opened.tenantId))
  if (!opened || !tenant) throw PayLinkRefused()
  checkNotArchived(tenant)
  return { tenant, invoiceId: opened.invoiceId }
}

/** The receipt of what was paid by card last; null: nothing was. */
const lastPaid = async (whole: ScopedDb, invoiceId: string): Promise<string | null> => {
  const row = await whole
    .selectFrom('online_payment')
    .innerJoin('receipt', 'receipt.id', 'online_payment.receipt_id')
    .select('receipt.number')
    .where('online_payment.invoice_id', '=', invoiceId)
    .orderBy('online_payment.created_at', 'desc')
    .orderBy('online_payment.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.number ?? null
}

const isWaiting = async (whole: ScopedDb, invoiceId: string, back: boolean): Promise<boolean> => {
  const states = back ? (['open', 'pending'] as const) : (['pending'] as const)
  const row = await whole
    .selectFrom('online_payment')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .where('state', 'in', states)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const localeOf = async (whole: ScopedDb, { tenant, invoiceId }: Target): Promise<Locale> =>
  (await balanceOf(whole, invoiceId).catch(() => undefined))?.kept?.locale ?? tenant.defaultLocale

/**
 * The page that the link in mails leads to. It says what the mail says: the institute, the invoice and the sum, and nothing
 * of the child. Only its button asks the provider for a page, because programs that look at mails follow their links. From
 * there a header leads on, and not a redirect: browsers hold a redirect after a form against `form-action`, which names this
 * server alone.
 */
export const payPages = (deps: PageDeps) => {
  const { showPage, formats } = deps
  const shown = async (
    whole: ScopedDb,
    { tenant, invoiceId }: Target,
    code: string,
    back: boolean,
  ): Promise<Content> => {
    const invoice = await balanceOf(whole, invoiceId).catch((error: unknown) => {
      throw error instanceof ApiError ? PayLinkRefused() : error
    })
    const locale = invoice.kept?.locale ?? tenant.defaultLocale
    const words = WORDS[locale]
    const institute = tenant.name
    const show = (page: { title: string; text: string }) => showPage(locale, { ...page, institute })
    const receipt = await lastPaid(whole, invoiceId)
    if (invoice.status === 'void') return show({ ...words.void, text: words.void.text(invoice.number) })
    if (invoice.balanceMinor <= 0) {
      return receipt === null
        ? show({ ...words.settled, text: words.settled.text(invoice.number) })
        : show({ ...words.done, text: words.done.text(receipt) })
    }
    if (await isWaiting(whole, invoiceId, back)) {
      const page = show(words.waiting)
      return { ...page, headers: { ...page.headers, Refresh: String(SECONDS_TO_LOOK_AGAIN) } }
    }
    if (!(await providerOn(whole))) return show(words.off)
    const { amount, date } = formats(locale, tenant.timezone)
    return showPage(locale, {
      title: words.due.title(invoice.number),
      text: words.due.text(amount(invoice.balanceMinor, invoice.currency), date(invoice.dueDate)),
      institute,
      button: { label: words.due.button, action: `/${PAY_PATH}/${code}`, isPrimary: true },
    })
  }
  return [
    openRead({
      ...common,
      id: 'online-payments.page',
      path: `//${PAY_PATH}/{code}`,
      summary: 'The page that says what is to be paid',
      query: v.object({ back: v.optional(v.string()) }),
      handle: async ({ db, inTenant, params: { code }, query: { back } }) => {
        const target = await openLink(deps, db, code)
        return shown(inTenant(target.tenant), target, code, back !== undefined)
      },
    }),
    openChange({
      ...common,
      id: 'online-payments.press',
      method: 'POST',
      path: `//${PAY_PATH}/{code}`,
      summary: 'Open the provider’s page',
      limits: OPENINGS,
      prepare: async ({ db, inTenant, begin, now, params: { code } }) => {
        const target = await openLink(deps, db, code)
        const { tenant, invoiceId } = target
        const locale = await localeOf(inTenant(tenant), target)
        try {
          const opened = await openPage(deps, { begin, tenant, locale, invoiceId, payerGuardianId: null, now })
          return { target, locale, opened }
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          return { target, locale, refused: error.spec.name }
        }
      },
      handle: async ({ tx, params: { code }, prepared }): Promise<Content> => {
        const { target, locale } = prepared
        const inTenant = tx.inTenant(target.tenant)
        const institute = target.tenant.name
        const words = WORDS[locale]
        if ('opened' in prepared) {
          const { url } = await keepPage(inTenant, prepared.opened)
          const { title, text, button } = words.going
          const page = showPage(locale, { title, text, institute, away: { label: button, url } })
          return { ...page, headers: { ...page.headers, Refresh: `0; url=${url}` } }
        }
        const { refused } = prepared
        if (refused === PageNotOpened.spec.name) return showPage(locale, { ...words.failed, institute })
        if (refused === NotPaidOnline.spec.name) return showPage(locale, { ...words.off, institute })
        return shown(inTenant.whole, target, code, false)
      },
    }),
  ]
}
