import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

test('what changed is told in sentences, from what to what, and leads to the record', async () => {
  const { history: words } = await loadWords.en()
  const [student] = school.studentIds
  await school.institute.owner.patch(`/students/${student}`, { birthDate: '2015-03-04', phone: '+972541234567' })
  await school.institute.owner.patch(`/courses/${(await school.institute.owner.get('/courses')).body.data[0].id}`, {
    defaultFeeMinor: 50_000,
  })
  await school.institute.owner.patch(`/branches/${school.secondBranchId}`, { isActive: false })
  const page = await open({ as: owner(), path: '/settings', size: 'desk' })
  await page.getByRole('link', { name: new RegExp(words.title) }).click()
  const list = page.getByRole('list', { name: words.title })
  const row = (text: string | RegExp) => list.getByRole('listitem').filter({ hasText: text })
  const told = async (text: string | RegExp) => plain((await row(text).first().textContent()) ?? '')
  await row('changed a student').first().waitFor()
  expect(await told('changed a student')).toMatch(
    /Samira Saleh changed a student.*date of birth: nothing became 04\/03\/2015/,
  )
  expect(await told('changed a student')).toMatch(/phone: 054-100-0000 became 054-123-4567/)
  expect(await told('changed a course')).toContain('usual fee: ₪450.00 became ₪500.00')
  expect(await told('changed a branch')).toContain('in use: yes became no')
  await page.getByRole('heading', { name: 'Tuesday 24 November' }).waitFor()
  // What has no page of its own leads to whom it belongs.
  expect(await row('added an enrolment').first().getByRole('link').getAttribute('href')).toMatch(/^\/students\//)
  expect(await told('signed in')).toContain('Samira Saleh signed in')
  await row('changed a student').first().getByRole('link', { name: words.open }).click()
  await page.getByRole('heading', { name: 'Lina Khoury' }).waitFor()
})

test('it is narrowed by who, by what and by day, also as a file, and the address keeps that', async () => {
  const { history: words, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/history', size: 'desk' })
  await page.getByRole('button', { name: new RegExp(words.anything) }).click()
  await page.getByRole('option', { name: words.kinds.lead, exact: true }).click()
  const list = page.getByRole('list', { name: words.title })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  expect(page.url()).toContain('what=lead')
  await page.getByRole('textbox', { name: words.to }).fill('23/11/2026')
  await page.getByText(words.none).waitFor()
  await page.getByRole('textbox', { name: words.to }).fill('24/11/2026')
  await list.getByText(/added an enquiry/).waitFor()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: shell.download }).click()
  await page.getByRole('menuitem', { name: shell.formats.csv }).click()
  const rows = readFileSync(await (await file).path(), 'utf8')
    .trim()
    .split('\n')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toContain('leads.create')
  // The file says it as the page does.
  const sentence = await list.getByText(/added an enquiry/).textContent()
  expect(plain(rows[1] ?? '')).toContain(plain(sentence ?? '-'))
  await page.getByRole('button', { name: new RegExp(words.anybody) }).click()
  await page.getByRole('option', { name: 'Rania Saleh' }).click()
  await page.getByText(words.none).waitFor()
  await page.reload()
  await page.getByText(words.none).waitFor()
})

test('a teacher and the front desk are not let in', async () => {
  const { shell } = await loadWords.en()
  for (const member of [school.teacher, await school.member('front_desk')]) {
    expect((await member.get('/audit')).status).toBe(403)
    // oxlint-disable-next-line no-await-in-loop -- one browser after the other
    const page = await open({ as: member, path: '/settings/history' })
    // oxlint-disable-next-line no-await-in-loop
    await page.getByRole('heading', { name: shell.notAllowed.title }).waitFor()
  }
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the page reads well', async () => {
    const { history: words } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/settings/history' })
    const list = page.getByRole('list', { name: words.title })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(50)
    await examine(page, locale, `history-${locale}`)
  })
})
