import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestMember } from '#kit/institute.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { NOW, openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let clerk: TestMember
/** Whose invoices no other test touches. */
let nextStudent = 2
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  clerk = await school.member('front_desk')
})
afterAll(() => school.app.close())

const { payment: words, invoices, people, refusals, shell } = await loadWords.en()
const PAYMENTS = '**/api/v1/payments'

/** A student with open invoices of these amounts, the first due first. */
const owing = async (...amounts: number[]) => {
  const { owner } = school.institute
  const added = { branchId: school.institute.branchId, firstName: 'Payer', lastName: String(nextStudent) }
  const studentId = school.studentIds[nextStudent] ?? ((await owner.post('/students', added)).body.id as string)
  nextStudent += 1
  const ids: string[] = []
  for (const [index, unitAmountMinor] of amounts.entries()) {
    const lines = [{ description: 'Lessons', unitAmountMinor }]
    const { body } = await owner.post('/invoices', { studentId, lines, dueDate: `2026-12-0${index + 1}` })
    await owner.post(`/invoices/${body.id}/issue`, {})
    ids.push(body.id)
  }
  const balances = async () =>
    Promise.all(ids.map(async (id) => (await owner.get(`/invoices/${id}`)).body.balance.amountMinor as number))
  const received = async () => {
    const { body } = await owner.get(`/payments?studentId=${studentId}`)
    return body.data.map(({ amount }: { amount: { amountMinor: number } }) => amount.amountMinor).toSorted()
  }
  return { studentId, path: `/pay/students/${studentId}`, ids, balances, received }
}

const plain = (text: string | null): string => (text ?? '').replaceAll(/[\u2066-\u2069]/g, '')
const take = (page: Page, name = words.take('.*\\d')) => page.getByRole('button', { name: new RegExp(name) })
const amount = (page: Page) => page.getByRole('textbox', { name: words.amount })
const expectReceipt = async (page: Page, sum: string) => {
  await page.waitForURL(/\/receipts\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { level: 1, name: new RegExp(sum) }).waitFor()
}

test('two taps take what the whole family owes, on one receipt, and the next payer is one more', async () => {
  const { owner } = school.institute
  const [first, second] = school.studentIds as [string, string]
  await owner.post(`/students/${second}/guardians`, {
    guardianId: school.guardianId,
    relationship: 'mother',
    isPrimary: true,
    isPayer: true,
  })
  // What was issued before a guardian paid for the student is theirs only since somebody moved it.
  const { data: before } = (await owner.get(`/invoices?studentId=${second}`)).body
  for (const { id } of before) await owner.post(`/invoices/${id}/payer`, { guardianId: school.guardianId })
  const page = await open({ as: clerk, path: `/students/${first}` })
  await page.getByRole('main').getByRole('link', { name: words.title }).click()
  await take(page).click()
  await expectReceipt(page, '₪900.00')
  const paper = page.getByRole('article')
  expect(plain(await paper.textContent())).toContain('Samira Khoury')
  await expect.poll(() => paper.getByRole('row').count()).toBe(3)
  const { data } = (await owner.get('/receipts?q=Khoury')).body
  expect(data).toMatchObject([{ amount: { amountMinor: 90_000 }, method: 'cash', studentIds: [first, second] }])

  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('link', { name: words.nextPayer }).isVisible()).toBe(false)
  await expect.poll(() => paper.isVisible()).toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('link', { name: words.nextPayer }).click()
  await page.waitForURL(/\/pay$/)
})

