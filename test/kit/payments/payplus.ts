import type { Ask, Reply } from './stripe.ts'

export const PAYPLUS = {
  apiKey: `api-${'2c'.repeat(12)}`,
  secretKey: `secret-${'3d'.repeat(12)}`,
  paymentPageUid: '7a0bc4d4-f35f-4301-a945-926378a2416d',
  terminalUid: '84aa6e4e-fe42-4d5f-b9cd-59dbc3817f10',
  system: 'test',
}

export interface PayplusPage {
  amount: number
  currency: string
  more_info: string
  more_info_2: string
  disabled: boolean
  transaction: { uid: string; status_code: string; amount: number | string; currency: string } | undefined
}

const refused = (description: string, status = 200): Reply => ({
  status,
  json: { results: { status: 'error', code: 1, description } },
})
const success = (data: unknown): Reply => ({ status: 200, json: { results: { status: 'success', code: 0 }, data } })

const generate = ({ body, next }: Ask, pages: Map<string, PayplusPage>): Reply => {
  const asked = JSON.parse(body)
  if (asked.payment_page_uid !== PAYPLUS.paymentPageUid) return refused('payment-page-does-not-exist')
  if (typeof asked.amount !== 'number' || asked.amount <= 0) return refused('amount-must-be-a-positive-number')
  if (!/^[A-Z]{3}$/.test(asked.currency_code)) return refused('currency-code-not-valid')
  if (typeof asked.expiry_datetime !== 'string' || !/^\d+$/.test(asked.expiry_datetime))
    return refused('expiry_datetime')
  const items: { price: number; quantity: number }[] = asked.items ?? []
  const sum = items.reduce((all, { price, quantity }) => all + price * quantity, 0)
  if (Math.abs(sum - asked.amount) > 0.001) return refused('items-do-not-come-to-the-amount')
  const id = next('page-')
  pages.set(id, {
    amount: asked.amount,
    currency: asked.currency_code,
    more_info: asked.more_info,
    more_info_2: asked.more_info_2,
    disabled: false,
    transaction: undefined,
  })
  return success({ page_request_uid: id, payment_page_link: `https://paymentsdev.payplus.co.il/${id}` })
}

export const askPayplus = (ask: Ask, pages: Map<string, PayplusPage>): Reply => {
  const { path, headers, body } = ask
  if (headers['api-key'] !== PAYPLUS.apiKey || headers['secret-key'] !== PAYPLUS.secretKey) {
    return refused(`not-authorized ${String(headers['secret-key'])}`, 401)
  }
  const { pathname, searchParams } = new URL(path, 'https://restapidev.payplus.co.il')
  if (pathname === '/api/v1.0/PaymentPages/generateLink') return generate(ask, pages)
  if (pathname === '/api/v1.0/PaymentPages/list/') {
    return searchParams.get('terminal_uid') === PAYPLUS.terminalUid
      ? success([{ uid: PAYPLUS.paymentPageUid, name: 'Fees' }])
      : refused('terminal-does-not-exist')
  }
  const [, disabled] = /^\/api\/v1\.0\/PaymentPages\/Disable\/(.+)$/.exec(pathname) ?? []
  if (disabled !== undefined) {
    const page = pages.get(decodeURIComponent(disabled))
    if (!page) return refused('payment-request-does-not-exist')
    page.disabled = true
    return success({})
  }
  if (pathname !== '/api/v1.0/PaymentPages/ipn') return refused('not-found', 404)
  const { payment_request_uid: id } = JSON.parse(body)
  const page = pages.get(id)
  if (!page?.transaction) return refused('cannot-find-transaction')
  const { uid, currency, ...transaction } = page.transaction
  return success({
    ...transaction,
    transaction_uid: uid,
    currency_code: currency,
    page_request_uid: id,
    more_info: page.more_info,
  })
}
