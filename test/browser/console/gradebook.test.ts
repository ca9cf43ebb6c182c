import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { newExam } from '../../api/examples/exams.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let groupId: string
let examId: string
beforeAll(async () => {
  school = await openSchool('en')
  groupId = school.groupIds[0] as string
  const exam = { title: 'Fractions', kind: 'exam', maxScore: 100, heldAt: '2026-11-24' }
  examId = await newExam(school.institute, groupId, exam)
})
afterAll(() => school.app.close())
const { open } = watched(() => school)
const { gradebook: words, shell } = await loadWords.en()

const book = async () => (await school.institute.owner.get(`/groups/${groupId}/gradebook`)).body
const scoresOf = async (at: number) =>
  (await book()).students.map(({ results }: { results: ({ score: number } | null)[] }) => results[at]?.score ?? null)

test('a teacher types the marks of a class by the keyboard alone, and publishes them', async () => {
  const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${examId}`, size: 'desk' })
  const fields = page.locator('input.score')
  await fields.first().focus()
  const count = await fields.count()
  expect(count).toBeGreaterThan(2)
  for (let at = 0; at < count - 1; at += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.type(at === 0 ? '98,5' : String(60 + at))
    // oxlint-disable-next-line no-await-in-loop
    await page.keyboard.press('Enter')
  }
  await page.keyboard.type('-')
  await page.keyboard.press('Control+Enter')
  await page.getByText(words.savedAll).waitFor()
  const { students, exams } = await book()
  expect(exams[0]).toMatchObject({ entered: count, missing: 0 })
  expect(students[0].results[0]).toMatchObject({ score: 98.5 })
  expect(students.at(-1).results[0]).toMatchObject({ score: null, isAbsent: true })
  await page.getByRole('button', { name: words.publish }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.publish }).click()
  await page.getByText(words.wasPublished('Fractions')).waitFor()
  expect((await book()).exams[0].publishedAt).not.toBeNull()
})

test('a mark above the highest is told at its field, and nothing is sent', async () => {
  const id = await newExam(school.institute, groupId, { title: 'Quiz', maxScore: 20, heldAt: '2026-11-24' })
  const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${id}` })
  await page.locator('input.score').first().fill('21')
  await page.getByText(words.wrong('20')).waitFor()
  expect(await page.getByRole('button', { name: shell.save }).isDisabled()).toBe(true)
  // At the end of a long class, the way back to it.
  await page.locator('input.score').last().focus()
  await page.getByRole('button', { name: words.toWrong }).tap()
  expect(await page.evaluate<boolean>('document.activeElement === document.querySelector("input.score")')).toBe(true)
  await page.locator('input.score').first().fill('\u0661\u0669')
  await page.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.savedAll).waitFor()
  expect((await scoresOf(1))[0]).toBe(19)
})

test('what is typed and not saved is there again after the page was closed', async () => {
  const id = await newExam(school.institute, groupId, { title: 'Kept', maxScore: 20, heldAt: '2026-11-24' })
  const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${id}` })
  await page.locator('input.score').first().fill('12')
  await page.getByText(words.unsaved(1)).waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText(words.restored).waitFor()
  expect(await page.locator('input.score').first().inputValue()).toBe('12')
})

test('what is typed while marks are being saved stays, and builds on them', async () => {
  const id = await newExam(school.institute, groupId, { title: 'Slow', maxScore: 20, heldAt: '2026-11-24' })
  const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${id}` })
  const fields = page.locator('input.score')
  await fields.first().fill('12')
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/gradebook', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: shell.save }).click()
  await fields.first().fill('13')
  await fields.nth(1).fill('14')
  release()
  await page.getByText(words.savedAll).waitFor()
  await page.getByText(words.unsaved(2)).waitFor()
  expect(await fields.first().inputValue()).toBe('13')
  await page.getByRole('button', { name: shell.save }).click()
  await expect
    .poll(async () => {
      const { exams, students } = await book()
      const at = exams.findIndex((exam: { id: string }) => exam.id === id)
      return students.slice(0, 2).map(({ results }: { results: { score: number }[] }) => results[at]?.score)
    })
    .toEqual([13, 14])
})

test('two who enter other marks: the second chooses which stands', async () => {
  const id = await newExam(school.institute, groupId, { title: 'Both', maxScore: 20, heldAt: '2026-11-24' })
  const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${id}` })
  await page.locator('input.score').first().fill('12')
  const [first] = (await book()).students
  await school.institute.owner.put(`/exams/${id}/results`, { results: [{ studentId: first.studentId, score: 15 }] })
  await page.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.conflict(1)).waitFor()
  await page.getByRole('button', { name: words.keepMine }).click()
  await page.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.savedAll).waitFor()
  const { exams, students } = await book()
  const at = exams.findIndex((exam: { id: string }) => exam.id === id)
  expect(students[0].results[at].score).toBe(12)
})

test('a new exam leads to its class', async () => {
  const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook`, size: 'desk' })
  await page.getByRole('button', { name: words.add }).click()
  await page.getByRole('textbox', { name: words.name }).fill('Unit 2')
  await page.getByRole('button', { name: shell.save }).click()
  await page.getByRole('heading', { name: 'Unit 2' }).waitFor()
  await expect.poll(() => page.locator('input.score').count()).toBe(12)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the exams of a group', async () => {
    const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook`, locale })
    await expect.poll(() => page.getByText('Fractions').count()).toBeGreaterThan(0)
    await examine(page, locale, `console-gradebook-${locale}`)
  })

  test('the class of one exam', async () => {
    const page = await open({ as: school.teacher, path: `/groups/${groupId}/gradebook/${examId}`, locale })
    await expect.poll(() => page.locator('input.score').count()).toBe(12)
    await examine(page, locale, `console-scores-${locale}`)
  })
})
