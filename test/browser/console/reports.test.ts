import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en', { features: {} })
  const { owner } = school.institute
  for (const [index, studentId] of school.studentIds.slice(0, 9).entries()) {
    const lines = [{ description: 'Lessons', unitAmountMinor: 30_000 + index * 4500 }]
    const [issueDate, dueDate] = [`2026-0${4 + (index % 6)}-05`, `2026-0${4 + (index % 6)}-25`]
    const { body } = await owner.post('/invoices', { studentId, lines, issueDate, dueDate })
    await owner.post(`/invoices/${body.id}/issue`, {})
    const receivedAt = `${dueDate}T09:00:00.000Z`
    const payment = {
      amountMinor: 9000 + index * 1500,
      currency: 'ILS',
      method: index % 2 ? 'card' : 'cash',
      receivedAt,
    }
    await owner.post(`/invoices/${body.id}/payments`, payment)
  }
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const SIZES = { en: 'desk', he: 'phone', ar: 'desk' } as const
const PATHS = ['attendance', 'income', 'debts', 'enrollment', 'staff-hours'] as const
/** Progress reports have their own page. */
const BESIDE = 1

test('an owner switches reports on, opens one, and the address keeps how it is told', async () => {
  const { reporting: words } = await loadWords.en()
  const page = await open({ as: owner(), path: '/reports', size: 'desk', locale: 'en' })
  await page.getByText(words.off).waitFor()
  await page.getByRole('button', { name: words.switchOn }).click()
  await page.getByText(words.off).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: new RegExp(words.income) }).click()
  await page.getByRole('table', { name: words.income }).waitFor()
  await page.getByText(words.method, { exact: true }).click()
  await page.getByRole('row', { name: /Cash/ }).first().waitFor()
  expect(new URL(page.url()).searchParams.get('by')).toBe('method')
  await page.reload()
  await page.getByRole('row', { name: /Card/ }).first().waitFor()
})

test('a debt leads to whose it is', async () => {
  await school.institute.owner.patch('/feature-flags', { advanced_reports: true })
  const { reporting: words } = await loadWords.en()
  const page = await open({ as: owner(), path: '/reports/debts', size: 'phone', locale: 'en' })
  await page.getByRole('table', { name: words.debts }).getByRole('link').first().click()
  await expect.poll(() => page.url()).toMatch(/\/(students|guardians)\/[0-9a-f-]{36}$/)
})

