import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { directionOf, type Locale } from '#shared/locale.ts'
import { LOOKED_AT, violationsInDark, violationsOfMail } from '#kit/accessibility.ts'
import { keepPicture } from '#kit/browser.ts'
import { layoutFaults } from '#kit/layout.ts'

/** A mail as it arrived. */
export interface ShownMail {
  html?: string | undefined
  text?: string | undefined
  subject?: string | undefined
}

const SIZES = { phone: 360, desktop: 1280 }

/** The words of a text. A colon before a link stands in the plain text alone, and invisible characters say nothing. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/[\u2060\u2066-\u2069\u200e\u200f]/g, '')
    .split(/[\s:]+/)
    .filter((word) => word !== '')

/** What is cut off, overlaps or has to be scrolled sideways. Addresses and words longer than a line are broken. */
const faultsOf = async (page: Page): Promise<string[]> =>
  (await layoutFaults(page)).filter((fault) => !/^broken word: (?:a\b|.* ".{30,}"$)/s.test(fault))

/** Opens a mail's document and compares it with its plain text. @returns what stands in its body */
const openMail = async (page: Page, mail: ShownMail, locale: Locale): Promise<string> => {
  const { html = '', text = '', subject = '' } = mail
  await page.setContent(html)
  // Some mail programs keep the document and its body, others only what stands in the body.
  for (const part of ['html', 'body > *']) {
    expect.soft(await page.getAttribute(part, 'dir'), subject).toBe(directionOf(locale))
    expect.soft(await page.getAttribute(part, 'lang'), subject).toBe(locale)
  }
  expect.soft(await page.title()).toBe(subject.replaceAll(/\s+/g, ' '))
  const body = await page.innerHTML('body')
  // The plain text has the addresses of links, also where the HTML has words.
  await page.evaluate(
    `for (const link of document.querySelectorAll('p a')) link.textContent = link.getAttribute('href')`,
  )
  expect.soft(wordsOf(await page.innerText('body')), subject).toEqual(wordsOf(text))
  // Whatever is fetched tells its server who reads the mail, and is missing where mail programs fetch nothing.
  // The logo comes with the mail.
  const fetched = html.replaceAll('<img src="cid:logo"', '')
  expect.soft(fetched, subject).not.toMatch(/<(?:img|link|script|iframe|object|form)\b|url\(|@import|\bsrc=/i)
  return body
}

/**
 * Shows mails of one language one below the other, as a mail program shows those of a conversation: on a phone and a
 * desktop, in light and dark colours, and inside a page of another direction that has none of their style sheet. Saves
 * pictures as <picture>-phone, -desktop and -dark.
 */
export const lookAtMails = async (
  page: Page,
  mails: readonly ShownMail[],
  locale: Locale,
  picture: string,
): Promise<void> => {
  const bodies: string[] = []
  for (const mail of mails) bodies.push(await openMail(page, mail, locale))
  const together = bodies.join('<hr>')
  await page.setContent(
    (mails[0]?.html ?? '').replace(/(<body[^>]*>).*(<\/body>)/s, (_, open, close) => open + together + close),
  )
  expect.soft(await violationsOfMail(page), picture).toEqual([])
  if (locale === LOOKED_AT) expect.soft(await violationsInDark(page), picture).toEqual([])
  for (const [size, width] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height: 400 })
    expect.soft(await faultsOf(page), `${picture}-${size}`).toEqual([])
    await keepPicture(page, `${picture}-${size}`)
  }
  await page.setViewportSize({ width: SIZES.phone, height: 400 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepPicture(page, `${picture}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })

  const other = directionOf(locale) === 'ltr' ? 'rtl' : 'ltr'
  await page.setContent(`<!doctype html><html dir="${other}"><body style="margin:0">${together}</body></html>`)
  expect.soft(await faultsOf(page), `${picture} in a page`).toEqual([])
  const shown = await page.evaluate<string>('getComputedStyle(document.querySelector("td")).direction')
  expect.soft(shown, `${picture} in a page`).not.toBe(other)
}
