import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
const { fees: feeWords } = await loadWords.en()

beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

test('fees that no run charges stand apart, and one that concerns nobody says so', async () => {
  const { owner } = school.institute
  const { courseId } = (await owner.get(`/groups/${school.groupIds[0]}`)).body
  const common = { amountMinor: 12_000, currency: 'ILS' }
  const fees = [
    { ...common, name: 'Registration', kind: 'registration', recurrence: 'once' },
    { ...common, name: 'Books', kind: 'one_off', recurrence: 'once' },
    { ...common, name: 'Videos', kind: 'per_course', recurrence: 'monthly', courseId },
  ]
  for (const fee of fees) expect((await owner.post('/fee-schedules', fee)).status).toBe(201)
  for (const { locale } of LANGUAGES) {
    const spoken = await loadWords[locale]()
    const size = locale === 'en' ? 'desk' : 'phone'
    const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/invoices/run', size, locale })
    await page.getByText(spoken.invoices.uncharged.nobody, { exact: true }).waitFor()
    await page.getByText(spoken.fees.chargedBy.registration).waitFor()
    await page.getByText(spoken.fees.chargedBy.hand).waitFor()
    await examine(page, locale, `console-run-other-fees-${locale}`)
    if (locale !== 'en') continue
    await page.getByRole('button', { name: feeWords.newFee }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: new RegExp(feeWords.feeFor) }).click()
    await page.getByRole('option').first().click()
    await sheet.getByText(feeWords.once, { exact: true }).click()
    await sheet.getByText(feeWords.chargedBy.registration).waitFor()
  }
})

test('who may be billed for the month already is shown, and billed again by whoever says so', async () => {
  const { owner } = school.institute
  const [groupId] = school.groupIds
  const fee = {
    name: 'Tuition',
    kind: 'per_group',
    recurrence: 'monthly',
    groupId,
    amountMinor: 33_300,
    currency: 'ILS',
  }
  expect((await owner.post('/fee-schedules', fee)).status).toBe(201)
  const { data } = (await owner.get(`/enrollments?groupId=${groupId}&status=active`)).body
  const { studentId } = data[0]
  const lines = [{ description: 'November', unitAmountMinor: 30_000 }]
  const { number } = (await owner.post('/invoices', { studentId, lines })).body
  for (const { locale } of LANGUAGES) {
    const { invoices } = await loadWords[locale]()
    const size = locale === 'he' ? 'phone' : 'desk'
    const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/invoices/run', size, locale })
    const list = page.getByRole('list', { name: invoices.mayBeBilled })
    await list.getByText(number).waitFor()
    await examine(page, locale, `console-run-may-be-billed-${locale}`)
    if (locale !== 'en') continue
    const drafts = () =>
      page
        .getByRole('button', { name: /drafts?$/i })
        .last()
        .innerText()
    const before = await drafts()
    await press(list.getByRole('checkbox').first())
    await expect.poll(drafts).not.toBe(before)
    await expect.poll(() => list.getByText(number).count()).toBe(1)
  }
})
