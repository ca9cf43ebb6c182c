import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** What people paste and mistype into any form: taken right or said to be wrong, and nothing of it lost. */

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('ar')
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const read = async (path: string) => (await school.institute.owner.get(path)).body
const ENDLESS = 'ن'.repeat(10_000)

/** Fails if anything but a reading is sent from here on. */
const watchSent = (page: Page): string[] => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/')) sent.push(request.url())
  })
  return sent
}

test('a form with a text that is too long, a date or an amount that nobody understands is not sent', async () => {
  const { groups, shell } = await loadWords.ar()
  const page = await open({ as: owner(), path: '/groups/new', size: 'desk', locale: 'ar' })
  const field = (name: string | RegExp) => page.getByRole('textbox', { name })
  const create = page.locator('main form button[type=submit]')
  const sent = watchSent(page)
  await field(groups.room).fill(ENDLESS)
  await create.click()
  await page.getByText(shell.tooLong(100, 10_000)).waitFor()
  expect(await field(groups.room).evaluate('document.activeElement.value.length' as never)).toBe(10_000)
  await field(groups.room).fill('غرفة\t٢\n')
  expect(await field(groups.room).inputValue()).toBe('غرفة ٢')
  const date = field(new RegExp(groups.firstDay))
  await date.fill('2026-13-45')
  await page.keyboard.press('Enter')
  await page.getByText(shell.unknownDate).waitFor()
  expect(await date.inputValue()).toBe('2026-13-45')
  expect(sent).toEqual([])
})

test('an invoice whose due date nobody understands is neither issued nor kept as a draft', async () => {
  const { invoices: words, shell } = await loadWords.ar()
  const page = await open({ as: owner(), path: '/invoices/new', size: 'desk', locale: 'ar' })
  await page.getByRole('combobox', { name: words.student }).fill(school.names.pupils[3])
  await page.getByRole('option').first().click()
  const sent = watchSent(page)
  await page.getByRole('textbox', { name: new RegExp(words.dueDate) }).fill('غدًا')
  for (const name of [words.saveDraft, words.saveAndIssue]) {
    await page.getByRole('button', { name }).click()
    await page.getByText(shell.unknownDate).waitFor()
  }
  expect(sent).toEqual([])
})

test('what the server does not take is said in the language of the reader, beside the field', async () => {
  const { register, people, leads } = await loadWords.ar()
  const page = await open({ as: owner(), path: '/leads', size: 'desk', locale: 'ar' })
  await page.getByRole('button', { name: leads.add }).first().click()
  const form = page.getByRole('dialog')
  for (const field of await form.getByRole('textbox').all()) await field.fill('١٬٢٣٤٫٥٦')
  await form.locator('button[type=submit]').click()
  await form.getByText(register.faults.noPhone).waitFor()

  const path = `/students/${school.studentIds[3]}`
  const student = await open({ beside: page, path, size: 'desk', locale: 'ar' })
  for (const [label, fault] of [
    [people.phone, register.faults.noPhone],
    [people.email, register.faults.noEmail],
  ] as const) {
    await student.getByRole('button', { name: label }).and(student.locator('.editable')).click()
    await student.getByRole('textbox', { name: label }).fill('ليس كذلك')
    await student.keyboard.press('Enter')
    await student.getByText(fault).waitFor()
    await student.keyboard.press('Escape')
  }
  expect(await read(path)).toMatchObject({ email: null, phone: expect.stringMatching(/^\+97254/) })
})

test('a note of attendance that is too long stays typed, and what could be sent before stays', async () => {
  const { attendance: words, shell } = await loadWords.ar()
  const page = await open({ as: school.teacher, path: `/sessions/${school.sessionIds[1]}`, locale: 'ar' })
  await page.getByRole('button', { name: words.detailsHint }).first().click()
  const note = page.getByRole('dialog').getByRole('textbox', { name: words.note })
  await note.fill('جاء مع أخيه')
  await note.fill(ENDLESS)
  await page.getByText(shell.tooLong(1000, 10_000)).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: shell.close }).click()
  expect(await note.inputValue()).toBe(ENDLESS)
})
