import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badlyNamed } from '#kit/accessibility.ts'
import { ar } from '../../../src/console/words/ar/index.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { he } from '../../../src/console/words/he/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** As many as the list of a choice holds. */
const A_PAGE = 50

let school: School
beforeAll(async () => {
  school = await openSchool('en')
  // The first course of the school is the oldest: with these it is the 101st of the list, which has the newest first.
  const { data } = (await school.institute.owner.get('/courses')).body
  const { categoryId } = data[0] as { categoryId: string }
  for (let number = data.length; number <= 100; number += 1) {
    await school.institute.owner.post('/courses', { categoryId, name: `Course ${number}` })
  }
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

const { courses: words, groups, leads, register, shell } = en
const owner = () => ({ userId: school.institute.ownerUserId })
const hasFocus = async (page: Page, label: string | RegExp): Promise<boolean> =>
  (await page.getByRole('textbox', { name: label }).and(page.locator(':focus')).count()) === 1

describe('the 101st of the courses', () => {
  test('is found by typing, is chosen with the keyboard, and gets a group', async () => {
    const page = await open({ as: owner(), path: '/groups/new', size: 'desk', locale: 'en' })
    const course = page.getByRole('button', { name: words.course }).first()
    await course.click()
    const search = page.getByRole('searchbox', { name: shell.search })
    await expect.poll(() => search.evaluate('document.activeElement.type' as never)).toBe('search')
    await expect.poll(() => page.getByRole('option').count()).toBe(A_PAGE)
    expect(await page.getByRole('option', { name: school.names.course }).count()).toBe(0)
    await page.keyboard.type('after-school')
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([school.names.course])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: new RegExp(school.names.course) }).waitFor()
    expect(await page.getByRole('listbox').count()).toBe(0)

    await page.getByRole('textbox', { name: words.groupName }).fill('Late')
    await page.getByRole('button', { name: words.branch }).last().click()
    await page.getByRole('option').first().click()
    await page.getByRole('button', { name: words.saveGroup }).click()
    await page.getByRole('heading', { name: 'Late' }).waitFor()
    const { data } = (await school.institute.owner.get('/groups?q=Late')).body
    expect(data).toMatchObject([{ name: 'Late', courseName: school.names.course }])
  })

  test('is at the end of the list of courses, which goes on page by page', async () => {
    const page = await open({ as: owner(), path: '/courses', size: 'desk', locale: 'en' })
    const names = page.getByRole('list', { name: words.title }).locator('.name')
    const more = page.getByRole('button', { name: shell.showMore })
    for (const count of [A_PAGE, 2 * A_PAGE]) {
      await expect.poll(() => names.count()).toBe(count)
      await more.click()
    }
    const shown = async () => new Set(await names.allTextContents()).size
    await expect.poll(shown).toBe(101)
    await expect.poll(() => names.last().textContent()).toBe(school.names.course)
    expect(await more.count()).toBe(0)
  })

  test('narrows the list of groups, and stays named in the filter', async () => {
    const page = await open({ as: owner(), path: '/groups', size: 'desk', locale: 'en' })
    await page.getByRole('button', { name: new RegExp(groups.course) }).click()
    await page.getByRole('searchbox', { name: shell.search }).fill('after')
    await page.getByRole('option', { name: school.names.course }).click()
    await page.getByRole('button', { name: new RegExp(school.names.course) }).waitFor()
    await page.getByRole('link', { name: /Math A/ }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: new RegExp(school.names.course) }).waitFor()
    expect(new URL(page.url()).searchParams.get('course')).toMatch(/^[\da-f-]{36}$/)
  })

  test.each([
    { locale: 'ar', spoken: ar },
    { locale: 'he', spoken: he },
  ] as const)('is looked for in a list that everybody can use, in $locale', async ({ locale, spoken }) => {
    const page = await open({ as: owner(), path: '/groups/new', locale })
    await page.getByRole('button', { name: spoken.courses.course }).first().click()
    await page.getByRole('searchbox', { name: spoken.shell.search }).fill('xyz')
    await page.getByText(spoken.shell.nothingFound).waitFor()
    expect(await badlyNamed(page)).toEqual([])
    await page.getByRole('searchbox').fill('Course 1')
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(10)
  })
})

test('after a try the first field that is wrong has the focus, and what the server refuses stands at its field', async () => {
  const page = await open({ as: owner(), path: '/leads', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: leads.add }).first().click()
  const sheet = page.getByRole('dialog')
  const field = (label: string) => sheet.getByRole('textbox', { name: label })
  await field(leads.firstName).fill('Dana')
  expect(await sheet.getByText(leads.missing).count()).toBe(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(page, leads.lastName)).toBe(true)
  await expect.poll(() => sheet.getByText(leads.missing).count()).toBe(2)

  await field(leads.lastName).fill('Levi')
  await field(leads.phone).fill('12')
  await field(leads.courseInterest).fill('Chess')
  await page.keyboard.press('Enter')
  await sheet.getByText(register.faults.noPhone).waitFor()
  await expect.poll(() => hasFocus(page, leads.phone)).toBe(true)
  // What was typed stays, and what is wrong with the field goes once it is changed.
  expect(await field(leads.courseInterest).inputValue()).toBe('Chess')
  await page.keyboard.press('End')
  await page.keyboard.type('3')
  expect(await sheet.getByText(register.faults.noPhone).count()).toBe(0)
  await field(leads.phone).fill('٠٥٢-١٢٣-٤٥٦٧')
  await page.keyboard.press('Enter')
  await page.getByText(leads.saved('Dana Levi')).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})
