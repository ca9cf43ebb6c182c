import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkAccount } from '#kit/link-account.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { tooWide, watched } from './watch.ts'

/** What a guardian finds on a phone: was the child there, the marks, the money. */

let school: School
let owner: School['institute']['owner']
let mother: { userId: string }
const { open } = watched(() => school)
const { own: words, people, family, reports, shell } = await loadWords.en()

const LONG = 'Abdulrahman-Bartholomew <b>Mustafa</b> '.repeat(2).trim()

beforeAll(async () => {
  school = await openSchool('en', { features: { basic_reports: true } })
  ;({ owner } = school.institute)
  const [first = '', second = '', absentee = ''] = school.studentIds
  const link = { guardianId: school.guardianId, relationship: 'mother', isPrimary: false, isPayer: false }
  for (const id of [second, absentee]) await owner.post(`/students/${id}/guardians`, link)
  await owner.patch('/settings', { invoiceFooter: 'Bank 12, branch 345, account 678901' })
  const guardian = await school.member('guardian')
  await linkAccount(school.app, 'guardian', { id: school.guardianId, userId: guardian.userId })
  mother = guardian

  const groupId = school.groupIds[0] as string
  const cancelled = await owner.post(`/groups/${groupId}/sessions`, {
    scheduledStart: '2026-11-25T13:00:00.000Z',
    scheduledEnd: '2026-11-25T14:00:00.000Z',
  })
  await owner.patch(`/sessions/${cancelled.body.id}`, { status: 'cancelled', reason: 'The teacher is ill' })
  const results = [
    { studentId: first, score: 17.5, remarks: LONG },
    { studentId: second, score: 4 },
  ]
  const exam = { title: 'Fractions <i>and</i> decimals', kind: 'exam', maxScore: 20, heldAt: '2026-11-10' }
  const { id } = (await owner.post(`/groups/${groupId}/exams`, exam)).body
  await owner.put(`/exams/${id}/results`, { results })
  await owner.post(`/exams/${id}/publish`)
  const draft = (await owner.post(`/groups/${groupId}/exams`, { ...exam, title: 'Not for families' })).body
  await owner.put(`/exams/${draft.id}/results`, { results })
  const report = await owner.post('/progress-reports', {
    studentId: first,
    groupId,
    periodStart: '2026-10-01',
    periodEnd: '2026-10-31',
    comment: 'Reads much better than before',
  })
  await owner.post(`/progress-reports/${report.body.id}/send`)
  const line = { description: 'Books', unitAmountMinor: 12_000 }
  const books = (await owner.post('/invoices', { studentId: first, lines: [line], dueDate: '2026-11-20' })).body
  await owner.post(`/invoices/${books.id}/issue`)
  const paid = { allocations: [{ invoiceId: books.id, amountMinor: 12_000 }], currency: 'ILS', method: 'cash' }
  await owner.post('/payments', paid)
})
afterAll(() => school.app.close())

const cardOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

/** The requests of the API that a page makes, apart from those of its frame. */
const asked = (page: Page): string[] => {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1/me/') && !pathname.includes('notifications')) paths.push(pathname)
  })
  return paths
}

test('a mother reads on her first page that one child was absent and another was there', async () => {
  const page = await open({ as: mother })
  await cardOf(page, 'Dana Levi').getByText(words.absent, { exact: true }).waitFor()
  await cardOf(page, 'Lina Khoury').getByText(words.present, { exact: true }).waitFor()
  // What is to be paid, and until when.
  await cardOf(page, 'Lina Khoury').getByText(words.toPay('₪450.00')).waitFor()
  await cardOf(page, 'Lina Khoury')
    .getByText(/Due .*10\/12\/2026/)
    .waitFor()
  // Nothing of the office is in the rail.
  const tabs = page.getByRole('navigation', { name: shell.nav.label }).last()
  await expect.poll(() => tabs.getByRole('link').allTextContents()).toEqual([shell.nav.today, shell.nav.children])
})

test('the page of a child has its lessons, its marks and its money, in three requests at most', async () => {
  const page = await open({ as: mother })
  const paths = asked(page)
  await cardOf(page, 'Dana Levi').getByRole('link').first().tap()
  await page.getByRole('heading', { level: 1, name: 'Dana Levi' }).waitFor()
  const attendance = page.getByRole('list', { name: people.attendance })
  await attendance.getByText(words.absent, { exact: true }).waitFor()
  await page.getByText('The teacher is ill').waitFor()
  expect(new Set(paths).size).toBeLessThanOrEqual(3)

  const [lina = ''] = school.studentIds
  await page.goto(`${school.app.url}/children/${lina}`)
  await page.getByRole('link', { name: words.marks }).tap()
  const marks = page.getByRole('list', { name: people.exams })
  await marks.getByText('17.5 of 20').waitFor()
  await marks.getByText(LONG).waitFor()
  expect(await page.getByText('Not for families').count()).toBe(0)
  await page.getByText('Reads much better than before').waitFor()
  await page.getByRole('list', { name: reports.title }).getByText('Math A').waitFor()
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: shell.paper }).tap(),
  ])
  expect(report.suggestedFilename()).toMatch(/\.pdf$/)

  await page.getByRole('link', { name: words.money }).tap()
  await page.getByRole('heading', { name: words.toPay('₪450.00') }).waitFor()
  await page.getByText('Bank 12, branch 345, account 678901').waitFor()
  // Two invoices of the same amount are told apart by what they are for.
  await page.getByRole('list', { name: people.openInvoices }).getByText('After-school classes').waitFor()
  const [statement] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: shell.statement }).tap(),
  ])
  expect(statement.suggestedFilename()).toMatch(/\.pdf$/)
  const [receipt] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /R-2026-/ }).tap(),
  ])
  expect(receipt.suggestedFilename()).toMatch(/R-2026-\d{6}\.pdf$/)
})

