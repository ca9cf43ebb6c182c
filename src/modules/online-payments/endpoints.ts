import { change, openChange, read } from '#kernel/contract/endpoint.ts'
import { Forbidden, found, NotFound } from '#kernel/values/errors.ts'
import { Ok, ok, pageOf, shortListQuery } from '#kernel/values/schema.ts'
import { balanceOf } from '#modules/billing/index.ts'
import { TRIALS } from '#modules/mail/index.ts'
import { isOwnStudent } from '#modules/people/index.ts'
import { pageFrom } from '#runtime/records/cursors.ts'
import { changeRecord, checkReached, lockRow, readRecord } from '#runtime/records/records.ts'
import { PAY_LINK } from './credentials.ts'
import {
  NothingToPay,
  NothingToSettle,
  NoticeRefused,
  NotPaidOnline,
  PageNotOpened,
  PagesOpen,
  PaymentPending,
} from './failures.ts'
import { payCode, PAY_PATH } from './link.ts'
import { keepNotice, readNotice } from './notices.ts'
import { guardianBehind, keepPage, openPage } from './open-page.ts'
import {
  accountOf,
  deleteProvider,
  listProviders,
  providerOf,
  providerOn,
  putProvider,
  type ProviderDeps,
} from './providers.ts'
import { listOnlinePayments, onlinePaymentRecord } from './record.ts'
import {
  OnlinePayment,
  OnlinePaymentQuery,
  OpenedPage,
  PayLink,
  PaymentProvider,
  providerName,
  ProviderChanges,
  ProviderNotice,
  ProviderTrial,
} from './schemas.ts'
import type { ProviderName } from './tables.ts'

const named = { params: { provider: providerName } }
const nameOf = ({ provider }: { provider: string }): ProviderName => provider as ProviderName

/** The money of the institute goes where these say: only an owner sets them. */
export const paymentProviderEndpoints = (deps: ProviderDeps) => [
  read({
    id: 'payment-providers.list',
    path: '/payment-providers',
    summary: 'The providers over whom people can pay by card',
    description:
      'All of them, in one page unless `limit` is sent, whether they are set up or not. All are off until an owner switches one on.',
    access: 'owner',
    query: shortListQuery,
    reply: pageOf(PaymentProvider),
    handle: async ({ whole, tenant, ...context }) =>
      pageFrom(await listProviders(whole, await deps.baseUrl(tenant.id)), ({ provider }) => provider, context),
  }),
  change({
    ...named,
    id: 'payment-providers.set',
    method: 'PUT',
    path: '/payment-providers/{provider}',
    summary: 'Set up a provider, or switch it on or off',
    description:
      'What is left out stays as it is. Stripe needs secretKey and webhookSecret, payplus apiKey, secretKey, paymentPageUid, terminalUid and system; keys are sealed and never shown again. One provider is on at a time: switching one on switches the other off. The adapters follow the providers’ public documents and were not tried against the services themselves: make one payment of a small sum first. POST /payment-providers/{provider}/test asks beforehand whether the account is known, and `noticeProblem` says where notices could not arrive, without which nothing is booked until the provider is asked.',
    access: 'owner',
    lasting: true,
    body: ProviderChanges,
    reply: PaymentProvider,
    handle: ({ tx, params, body }) => putProvider(tx, nameOf(params), body, deps),
  }),
  change({
    ...named,
    id: 'payment-providers.delete',
    method: 'DELETE',
    path: '/payment-providers/{provider}',
    summary: 'Forget a provider',
    description: 'Not while somebody may be paying on a page of it (409): its notice could not be checked any more.',
    access: 'owner',
    reply: Ok,
    fails: [PagesOpen],
    handle: ({ tx, params }) => deleteProvider(tx, nameOf(params)),
  }),
  change({
    ...named,
    id: 'payment-providers.test',
    method: 'POST',
    path: '/payment-providers/{provider}/test',
    summary: 'Ask a provider whether it knows the account',
    description:
      'Nothing is paid. The reply is 200 also when the provider refuses, and says why in its own words. 40 an hour at the most (429).',
    access: 'owner',
    reply: ProviderTrial,
    limits: TRIALS,
    fails: [NotFound],
    prepare: async ({ whole, params }) => {
      const row = found(await providerOf(whole, nameOf(params)))
      const asked = await deps.ports[row.provider].check(accountOf(deps.vault, row))
      return { id: row.id, result: { ok: asked.ok, error: asked.ok ? null : asked.words } }
    },
    handle: async ({ tx, prepared: { id, result } }) => {
      tx.audit({ entityType: 'payment_provider', entityId: id, after: result })
      return result
    },
  }),
]

