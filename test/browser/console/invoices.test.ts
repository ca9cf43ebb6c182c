import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestMember } from '#kit/institute.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** More than a page of the list. */
const MANY = 103
/** A page that is loaded anew takes a while on a busy machine. */
const SLOWLY = { timeout: 15_000 }

let school: School
let accountant: TestMember
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  accountant = await school.member('accountant')
  await addInvoices()
})
afterAll(() => school.app.close())

const { invoices: words, fees: feeWords, payment, people, shell } = await loadWords.en()

/** Copies an invoice of the third student many times, each due a year ago. */
const addInvoices = async () => {
  const { owner } = school.institute
  const lines = [{ description: 'Lessons', unitAmountMinor: 100 }]
  const { id } = (await owner.post('/invoices', { studentId: school.studentIds[2], lines, dueDate: '2025-11-24' })).body
  await school.app.app.database.write(async (db) => {
    const row = await db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: MANY - 1 }, (_, index) => ({
      ...row,
      id: id.slice(0, -6) + String(index).padStart(6, '0'),
      number: `INV-2025-${String(index + 1).padStart(6, '0')}`,
    }))
    await db.insertInto('invoice').values(copies).execute()
  })
}

const draft = async (student: number, unitAmountMinor = 45_000): Promise<{ id: string; number: string }> => {
  const lines = [{ description: 'Lessons', unitAmountMinor }]
  const studentId = school.studentIds[student]
  return (await school.institute.owner.post('/invoices', { studentId, lines, dueDate: '2026-12-10' })).body
}

const statusOf = async (id: string): Promise<string> =>
  (await school.institute.owner.get(`/invoices/${id}`)).body.status

const plain = (text: string | null): string => (text ?? '').replaceAll(/[\u2066-\u2069]/g, '')
const rows = (page: Page, title = words.title) => page.getByRole('list', { name: title }).getByRole('link')
const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

test('a long list is turned a page at a time, and back leads to the page before; its filters stand in the address', async () => {
  const page = await open({ as: accountant, path: '/invoices?to=2025-12-31&sort=due', size: 'desk' })
  await expect.poll(() => rows(page).count(), SLOWLY).toBe(100)
  await page.getByRole('button', { name: words.next }).click()
  await expect.poll(() => rows(page).count(), SLOWLY).toBe(MANY - 100)
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  await expect.poll(() => focusedText(page), SLOWLY).toContain('INV-')
  await page.reload()
  await expect.poll(() => rows(page).count(), SLOWLY).toBe(MANY - 100)
  await page.goBack()
  await expect.poll(() => rows(page).count(), SLOWLY).toBe(100)

  await page.getByRole('button', { name: new RegExp(words.status) }).click()
  await page.getByRole('option', { name: people.invoiceStatuses.paid, exact: true }).click()
  await page.getByText(words.noneFound).waitFor()
  expect(new URL(page.url()).search).toBe('?to=2025-12-31&sort=due&status=paid')
  await page.getByRole('searchbox', { name: words.search }).fill('khoury')
  await page.waitForURL(/q=khoury/)
  await page.getByRole('button', { name: words.clear }).click()
  await expect.poll(() => rows(page).count(), SLOWLY).toBe(100)
  expect(new URL(page.url()).search).toBe('')
})

test('drafts are chosen by keyboard and issued together; what was refused says why', async () => {
  const drafts = [await draft(3), await draft(4), await draft(5)]
  const page = await open({ as: accountant, path: '/invoices?status=draft', size: 'desk' })
  await rows(page).first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.getByText(words.chosen(3)).waitFor()
  // Somebody else is faster with one of them.
  await school.institute.owner.post(`/invoices/${drafts[1]?.id}/issue`, {})
  await page.getByRole('button', { name: words.issueMany(3) }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: words.issueMany(3) })
    .click()
  const dialog = page.getByRole('dialog', { name: words.notAll })
  await dialog.getByText(drafts[1]?.number ?? '').waitFor()
  await dialog.getByRole('button', { name: shell.close }).click()
  expect(await Promise.all(drafts.map(({ id }) => statusOf(id)))).toEqual(['issued', 'issued', 'issued'])

  // Enter opens what has the focus.
  await page.goto(`${school.app.url}/invoices?status=issued`)
  await rows(page).first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: drafts[2]?.number ?? '' }).waitFor()
})