test('a mother announces an absence and takes it back', async () => {
  const [, ali = ''] = school.studentIds
  const page = await open({ as: mother, path: `/children/${ali}` })
  await page.getByRole('button', { name: people.announce }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(words.announceFollows).waitFor()
  await dialog.getByLabel(people.absenceReason).fill('A wedding in the family')
  await dialog.getByRole('button', { name: people.announce }).tap()
  const announced = page.getByRole('list', { name: people.absences })
  await announced.getByText('A wedding in the family').waitFor()
  expect((await owner.get(`/students/${ali}/absences`)).body.data).toMatchObject([
    { reason: 'A wedding in the family', byGuardianId: school.guardianId },
  ])
  await page.goto(school.app.url)
  await cardOf(page, 'Ali Mansour').getByText(words.announcedToday).waitFor()
  await page.goto(`${school.app.url}/children/${ali}`)
  await announced.getByRole('button', { name: people.withdraw }).tap()
  await announced.waitFor({ state: 'detached' })
  expect((await owner.get(`/students/${ali}/absences`)).body.data).toEqual([])
})

test('a child of another family is not there, and neither are pages of the office', async () => {
  const [, , , stranger = ''] = school.studentIds
  const page = await open({ as: mother, path: `/children/${stranger}` })
  await page.getByText(words.notTheirs('Rania Saleh')).waitFor()
  expect(await page.getByText('Sami Haddad').count()).toBe(0)
  await page.goto(`${school.app.url}/students/${stranger}`)
  await page.getByRole('heading', { name: shell.notAllowed.title }).waitFor()
})

test('the desk says on the student’s page what a guardian does not see, and it is gone for them', async () => {
  const [lina = ''] = school.studentIds
  const person = { firstName: 'Nabil', lastName: 'Khoury', phone: '0549876543' }
  const { id } = (await owner.post('/guardians', person)).body
  const link = { guardianId: id, relationship: 'father', isPrimary: false, isPayer: false }
  expect((await owner.post(`/students/${lina}/guardians`, link)).status).toBe(201)
  const father = await school.member('guardian')
  await linkAccount(school.app, 'guardian', { id, userId: father.userId })

  const desk = await school.member('front_desk')
  const page = await open({ as: desk, path: `/students/${lina}`, size: 'desk', locale: 'en' })
  const change = async () => {
    await page.getByRole('button', { name: `${shell.more}: Nabil Khoury` }).click()
    await page.getByRole('menuitem', { name: family.change }).click()
  }
  await change()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(family.seesMoney, { exact: true }).click()
  await examine(page, 'en', 'console-what-a-guardian-sees-en')
  await dialog.getByRole('button', { name: shell.save }).click()
  await page.getByText(family.noMoney).waitFor()
  // Whoever pays sees the money.
  await page.getByRole('button', { name: `${shell.more}: Samira Khoury` }).click()
  await page.getByRole('menuitem', { name: family.change }).click()
  expect(await dialog.getByRole('checkbox', { name: family.seesMoney }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')

  const his = await open({ as: father, path: `/children/${lina}` })
  await his.getByRole('heading', { level: 1, name: 'Lina Khoury' }).waitFor()
  await his.getByRole('link', { name: words.marks }).waitFor()
  expect(await his.getByRole('link', { name: words.money }).count()).toBe(0)
  await his.goto(school.app.url)
  await cardOf(his, 'Lina Khoury').waitFor()
  expect(await his.getByText('₪').count()).toBe(0)

  await change()
  await dialog.getByText(family.seesMoney, { exact: true }).click()
  await dialog.getByText(family.seesLearning, { exact: true }).click()
  await dialog.getByRole('button', { name: shell.save }).click()
  await page.getByText(family.noLearning).waitFor()
  await his.goto(`${school.app.url}/children/${lina}`)
  await his.getByRole('heading', { name: words.toPay('₪450.00') }).waitFor()
  expect(his.url()).toContain('/money')
})

test('a student has a page of their own', async () => {
  const [, , , , pupilId = ''] = school.studentIds
  const pupil = await school.member('student')
  await linkAccount(school.app, 'student', { id: pupilId, userId: pupil.userId })
  const page = await open({ as: pupil })
  await page.getByRole('link', { name: shell.nav.mine }).last().tap()
  await page.getByRole('heading', { level: 1, name: 'Yara Nasser' }).waitFor()
  // Whoever does not come is announced by the family.
  expect(await page.getByRole('button', { name: people.announce }).count()).toBe(0)
})

test.each(LANGUAGES)('in $locale the pages of a family read well', async ({ locale }) => {
  const [lina = ''] = school.studentIds
  const spoken = await loadWords[locale]()
  const page = await open({ as: mother, locale, browserLocale: locale })
  await cardOf(page, 'Lina Khoury').getByText(spoken.own.present, { exact: true }).waitFor()
  await examine(page, locale, `console-family-today-${locale}`)
  const look = async (path: string, text: string, name: string) => {
    await page.goto(school.app.url + path)
    await page.locator('main').getByText(text).first().waitFor()
    expect(await tooWide(page), path).toEqual([])
    await examine(page, locale, `console-family-${name}-${locale}`)
  }
  await look('/children', 'Dana Levi', 'children')
  await look(`/children/${lina}`, spoken.own.present, 'lessons')
  await look(`/children/${lina}/marks`, 'Fractions', 'marks')
  await look(`/children/${lina}/money`, spoken.own.howToPay, 'money')
})