test('a figure opens the rows behind it', async () => {
  await school.institute.owner.patch('/feature-flags', { advanced_reports: true })
  const all = await loadWords.en()
  const { reporting: words } = all
  await runInTransaction(school.app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(sweepOverdueJob, {}),
  )
  await school.app.drain()
  const page = await open({ as: owner(), path: '/reports/debts', size: 'desk', locale: 'en' })
  const figure = page.locator('.figure', { hasText: words.over90 })
  await figure.getByRole('link').click()
  const invoices = page.getByRole('list', { name: all.invoices.title })
  await invoices.getByRole('listitem').first().waitFor()
  const { data } = (await school.institute.owner.get('/reports/debts?by=payer')).body
  const late = data.filter(({ over90 }: { over90: { amountMinor: number } }) => over90.amountMinor > 0)
  await expect.poll(() => invoices.getByRole('listitem').count()).toBe(late.length)
  await page.goBack()
  const row = page.getByRole('row', { name: late[0].payerName })
  await row.getByRole('link').last().click()
  await page.getByRole('button', { name: late[0].students[0].fullName }).waitFor()
  await expect.poll(() => invoices.getByRole('listitem').count()).toBe(1)

  // Of several children no list has the invoices: the account of their family does.
  await page.goto(`${school.app.url}/reports/debts?by=family`)
  const [link] = (await school.institute.owner.get(`/students/${school.studentIds[0]}/guardians`)).body.data
  const ofSibling = { guardianId: link.guardianId, relationship: 'mother', isPayer: false, isPrimary: false }
  const linked = await school.institute.owner.post(`/students/${school.studentIds[1]}/guardians`, ofSibling)
  expect(linked.status, JSON.stringify(linked.body)).toBe(201)
  await page.reload()
  const families = (await school.institute.owner.get('/reports/debts?by=family')).body.data
  const several = families.find(({ students }: { students: unknown[] }) => students.length > 1)
  await page.getByRole('row', { name: several.payerName }).getByRole('link').last().click()
  await expect.poll(() => page.url()).toMatch(/\/account\?.*scope=family/)

  await page.goto(`${school.app.url}/reports/income?from=2026-04-01`)
  const may = page.getByRole('row', { name: /May 2026/ })
  await may.getByRole('link').first().click()
  await page.getByRole('button', { name: all.invoices.issuedIn('1 – 31 May 2026') }).waitFor()
  const issued = await school.institute.owner.get('/invoices?issuedFrom=2026-05-01&issuedTo=2026-05-31&limit=100')
  await expect.poll(() => invoices.getByRole('listitem').count()).toBe(issued.body.data.length)
  await page.goBack()
  await may.getByRole('link').last().click()
  const ledger = page.getByRole('list', { name: words.ledger })
  await ledger.getByText('25/05/2026').first().waitFor()
  await expect.poll(() => ledger.getByRole('listitem').count()).toBe(2)
  // Its foot is the figure.
  const { totals } = (await school.institute.owner.get('/reports/income?from=2026-05-01&to=2026-05-31')).body
  const foot = `₪${(totals[0].collected.amountMinor / 100).toFixed(2)}`
  await page.locator('.figure', { hasText: foot }).waitFor()
  await page.goto(`${school.app.url}/reports/income?from=2026-04-01`)
  await page.getByRole('button', { name: words.thisWeek }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2026-11-22')
})

test('the ledger behind what was collected, and the sum below receipts, are looked at', async () => {
  await school.institute.owner.patch('/feature-flags', { advanced_reports: true })
  for (const { locale } of LANGUAGES) {
    const { reporting: words, payment, invoices } = await loadWords[locale]()
    const ofAll = '?from=2026-04-01'
    const page = await open({ as: owner(), path: `/reports/income/collected${ofAll}`, size: SIZES[locale], locale })
    await page.getByRole('list', { name: words.ledger }).getByRole('listitem').nth(8).waitFor()
    await examine(page, locale, `console-reports-ledger-${locale}`)
    await page.goto(`${school.app.url}/receipts`)
    await page.getByRole('list', { name: invoices.receipts }).getByRole('listitem').first().waitFor()
    await expect.poll(() => page.getByText(payment.receiptCount(9)).count()).toBe(1)
    await examine(page, locale, `console-receipts-sum-${locale}`)
  }
})

test('figures of enrollment open who is behind them, and debts that are not due their invoices', async () => {
  await school.institute.owner.patch('/feature-flags', { advanced_reports: true })
  for (const { locale } of LANGUAGES) {
    const { reporting: words, invoices } = await loadWords[locale]()
    const page = await open({ as: owner(), path: '/reports/enrollment', size: SIZES[locale], locale })
    const figure = page.locator('.figure', { hasText: words.enrolledAfter })
    const count = Number((await figure.locator('bdi, b, .number').first().innerText()).replaceAll(/\D/g, ''))
    await figure.getByRole('link').click()
    const list = page.getByRole('list', { name: words.enrolledAfter })
    await list.getByRole('listitem').first().waitFor()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(Math.min(count, 100))
    await examine(page, locale, `console-reports-moves-${locale}`)
    if (locale !== 'en') continue
    await page.goto(`${school.app.url}/reports/debts`)
    await page.locator('.figure', { hasText: words.invoices }).getByRole('link').click()
    await page.getByRole('list', { name: invoices.title }).getByRole('listitem').first().waitFor()
    expect(page.url()).toContain('status=unpaid')
  }
})

test('who may not read invoices finds no reports on money', async () => {
  const { reporting: words } = await loadWords.en()
  const reader = await school.institute.member({ permissions: ['reports.read'] })
  const page = await open({ as: reader, path: '/reports', size: 'phone', locale: 'en' })
  await page.getByRole('link', { name: new RegExp(words.attendance) }).waitFor()
  expect(await page.getByRole('link', { name: new RegExp(words.debts) }).count()).toBe(0)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the list of reports is looked at', async () => {
    const { reporting: words } = await loadWords[locale]()
    await school.institute.owner.patch('/feature-flags', { advanced_reports: true })
    const page = await open({ as: owner(), path: '/reports', size: SIZES[locale], locale })
    await page.getByRole('link', { name: new RegExp(words.hours) }).waitFor()
    await expect.poll(() => page.getByRole('main').getByRole('link').count()).toBe(PATHS.length + BESIDE)
    await examine(page, locale, `console-reports-${locale}`)
  })

  test.each(PATHS)('%s is looked at', async (path) => {
    const { reporting: words } = await loadWords[locale]()
    await school.institute.owner.patch('/feature-flags', { advanced_reports: true })
    const page = await open({ as: owner(), path: `/reports/${path}?from=2026-04-01`, size: SIZES[locale], locale })
    await page.getByRole('button', { name: words.print }).waitFor()
    await page.locator('.report > :not(.waiting)').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await examine(page, locale, `console-reports-${path}-${locale}`)
  })
})
