import { afterAll, beforeAll, expect, test } from 'vitest'
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
  await page.getByText('+972541000000').waitFor()
  await value.press('Enter')
  await field.fill('+972549999992')
  const { owner } = school.institute
  await owner.patch(`/students/${school.studentIds[0]}`, { phone: '+972549999993' })
  await field.press('Enter')
  await page.getByText(/It is now: .*972549999993/).waitFor()
  expect(await field.inputValue()).toBe('+972549999992')
  await field.press('Enter')
  await page.getByRole('button', { name: /972549999992.*Change: Phone/ }).waitFor()
  expect((await owner.get(`/students/${school.studentIds[0]}`)).body.phone).toBe('+972549999992')
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
    'Exam results',
    'Family',
    'Details',
    'Files',
    'History',
  ])
  expect(await seen(school.teacher)).toEqual(['Attendance', 'Exam results', 'Details'])
  expect(await seen(await school.member('accountant'))).toEqual(['Open invoices', 'Family', 'Details'])
})