test('another amount pays the oldest first; what is more than is owed, or none, is said and stays typed', async () => {
  const { path, balances } = await owing(30_000, 45_000)
  const page = await open({ as: clerk, path, size: 'desk' })
  const surplus = page.getByText(/stays as credit of/)
  await expect.poll(() => take(page).isEnabled()).toBe(true)
  expect(await surplus.count()).toBe(0)
  await amount(page).fill('1.234,56')
  await page.getByText(/₪484\.56.* stays as credit of/).waitFor()
  expect(plain(await take(page).textContent())).toBe('Take ₪1,234.56')
  const digits = '9'.repeat(10_000)
  await amount(page).fill(digits)
  await page.getByText(words.noAmount).waitFor()
  expect(await amount(page).inputValue()).toBe(digits)
  await amount(page).fill('٣٥٠٫٥٠')
  await press(page.getByRole('radio', { name: words.methods.cheque }))
  await page.getByRole('textbox', { name: words.cheque }).fill('x'.repeat(201))
  await page.getByText(shell.tooLong(200, 201)).waitFor()
  await page.getByRole('textbox', { name: words.cheque }).fill('00817')
  // A cheque of the day before yesterday is entered today.
  await page.getByRole('button', { name: words.otherDay }).click()
  const day = page.getByRole('textbox', { name: words.receivedOn })
  await day.fill('25.11.26')
  await page.getByText(words.future).waitFor()
  await day.fill('22.11.26')
  await page.keyboard.press('Enter')
  await expectReceipt(page, '₪350.50')
  const newest = (await school.institute.owner.get('/receipts?limit=1')).body.data[0]
  expect(newest.receivedAt).toBe('2026-11-22T10:00:00.000Z')
  expect(await balances()).toEqual([0, 39_950])

  // The method that was used last is offered first.
  await page.goto(`${school.app.url}${path}`)
  expect(plain(await page.getByRole('radiogroup').getByText(/\w/).first().textContent())).toBe(words.method)
  expect(await page.getByRole('radio', { name: words.methods.cheque }).isChecked()).toBe(true)
})

test('a lost answer is asked for again until it comes, however often the button is pressed: it is recorded once', async () => {
  const { path, received } = await owing(45_000)
  const page = await open({ as: clerk, path })
  let asked = 0
  // The first arrives and its answer is lost; then there is no network.
  await page.route(PAYMENTS, async (route) => {
    asked += 1
    if (asked === 1) await route.fetch()
    await route.abort()
  })
  await take(page).dblclick()
  await page.getByText(words.uncertain).waitFor()
  expect(await amount(page).isDisabled()).toBe(true)
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(1)
  expect(await received()).toEqual([45_000])
  await page.unroute(PAYMENTS)
  await expectReceipt(page, '₪450.00')
  expect(await received()).toEqual([45_000])
})

test('the page of a proxy in place of the answer is no answer: it is asked again, and the payment recorded once', async () => {
  const { path, received } = await owing(30_000)
  const page = await open({ as: clerk, path })
  const said: number[] = []
  await page.route(PAYMENTS, async (route) => {
    const status = [502, 504, 413][said.length]
    if (status === undefined) return route.continue()
    said.push(status)
    // The first one came when the server had recorded it.
    if (said.length === 1) await route.fetch()
    return route.fulfill({ status, contentType: 'text/html', body: '<html><h1>nginx</h1></html>' })
  })
  await take(page).click()
  await page.getByText(words.uncertain).waitFor()
  await expectReceipt(page, '₪300.00')
  expect(said).toEqual([502, 504, 413])
  expect(await received()).toEqual([30_000])
})

test('a payment whose page is closed before the answer is asked for by the next page, and told', async () => {
  const { path, received } = await owing(20_000)
  const page = await open({ as: clerk, path })
  await page.context().route(PAYMENTS, (route) => route.abort())
  await take(page).click()
  await page.getByText(words.uncertain).waitFor()
  expect(await received()).toEqual([])
  const other = await open({ beside: page, path: '/pay' })
  await page.close()
  await other.getByText(/No answer has come yet for the payment/).waitFor()
  await other.context().unroute(PAYMENTS)
  await other.getByRole('link', { name: /R-2026-/ }).click()
  await other.waitForURL(/\/receipts\//)
  expect(await received()).toEqual([20_000])
  await other.reload()
  await other.getByRole('article').waitFor()
  expect(await other.getByText(/No answer has come yet for the payment/).count()).toBe(0)
})

test('a payment that a version before kept without an answer is asked for under its name, and told', async () => {
  const { path, ids, received } = await owing(20_000)
  const page = await open({ as: clerk, path })
  const names: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/payments'))
      names.push(request.headers()['idempotency-key'])
  })
  const allocations = [{ invoiceId: ids[0], amountMinor: 20_000 }]
  const kept = { name: 'asked-before', body: { allocations, currency: 'ILS', method: 'cash' }, askedAt: NOW }
  const entry = `institute.payment.${clerk.userId}/${school.institute.tenant.id}.asked-before`
  await page.evaluate(`localStorage.setItem(${JSON.stringify(entry)}, ${JSON.stringify(JSON.stringify(kept))})`)
  await page.goto(`${school.app.url}/pay`)
  await page.getByRole('link', { name: /R-2026-/ }).waitFor()
  expect(await received()).toEqual([20_000])
  expect(names).toEqual(['asked-before'])
  expect(await page.evaluate<string[]>('Object.keys(localStorage)')).not.toContain(entry)
})

