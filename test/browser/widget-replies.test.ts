import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { LOOKED_AT, violations, violationsInDark } from '#kit/accessibility.ts'
import { NO_LIMITS, startApp } from '#kit/app.ts'
import { keepPicture } from '#kit/browser.ts'
import { worldOf } from '#kit/examples.ts'
import { newCourse } from '../api/examples/academics.ts'
import { allowingCaptcha, field, fill, leadsOf, PEOPLE, said, submit, thanked, useWebsite } from './website.ts'

const { at, openSite, institute, open } = useWebsite()

/** A form that does not ask for the courses. */
const simple = { 'data-course-interest': 'Evenings' }

describe('a registration', () => {
  test('that is sent twice at once is taken once', async () => {
    const of = await institute()
    const page = await open({ ...of, attributes: simple })
    await fill(page)
    await page.evaluate(`{
      const form = document.querySelector('institute-registration').shadowRoot.querySelector('form')
      form.requestSubmit()
      form.requestSubmit()
    }`)
    await thanked(page)
    expect(await leadsOf(of)).toHaveLength(1)
    await page.close()
  })

  test('whose reply is lost is sent again, and taken once', async () => {
    const of = await institute()
    const page = await open({ ...of, attributes: simple })
    await fill(page)
    await page.route('**/public/registrations', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.route('**/widget.js', (route) => route.abort())
    await submit(page)
    await said(page, /no connection/)
    expect(await leadsOf(of)).toHaveLength(1)
    await page.unroute('**/public/registrations')
    await submit(page)
    await thanked(page)
    expect(await leadsOf(of)).toHaveLength(1)
    await page.close()
  })

  test('from a website that the key does not name is refused in words', async () => {
    const of = await institute()
    const page = await open({ ...of, attributes: simple, origin: await openSite() })
    await fill(page)
    await submit(page)
    await said(page, /does not work on this website/)
    expect(at.faults.join(' ')).toContain('allowed origins')
    await page.close()
  })

  test('while the institute takes none is refused in words', async () => {
    const of = await institute()
    await of.owner.patch('/settings', { registration: { enabled: false } })
    const page = await open({ ...of, attributes: simple })
    await fill(page)
    await submit(page)
    await said(page, /takes no registrations at present/)
    expect(await leadsOf(of)).toEqual([])
    await page.close()
  })

  test('beyond the limit is refused with the time to wait, and is taken then', async () => {
    const limited = await startApp({
      config: { publicLimits: { ...NO_LIMITS.publicLimits, registrationsPerMinuteOfAddress: 1 } },
    })
    const of = await institute(limited)
    const { url } = limited
    for (const expected of [/./, /Too many .* in 1 minute/]) {
      const page = await open({ ...of, attributes: simple, url })
      // The same child again would be answered with the first registration.
      await fill(page, expected.source === '.' ? PEOPLE : { ...PEOPLE, lastName: 'Second' })
      await submit(page)
      if (expected.source === '.') await thanked(page)
      else await said(page, expected)
      if (expected.source !== '.') {
        await limited.pass(61)
        await submit(page)
        await thanked(page)
      }
      await page.close()
    }
    expect(await leadsOf(of)).toHaveLength(2)
    await limited.close()
  })

  test('with what the server does not accept is told at the field', async () => {
    const of = await institute()
    const page = await open({ ...of, attributes: simple })
    await fill(page, { ...PEOPLE, 'guardian.phone': '12345', 'guardian.email': 'hala@nowhere' })
    await submit(page)
    await expect.poll(() => field(page, 'guardian.email-error').textContent()).toContain('name@example.com')
    await field(page, 'guardian.email').fill('')
    await submit(page)
    await field(page, 'guardian.phone-error')
      .filter({ hasText: /050.123.4567/ })
      .waitFor()
    await field(page, 'guardian.phone').fill('0501234567')
    await submit(page)
    await thanked(page)
    await page.close()
  })

  test('for a course that is closed meanwhile is told at the course', async () => {
    const of = await institute()
    const courseId = await newCourse(worldOf(at.app, of), { isPublic: true })
    const page = await open(of)
    await field(page, 'courseId').waitFor()
    await fill(page)
    await field(page, 'courseId').selectOption(courseId)
    await of.owner.patch(`/courses/${courseId}`, { isActive: false })
    await submit(page)
    await field(page, 'courseId-error').filter({ hasText: 'no registrations' }).waitFor()
    expect(await leadsOf(of)).toEqual([])
    await field(page, 'courseId').selectOption('')
    await submit(page)
    await thanked(page)
    expect(await leadsOf(of)).toMatchObject([{ courseId: null }])
    await page.close()
  })
})

/** Answers as the server does; how it comes to that is tested above and below. */
const answering =
  (status: number, error: object = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*', 'retry-after': '5400' },
      json: { error },
    })

/** As nginx answers in place of a server that is away. */
const byProxy =
  (status: number) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      headers: { 'access-control-allow-origin': '*' },
      contentType: 'text/html',
      body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
    })

