import { describe, expect, test } from 'vitest'
import { noticeProblemOf } from '#modules/online-payments/notice-address.ts'
import { linkAccount } from '#kit/link-account.ts'
import { putInto } from '#kit/tenant-states.ts'
import { PAYPLUS, payDesk, reasonOf, STRIPE } from './pay-desk.ts'

const desk = payDesk()
const { setUp, owes, open, send, payments, link, online } = desk

const textOf = (html: unknown): string =>
  String(html)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
const look = async (path: string) => {
  const response = await fetch(desk.app.url + path.slice(1))
  return { status: response.status, headers: response.headers, text: textOf(await response.text()) }
}
const press = async (path: string) => {
  const response = await fetch(desk.app.url + path.slice(1), { method: 'POST' })
  return { status: response.status, headers: response.headers, text: textOf(await response.text()) }
}

describe('the link to pay', () => {
  test('says what is due and nothing of the child, and only its button opens a page, the same one when it is pressed again', async () => {
    await setUp()
    const id = await owes()
    const path = await link(id)
    const shown = await look(path)
    expect([shown.status, shown.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    expect(shown.text).toContain('450.00')
    // The number stays in one piece at the end of a line.
    expect(shown.text).toMatch(/INV-\u2060\d{4}-\u2060\d+/)
    expect(shown.text).toContain(desk.school.tenant.name)
    expect(shown.text).not.toMatch(/Dana|Levi|March(?! \d)/)
    expect(desk.providers.sessions.size).toBe(0)
    const [first, second] = await Promise.all([press(path), press(path)])
    expect(first.headers.get('refresh')).toMatch(/^0; url=https:\/\/checkout\.stripe\.com\//)
    expect(second.headers.get('refresh')).toBe(first.headers.get('refresh'))
    expect(desk.providers.sessions.size).toBe(1)
  })
  test('waits for the confirmation when the payer comes back, and then names the receipt', async () => {
    const notices = await setUp()
    const id = await owes()
    const path = await link(id)
    await press(path)
    const [page] = [...desk.providers.sessions.keys()] as [string]
    expect((await look(`${path}?back=1`)).text).toContain('Not confirmed yet')
    desk.providers.stripe.pay(page)
    await send(notices, desk.providers.stripe.notice('completed', page))
    await desk.app.drain()
    expect((await look(`${path}?back=1`)).text).toMatch(/Paid, thank you.*R-2026-000001/)
    expect((await press(path)).text).toContain('Paid, thank you')
    expect(desk.providers.sessions.size).toBe(1)
  })
  test('asks for what is still to be paid, and ends the page that asked for something else', async () => {
    await setUp()
    const id = await owes()
    const path = await link(id)
    await press(path)
    const [former] = [...desk.providers.sessions.values()]
    await desk.school.owner.post(`/invoices/${id}/payments`, { amountMinor: 15_000, currency: 'ILS', method: 'cash' })
    await press(path)
    expect([...desk.providers.sessions.values()].map(({ amount_total, status }) => [amount_total, status])).toEqual([
      [45_000, 'expired'],
      [30_000, 'open'],
    ])
    expect(former?.metadata['about']).toBe(id)
  })
  test('opens another page when the first one has ended', async () => {
    await setUp()
    const path = await link(await owes())
    await press(path)
    desk.app.clock.advance(3400)
    await press(path)
    expect(desk.providers.sessions.size).toBe(2)
  })
  test('says so where the invoice was paid at the desk, is void, or no provider is on any more', async () => {
    await setUp()
    const [paid, gone, left] = [await owes(), await owes(), await owes()]
    const paths = await Promise.all([paid, gone, left].map((id) => link(id)))
    await desk.school.owner.post(`/invoices/${paid}/payments`, { amountMinor: 45_000, currency: 'ILS', method: 'cash' })
    await desk.school.owner.post(`/invoices/${gone}/void`, { reason: 'By mistake' })
    await desk.school.owner.put('/payment-providers/stripe', { isOn: false })
    const [first, second, third] = await Promise.all(paths.map((path) => look(path)))
    expect(first?.text).toMatch(/Nothing is to be paid.*is paid/)
    expect(second?.text).toMatch(/Nothing is to be paid.*was cancelled/)
    expect(third?.text).toContain('not open')
    expect((await press(paths[2] as string)).text).toContain('not open')
    for (const id of [paid, gone, left]) {
      expect((await desk.school.owner.get(`/invoices/${id}/pay-link`)).body).toEqual({ url: null })
    }
  })
  test('says that nothing was paid where the provider opens no page, and the next press tries again', async () => {
    await setUp()
    const id = await owes()
    const path = await link(id)
    for (const trouble of [
      { status: 503, body: '' },
      { status: 402, body: '{}' },
    ]) {
      desk.providers.behave(trouble)
      expect((await press(path)).text).toContain('did not open')
    }
    desk.providers.behave(null)
    expect((await press(path)).headers.get('refresh')).toContain('checkout.stripe.com')
  })
  test('that was changed, or is of an archived institute, is refused', async () => {
    await setUp()
    const path = await link(await owes())
    expect((await look(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404)
    expect((await press(`${path}x`)).status).toBe(404)
    await putInto(desk.app, desk.school, 'archived')
    expect([(await look(path)).status, (await press(path)).status]).toEqual([403, 403])
    await putInto(desk.app, desk.school, 'active')
  })
})

describe('POST /invoices/{id}/pay', () => {
  test('is for a guardian of the student, whose receipt it is, and for the office; for nobody else', async () => {
    const notices = await setUp()
    const id = await owes()
    const father = await desk.school.member({ role: 'guardian' })
    const record = (
      await desk.school.owner.post('/guardians', { firstName: 'Avi', lastName: 'Levi', phone: '+972501112233' })
    ).body.id
    await desk.school.owner.post(`/students/${desk.studentId}/guardians`, {
      guardianId: record,
      relationship: 'father',
      isPrimary: false,
      isPayer: false,
    })
    expect(reasonOf(await father.post(`/invoices/${id}/pay`))).toEqual([403, 'permission_missing'])
    await linkAccount(desk.app, 'guardian', { id: record, userId: father.userId })
    const { status, body } = await father.post(`/invoices/${id}/pay`)
    expect([status, body]).toEqual([200, { url: expect.any(String), expiresAt: '2026-03-02T09:00:00.000Z' }])
    const page = body.url.split('/').at(-1)
    desk.providers.stripe.pay(page)
    await send(notices, desk.providers.stripe.notice('completed', page))
    await desk.app.drain()
    expect(await payments(id)).toEqual([[45_000, 'online']])
    const [{ receiptId }] = await online(id)
    expect((await desk.school.owner.get(`/receipts/${receiptId}`)).body.payerGuardianId).toBe(record)
    const other = await desk.school.member({ role: 'guardian' })
    expect(reasonOf(await other.post(`/invoices/${await owes()}/pay`))).toEqual([403, 'permission_missing'])
  })
  test('is refused where nothing is to be paid, nothing is on, the provider opens no page, or there is no invoice', async () => {
    const id = await owes()
    const pay = (invoiceId: string) => desk.school.owner.post(`/invoices/${invoiceId}/pay`)
    expect(reasonOf(await pay(id))).toEqual([409, 'not_paid_online'])
    await setUp()
    desk.providers.behave({ status: 402, body: '{"error": {"message": "Too small"}}' })
    expect(reasonOf(await pay(id))).toEqual([409, 'payment_page_not_opened'])
    desk.providers.behave(null)
    const waiting = await owes()
    const page = await open(waiting)
    desk.providers.stripe.pay(page, { later: true })
    await send(await setUp(), desk.providers.stripe.notice('completed', page))
    await desk.app.drain()
    expect(reasonOf(await pay(waiting))).toEqual([409, 'payment_pending'])
    expect((await press(await link(waiting))).text).toContain('Not confirmed yet')
    await desk.school.owner.post(`/invoices/${id}/void`, { reason: 'By mistake' })
    expect(reasonOf(await pay(id))).toEqual([409, 'nothing_to_pay'])
    expect((await pay(id.replace(/.{12}$/, '000000000000'))).status).toBe(404)
  })
})

describe('providers', () => {
  const list = async () => (await desk.school.owner.get('/payment-providers')).body.data
  test('are off until an owner switches one on, one at a time, and never show a secret, nor does the audit log', async () => {
    expect((await list()).map(({ isOn }: { isOn: boolean }) => isOn)).toEqual([false, false])
    await setUp('stripe')
    await setUp('payplus')
    expect((await list()).map(({ provider, isOn }: { provider: string; isOn: boolean }) => [provider, isOn])).toEqual([
      ['stripe', false],
      ['payplus', true],
    ])
    const audit = (await desk.school.owner.get('/audit?limit=100')).body
    const stored = await desk.app.app.database.read
      .selectFrom('payment_provider')
      .selectAll()
      .where('tenant_id', '=', desk.school.tenant.id)
      .execute()
    const told = JSON.stringify([await list(), audit, stored])
    for (const secret of [STRIPE.secretKey, STRIPE.webhookSecret, PAYPLUS.secretKey, PAYPLUS.apiKey]) {
      expect(told).not.toContain(secret)
    }
    const admin = await desk.school.member({ role: 'admin' })
    expect(reasonOf(await admin.put('/payment-providers/stripe', { isOn: true }))).toEqual([403, 'owner_only'])
  })
  test('are set up whole: what is missing, wrong or another’s is named, and what is left out stays', async () => {
    const put = (body: object) => desk.school.owner.put('/payment-providers/stripe', body)
    const pathsOf = async (body: object) => (await put(body)).body.error.details.issues[0].path
    expect(await pathsOf({ isOn: true, secretKey: STRIPE.secretKey })).toEqual(['webhookSecret'])
    expect(await pathsOf({ ...STRIPE, secretKey: 'pk_test_1' })).toEqual(['secretKey'])
    expect(await pathsOf({ ...STRIPE, terminalUid: PAYPLUS.terminalUid })).toEqual(['terminalUid'])
    const { secretSetAt } = (await put({ ...STRIPE, isOn: true })).body
    desk.app.clock.advance(60)
    expect((await put({ isOn: false })).body).toMatchObject({ isOn: false, secretSetAt })
    const trial = () => desk.school.owner.post('/payment-providers/stripe/test')
    expect((await trial()).body).toEqual({ ok: true, error: null })
    await put({ secretKey: 'sk_test_another' })
    expect((await trial()).body).toEqual({ ok: false, error: expect.stringContaining('401') })
    expect((await desk.school.owner.post('/payment-providers/payplus/test')).status).toBe(404)
  })
  test('say why notices could not arrive at the address of the server', async () => {
    for (const [address, problem] of [
      ['https://school.example.org', null],
      ['https://8.8.4.4', null],
      ['http://school.example.org', 'not_https'],
      ['https://localhost:8080', 'not_public'],
      ['http://192.168.1.20:8080', 'not_public'],
      ['https://[fd00::1]', 'not_public'],
      ['https://office', 'not_public'],
      ['http://school.local', 'not_public'],
    ] as const) {
      expect([address, noticeProblemOf(address)]).toEqual([address, problem])
    }
    const { data } = (await desk.school.owner.get('/payment-providers')).body
    expect(data.map((one: { noticeProblem: string }) => one.noticeProblem)).toEqual(['not_public', 'not_public'])
  })
  test('are not forgotten while somebody may be paying', async () => {
    await setUp()
    await open(await owes())
    const forget = () => desk.school.owner.delete('/payment-providers/stripe')
    expect(reasonOf(await forget())).toEqual([409, 'payment_pages_open'])
    desk.app.clock.advance(26 * 3600)
    await desk.reconcile()
    expect((await forget()).body).toEqual({ ok: true })
    expect((await forget()).status).toBe(404)
  })
})

test('the mail of an invoice has the link where a provider is on, in the payer’s language, and no gap where none is', async () => {
  await desk.school.owner.patch(`/guardians/${desk.mother}`, { email: 'ruth@example.org', preferredLocale: 'he' })
  const mailOf = async () => {
    desk.app.mails.length = 0
    await owes()
    await desk.app.drain()
    return String(desk.app.mails.at(-1)?.text)
  }
  const without = await mailOf()
  expect(without).not.toContain('/pay/')
  expect(without).not.toMatch(/\n{3}/)
  await setUp()
  expect(await mailOf()).toMatch(/תשלום בכרטיס אשראי: \S*\/pay\/\S+/)
})