test('a payment waits sealed: the disk tells nobody of it', async () => {
  const { path, ids } = await owing(30_000)
  const page = await open({ as: clerk, path })
  await page.route(PAYMENTS, (route) => route.abort())
  await take(page).click()
  await page.getByText(words.uncertain).waitFor()
  const disk = await page.evaluate<string>(`new Promise((resolve) => {
    indexedDB.open('institute-intents').onsuccess = ({ target: { result } }) => {
      result.transaction('unanswered').objectStore('unanswered').getAll().onsuccess = ({ target }) =>
        resolve(target.result.map((row) => JSON.stringify(row) + new TextDecoder().decode(row.sealed)).join())
    }
  })`)
  expect(disk).toContain(`"owner":"${clerk.userId}/`)
  expect(disk).not.toMatch(/amountMinor|payment|ILS/)
  expect(disk).not.toContain(ids[0])
  expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain(ids[0])
  await page.unroute(PAYMENTS)
  await expectReceipt(page, '₪300.00')
})

test('a browser that keeps nothing takes payments too, and asks again for a lost answer', async () => {
  const { path, received } = await owing(25_000)
  const page = await open({ as: clerk })
  await page.addInitScript('Object.defineProperty(window, "indexedDB", { value: undefined })')
  await page.goto(school.app.url + path)
  let isLost = true
  await page.route(PAYMENTS, async (route) => {
    if (!isLost) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await take(page).click()
  await page.getByText(words.uncertain).waitFor()
  isLost = false
  await expectReceipt(page, '₪250.00')
  expect(await received()).toEqual([25_000])
})

test('of two tabs of one family, the second says what the first took, and takes it no second time', async () => {
  const { path, received } = await owing(45_000)
  const page = await open({ as: clerk, path })
  const other = await open({ beside: page, path })
  await amount(other).fill('100')
  await amount(page).fill('100')
  await take(page).click()
  await expectReceipt(page, '₪100.00')
  await other.getByText(/was just recorded in another window/).waitFor()
  await expect.poll(() => amount(other).inputValue(), { timeout: 10_000 }).toBe('350.00')
  expect(await received()).toEqual([10_000])
})

test('what another desk took meanwhile is refused in words, and what is left is shown', async () => {
  const { path, ids, received } = await owing(45_000)
  const page = await open({ as: clerk, path })
  await take(page).waitFor()
  const payment = { amountMinor: 40_000, currency: 'ILS', method: 'card' }
  await school.institute.owner.post(`/invoices/${ids[0]}/payments`, payment)
  await take(page).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: /Take .*₪50\.00/ }).waitFor()
  expect(await received()).toEqual([40_000])
})

test('a receipt is found again, and taken back with its reason', async () => {
  const { path, balances } = await owing(10_000, 5000)
  const page = await open({ as: clerk, path, size: 'desk' })
  await take(page).click()
  await expectReceipt(page, '₪150.00')
  const number = plain(await page.getByRole('article').getAttribute('aria-label')).replace('Receipt ', '')
  await page.goto(`${school.app.url}/receipts?q=${number.slice(-3)}`)
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await page.getByRole('button', { name: shell.more }).click()
  await page.getByRole('menuitem', { name: invoices.takeBack }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: invoices.takeBack }).click()
  await dialog.getByText(shell.reasonMissing).waitFor()
  await dialog.getByRole('textbox', { name: shell.reason }).fill('Paid by mistake')
  await dialog.getByRole('button', { name: invoices.takeBack }).click()
  await page.getByText(words.wasCancelled).waitFor()
  expect(await balances()).toEqual([10_000, 5000])
})

