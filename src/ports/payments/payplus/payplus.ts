import * as v from 'valibot'
import { decimal } from '#kernel/values/money.ts'
import { askProvider, unanswered, type Question, type Requests } from '../ask.ts'
import type { Account, Asked, PageState, PaymentPort, Unanswered } from '../port.ts'
import { readCallback } from './notice.ts'
import { stateOf, Transaction } from './transaction.ts'

/**
 * Payment pages of PayPlus, over its API of https://docs.payplus.co.il/reference. The account has `apiKey` and `secretKey`,
 * `paymentPageUid` and `terminalUid`, and `system`: `live`, or `test` for its staging server.
 */

const HOSTS: Readonly<Record<string, string>> = {
  live: 'https://restapi.payplus.co.il/api/v1.0',
  test: 'https://restapidev.payplus.co.il/api/v1.0',
}

const CHARGE = 1
const MOST_PAGES_OF_ACCOUNT = '500'

/** Refusals come with the status 200 too. */
const Results = v.object({ results: v.object({ status: v.string(), description: v.nullish(v.string()) }) })
const Opened = v.object({
  data: v.object({
    page_request_uid: v.string(),
    payment_page_link: v.pipe(v.string(), v.startsWith('https://')),
  }),
})
const Found = v.object({ data: Transaction })
const Pages = v.object({ data: v.array(v.object({ uid: v.string() })) })

const wordsOf = (json: unknown): string | undefined =>
  v.is(Results, json) ? (json.results.description ?? json.results.status) : undefined

const refusalIn = (json: unknown): Unanswered | undefined =>
  v.is(Results, json) && json.results.status !== 'success'
    ? unanswered(`The provider refused it: ${wordsOf(json) ?? ''}`, false)
    : undefined

const minutesUntil = (instant: string, now: string): number =>
  Math.max(1, Math.floor((Date.parse(instant) - Date.parse(now)) / 60_000))

export const payplusPayments = (requests: Requests, now: () => string): PaymentPort => {
  const ask = <T>(
    account: Account,
    path: string,
    body: object | undefined,
    read: Question<T>['read'],
    refused: (json: unknown) => T | Unanswered | undefined = refusalIn,
  ) => {
    const { apiKey = '', secretKey = '', system = 'live' } = account
    return askProvider<T>(requests, {
      url: `${HOSTS[system] ?? ''}/${path}`,
      headers: { 'api-key': apiKey, 'secret-key': secretKey, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      secrets: [apiKey, secretKey],
      wordsOf,
      read: (json) => (refusalIn(json) ? refused(json) : read(json)),
    })
  }

  return {
    open: (account, page) =>
      ask(
        account,
        'PaymentPages/generateLink',
        {
          payment_page_uid: account['paymentPageUid'],
          charge_method: CHARGE,
          amount: Number(decimal(page.amountMinor)),
          currency_code: page.currency,
          language_code: page.locale,
          expiry_datetime: String(minutesUntil(page.expiresAt, page.now)),
          refURL_success: page.returnUrl,
          refURL_failure: page.returnUrl,
          refURL_cancel: page.returnUrl,
          refURL_callback: page.noticeUrl,
          send_failure_callback: true,
          // The receipt is the institute's, and so is the mail.
          initial_invoice: false,
          sendEmailApproval: false,
          sendEmailFailure: false,
          more_info: page.reference,
          more_info_2: page.about,
          items: [{ name: page.words, quantity: 1, price: Number(decimal(page.amountMinor)) }],
        },
        (json) =>
          v.is(Opened, json) ? { pageId: json.data.page_request_uid, url: json.data.payment_page_link } : undefined,
      ),
    close: (account, pageId) =>
      ask(account, `PaymentPages/Disable/${encodeURIComponent(pageId)}`, {}, (json) =>
        v.is(Results, json) ? null : undefined,
      ),
    ask: (account, pageId) =>
      ask<PageState>(
        account,
        'PaymentPages/ipn',
        { payment_request_uid: pageId, related_transaction: false },
        (json) => (v.is(Found, json) ? stateOf(json.data, now()) : undefined),
        // Of a page on which nobody tried anything there is no transaction to tell of.
        () => ({ is: 'open' }),
      ),
    // The documents list TransactionReports/TransactionsHistory, and say neither what its filter takes nor what it answers.
    listPaid: null,
    readNotice: (account, sent) => readCallback(sent, account['secretKey'] ?? ''),
    check: async (account): Promise<Asked<null>> => {
      const query = new URLSearchParams({ terminal_uid: account['terminalUid'] ?? '', take: MOST_PAGES_OF_ACCOUNT })
      const asked = await ask(account, `PaymentPages/list/?${query.toString()}`, undefined, (json) =>
        v.is(Pages, json) ? json.data : undefined,
      )
      if (!asked.ok) return asked
      return asked.value.some(({ uid }) => uid === account['paymentPageUid'])
        ? { ok: true, value: null }
        : unanswered('The terminal has no payment page of this uid.', false)
    },
  }
}
