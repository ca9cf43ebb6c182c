import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../../src/console/words/en/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let path: string
beforeAll(async () => {
  school = await openSchool('en')
  path = `/students/${school.studentIds[0]}`
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

test('a phone is changed where it stands, by keyboard, and never over what somebody else wrote', async () => {
  const page = await open({ as: await school.member('front_desk'), path, size: 'desk', locale: 'en' })
  const value = page.getByRole('button', { name: 'Change: Phone' })
  const field = page.getByRole('textbox', { name: 'Phone' })
  await value.press('Enter')
  await field.fill('+972549999991')
  await field.press('Escape')
  await page.getByText('054-100-0000').waitFor()
  const hasFocus = () => value.evaluate((button) => button.matches(':focus'))
  await expect.poll(hasFocus, { message: 'given up' }).toBe(true)
  await value.press('Enter')
  await field.fill('+972549999992')
  const { owner } = school.institute
  await owner.patch(`/students/${school.studentIds[0]}`, { phone: '+972549999993' })
  await field.press('Enter')
  await page.getByText(/It is now: .*054-999-9993/).waitFor()
  expect(await field.inputValue()).toBe('+972549999992')
  await field.press('Enter')
  await page.getByRole('button', { name: /054-999-9992.*Change: Phone/ }).waitFor()
  await expect.poll(hasFocus, { message: 'saved' }).toBe(true)
  expect((await owner.get(`/students/${school.studentIds[0]}`)).body.phone).toBe('+972549999992')
})

test('the number of the identity card and the address are changed where they stand, each part alone', async () => {
  const page = await open({ as: await school.member('front_desk'), path, locale: 'en' })
  const { owner } = school.institute
  const kept = async () => (await owner.get(`/students/${school.studentIds[0]}`)).body
  const change = async (label: string, typed: string) => {
    await page.getByRole('button', { name: `Change: ${label}` }).tap()
    const field = page.getByRole('textbox', { name: label })
    await field.fill(typed)
    await field.press('Enter')
    await field.waitFor({ state: 'detached' })
  }
  await change(en.register.nationalId, '٠٣٩٣٣٧٤٢٣')
  await page.getByText('039337423').waitFor()
  await change(en.branches.street, 'Salah ad-Din 7')
  // Somebody else writes what the page does not show.
  await owner.patch(`/students/${school.studentIds[0]}`, { address: { line1: 'Salah ad-Din 7', postalCode: '91190' } })
  await change(en.branches.city, 'Jerusalem')
  expect(await kept()).toMatchObject({
    nationalId: '039337423',
    address: { line1: 'Salah ad-Din 7', city: 'Jerusalem', postalCode: '91190' },
  })
  await owner.patch(`/students/${school.studentIds[0]}`, { address: { city: 'Jerusalem' } })
  await page.reload()
  await change(en.branches.city, '')
  expect((await kept()).address).toBeNull()
})

test('shows each role what it may see', async () => {
  const seen = async (as: { userId: string }) => {
    const page = await open({ as, path, size: 'desk', locale: 'en' })
    await page.waitForLoadState('networkidle')
    return page.getByRole('heading', { level: 2 }).allTextContents()
  }
  expect(await seen({ userId: school.institute.ownerUserId })).toEqual([
    'Groups',
    'Attendance',
    'Open invoices',
    'Discounts',
    'Exam results',
    'Progress reports',
    'Family',
    'Details',
    'Files',
    'History',
  ])
  expect(await seen(school.teacher)).toEqual(['Attendance', 'Exam results', 'Progress reports', 'Details'])
  expect(await seen(await school.member('accountant'))).toEqual([
    'Open invoices',
    'Discounts',
    'Progress reports',
    'Family',
    'Details',
  ])
})

test('a progress report is written, looked at as a paper, and sent', async () => {
  const { reports: words, shell } = en
  const { owner } = school.institute
  const page = await open({ as: await school.member('branch_manager'), path, size: 'desk', locale: 'en' })
  const section = page.locator('section.section').filter({ has: page.getByRole('heading', { name: words.title }) })
  await section.getByText(words.none).waitFor()
  await section.getByRole('button', { name: words.write }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('textbox', { name: words.to, exact: true }).fill('1/11/2026')
  await sheet.getByRole('textbox', { name: words.from, exact: true }).fill('24/11/2026')
  await sheet.getByRole('textbox', { name: words.comment }).fill('Reads very well <b>now</b>.')
  await sheet.getByRole('button', { name: words.save }).click()
  await sheet.getByText(words.backwards).waitFor()
  await sheet.getByRole('textbox', { name: words.from, exact: true }).fill('1/11/2026')
  await sheet.getByRole('textbox', { name: words.to, exact: true }).fill('24/11/2026')
  await sheet.getByRole('button', { name: words.save }).click()
  await page.getByRole('heading', { level: 1, name: 'Lina Khoury' }).waitFor()
  const { data } = (await owner.get(`/progress-reports?studentId=${school.studentIds[0]}`)).body
  expect(data).toMatchObject([
    { status: 'draft', periodStart: '2026-11-01', periodEnd: '2026-11-24', comment: 'Reads very well <b>now</b>.' },
  ])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: shell.paper }).click()
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
  await page.getByRole('button', { name: words.send, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.send, exact: true }).click()
  await page.getByText(/Sent on .?24/).waitFor()
  expect((await owner.get(`/progress-reports/${data[0].id}`)).body.status).toBe('sent')
  // A draft that nobody wants goes.
  const { body } = await owner.post('/progress-reports', {
    studentId: school.studentIds[0],
    periodStart: '2026-10-01',
    periodEnd: '2026-10-31',
  })
  await page.goto(`${school.app.url}${path}`)
  await section.getByText(words.states.draft, { exact: true }).click()
  await page.getByRole('button', { name: shell.more, exact: true }).click()
  await page.getByRole('menuitem', { name: words.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.remove }).click()
  await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
  expect((await owner.get(`/progress-reports/${body.id}`)).status).toBe(404)
})

test('an enrolment whose answer was lost takes effect once when it is pressed again', async () => {
  const { people, faults } = en
  const { owner, branchId } = school.institute
  const { id } = (await owner.post('/students', { branchId, firstName: 'Noa', lastName: 'Barak' })).body
  await owner.post(`/students/${id}/status`, { status: 'active' })
  const page = await open({ as: { userId: school.institute.ownerUserId }, path: `/students/${id}`, size: 'desk' })
  const names: (string | undefined)[] = []
  await page.route('**/api/v1/enrollments', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    names.push(route.request().headers()['idempotency-key'])
    if (names.length > 1) return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: people.enrol, exact: true }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: /Robotics/ }).click()
  await sheet.getByText(faults.unreachable).waitFor()
  await sheet.getByRole('button', { name: /Robotics/ }).click()
  await page.getByText(people.enrolled('Noa Barak', 'Robotics')).waitFor()
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), names[0]])
  const { data } = (await owner.get(`/enrollments?studentId=${id}`)).body
  expect(data).toMatchObject([{ status: 'active' }])
})
