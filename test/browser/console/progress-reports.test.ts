import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { newExam } from '../../api/examples/exams.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let groupId: string
beforeAll(async () => {
  school = await openSchool('en')
  groupId = school.groupIds[3] as string
  const { owner } = school.institute
  const examId = await newExam(school.institute, groupId, { title: 'Unit 1', maxScore: 20, heldAt: '2026-11-20' })
  const results = school.studentIds.slice(0, 5).map((studentId, at) => ({ studentId, score: 20 - at * 2 }))
  await owner.put(`/exams/${examId}/results`, { results })
  await owner.post(`/exams/${examId}/publish`)
  // Whom no message reaches is refused.
  for (const [at, id] of school.studentIds.slice(0, 4).entries())
    await owner.patch(`/students/${id}`, { email: `pupil${at}@example.org` })
})
beforeEach(async () => {
  await school.institute.owner.patch('/settings', { reportsApproval: false })
})
afterAll(() => school.app.close())
const { open } = watched(() => school)
const { faults, reports: words, shell } = await loadWords.en()

const HOSTILE = '<b>Well</b> \u2067כל הכבוד\u2069'
const readClass = async (query: string) =>
  (await school.institute.owner.get(`/groups/${groupId}/progress-reports${query}`)).body
const comments = async (query: string): Promise<(string | null)[]> =>
  (await readClass(query)).students.map(({ report }: { report: { comment: string } | null }) => report?.comment ?? null)
const openClass = (query: string, options: Parameters<typeof open>[0] = {}) =>
  open({ as: school.teacher, path: `/groups/${groupId}/progress-reports${query}`, size: 'desk', ...options })
const asPeriod = (month: string, last: string) => ({
  address: `?from=2026-${month}-01&to=2026-${month}-${last}`,
  query: `?periodStart=2026-${month}-01&periodEnd=2026-${month}-${last}`,
})
const fields = (page: Page) => page.locator('.class-reports textarea')
const draft = async (at: number, month: string, comment = 'Good') => {
  const { query } = asPeriod(month, '28')
  const { periodStart, periodEnd } = Object.fromEntries(new URLSearchParams(query)) as Record<string, string>
  const body = { studentId: school.studentIds[at], groupId, periodStart, periodEnd, comment }
  return (await school.institute.owner.post('/progress-reports', body)).body.id as string
}

test('a teacher writes about a class by the keyboard alone, with the figures beside, and sends what reaches somebody', async () => {
  const { address, query } = asPeriod('11', '24')
  const page = await openClass(address)
  await page.getByText(words.average('100%')).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('textarea')
  for (const text of ['One', HOSTILE, 'Three', 'Four']) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.type(text)
    // oxlint-disable-next-line no-await-in-loop
    await page.keyboard.press('Control+Enter')
  }
  await page.keyboard.type('Five')
  await page.getByRole('button', { name: words.saveOne, exact: true }).click()
  await page.getByText(words.savedAll).waitFor()
  expect((await comments(query)).toSorted()).toEqual(['Five', 'Four', 'One', 'Three', HOSTILE].toSorted())
  await page.getByRole('button', { name: words.sendMany(5) }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: words.sendMany(5) })
    .click()
  const notAll = page.getByRole('dialog', { name: words.notAll })
  await notAll.getByText('Yara Nasser').waitFor()
  await notAll.getByRole('button', { name: shell.close }).click()
  await page.getByText(HOSTILE).waitFor()
  const { students } = await readClass(query)
  const sent = students.filter(({ report }: { report: { status: string } }) => report.status === 'sent')
  expect(sent).toHaveLength(4)
})

test('a report whose answer was lost is made once; what is typed is there again after the page was closed', async () => {
  const { address, query } = asPeriod('10', '31')
  const page = await openClass(address)
  await fields(page).first().fill('Once')
  let lost = 0
  await page.route('**/api/v1/progress-reports', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: words.saveOne, exact: true }).click()
  await page.locator('.bar').getByText(faults.unreachable).waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: words.saveOne, exact: true }).click()
  await page.getByText(words.savedAll).waitFor()
  const { data } = (await school.institute.owner.get(`/progress-reports?groupId=${groupId}`)).body
  expect(data.filter(({ comment }: { comment: string }) => comment === 'Once')).toHaveLength(1)
  await fields(page).nth(1).fill('Kept')
  await page.getByText(words.unsaved(1)).waitFor()
  await page.reload()
  await expect.poll(() => fields(page).nth(1).inputValue()).toBe('Kept')
  expect((await comments(query)).filter((comment) => comment === 'Kept')).toEqual([])
})

