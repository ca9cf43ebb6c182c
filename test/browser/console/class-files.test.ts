import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '#kit/files.ts'
import { linkAccount } from '#kit/link-account.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openPath } from '../../../src/shared/open-path.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { tooWide, watched } from './watch.ts'

/** What a teacher hands out reaches families; what messages tell of is where their links lead. */

let school: School
let mother: { userId: string }
let exams: string[] = []
let sessionId: string
let childId: string
const { open } = watched(() => school)
const { files, own, people, messages } = await loadWords.en()

const LONG = 'ورقة عمل في الكسور العادية والعشرية للصف السابع <b>2026</b>.png'

beforeAll(async () => {
  school = await openSchool('en')
  const { owner } = school.institute
  const groupId = school.groupIds[1] as string
  childId = school.studentIds[0] as string
  const guardian = await school.member('guardian')
  await linkAccount(school.app, 'guardian', { id: school.guardianId, userId: guardian.userId })
  mother = guardian
  sessionId = school.sessionIds[1] as string
  for (const [at, [title, heldAt, score]] of (
    [
      ['Fractions', '2026-10-05', 9],
      ['Decimals', '2026-10-26', 14],
      ['Percent', '2026-11-16', 17],
    ] as const
  ).entries()) {
    const exam = (await owner.post(`/groups/${groupId}/exams`, { title, kind: 'exam', maxScore: 20, heldAt })).body
    exams = [...exams, exam.id]
    await owner.put(`/exams/${exam.id}/results`, { results: [{ studentId: childId, score }] })
    if (at < 2) await owner.post(`/exams/${exam.id}/publish`)
  }
})
afterAll(() => school.app.close())

const choose = async (page: Page, button: string, ...chosen: { name: string; buffer: Buffer }[]) => {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button, exact: true }).click()
  await (await chooser).setFiles(chosen.map((file) => ({ mimeType: '', ...file })))
}

test('a teacher photographs a worksheet on a phone, and the mother finds and downloads it at the lesson', async () => {
  const page = await open({ as: school.teacher, path: `/sessions/${sessionId}` })
  await page.getByText(files.lessonHint).waitFor()
  await choose(page, files.photo, { name: LONG, buffer: png() })
  await page.getByText(files.added(LONG)).waitFor()
  await choose(page, files.add, { name: 'notes.exe', buffer: Buffer.from('MZ') })
  await page.getByText(files.faults.type('notes.exe')).waitFor()
  expect(await tooWide(page)).toEqual([])

  const home = await open({ as: mother, path: `/children/${childId}` })
  await home
    .getByRole('button', { name: new RegExp(files.count(1)) })
    .first()
    .tap()
  const sheet = home.getByRole('dialog')
  const downloads = home.waitForEvent('download')
  await sheet.getByRole('button', { name: /2026/ }).tap()
  expect((await downloads).url()).toMatch(new RegExp(`^${school.app.url}/files/`))
  expect(await sheet.getByRole('button', { name: files.remove(LONG) }).count()).toBe(0)
  expect(await tooWide(home)).toEqual([])
})

test('the files of an exam wait for its results', async () => {
  const [published = '', , unpublished = ''] = exams
  const groupId = school.groupIds[1] as string
  const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${unpublished}`, size: 'desk' })
  await page.getByText(files.examHint).waitFor()
  await choose(page, files.add, { name: 'exam.png', buffer: png('exam') })
  await page.getByText(files.added('exam.png')).waitFor()
  const other = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${published}`, size: 'desk' })
  await choose(other, files.add, { name: 'solution.png', buffer: png('solution') })
  await other.getByText(files.added('solution.png')).waitFor()
  expect(await other.getByText(files.examHint).count()).toBe(0)

  const home = await open({ as: mother, path: `/children/${childId}/marks` })
  await home
    .getByRole('list', { name: people.exams })
    .getByRole('button', { name: /Fractions/ })
    .waitFor()
  await expect.poll(() => home.locator('main').innerText()).not.toContain('Percent')
})

test('marks over time are a line for eyes and a table for ears, of published ones for families', async () => {
  const home = await open({ as: mother, path: `/children/${childId}/marks` })
  await home.getByText(people.inFigures).tap()
  const table = home.getByRole('table', { name: people.lineOf(school.names.groups[1]) })
  await expect.poll(() => table.getByRole('row').count()).toBe(3)
  await expect.poll(() => table.innerText()).toContain('45%')
  const page = await open({ as: school.teacher, path: `/students/${childId}`, size: 'desk' })
  await page.getByText(people.inFigures).click()
  const all = page.getByRole('table', { name: people.lineOf(school.names.groups[1]) })
  await expect.poll(() => all.getByRole('row').count()).toBe(4)
  for (const shown of [home, page]) expect(await tooWide(shown)).toEqual([])
})

test('the link of a message leads to that exam, lesson or child; of another family’s child it says so, and what names none leads to the inbox', async () => {
  const [examId = ''] = exams
  const groupId = school.groupIds[1] as string
  const home = await open({ as: mother, path: openPath('exam.published', { examId, groupId }) })
  await expect.poll(() => new URL(home.url()).pathname).toBe(`/children/${childId}/marks`)
  await expect.poll(() => home.locator('li[aria-current=true]').innerText()).toContain('Fractions')
  const lesson = await open({ as: mother, path: openPath('session.cancelled', { sessionId, groupId }) })
  await expect.poll(() => new URL(lesson.url()).pathname).toBe(`/children/${childId}`)
  expect(new URL(lesson.url()).searchParams.get('day')).toBe('2026-11-24')
  const foreign = openPath('invoice.issued', { invoiceId: groupId, studentId: school.studentIds[9] as string })
  const lost = await open({ as: mother, path: foreign })
  await lost.getByText(own.notTheirs('Rania Saleh')).waitFor()
  const unnamed = await open({ as: mother, path: openPath('receipt.sent', { receiptId: groupId }) })
  await expect.poll(() => new URL(unnamed.url()).pathname).toBe('/inbox')
  const desk = await open({ as: school.teacher, path: openPath('session.given', { sessionId, groupId }) })
  await expect.poll(() => new URL(desk.url()).pathname).toBe(`/sessions/${sessionId}`)
})

test('a message that is being written is there again after a reload, and can be begun afresh', async () => {
  const path = `/messages/new?groupId=${school.groupIds[1]}`
  const page = await open({ as: school.teacher, path })
  const field = page.getByRole('textbox', { name: messages.body })
  await field.fill('Bring a ruler <b>tomorrow</b>')
  await expect.poll(() => field.inputValue()).toContain('ruler')
  await page.reload()
  await page.getByText(messages.draftKept).waitFor()
  expect(await field.inputValue()).toBe('Bring a ruler <b>tomorrow</b>')
  await page.getByRole('button', { name: messages.startAfresh }).tap()
  expect(await field.inputValue()).toBe('')
  await page.reload()
  await field.waitFor()
  expect(await page.getByText(messages.draftKept).count()).toBe(0)
})

test.each(LANGUAGES)('in $locale the pages are as everybody needs them', async ({ locale }) => {
  const lesson = await open({ as: school.teacher, path: `/sessions/${sessionId}`, locale })
  await examine(lesson, locale, `console-lesson-files-${locale}`)
  const home = await open({ as: mother, path: `/children/${childId}/marks`, locale })
  await home.locator('.chart.line').waitFor()
  await examine(home, locale, `console-marks-line-${locale}`)
  expect(await tooWide(home)).toEqual([])
})
