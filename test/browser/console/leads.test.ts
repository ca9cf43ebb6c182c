import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '#kit/archive.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'
import { loadWords } from '../../../src/console/words/index.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const newLead = async (firstName: string): Promise<string> => {
  const lead = {
    firstName,
    lastName: 'Haddad',
    phone: '+972541234567',
    message: '<b>hello</b>\nsecond line',
    guardian: { firstName: 'Hala', lastName: 'Haddad', phone: `+97254${String(Math.random()).slice(2, 9)}` },
  }
  return (await school.institute.owner.post('/leads', lead)).body.id
}

test('the front desk writes somebody down, speaks with them and goes on to register them', async () => {
  const { leads: words, people, shell } = await loadWords.en()
  const page = await open({ as: await school.member('front_desk'), path: '/leads', size: 'desk' })
  await page.getByRole('button', { name: words.add }).click()
  await page.getByRole('button', { name: words.save }).click()
  await expect.poll(() => page.getByText(words.missing).count()).toBe(3)
  await page.getByRole('textbox', { name: words.firstName }).fill('Noor')
  await page.getByRole('textbox', { name: words.lastName }).fill('Zaher')
  await page.getByRole('textbox', { name: words.phone }).fill('٠٥٤-٧٦٥٤٣٢١')
  await page.keyboard.press('Enter')
  await page.getByText(words.saved('Noor Zaher')).waitFor()

  const called = page.getByRole('link', { name: people.call('Noor Zaher') })
  expect(await called.getAttribute('href')).toBe('tel:+972547654321')
  await page
    .getByRole('link', { name: /Noor Zaher/ })
    .first()
    .click()
  expect(await page.getByRole('link', { name: '054-765-4321' }).getAttribute('href')).toBe('tel:+972547654321')
  await page.getByRole('textbox', { name: words.note }).fill('Calls back on Sunday')
  await page.getByRole('button', { name: words.saveNote }).click()
  await page.getByText(words.noteSaved).waitFor()
  await page.getByRole('button', { name: words.spoken }).click()
  await page.getByRole('button', { name: shell.undo }).click()
  await page.getByRole('button', { name: words.spoken }).click()
  await page.getByRole('button', { name: words.spoken }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: words.convert }).click()
  await page.waitForURL(/\/register\?lead=[0-9a-f-]{36}$/)
  const { data } = (await school.institute.owner.get('/leads?status=contacted')).body
  expect(data[0]).toMatchObject({ firstName: 'Noor', note: 'Calls back on Sunday', phone: '+972547654321' })
})

test('what somebody wrote is shown as text, and who may only read changes nothing', async () => {
  const id = await newLead('<img src=x>')
  const reader = await school.institute.member({ permissions: ['leads.read'] })
  const page = await open({ as: reader, path: `/leads/${id}` })
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('<img src=x> Haddad')
  await expect.poll(() => page.getByText('<b>hello</b>').count()).toBe(1)
  const { leads: words } = await loadWords.en()
  expect(await page.getByRole('link', { name: words.convert }).count()).toBe(0)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the list and one enquiry look right', async () => {
    const id = await newLead('Lina')
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/leads' })
    await page.getByRole('link', { name: /Lina/ }).first().waitFor()
    expect(await page.getByRole('link', { name: /Lina/ }).first().getAttribute('href')).toMatch(
      /^\/leads\/[0-9a-f-]{36}$/,
    )
    await examine(page, locale, `console-leads-${locale}`)
    await page.goto(`${school.app.url}/leads/${id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await examine(page, locale, `console-lead-${locale}`)
  })
})

test('a line stands between two enquiries, and a name from the right leaves the order of what follows', async () => {
  const { leads: words } = await loadWords.en()
  const guardian = { firstName: 'ريم', lastName: 'حمدان', phone: '+972541110001' }
  for (const firstName of ['Aya', 'Basel'])
    await school.institute.owner.post('/leads', { firstName, lastName: 'Line', phone: '+972541110002', guardian })
  const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/leads?q=Line', size: 'desk' })
  const rows = page.getByRole('listitem').filter({ hasText: 'Line' })
  await expect.poll(() => rows.count()).toBe(2)
  const lines = await page.evaluate<number>(`[...document.querySelectorAll('main li > .with-call')]
    .filter((row) => parseFloat(getComputedStyle(row).borderBlockStartWidth) > 0).length`)
  expect(lines).toBe(1)
  await rows.first().getByText(words.guardianOf('ريم حمدان')).waitFor()
  expect(words.guardianOf('ريم حمدان')).toMatch(/\u2068.*\u2069$/)
})

test('the list is downloaded as it is filtered, with heads in the language of the page', async () => {
  await newLead('Only')
  const { shell } = await loadWords.he()
  const page = await open({ as: await school.member('front_desk'), path: '/leads?q=Only', locale: 'he', size: 'desk' })
  await page.getByRole('button', { name: shell.download }).click()
  const downloads = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: shell.formats.csv }).click()
  const download = await downloads
  const name = download.suggestedFilename()
  expect(name).toMatch(/^מתעניינים-\d{4}-\d\d-\d\d\.csv$/)
  await page.getByText(shell.downloaded(name)).waitFor()
  const [heads, ...rows] = readCsv(await readFile(await download.path()))
  expect(heads).toContain('שם פרטי')
  expect(rows.map((row) => row[heads?.indexOf('שם פרטי') ?? 0])).toEqual(['Only'])
})
