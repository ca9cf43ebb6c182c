import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LOOKED_AT, violations, violationsOfLook } from '#kit/accessibility.ts'
import { keepPicture } from '#kit/browser.ts'
import { layoutFaults, layoutFaultsInLargeText } from '#kit/layout.ts'

const SIZES = {
  phone: { width: 360, height: 740 },
  narrowest: { width: 320, height: 640 },
  desk: { width: 1280, height: 900 },
}

/**
 * Checks what every screen of the console must fulfil: direction, accessible names and colours, and nothing cut off,
 * broken or on other text on a phone, in the narrowest window and on a desk; with letters of twice the size on a phone and
 * on a desk. Keeps pictures of it as <picture>-phone and <picture>-desk. Leaves the window as it was.
 */
export const examineScreen = async (page: Page, locale: string, picture: string): Promise<void> => {
  const before = page.viewportSize()
  expect.soft(await page.getAttribute('html', 'dir'), picture).toBe(locale === 'en' ? 'ltr' : 'rtl')
  expect.soft(await page.getAttribute('html', 'lang'), picture).toBe(locale)
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    const what = `${picture}-${size}`
    expect.soft(await layoutFaults(page), what).toEqual([])
    if (size === 'narrowest') continue
    expect.soft(await layoutFaultsInLargeText(page), `${what} in large text`).toEqual([])
    await keepPicture(page, what)
    if (size === 'phone') expect.soft(await violations(page), what).toEqual([])
    else if (locale === LOOKED_AT) expect.soft(await violationsOfLook(page), what).toEqual([])
  }
  if (before) await page.setViewportSize(before)
}
