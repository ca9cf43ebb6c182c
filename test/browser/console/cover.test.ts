import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { fillWeek } from './busy-week.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
/** Two who can stand in: one is free, the other gives a lesson on Wednesday afternoon. */
let omar: string
let dalia: string
const { open } = watched(() => school)
const owner = () => ({ userId: school.institute.ownerUserId })

beforeAll(async () => {
  school = await openSchool('en')
  await fillWeek(school)
  const { owner: client, branchId } = school.institute
  const staff = async (firstName: string, lastName: string): Promise<string> =>
    (await client.post('/staff', { branchId, firstName, lastName })).body.id
  omar = await staff('Omar', 'Daher')
  dalia = await staff('Dalia', 'Amir')
  const { courseId } = (await client.get(`/groups/${school.groupIds[0]}`)).body
  const group = { courseId, branchId, name: 'Choir', teacherStaffId: dalia }
  const choirId = (await client.post('/groups', group)).body.id
  const times = { scheduledStart: '2026-11-25T13:30:00.000Z', scheduledEnd: '2026-11-25T14:30:00.000Z' }
  await client.post(`/groups/${choirId}/sessions`, times)
})
afterAll(() => school.app.close())

const choose = async (page: Page, label: string, name: string) => {
  await page.getByRole('dialog').getByRole('button', { name: label }).click()
  await page.getByRole('option', { name }).click()
}
const covers = async () => (await school.institute.owner.get('/covers')).body.data

test('an absence is planned day by day: clashes are shown and left out, each day may have somebody else, and it is undone', async () => {
  const { week, people, shell } = await loadWords.en()
  const words = week.cover
  const page = await open({ as: owner(), path: '/week', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.plan }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: words.planIt }).click()
  await form.getByText(words.teacherMissing).waitFor()
  await choose(page, words.absent, 'Rania Saleh')
  await form.getByRole('textbox', { name: people.absentFrom }).fill('25.11.2026')
  await form.getByRole('textbox', { name: people.absentTo }).fill('26.11.2026')
  await choose(page, words.substitute, 'Dalia Amir')
  await form.getByText(words.clash('Choir', '15:30–16:30')).waitFor()
  const lesson = (name: RegExp) => form.getByRole('checkbox', { name })
  expect(await lesson(/15:00–16:30.*Math A/).isChecked()).toBe(false)
  expect(await lesson(/17:00–17:45/).isChecked()).toBe(true)
  await choose(page, words.substituteOn('Thursday 26 November'), 'Omar Daher')
  await form.getByRole('checkbox', { name: words.tellFamilies }).waitFor()
  await expect.poll(() => form.getByRole('button', { name: words.planIt }).isEnabled()).toBe(true)
  await form.getByRole('button', { name: words.planIt }).click()
  const list = page.getByRole('list', { name: words.title })
  await list.getByText(words.standsIn('Omar Daher', 'Rania Saleh')).waitFor()
  await list.getByText(words.standsIn('Dalia Amir', 'Rania Saleh')).waitFor()
  expect(await covers()).toMatchObject([
    { substituteStaffId: dalia, from: '2026-11-25', to: '2026-11-25', coveredSessions: 1 },
    { substituteStaffId: omar, from: '2026-11-26', to: '2026-11-26', coveredSessions: 3 },
  ])
  const undo = list.getByRole('button', { name: shell.undo })
  await undo.first().click()
  await page.getByText(words.undone('Rania Saleh')).waitFor()
  await expect.poll(() => undo.count()).toBe(1)
  await undo.click()
  await expect.poll(covers).toEqual([])
})

test.each(LANGUAGES.flatMap(({ locale }) => (['desk', 'phone'] as const).map((size) => ({ locale, size }))))(
  'the sheet and the week are looked at in $locale on a $size',
  async ({ locale, size }) => {
    const { week, people } = await loadWords[locale]()
    const words = week.cover
    const { institute, teacherStaffId } = school
    const body = { substituteStaffId: omar, from: '2026-11-26', to: '2026-11-26', reason: 'Reserve duty' }
    const { cover } = (await institute.owner.post(`/staff/${teacherStaffId}/cover`, body)).body
    try {
      const path = `/week?teacher=${teacherStaffId}`
      const page = await open({ as: owner(), path, size, locale })
      await page.getByRole('list', { name: words.title }).waitFor()
      await examine(page, locale, `console-covers-${size}-${locale}`)
      await page.getByRole('button', { name: words.plan }).click()
      await page.getByRole('textbox', { name: people.absentTo }).fill('26.11.2026')
      await choose(page, words.substitute, 'Dalia Amir')
      await page.getByText('Choir').first().waitFor()
      expect(await page.getByRole('checkbox', { name: /Arabic B1/ }).isChecked()).toBe(true)
      await examine(page, locale, `console-cover-sheet-${size}-${locale}`)
    } finally {
      await institute.owner.delete(`/covers/${cover.id}`)
    }
  },
)

