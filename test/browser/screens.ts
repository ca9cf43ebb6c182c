import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { directionOf, type Locale } from '#shared/locale.ts'
import { badlyNamed, LOOKED_AT, spoken, violations, violationsInDark, violationsOfLook } from '#kit/accessibility.ts'
import type { TestApp } from '#kit/app.ts'
import { keepPicture } from '#kit/browser.ts'
import { layoutFaults, layoutFaultsInLargeText } from '#kit/layout.ts'
import { newSetup } from '#kit/setup.ts'
import { isNightly, volume } from '#kit/volume.ts'

const ALL_LANGUAGES = [
  { locale: 'ar', name: 'معهد النور', city: 'القدس' },
  { locale: 'he', name: 'מכון האור', city: 'ירושלים' },
  { locale: 'en', name: 'Light Institute', city: 'Jerusalem' },
] as const

/** One that runs from the right and one from the left; at night Hebrew too, whose words the compiler and unit tests compare. */
export const LANGUAGES = ALL_LANGUAGES.filter(({ locale }) => locale !== 'he' || isNightly || volume(false, true))

const PHONE = { width: 360, height: 740 }
const WINDOWS = {
  phone: PHONE,
  /** The narrowest window that a page must fit without horizontal scrolling (WCAG 1.4.10). */
  narrowest: { width: 320, height: 640 },
  /** A 1280 × 900 window at 200 % zoom. */
  zoomed: { width: 640, height: 450 },
  desktop: { width: 1280, height: 900 },
}
type Window = keyof typeof WINDOWS

/** The windows in which a page's layout is examined in each language. At night all of them are. */
const EXAMINED_IN: Readonly<Record<Locale, readonly Window[]>> = {
  ar: ['phone', 'narrowest'],
  he: ['phone', 'desktop'],
  en: ['phone', 'zoomed', 'desktop'],
}

/** Sets an institute up. @returns its owner, and the ids of its roles by their keys */
export const setUp = async (app: TestApp, { locale, name }: { locale: string; name: string }) => {
  const setup = newSetup(app.app.setupToken.ensure(), { institute: { defaultLocale: locale, name } })
  const { body } = await app.post('/setup/bootstrap', setup)
  const owner = app.as(body.accessToken)
  const { data } = (await owner.get('/roles')).body
  const roles = Object.fromEntries(data.map(({ key, id }: { key: string; id: string }) => [key, id]))
  return { owner, email: setup.owner.email, roles: roles as Record<string, string> }
}

/** A page of a phone's size. Animations are off, so that checks see the final colours. */
export const newPage = (browser: Browser, locale: string, { javaScriptEnabled = true } = {}): Promise<Page> =>
  browser.newPage({
    locale,
    javaScriptEnabled,
    timezoneId: 'Asia/Jerusalem',
    reducedMotion: 'reduce',
    viewport: PHONE,
    // For pictures: see keepPicture.
    deviceScaleFactor: volume(1, 2),
  })

/** The id of the focused element, or what the button does that has the focus, or the element's tag. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { id, localName, type } = document.activeElement
    return localName === 'button' && (id === '' || id.startsWith('react-aria')) ? type : id || localName
  })()`)

/** Whether the visible heading has the focus. */
export const headingHasFocus = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.activeElement.matches("h1") && document.activeElement.checkVisibility()')

/**
 * Waits until what floats over the page is drawn. On a device with a touch screen React Aria holds a sheet back for up
 * to 600 ms where its first field takes the focus, in case a keyboard opens; it is in the document, and "visible", then.
 */
const shown = (page: Page): Promise<void> =>
  page.locator('[data-rac][style*="clip-path: inset(50%)"]').first().waitFor({ state: 'detached' })

/**
 * Checks what every screen must fulfil: direction, accessible names, and nothing cut off in the windows of its language,
 * with large text in each. The languages share markup and style sheets, so axe reads one of them, LOOKED_AT: all of the
 * markup on a phone in light colours, and the colours on a desktop in dark ones. At night every language is examined in
 * every window, and both are read in both colours; with TEST_VOLUME=full pictures are kept as <picture>-phone and
 * <picture>-desktop.
 */
export const examine = async (page: Page, locale: Locale, picture: string): Promise<void> => {
  await shown(page)
  expect.soft(await page.getAttribute('html', 'dir'), picture).toBe(directionOf(locale))
  expect.soft(await page.getAttribute('html', 'lang'), picture).toBe(locale)
  expect.soft(await badlyNamed(page), picture).toEqual([])
  const isWhole = isNightly || volume(false, true)
  const isRead = locale === LOOKED_AT
  for (const [size, viewport] of Object.entries(WINDOWS)) {
    if (!isWhole && !EXAMINED_IN[locale]?.includes(size as Window)) continue
    await page.setViewportSize(viewport)
    const what = `${picture}-${size}`
    expect.soft(await layoutFaults(page), what).toEqual([])
    expect.soft(await layoutFaultsInLargeText(page), `${what} in large text`).toEqual([])
    if (size !== 'phone' && size !== 'desktop') continue
    await keepPicture(page, what)
    if (size === 'phone' && (isRead || isWhole)) expect.soft(await violations(page), what).toEqual([])
    if (size === 'desktop' && isRead) {
      expect.soft(await (isWhole ? violationsOfLook(page) : violationsInDark(page)), what).toEqual([])
    }
  }
  await page.setViewportSize(PHONE)
}

/** Waits for the last screen of a page that a mail links to; its heading has the focus. */
export const expectEnd = async (page: Page, id: 'done' | 'invalid' | 'incomplete'): Promise<void> => {
  await page.waitForSelector(`#${id}:not([hidden])`)
  expect(await headingHasFocus(page), id).toBe(true)
}

/** Waits until the page's live region has this text. */
export const announced = (page: Page, text: string): Promise<void> =>
  page.locator('[aria-live]').filter({ hasText: text }).waitFor({ state: 'attached' })

/** Goes on in another language, whose words are loaded then. */
export const speak = async (page: Page, locale: string): Promise<void> => {
  await page.click(`.languages [lang=${locale}]`)
  await page.waitForSelector(`html[lang=${locale}]`)
}

const PROVIDERS = ['none', 'gmail', 'microsoft', 'yahoo', 'zoho', 'own'] as const

/** Chooses whose mailbox it is. */
export const chooseProvider = async (page: Page, provider: (typeof PROVIDERS)[number]): Promise<void> => {
  await page.click('[data-name=mail-provider]')
  await page.getByRole('option').nth(PROVIDERS.indexOf(provider)).click()
}

/** What is said below a field of what is wrong with it. */
export const errorOf = (page: Page, id: string) => page.locator(`#${id}-error, .field:has(#${id}) .error`)

/** These fields show an error, and the first of them has the focus. */
export const expectFaults = async (page: Page, ids: readonly string[]): Promise<void> => {
  expect(await focused(page)).toBe(ids[0])
  for (const id of ids) {
    await expect.poll(() => errorOf(page, id).isVisible(), { message: id }).toBe(true)
    const error = (await errorOf(page, id).textContent()) ?? ''
    const { name, description, invalid } = await spoken(page, id)
    expect([error, name], id).not.toContain('')
    expect(invalid, id).toBe(true)
    // The browser puts spaces around code.
    expect(description.replaceAll(/\s/g, ''), id).toContain(error.replaceAll(/\s/g, ''))
    await announced(page, error)
  }
}

export const expectNoFaults = async (page: Page, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    expect(await errorOf(page, id).isVisible(), id).toBe(false)
    expect(await spoken(page, id), id).toMatchObject({ invalid: false })
  }
}
