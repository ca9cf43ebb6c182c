import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)
const { lesson: words, attendance, shell, faults } = await loadWords.en()

const HOSTILE = '<img src=x onerror=alert(1)> \u2067עמ׳ 34'

/** Lessons of the second group: one two days ago, one that runs, one in two days. */
let lastId: string
let sessionId: string
beforeEach(async () => {
  const add = async (day: string) => {
    const times = { scheduledStart: `${day}T14:00:00.000Z`, scheduledEnd: `${day}T15:30:00.000Z` }
    return (await school.institute.owner.post(`/groups/${school.groupIds[1]}/sessions`, times)).body.id as string
  }
  lastId = await add('2026-11-22')
  sessionId = await add('2026-11-24')
  await add('2026-11-26')
})

// The lessons of a test before say nothing in the next one.
afterEach(async () => {
  for (const id of [lastId, sessionId]) await write(id, { topic: null, homework: null, notes: null })
})

const stored = async (id = sessionId) => (await school.institute.owner.get(`/sessions/${id}`)).body
const write = (id: string, body: object) => school.institute.owner.patch(`/sessions/${id}`, body)
const openLesson = (options: Parameters<typeof open>[0] = {}) =>
  open({ as: school.teacher, path: `/sessions/${sessionId}`, ...options })
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const save = (page: Page) => page.getByRole('button', { name: words.save })

test('in the break, on a phone: the class is taken, homework is set for the next lesson, and one goes on', async () => {
  await write(lastId, { topic: 'Fractions', homework: { text: HOSTILE, dueOn: '2026-11-24' }, notes: 'Slow down' })
  const page = await openLesson()
  const last = page.locator('.last-lesson')
  await last.getByText('Fractions').waitFor()
  await expect.poll(() => last.innerText()).toContain(HOSTILE)
  await expect.poll(() => last.innerText()).toContain(words.dueToday)
  await expect.poll(() => last.innerText()).toContain('Slow down')
  await page.getByRole('button', { name: shell.save, exact: true }).tap()
  await page.getByText(attendance.savedAt('16:10'), { exact: true }).waitFor()
  await page.getByRole('button', { name: words.goTo }).tap()
  await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('input')
  await page.keyboard.type('Decimals')
  await field(page, words.homework).fill('Page 35\n1 to 5')
  await page.getByRole('button', { name: /^For the next lesson/ }).tap()
  await field(page, words.note).fill('Ask Dana')
  await save(page).tap()
  await page.getByText(words.saved).waitFor()
  expect(await stored()).toMatchObject({
    status: 'held',
    topic: 'Decimals',
    homework: { text: 'Page 35\n1 to 5', dueOn: '2026-11-26' },
    notes: 'Ask Dana',
  })
  expect(await save(page).isDisabled()).toBe(true)
})

test('what is typed and not saved is there again after the network was gone, and is saved once', async () => {
  const page = await openLesson()
  await field(page, words.topic).fill('Kept')
  await page.route('**/api/v1/sessions/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await save(page).click()
  await page.getByText(faults.unreachable).first().waitFor({ timeout: 30_000 })
  await page.unroute('**/api/v1/sessions/*')
  await page.reload()
  await expect.poll(() => field(page, words.topic).inputValue()).toBe('Kept')
  let patches = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH') patches += 1
  })
  await save(page).dblclick()
  await page.getByText(words.saved).waitFor()
  expect([patches, (await stored()).topic]).toEqual([1, 'Kept'])
  await page.reload()
  await expect.poll(() => field(page, words.topic).inputValue()).toBe('Kept')
  expect(await save(page).isDisabled()).toBe(true)
})

test('only what was changed is sent: what another wrote meanwhile stays, and is told where both wrote', async () => {
  const page = await openLesson({ size: 'desk' })
  await field(page, words.topic).fill('Mine')
  await write(sessionId, { topic: 'Theirs', notes: 'From the office' })
  await field(page, words.homework).fill('Page 36')
  await page.keyboard.press('Control+Enter')
  await page.getByText(words.saved).waitFor()
  expect(await stored()).toMatchObject({ topic: 'Mine', homework: { text: 'Page 36' }, notes: 'From the office' })
})

test('homework that would be due before the lesson is told at its field, and nothing is lost', async () => {
  const page = await openLesson({ size: 'desk' })
  await field(page, words.homework).fill('Page 36')
  await page.getByRole('textbox', { name: new RegExp(words.dueOn) }).fill('23/11/2026')
  await save(page).click()
  await page.getByText(words.dueBefore).waitFor()
  expect(await field(page, words.homework).inputValue()).toBe('Page 36')
  expect((await stored()).homework).toBeNull()
})

test('whoever may only read sees what is written, and no field', async () => {
  await write(sessionId, { topic: 'Decimals', homework: { text: HOSTILE }, notes: 'Ask Dana' })
  const page = await openLesson({ as: await school.member('front_desk'), size: 'desk' })
  const lesson = page.locator('.lesson-notes')
  await lesson.getByText('Decimals').waitFor()
  await expect.poll(() => lesson.innerText()).toContain(HOSTILE)
  expect(await lesson.getByRole('textbox').count()).toBe(0)
})

test('the page of the group lists its last lessons with topic and homework', async () => {
  await write(lastId, { topic: 'Fractions', homework: { text: 'Page 34' } })
  const page = await open({ as: school.teacher, path: `/groups/${school.groupIds[1]}`, size: 'desk' })
  const row = page.locator(`a[href="/sessions/${lastId}"]`)
  await row.getByText('Fractions').waitFor()
  await expect.poll(() => row.innerText()).toContain('Page 34')
})

test('a mother reads what her child has to do, and never what staff note', async () => {
  const { institute, guardianId } = school
  await write(lastId, { topic: 'Fractions', homework: { text: HOSTILE, dueOn: '2026-11-26' }, notes: 'Slow down' })
  const mother = await school.member('guardian')
  await institute.owner.patch(`/guardians/${guardianId}`, { userId: mother.userId })
  const page = await open({ as: mother })
  const section = page.locator('section.section').filter({ has: page.getByRole('heading', { name: words.homework }) })
  await section.getByText(school.names.groups[1]).first().waitFor()
  await expect.poll(() => section.innerText()).toContain(HOSTILE)
  expect(await page.getByText('Slow down').count()).toBe(0)
  for (const { locale } of LANGUAGES) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const other = await open({ as: mother, locale })
    // oxlint-disable-next-line no-await-in-loop
    await examine(other, locale, `console-homework-${locale}`)
  }
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the page of a lesson', async () => {
    const texts = {
      en: ['Fractions', 'Workbook page 34, exercises 1 to 5', 'Dana and Omar need more time'],
      he: ['שברים', 'חוברת עבודה עמ׳ 34, תרגילים 1–5', 'דנה ועומר צריכים עוד זמן'],
      ar: ['الكسور', 'كتاب التمارين صفحة 34، التمارين 1–5', 'دانا وعمر يحتاجان إلى وقت أطول'],
    }[locale]
    const [topic, text, notes] = texts as [string, string, string]
    await write(lastId, { topic, homework: { text, dueOn: '2026-11-24' }, notes })
    await write(sessionId, { topic, homework: { text, dueOn: '2026-11-26' } })
    const page = await openLesson({ locale })
    await expect.poll(() => page.locator('.lesson-notes').getByRole('textbox').count()).toBe(4)
    await examine(page, locale, `console-lesson-${locale}`)
  })
})