export const onlinePaymentEndpoints = (deps: ProviderDeps) => [
  read({
    id: 'online-payments.link',
    path: '/invoices/{id}/pay-link',
    summary: 'The link to send to whoever pays an invoice by card',
    access: 'invoices.read',
    credential: PAY_LINK,
    reply: PayLink,
    handle: async ({ db, whole, tenant, params: { id } }) => {
      await checkReached(db, 'invoice', id)
      const { balanceMinor } = await balanceOf(whole, id)
      if (balanceMinor <= 0 || !(await providerOn(whole))) return { url: null }
      return { url: `${await deps.baseUrl(tenant.id)}/${PAY_PATH}/${payCode(deps.vault, tenant.id, id)}` }
    },
  }),
  change({
    id: 'online-payments.pay',
    method: 'POST',
    path: '/invoices/{id}/pay',
    summary: 'Open a page at the provider to pay an invoice by card',
    description:
      'For its balance, by a student or a guardian for their own invoices (403 for others), or by the office for somebody at the desk. Pressed twice, it is the same page. What was paid is booked when the provider says so, which is a moment later.',
    access: 'payments.record',
    ownToo: true,
    reply: OpenedPage,
    fails: [NotFound, Forbidden, NothingToPay, NotPaidOnline, PaymentPending, PageNotOpened],
    prepare: async ({ whole, caller, tenant, begin, now, request, reachedBy, params: { id } }) => {
      const office = await reachedBy('payments.record')
      const known = await whole.selectFrom('invoice').select('student_id').where('id', '=', id).executeTakeFirst()
      const isOwn =
        known !== undefined && (await isOwnStudent(whole, caller, { studentId: known.student_id, sight: 'money' }))
      if (!isOwn) {
        if (!office) throw Forbidden({ reason: 'permission_missing', permissions: ['payments.record'] })
        await checkReached(office, 'invoice', id)
      }
      const payerGuardianId = known && isOwn ? await guardianBehind({ whole }, caller, known.student_id) : null
      const locale = request.locale(tenant.defaultLocale)
      return openPage(deps, { begin, tenant, locale, invoiceId: id, payerGuardianId, now })
    },
    handle: ({ tx, prepared }) => keepPage(tx, prepared),
  }),
  read({
    id: 'online-payments.list',
    path: '/online-payments',
    summary: 'List what was opened to be paid by card, newest first',
    description: 'All filters must hold. With `attention=true` what somebody has to look at.',
    access: 'invoices.read',
    query: OnlinePaymentQuery,
    reply: pageOf(OnlinePayment),
    handle: listOnlinePayments,
  }),
  read({
    id: 'online-payments.read',
    path: '/online-payments/{id}',
    summary: 'Read how a payment by card stands',
    access: 'invoices.read',
    reply: OnlinePayment,
    handle: ({ db, params }) => readRecord(db, onlinePaymentRecord, params.id),
  }),
  change({
    id: 'online-payments.settle',
    method: 'POST',
    path: '/online-payments/{id}/settle',
    summary: 'Say that a payment by card was looked at',
    description:
      'Once somebody saw to its `problem`. It changes no money: that is done by reversing, refunding or recording a payment.',
    access: 'payments.record',
    reply: OnlinePayment,
    fails: [NothingToSettle],
    handle: async ({ tx, params: { id } }) => {
      const row = await lockRow(tx, onlinePaymentRecord, id)
      if (row.problem === null || row.settled_at !== null) throw NothingToSettle()
      return changeRecord(tx, onlinePaymentRecord, row, { settledAt: tx.now })
    },
  }),
  openChange({
    id: 'online-payments.notice',
    method: 'POST',
    path: '/payment-notices/{id}',
    summary: 'Take a notice of a provider',
    description:
      'Stripe and PayPlus send it. Stripe signs it in `Stripe-Signature` (no older than five minutes), PayPlus in `hash`; what is not signed with the institute’s secret is 422. It is kept before it is answered, and acted on a moment later; the same one sent again changes nothing.',
    access: 'anyone',
    body: ProviderNotice,
    reply: Ok,
    fails: [NotFound, NoticeRefused],
    prepare: ({ params, ...context }) => readNotice(deps, { ...context, id: params.id }),
    handle: async ({ tx, prepared }) => {
      await keepNotice(tx, prepared)
      return ok
    },
  }),
]