test.each(LANGUAGES)('who is absent today stands by lesson, with a phone to tap, in $locale', async ({ locale }) => {
  const { today, people } = await loadWords[locale]()
  const [, sessionId] = school.sessionIds
  const { entries } = (await school.institute.owner.get(`/sessions/${sessionId}/attendance`)).body
  const marks = entries.slice(0, 2).map(({ studentId }: { studentId: string }) => ({ studentId, status: 'absent' }))
  await school.institute.owner.put(`/sessions/${sessionId}/attendance`, { entries: marks })
  await school.institute.owner.post(`/students/${marks[0].studentId}/guardians`, {
    guardianId: school.guardianId,
    relationship: 'mother',
    isPrimary: true,
    isPayer: true,
  })
  const page = await open({ as: owner(), path: '/today', size: locale === 'en' ? 'desk' : 'phone', locale })
  const { data } = (await school.institute.owner.get('/dashboard/absent')).body
  const students = new Set(data.map(({ studentId }: { studentId: string }) => studentId))
  await page.getByRole('heading', { name: today.markedAbsent(students.size) }).waitFor()
  const call = page.getByRole('link', { name: people.call('Samira Khoury') }).first()
  expect(await call.getAttribute('href')).toMatch(/^tel:\+972/)
  await page
    .getByText(/^05\d-\d{3}-\d{4}$/)
    .first()
    .waitFor()
  await examine(page, locale, `console-absent-${locale}`)
})

test.each(LANGUAGES)('quiet hours are set, and said in a sentence, in $locale', async ({ locale }) => {
  const { institute: words, shell } = await loadWords[locale]()
  await school.institute.owner.patch('/settings', {
    quietHours: null,
    quietDays: { weekdays: [], onClosedDays: false },
  })
  const page = await open({ as: owner(), path: '/settings/institute', size: 'desk', locale })
  await page.getByText(words.quiet.none).waitFor()
  const section = page.locator('section', { has: page.getByRole('heading', { name: words.quiet.title }) })
  await section.getByRole('button', { name: shell.edit }).click()
  const form = page.getByRole('dialog')
  await press(form.getByRole('checkbox', { name: words.quiet.everyDay }))
  await form.getByRole('textbox', { name: words.quiet.from }).fill('2130')
  await form.getByRole('textbox', { name: words.quiet.to }).fill('21:30')
  await press(form.getByRole('checkbox').nth(7))
  await form.getByRole('button', { name: shell.save }).click()
  await form.getByText(words.quiet.sameTime).waitFor()
  await form.getByRole('textbox', { name: words.quiet.to }).fill('7')
  await examine(page, locale, `console-quiet-form-${locale}`)
  await form.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.quiet.between('21:30', '07:00')).waitFor()
  await examine(page, locale, `console-quiet-${locale}`)
  expect((await school.institute.owner.get('/settings')).body).toMatchObject({
    quietHours: { from: '21:30', to: '07:00' },
    quietDays: { weekdays: [6], onClosedDays: false },
  })
})

test('the group’s page gives the contact list as a paper and as a file', async () => {
  const { groups, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: `/groups/${school.groupIds[0]}`, size: 'desk', locale: 'en' })
  const paper = page.waitForEvent('download')
  const papers = page.getByRole('button', { name: groups.papers })
  await papers.click()
  await page.getByRole('menuitem', { name: groups.contacts(shell.paper) }).click()
  expect((await paper).suggestedFilename()).toMatch(/^contacts-.*\.pdf$/)
  const file = page.waitForEvent('download')
  await papers.click()
  await page.getByRole('menuitem', { name: groups.contacts(shell.formats.csv) }).click()
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)
})
