import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { newDiscount } from '../../api/examples/discounts.ts'
import { newFeeSchedule } from '../../api/examples/fees.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
/** Two children of one payer, in two groups that cost something. */
let family: string[]
beforeAll(async () => {
  school = await openSchool('en')
  const { institute, guardianId, groupIds, studentIds } = school
  const { owner } = institute
  family = studentIds.slice(2, 4)
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  for (const studentId of family) await owner.post(`/students/${studentId}/guardians`, link)
  for (const groupId of groupIds.slice(0, 2)) await newFeeSchedule(institute, { groupId })
  const siblingDiscounts = [
    { child: 2, percent: 10 },
    { child: 3, percent: 12.5 },
  ]
  await owner.patch('/settings', { siblingDiscounts })
  await newDiscount(institute, { studentId: family[0], groupId: groupIds[0] })
  const summer = { kind: 'amount', value: 5000, label: 'Summer' }
  await newDiscount(institute, { guardianId, ...summer, validFrom: '2026-09-01', validTo: '2026-12-31' })
})
afterAll(() => school.app.close())
const { open } = watched(() => school)
const { discounts: words, shell } = await loadWords.en()

test('an accountant gives a student a discount, and ends it', async () => {
  const path = `/students/${school.studentIds[0]}`
  const page = await open({ as: await school.member('accountant'), path, size: 'desk' })
  await page.getByRole('button', { name: words.add }).click()
  await page.getByRole('textbox', { name: words.percent }).fill('12.5%')
  await page.getByRole('button', { name: shell.save }).click()
  const list = page.getByRole('list', { name: words.title })
  await list.getByText(words.reasons.scholarship).waitFor()
  const { owner } = school.institute
  const read = async () => (await owner.get(`/discounts?studentId=${school.studentIds[0]}`)).body.data
  expect(await read()).toMatchObject([{ percent: 12.5, label: words.reasons.scholarship, validTo: null }])
  await page.getByRole('button', { name: /^More of/ }).click()
  await page.getByRole('menuitem', { name: words.end }).click()
  await expect.poll(async () => (await read())[0].validTo).not.toBeNull()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the list says who pays less and why', async () => {
    const page = await open({ as: await school.member('accountant'), path: '/discounts', locale })
    await expect.poll(() => page.getByText('Staff').count()).toBeGreaterThan(0)
    await examine(page, locale, `console-discounts-${locale}`)
  })

  test('the page of a student says what is paid, and what is taken off', async () => {
    const { discounts: said } = await loadWords[locale]()
    const path = `/students/${family[0]}`
    const page = await open({ as: await school.member('accountant'), path, locale })
    await expect.poll(() => page.getByText('Staff').count()).toBeGreaterThan(0)
    await examine(page, locale, `console-discounts-student-${locale}`)
    await page.getByRole('button', { name: said.price }).click()
    await page.getByRole('dialog').getByText(said.monthTotal).waitFor()
    await examine(page, locale, `console-price-${locale}`)
  })

  test('a guardian is given one for all their children', async () => {
    const { discounts: said } = await loadWords[locale]()
    const path = `/guardians/${school.guardianId}`
    const page = await open({ as: await school.member('accountant'), path, size: 'desk', locale })
    await expect.poll(() => page.getByText('Summer').count()).toBeGreaterThan(0)
    await examine(page, locale, `console-discounts-guardian-${locale}`)
    await page.getByRole('button', { name: said.add }).click()
    await page.getByRole('dialog').getByText(said.ofPayer).waitFor()
    await examine(page, locale, `console-new-discount-${locale}`)
  })

  test('the settings say what siblings are spared', async () => {
    const { discounts: said } = await loadWords[locale]()
    const as = { userId: school.institute.ownerUserId }
    const page = await open({ as, path: '/settings/institute', locale })
    await expect.poll(() => page.getByRole('list', { name: said.siblings }).getByRole('listitem').count()).toBe(2)
    await examine(page, locale, `console-siblings-${locale}`)
  })
})