describe.each(['en', 'ar', 'he'] as const)('a refusal in %s', (locale) => {
  const issues = [{ path: ['guardian', 'phone'] }, { path: ['courseId'] }]

  test('is said in the language of the form, and can be read by everybody', async () => {
    const of = await institute()
    const courseId = await newCourse(worldOf(at.app, of), { isPublic: true, name: 'English for beginners' })
    const page = await open({ ...of, locale })
    await field(page, 'courseId').selectOption(courseId)
    await fill(page)
    const texts = new Set<string>()
    const refusals: [string, (route: Route) => Promise<void>][] = [
      ['closed', answering(403)],
      ['course', answering(404)],
      ['limit', answering(429)],
      ['fields', answering(422, { details: { issues } })],
      ['origin', answering(401)],
      ['captcha', answering(422, { details: { issues: [{ path: ['captchaToken'] }] } })],
      ['server', answering(500)],
      ['inFront', byProxy(502)],
      ['network', (route) => route.abort()],
    ]
    await page.route('**/widget.js', (route) => route.abort())
    for (const [name, refuse] of refusals) {
      await page.route('**/public/registrations', refuse)
      await submit(page)
      await page.locator('institute-registration button:not([aria-disabled])').waitFor()
      const picture = `widget-${locale}-refused-${name}`
      const text = (await page.locator('institute-registration [role=alert]').textContent()) ?? ''
      expect.soft(/[a-z]/i.test(text), `${picture}: ${text}`).toBe(locale === 'en')
      expect.soft(text, picture).not.toMatch(/\(\d\)|[{}]/)
      texts.add(text)
      expect.soft(await violations(page), picture).toEqual([])
      if (locale === LOOKED_AT) expect.soft(await violationsInDark(page), picture).toEqual([])
      await keepPicture(page, picture)
      await page.unroute('**/public/registrations')
    }
    // What is wrong with a field is said there, in the same words above the button.
    expect(texts.size).toBe(refusals.length - 1)
    await page.close()
  })
})

describe('with a captcha', () => {
  /** Stands in for a provider's script, with the functions that its documentation names. */
  const standIn = (name: string): string => `
    const solved = new Map()
    window.${name} = {
      render(element, { sitekey, theme }) {
        const box = document.createElement('button')
        box.textContent = 'I am a person'
        box.dataset.rendered = [sitekey, theme].join(' ')
        box.onclick = () => solved.set(1, 'token ' + Math.random())
        element.append(box)
        return 1
      },
      getResponse: () => solved.get(1) ?? '',
      reset: () => solved.clear(),
    }
    window[new URL(document.currentScript.src).searchParams.get('onload')]()`

  test.each([
    ['turnstile', 'turnstile', '0x4AAAAAAADnPIDROrmt1Wwj', 'https://challenges.cloudflare.com'],
    ['hcaptcha', 'hcaptcha', '10000000-ffff-ffff-ffff-000000000001', 'https://js.hcaptcha.com'],
    ['recaptcha', 'grecaptcha', '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI', 'https://www.google.com'],
  ] as const)('of %s nothing is sent until it is solved', async (provider, name, siteKey, host) => {
    const of = await institute()
    await of.owner.patch('/settings', { registration: { captcha: { provider, secret: 'secret' } } })
    const page = await open(
      { ...of, attributes: { ...simple, 'data-captcha-site-key': siteKey }, policy: allowingCaptcha(at.app.url, host) },
      async (opened) =>
        void (await opened.route(`${host}/**`, (route) =>
          route.fulfill({ contentType: 'text/javascript', body: standIn(name) }),
        )),
    )
    const box = page.locator('institute-registration [data-rendered]')
    await box.waitFor()
    expect(await box.getAttribute('data-rendered')).toBe(`${siteKey} light`)
    await fill(page)
    await submit(page)
    await said(page, /complete the security check/)
    expect(await leadsOf(of)).toEqual([])

    at.providers.asked.length = 0
    at.providers.answer({ json: { success: false, 'error-codes': ['timeout-or-duplicate'] } })
    await box.click()
    await submit(page)
    await said(page, /did not succeed/)
    await submit(page)
    await said(page, /complete the security check/)
    at.providers.answer({ json: { success: true } })
    await box.click()
    await submit(page)
    await thanked(page)
    const tokens = at.providers.asked.map(({ form }) => form.response)
    expect([tokens.length, new Set(tokens).size]).toEqual([2, 2])
    expect(await leadsOf(of)).toHaveLength(1)
    await page.close()
  })

  test('that cannot be loaded it says so, and sends nothing', async () => {
    const of = await institute()
    const attributes = { ...simple, 'data-captcha-site-key': '0x4AAAAAAADnPIDROrmt1Wwj' }
    const page = await open({ ...of, attributes })
    await said(page, /could not be loaded/)
    await fill(page)
    await submit(page)
    await said(page, /could not be loaded/)
    expect(await leadsOf(of)).toEqual([])
    await page.close()
  })
})