test('whoever comes for what another guardian owes is led there by three keys, and the receipt is theirs', async () => {
  const { owner } = school.institute
  const [studentId] = school.studentIds as [string]
  const father = { firstName: 'Karim', lastName: 'Zayd', phone: '+972527654321' }
  const guardianId = (await owner.post('/guardians', father)).body.id as string
  const link = { guardianId, relationship: 'father', isPrimary: false, isPayer: false }
  await owner.post(`/students/${studentId}/guardians`, link)
  const invoice = await owner.post('/invoices', {
    studentId,
    lines: [{ description: 'Book', unitAmountMinor: 12_300 }],
  })
  await owner.post(`/invoices/${invoice.body.id}/issue`, {})
  const page = await open({ as: clerk, path: '/pay', size: 'desk' })
  await page.getByRole('combobox', { name: words.who }).fill('Karim')
  await page.getByRole('option', { name: /Karim Zayd/ }).waitFor()
  // What alone was found is taken without an arrow.
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/pay/guardians/${guardianId}$`))
  // The payment ahead of somebody who owes nothing is not what one types into at once.
  await page.getByRole('heading', { name: words.othersPay }).waitFor()
  await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('H1')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('radio', { name: 'Karim Zayd' }).isChecked()).toBe(true)
  await take(page).click()
  await expectReceipt(page, '₪123.00')
  const { data } = (await owner.get('/receipts?limit=1')).body
  expect(data).toMatchObject([{ payerName: 'Karim Zayd', studentIds: [studentId] }])
})

test('a receipt is sent to whom it is made out to, once an address is there', async () => {
  const { owner } = school.institute
  const { path, studentId } = await owing(20_000)
  const page = await open({ as: clerk, path })
  await take(page).tap()
  await expectReceipt(page, '₪200.00')
  const mails = async () => {
    await school.app.drain()
    const { data } = (await owner.get('/notifications?channel=email&limit=100')).body
    return data.filter(({ templateKey }: { templateKey: string }) => templateKey === 'receipt.sent').length
  }
  await page.getByRole('button', { name: words.send }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: words.sendIt }).tap()
  await dialog.getByText(refusals.reasons.nobody_reached).waitFor()
  expect(await mails()).toBe(0)
  await owner.patch(`/students/${studentId}`, { email: 'payer@example.org' })
  await dialog.getByRole('button', { name: words.sendIt }).tap()
  await page.getByText(/The receipt is on its way to/).waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await mails()).toBe(1)
})

test('the page of a student, read before, shows what was paid since', async () => {
  const { studentId } = await owing(10_000)
  const page = await open({ as: clerk, path: `/students/${studentId}` })
  await page.getByText('₪100.00').first().waitFor()
  await page.getByRole('main').getByRole('link', { name: words.title }).click()
  await take(page).click()
  await expectReceipt(page, '₪100.00')
  await page.goBack()
  await page.getByText(people.settled).waitFor()
  expect(await page.getByText('₪100.00').count()).toBe(0)
})

test('who may not take money sees no till', async () => {
  const { studentId, path } = await owing(10_000)
  const reader = await school.institute.member({ permissions: ['students.read', 'invoices.read'] })
  const page = await open({ as: reader, path: `/students/${studentId}`, size: 'desk' })
  await page.getByText('₪100.00').first().waitFor()
  expect(await page.getByRole('link', { name: words.title }).count()).toBe(0)
  await page.goto(school.app.url + path)
  await page.getByRole('heading', { name: shell.notAllowed.title }).waitFor()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the till, a receipt and the list of them look right', async () => {
    const { payment } = await loadWords[locale]()
    const { path } = await owing(45_000, 123_456)
    const page = await open({ as: clerk, locale, path })
    await page.getByRole('textbox', { name: payment.amount }).fill('500')
    expect(plain(await take(page, payment.take('.*')).textContent())).toContain('500.00')
    await page.getByRole('heading', { level: 1 }).click()
    await examine(page, locale, `console-till-${locale}`)
    await page.locator('form button[type=submit]').click()
    await page.getByRole('article').waitFor()
    await examine(page, locale, `console-receipt-${locale}`)
    await page.goto(`${school.app.url}/receipts`)
    await page.getByRole('list').getByRole('link').first().waitFor()
    await examine(page, locale, `console-receipts-${locale}`)
  })
})