test('with approval on a report is handed in, returned with a remark, handed in anew, and sent', async () => {
  const { owner } = school.institute
  await owner.patch('/settings', { reportsApproval: true })
  const id = await draft(0, '09')
  const teacher = await open({ as: school.teacher, path: `/progress-reports/${id}`, size: 'desk' })
  await teacher.getByRole('button', { name: words.submit, exact: true }).click()
  await teacher.getByRole('dialog').getByRole('button', { name: words.submit, exact: true }).click()
  await teacher.getByText(words.waits).waitFor()
  expect(await teacher.getByRole('textbox', { name: words.comment }).count()).toBe(0)

  const manager = await open({ as: await school.member('branch_manager'), path: '/progress-reports?state=submitted' })
  await manager.getByRole('link', { name: /Lina Khoury/ }).tap()
  await manager.getByRole('button', { name: words.returnIt }).tap()
  const sheet = manager.getByRole('dialog')
  await sheet.getByRole('textbox', { name: words.remark }).fill(HOSTILE)
  await sheet.getByRole('button', { name: words.returnIt }).tap()
  await manager.getByText(words.wasReturned).waitFor()

  await teacher.reload()
  await teacher.getByText(HOSTILE).waitFor()
  await teacher.getByRole('textbox', { name: words.comment }).fill('Better')
  await teacher.keyboard.press('Control+Enter')
  await teacher.getByText(words.saved, { exact: true }).waitFor()
  await teacher.getByRole('button', { name: words.submit, exact: true }).click()
  await teacher.getByRole('dialog').getByRole('button', { name: words.submit, exact: true }).click()
  await teacher.getByText(words.waits).waitFor()

  await manager.reload()
  await manager.getByRole('button', { name: words.send, exact: true }).tap()
  await manager.getByRole('dialog').getByRole('button', { name: words.send, exact: true }).tap()
  await manager.getByText(words.sent, { exact: true }).waitFor()
  expect((await owner.get(`/progress-reports/${id}`)).body).toMatchObject({ status: 'sent', comment: 'Better' })
})

test('drafts are chosen in the list and sent at once', async () => {
  const ids = [await draft(1, '08'), await draft(2, '08')]
  const page = await open({ as: school.teacher, path: `/progress-reports?state=draft`, size: 'desk' })
  for (const name of ['Ali Mansour', 'Dana Levi'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await press(page.getByRole('checkbox', { name: words.choose(name) }).first())
  await page.getByRole('button', { name: words.sendMany(2) }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: words.sendMany(2) })
    .click()
  await page.getByText(words.sentMany(2)).waitFor()
  for (const id of ids)
    // oxlint-disable-next-line no-await-in-loop
    expect((await school.institute.owner.get(`/progress-reports/${id}`)).body.status).toBe('sent')
})

test('a teacher finds the reports at their groups, and writes one from the page of a student of theirs', async () => {
  const page = await open({ as: school.teacher, path: `/students/${school.studentIds[4]}` })
  await page.getByRole('button', { name: words.write }).tap()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: words.group }).tap()
  await page.getByRole('option', { name: school.names.groups[3] }).tap()
  await sheet.getByRole('textbox', { name: words.comment }).fill('Brave')
  await sheet.getByRole('button', { name: words.save }).tap()
  await page.getByRole('heading', { level: 1, name: 'Yara Nasser' }).waitFor()
  await page.getByText('Brave').waitFor()
  const { data } = (await school.institute.owner.get(`/progress-reports?studentId=${school.studentIds[4]}`)).body
  expect(data).toContainEqual(expect.objectContaining({ groupId, comment: 'Brave', status: 'draft' }))
  await page.goto(`${school.app.url}/groups`)
  await page.getByRole('link', { name: words.title }).first().tap()
  await page
    .getByRole('link', { name: /Yara Nasser/ })
    .first()
    .waitFor()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  const said = {
    en: 'Works hard and helps others. Practise fractions at home.',
    he: 'משקיע ועוזר לאחרים. כדאי לתרגל שברים בבית.',
    ar: 'يجتهد ويساعد زملاءه. ننصح بالتدرّب على الكسور في البيت.',
  }[locale]
  const month = { en: '05', he: '06', ar: '07' }[locale]

  test('the list, a report, and a class', async () => {
    await school.institute.owner.patch('/settings', { reportsApproval: true })
    const ids = [await draft(0, month, said), await draft(1, month, said), await draft(2, month, said)]
    await school.institute.owner.post('/progress-reports/submit', { ids: ids.slice(0, 2) })
    const remark = { remark: said }
    await school.institute.owner.post(`/progress-reports/${ids[1]}/return`, remark)
    const manager = await school.member('branch_manager')
    const list = await open({ as: manager, path: '/progress-reports', locale })
    await press(list.getByRole('checkbox').first())
    await examine(list, locale, `console-reports-list-${locale}`)
    const one = await open({ as: manager, path: `/progress-reports/${ids[0]}`, locale })
    await one.getByRole('textbox').waitFor()
    await examine(one, locale, `console-report-${locale}`)
    const page = await openClass(`?from=2026-${month}-01&to=2026-${month}-28`, { locale, size: 'phone' })
    await expect.poll(() => fields(page).count()).toBeGreaterThan(0)
    await examine(page, locale, `console-reports-class-${locale}`)
  })
})
