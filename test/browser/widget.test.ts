import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { badlyNamed, LOOKED_AT, violations, violationsInDark } from '#kit/accessibility.ts'
import { keepPicture } from '#kit/browser.ts'
import { worldOf } from '#kit/examples.ts'
import { newCourse } from '../api/examples/academics.ts'
import { newPage } from './screens.ts'
import { allowing, field, fill, leadsOf, PEOPLE, scriptTag, submit, thanked, useWebsite } from './website.ts'

const { at, institute, write, open } = useWebsite()

const LANGUAGES = [
  ['en', 'ltr', 'Please fill in this field.', 'Thank you'],
  ['ar', 'rtl', 'يُرجى تعبئة هذا الحقل.', 'شكرًا جزيلًا'],
  ['he', 'rtl', 'נא למלא את השדה הזה.', 'תודה רבה'],
] as const

describe.each(LANGUAGES)('in %s', (locale, direction, required, thanks) => {
  const look = async (page: Page, picture: string): Promise<void> => {
    expect.soft(await badlyNamed(page), picture).toEqual([])
    for (const [name, width] of [
      ['narrowest', 320],
      ['phone', 360],
      ['desktop', 1280],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect.soft(wide, `${picture}-${name}`).toBeLessThanOrEqual(width)
      if (name === 'narrowest') continue
      await keepPicture(page, `widget-${picture}-${name}`)
      expect.soft(await violations(page), `${picture}-${name}`).toEqual([])
      if (locale === LOOKED_AT) expect.soft(await violationsInDark(page), `${picture}-${name}`).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await keepPicture(page, `widget-${picture}-dark`)
    await page.emulateMedia({ colorScheme: 'light' })
  }

  test('it is read and filled in by everybody, and what is missing is said at its field', async () => {
    const of = await institute()
    await newCourse(worldOf(at.app, of), { isPublic: true, name: 'English for beginners' })
    const page = await open({ ...of, locale })
    await page.locator('institute-registration option').nth(1).waitFor({ state: 'attached' })
    const frame = page.locator('institute-registration [lang]')
    expect([await frame.getAttribute('lang'), await frame.getAttribute('dir')]).toEqual([locale, direction])
    await look(page, `${locale}-empty`)

    await submit(page)
    for (const id of Object.keys(PEOPLE)) {
      await expect.poll(() => field(page, `${id}-error`).textContent(), { message: id }).toBe(required)
      expect(await field(page, id).getAttribute('aria-invalid'), id).toBe('true')
      expect(await field(page, id).getAttribute('aria-describedby')).toBe(`${id}-error`)
    }
    const inFocus = 'document.querySelector("institute-registration").shadowRoot.activeElement.id'
    expect(await page.evaluate(inFocus)).toBe('firstName')
    await look(page, `${locale}-faults`)

    await fill(page)
    await field(page, 'courseId').selectOption({ index: 1 })
    await field(page, 'message').fill('Mondays?')
    // By keyboard alone: the button is the next stop after the message.
    await field(page, 'message').press('Tab')
    await page.keyboard.press('Enter')
    await thanked(page)
    expect(await page.evaluate(inFocus)).toBe('title')
    await expect.poll(() => field(page, 'title').textContent()).toBe(thanks)
    await look(page, `${locale}-received`)
    expect(at.faults).toEqual([])
    expect(await leadsOf(of)).toMatchObject([
      {
        source: 'widget',
        status: 'new',
        firstName: 'ליאן',
        guardian: { firstName: 'Hala', phone: '+972501234567', email: null },
        courseId: expect.any(String),
        message: 'Mondays?',
        locale,
      },
    ])
    await page.close()
  })
})

describe('the script element', () => {
  test.each([
    ['async', { async: '' }],
    ['defer', { defer: '' }],
    ['a module', { type: 'module' }],
  ])('may be %s', async (_, attributes) => {
    const page = await open({
      ...(await institute()),
      attributes: { ...attributes, 'data-course-interest': 'Evenings' },
    })
    await expect.poll(() => page.locator('main > institute-registration').count()).toBe(1)
    expect(at.faults).toEqual([])
    await page.close()
  })

  test('in the head shows the form at the end of the page', async () => {
    const of = await institute()
    const tag = scriptTag(at.app.url, { 'data-key': of.key, 'data-course-interest': 'Evenings' })
    const page = await open({ ...of, head: tag, body: '<p>Text</p>' })
    await expect.poll(() => page.locator('body > institute-registration').count()).toBe(1)
    await page.close()
  })

  test('may stand there several times, with a language, a theme and a course of its own', async () => {
    const of = await institute()
    const courseId = await newCourse(worldOf(at.app, of), { isPublic: true })
    const ofIt = { 'data-key': of.key }
    for (const more of [{}, { type: 'module' }]) {
      const page = await open({
        ...of,
        body:
          scriptTag(at.app.url, {
            ...ofIt,
            ...more,
            'data-locale': 'he',
            'data-theme': 'dark',
            'data-course-id': courseId,
          }) +
          scriptTag(at.app.url, {
            ...ofIt,
            ...more,
            'data-locale': 'ar',
            'data-theme': 'light',
            'data-course-interest': 'مساء',
          }),
      })
      const forms = page.locator('institute-registration')
      await forms.nth(1).waitFor()
      await expect.poll(() => forms.count()).toBe(2)
      const frames = page.locator('institute-registration [lang]')
      expect(await frames.evaluateAll((all) => all.map((one) => [one.getAttribute('lang'), one.className]))).toEqual([
        ['he', 'form dark'],
        ['ar', 'form'],
      ])
      for (const [index, name] of ['One', 'Two'].entries()) {
        for (const [id, value] of Object.entries({ ...PEOPLE, firstName: name })) {
          await forms.nth(index).locator(`[id="${id}"]`).fill(value)
        }
        await forms.nth(index).locator('button[type=submit]').click()
        await forms.nth(index).locator('[role=status]').filter({ hasText: name }).waitFor()
      }
      const [two, one] = await leadsOf(of)
      expect([one, two]).toMatchObject([
        { courseId, courseInterest: null, locale: 'he' },
        { courseId: null, courseInterest: 'مساء', locale: 'ar' },
      ])
      expect(at.faults).toEqual([])
      await page.close()
    }
  })

  test('without a key shows nothing, and says why in the console', async () => {
    write({ key: '', body: scriptTag(at.app.url, {}) })
    const page = await newPage(at.browser, 'en')
    const message = page.waitForEvent('console')
    await page.goto(at.site.origin)
    expect((await message).text()).toContain('data-key')
    expect(await page.locator('institute-registration').count()).toBe(0)
    await page.close()
  })

  test('keeps the website’s styles out, and its own in', async () => {
    const style = `<style>* { color: red !important; font-size: 40px !important; display: inline !important }
      h2, p { letter-spacing: 9px }</style>`
    const page = await open({
      ...(await institute()),
      head: style,
      policy: `${allowing(at.app.url)}; style-src 'unsafe-inline'`,
    })
    const look = (element: string) =>
      page.evaluate<string>(`(({ color, fontSize }) => color + ' ' + fontSize)(getComputedStyle(${element}))`)
    const shadow = 'document.querySelector("institute-registration").shadowRoot'
    expect(await look(`${shadow}.querySelector('label')`)).toBe('rgb(29, 39, 37) 16px')
    expect(await look(`document.querySelector('h1')`)).toBe('rgb(255, 0, 0) 40px')
    await page.close()
  })
})