test('an invoice is written with what people type, issued, reminded of and made void with its reason', async () => {
  const page = await open({ as: accountant, path: '/invoices/new', size: 'desk' })
  await page.getByRole('combobox', { name: words.student }).fill('Yara')
  await page.getByRole('option', { name: /Yara Nasser/ }).click()
  const description = page.getByRole('textbox', { name: words.description })
  await page.getByRole('button', { name: words.saveDraft }).click()
  await page.getByText(words.descriptionMissing).waitFor()
  // It is issued or stays a draft: there is no third way to save it.
  expect(await page.getByRole('button', { name: shell.save, exact: true }).count()).toBe(0)
  const long = 'x'.repeat(10_000)
  await description.fill(long)
  await page.getByText(shell.tooLong(300, 10_000)).waitFor()
  expect(await description.inputValue()).toBe(long)
  await description.fill('Books')
  const quantity = page.getByRole('textbox', { name: words.quantity })
  await quantity.fill('1.5')
  await page.getByText(words.quantityWrong).waitFor()
  await quantity.fill('٢')
  await page.getByRole('textbox', { name: words.unitAmount }).fill('1.234,56')
  await page.getByRole('button', { name: words.discountAndTax }).click()
  await page.getByRole('textbox', { name: words.discount }).fill('5000')
  await page.getByText(words.discountWrong).waitFor()
  await page.getByRole('textbox', { name: words.discount }).fill('469.12')
  await page.getByRole('textbox', { name: words.taxRate }).fill('17,5')
  await page.getByText('₪2,350.00').first().waitFor()
  // The answer is lost: the same is asked again, and there is one.
  await page.route('**/api/v1/invoices', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: words.saveAndIssue }).click()
  await page.getByText(words.uncertain).waitFor()
  await page.unroute('**/api/v1/invoices')
  await page.getByRole('button', { name: words.saveAndIssue }).click()
  await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/)
  const { owner } = school.institute
  const { data } = (await owner.get(`/students/${school.studentIds[4]}/invoices`)).body
  const ours = data.filter(({ total }: { total: { amountMinor: number } }) => total.amountMinor === 235_000)
  expect(ours).toMatchObject([{ status: 'issued', tax: { amountMinor: 35_000 }, discount: { amountMinor: 46_912 } }])

  await owner.patch(`/students/${school.studentIds[4]}`, { email: 'yara@example.org' })
  const more = page.getByRole('button', { name: shell.more })
  await more.click()
  await page.getByRole('menuitem', { name: words.remind }).click()
  await page.getByText(/A reminder of invoice/).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: words.void }).click()
  const dialog = page.getByRole('dialog', { name: /Yara Nasser.*₪2,350\.00/ })
  await dialog.getByRole('textbox', { name: shell.reason }).fill('Written twice')
  await dialog.getByRole('button', { name: words.void }).click()
  await page.getByText(/This invoice is void: .*Written twice/).waitFor()
  expect(await statusOf(ours[0].id)).toBe('void')
})

