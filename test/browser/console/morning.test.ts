import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPicture } from '#kit/browser.ts'
import { isolate } from '#shared/isolate.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** A queue of eight people at the front desk, in one tab, by whoever has no other right than the front desk's. */

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const words = await loadWords.en()
const { shell, people, payment, register, leads, invoices, edit } = words

/** Goes to whom somebody names, as the field on top finds them. */
const find = async (page: Page, typed: string, name: RegExp): Promise<void> => {
  await page.goto(`${school.app.url}/find`)
  await page.getByRole('combobox').fill(typed)
  await page.getByRole('option', { name }).first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

test('a morning of the front desk', async () => {
  const { owner } = school.institute
  const clerk = await school.member('front_desk')
  const page = await open({ as: clerk, path: '/', size: 'desk', locale: 'en' })
  let taken = 0
  const look = (what: string) => keepPicture(page, `morning-${(taken += 1)}-${what}`)
  await look('begins')

  // 1. Samira pays for the family.
  await find(page, '0521234567', /Samira/)
  await look('guardian')
  await page.getByRole('main').getByRole('link', { name: payment.title }).first().click()
  await look('pay')
  await page.getByRole('button', { name: new RegExp(payment.take('.*\\d')) }).click()
  await page.waitForURL(/\/receipts\//)
  await look('receipt')

  // 2. When is Dana's next lesson, and does she owe anything?
  await find(page, 'dana', /Dana Levi/)
  await look('question')
  await page
    .getByText(/Next lesson|Today/)
    .first()
    .waitFor()

  // 3. A new child of a mother who is known.
  await page.goto(`${school.app.url}/register`)
  await page.getByLabel(register.guardianPhone).fill('052-1234567')
  await page.getByText(register.relatedTo.mother(isolate('Lina Khoury'))).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByLabel(people.firstName).last().fill('Karim')
  await page.getByLabel(people.lastName).last().fill('Khoury')
  await page.getByRole('button', { name: /Robotics/ }).click()
  await look('register')
  await page.getByRole('button', { name: register.save, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: register.done('Karim Khoury') }).waitFor()
  await look('registered')

  // 4. Ali was marked absent although he came.
  await find(page, 'ali', /Ali Mansour/)
  await look('complaint')

  // 5. Maya changes her group.
  await find(page, 'maya', /Maya Cohen/)
  await page.getByRole('button', { name: `${shell.more}: English 5` }).click()
  await page.getByRole('menuitem', { name: people.move }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Robotics/ })
    .waitFor()
  await look('move')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Robotics/ })
    .click()
  await page.getByText(people.enrolled('Maya Cohen', 'Robotics')).waitFor()
  await look('moved')

  // 6. Samira lost her receipt.
  await find(page, 'samira', /Samira/)
  await page.getByRole('main').getByRole('link', { name: invoices.receipts }).click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /R-2026-/ })
    .click()
  await page.getByRole('article').waitFor()
  await look('reprint')

  // 7. Somebody asks about robotics.
  await page.goto(`${school.app.url}/leads`)
  await page.getByRole('button', { name: leads.add }).first().click()
  await page.getByRole('textbox', { name: leads.firstName }).fill('Noor')
  await page.getByRole('textbox', { name: leads.lastName }).fill('Zaher')
  await page.getByRole('textbox', { name: leads.phone }).fill('054-7654321')
  await look('enquiry')
  await page.keyboard.press('Enter')
  await page.getByText(leads.saved('Noor Zaher')).waitFor()

  // 8. Another phone number.
  await find(page, 'samira', /Samira/)
  await page.locator('.editable', { hasText: edit.change(people.phone) }).click()
  await page.getByRole('textbox', { name: people.phone }).fill('054 999 8877')
  await page.keyboard.press('Enter')
  await page.getByText('054-999-8877').first().waitFor()
  await look('phone')
  expect((await owner.get(`/guardians/${school.guardianId}`)).body.phone).toBe('+972549998877')
})