test('whom no message reaches is named, with the record; the invoice is moved to another guardian, and the former paper stays', async () => {
  const { owner } = school.institute
  const studentId = school.studentIds[8]
  const guardian = async (firstName: string, isPayer: boolean): Promise<string> => {
    const phone = `+97254${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
    const { id } = (await owner.post('/guardians', { firstName, lastName: 'Sabbagh', phone })).body
    const link = { guardianId: id, relationship: 'guardian', isPrimary: false, isPayer }
    expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
    return id
  }
  const [former, next] = [await guardian('Huda', true), await guardian('Walid', false)]
  const { id, number } = await draft(8)
  const page = await open({ as: accountant, path: `/invoices/${id}`, size: 'desk' })
  await page.getByRole('button', { name: words.issue, exact: true }).click()
  const notice = page.getByRole('alert')
  await notice.getByText(words.issuedUntold(1)).waitFor()
  expect(await notice.getByRole('link', { name: 'Huda Sabbagh' }).getAttribute('href')).toBe(`/guardians/${former}`)
  await page.getByRole('button', { name: shell.more }).click()
  await page.getByRole('menuitem', { name: words.remind }).click()
  await notice.getByText(words.notReminded).waitFor()

  await page.getByRole('button', { name: shell.more }).click()
  await page.getByRole('menuitem', { name: words.movePayer }).click()
  const dialog = page.getByRole('dialog', { name: /Who pays invoice/ })
  await dialog.getByText(words.moveText).waitFor()
  await dialog.getByRole('button', { name: words.moveVerb }).click()
  await dialog.getByText(words.moveChoose).last().waitFor()
  await dialog.getByRole('button', { name: new RegExp(words.moveTo) }).click()
  await page.getByRole('option', { name: /Walid Sabbagh/ }).click()
  await dialog.getByRole('textbox', { name: shell.reason }).fill('They agreed so')
  await examine(page, 'en', 'console-invoice-payer-en')
  await dialog.getByRole('button', { name: words.moveVerb }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('They agreed so').waitFor()
  await page.getByRole('button', { name: words.formerPaper }).waitFor()
  await examine(page, 'en', 'console-invoice-moved-en')
  expect((await owner.get(`/invoices/${id}`)).body).toMatchObject({
    number,
    payerGuardianId: next,
    replaced: [{ payerGuardianId: former, reason: 'They agreed so' }],
  })
})

test('Enter in a line leads on to the next field and the next line, and issues nothing', async () => {
  const page = await open({ as: accountant, path: `/invoices/new?student=${school.studentIds[6]}`, size: 'desk' })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/api/v1/invoices')) sent.push(request.url())
  })
  await page.getByRole('textbox', { name: words.description }).fill('Books')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await page.keyboard.type('45')
  await page.keyboard.press('Enter')
  const second = page.getByRole('group', { name: words.line(2) }).getByRole('textbox', { name: words.description })
  await second.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Bag')
  // A line that is not finished yet makes no further one.
  for (let fields = 0; fields < 3; fields += 1) await page.keyboard.press('Enter')
  const due = page.getByRole('textbox', { name: words.dueDate })
  await due.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  expect(await page.getByRole('group', { name: words.line(3) }).count()).toBe(0)
  expect(await page.getByText(words.amountWrong).count()).toBe(0)
  expect(sent).toEqual([])
  await page.getByText('₪135.00').first().waitFor()
})

test('a draft is changed; a payment is taken back on its invoice', async () => {
  const { id } = await draft(6)
  const page = await open({ as: accountant, path: `/invoices/${id}/edit`, size: 'desk' })
  await page.getByRole('button', { name: words.addLine }).click()
  await page.getByRole('textbox', { name: words.description }).last().fill('Books')
  await page.getByRole('textbox', { name: words.unitAmount }).last().fill('50')
  await page.getByRole('button', { name: words.saveAndIssue }).click()
  await page.getByRole('main').getByRole('link', { name: payment.title }).click()
  await page.getByRole('button', { name: /Take .*₪500\.00/ }).click()
  await page.getByRole('article').waitFor()
  await page.goto(`${school.app.url}/invoices/${id}`)
  await page.getByRole('button', { name: words.takeBack }).click()
  const dialog = page.getByRole('dialog', { name: /₪500\.00/ })
  await dialog.getByRole('textbox', { name: shell.reason }).fill('Bounced')
  await dialog.getByRole('button', { name: words.takeBack }).click()
  await page.getByText(/Taken back on .*Bounced/).waitFor()
  expect(await statusOf(id)).toBe('issued')
})

test('a month is looked at before it is billed, billed once, and issued', async () => {
  const { owner } = school.institute
  const first = await open({ as: { userId: school.institute.ownerUserId }, path: '/invoices/run', size: 'desk' })
  await first.getByText(words.noFees).waitFor()
  await first.getByRole('button', { name: feeWords.newFee }).click()
  const sheet = first.getByRole('dialog')
  await sheet.getByRole('button', { name: new RegExp(feeWords.feeFor) }).click()
  await first.getByRole('option', { name: new RegExp(school.names.groups[3]) }).click()
  await sheet.getByText(feeWords.agreed).waitFor()
  await sheet.getByText(feeWords.concerns(5, 'November 2026')).waitFor()
  await press(sheet.getByRole('radio', { name: feeWords.prices.schedule }))
  // What the group costs is proposed.
  await expect.poll(() => sheet.getByRole('textbox', { name: feeWords.feeAmount }).inputValue()).toBe('450.00')
  await sheet.getByRole('textbox', { name: feeWords.feeAmount }).fill('٢٠٠')
  await sheet.getByRole('textbox', { name: new RegExp(feeWords.feeDay) }).fill('5')
  await sheet.getByRole('button', { name: shell.save }).click()
  const asked = { name: words.mayBeBilled }
  await first.getByRole('list', asked).getByText('Lina Khoury').waitFor()
  expect((await owner.get('/fee-schedules')).body.data).toMatchObject([
    { amount: { amountMinor: 20_000 }, groupId: school.groupIds[3], recurrence: 'monthly', dueDay: 5 },
  ])
  const page = await open({ as: accountant, path: '/invoices/run', size: 'desk' })
  await expect.poll(() => page.getByRole('row').count()).toBe(4)
  for (const box of await page.getByRole('list', asked).getByRole('checkbox').all()) await press(box)
  await expect.poll(() => page.getByRole('row').count()).toBe(6)
  await page.getByRole('button', { name: words.makeDrafts(5) }).click()
  await page.getByRole('heading', { name: words.made(5) }).waitFor()
  // At a wrong price: all of them are void, and the month is billed anew.
  await page.getByRole('button', { name: words.voidRun }).click()
  const sure = page.getByRole('dialog', { name: words.voidRunTitle(5) })
  await sure.getByRole('textbox', { name: shell.reason }).fill('At a wrong price')
  await sure.getByRole('button', { name: words.voidRun }).click()
  await page.getByRole('heading', { name: words.runVoided(5) }).waitFor()
  expect(await page.getByRole('button', { name: words.issueMany(5) }).count()).toBe(0)
  await page.getByRole('button', { name: /anew/ }).click()
  await page.getByRole('button', { name: words.makeDrafts(5) }).click()
  await page.getByRole('heading', { name: words.made(5) }).waitFor()
  await page.getByRole('button', { name: words.issueMany(5) }).click()
  const all = page.getByRole('dialog').getByRole('button', { name: words.issueMany(5) })
  await all.click()
  await page.getByRole('heading', { name: words.didIssue(5) }).waitFor()
  await page.goto(`${school.app.url}/invoices/run`)
  await page.getByText(words.billedBefore(5)).waitFor()
  expect(await page.getByRole('button', { name: words.makeDrafts(0) }).isDisabled()).toBe(true)
})

test('a fee is changed with an example of what a part of a month costs, and charged no more', async () => {
  const { owner } = school.institute
  const [fee] = (await owner.get('/fee-schedules')).body.data
  const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/invoices/run', size: 'desk' })
  await page.getByRole('button', { name: feeWords.more(fee.name) }).click()
  await page.getByRole('menuitem', { name: shell.edit }).click()
  const sheet = page.getByRole('dialog', { name: feeWords.change(fee.name) })
  await sheet.getByRole('button', { name: new RegExp(feeWords.proration) }).click()
  await page.getByRole('option', { name: feeWords.prorations.days }).click()
  await sheet.getByText(feeWords.concerns(5, 'December 2026')).waitFor()
  await sheet.getByText(/10 of 31 days .*₪64\.52.*₪200\.00/).waitFor()
  await sheet.getByRole('button', { name: shell.save }).click()
  await page.getByText(feeWords.changed(fee.name)).waitFor()
  expect((await owner.get(`/fee-schedules/${fee.id}`)).body).toMatchObject({ proration: 'days', price: 'schedule' })
  await page.getByRole('button', { name: feeWords.more(fee.name) }).click()
  await page.getByRole('menuitem', { name: feeWords.stop }).click()
  await page.getByRole('dialog').getByRole('button', { name: feeWords.stop }).click()
  await page.getByText(words.noFees).waitFor()
  expect((await owner.get(`/fee-schedules/${fee.id}`)).body.isActive).toBe(false)
  await owner.patch(`/fee-schedules/${fee.id}`, { isActive: true })
})

test('the months that were billed are listed with what was skipped, and their drafts are void at once', async () => {
  const { owner } = school.institute
  await owner.post('/billing/runs', { month: '2026-12' })
  const page = await open({ as: accountant, path: '/invoices/run', size: 'desk' })
  await page.getByRole('link', { name: words.runs }).click()
  const december = page.getByRole('listitem').filter({ hasText: 'December 2026' })
  await december.getByText(words.draftsLeft(5)).waitFor()
  await december.getByRole('button', { name: words.voidRun }).click()
  const asked = page.getByRole('dialog', { name: words.voidRunTitle(5) })
  await asked.getByRole('textbox', { name: shell.reason }).fill('At a wrong price')
  await asked.getByRole('button', { name: words.voidRun }).click()
  await expect.poll(() => december.textContent()).toContain(words.billedNothing)
  expect(await december.getByRole('button', { name: words.voidRun }).count()).toBe(0)
})

test('a run that bills nobody says why, and whoever bills for a branch alone sets no fees', async () => {
  const { owner, branchId } = school.institute
  const months = [words.allBilled, words.nobodyToBill, words.noneToBill].map((say) => say('December 2026'))
  const said = (skipped: { reason: string }[]) => ({
    id: null,
    month: '2026-12',
    created: 0,
    invoices: [],
    uncharged: [],
    skipped: skipped.map((one) => ({ studentId: branchId, studentName: 'Dana', feeScheduleId: branchId, ...one })),
  })
  for (const [at, skipped] of [
    [{ reason: 'already_billed' }],
    [],
    [{ reason: 'paused' }, { reason: 'already_billed' }],
  ].entries()) {
    const page = await open({ as: accountant, path: '/invoices/run', size: 'desk' })
    await page.route('**/api/v1/billing/runs', (route) => route.fulfill({ json: said(skipped) }))
    await page.reload()
    await page.getByText(months[at] ?? '').waitFor()
  }
  const [fee] = (await owner.get('/fee-schedules')).body.data
  const clerk = await school.institute.member({ permissions: ['invoices.write', 'courses.read'], branchId })
  const page = await open({ as: clerk, path: '/invoices/run', size: 'desk' })
  await page.getByText(fee.name).first().waitFor()
  expect(await page.getByRole('button', { name: feeWords.more(fee.name) }).count()).toBe(0)
  expect(await page.getByRole('button', { name: feeWords.newFee }).count()).toBe(0)
})

test('who may only read chooses and writes nothing', async () => {
  const reader = await school.institute.member({ permissions: ['invoices.read'] })
  const page = await open({ as: reader, path: '/invoices' })
  await rows(page).first().waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(0)
  expect(await page.getByRole('link', { name: words.add }).count()).toBe(0)
  await rows(page).first().click()
  await page.getByRole('heading', { name: words.lines }).waitFor()
  expect(await page.getByRole('button', { name: shell.more }).count()).toBe(0)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the list, an invoice, a new one and the month look right', async () => {
    const { title } = (await loadWords[locale]()).invoices
    const { id } = await draft(7, 1_234_567)
    const page = await open({ as: accountant, locale, path: '/invoices?to=2026-12-31&status=draft' })
    await press(page.getByRole('checkbox').nth(1))
    expect(plain(await rows(page, title).first().textContent())).toContain('12,345.67')
    await examine(page, locale, `console-invoices-${locale}`)
    for (const [path, picture] of [
      [`/invoices/${id}`, 'invoice'],
      [`/invoices/${id}/edit`, 'new-invoice'],
      ['/invoices/run', 'run'],
      ['/invoices/runs', 'runs'],
    ]) {
      await page.goto(school.app.url + path)
      await page
        .getByRole('heading', { level: 2 })
        .or(page.getByRole('textbox'))
        .or(page.getByRole('listitem'))
        .first()
        .waitFor()
      await examine(page, locale, `console-${picture}-${locale}`)
    }
  })
})
