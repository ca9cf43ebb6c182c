import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { isShown, press, type, until, visit, type DrivenBrowser, type DrivenWindow } from '#kit/machines/driven.ts'
import { launchFirefox, whyNoFirefox } from '#kit/machines/firefox.ts'
import { launchOldChromium, whyNoOldChromium, type OldChromium } from '#kit/machines/old-chromium.ts'
import { launchWebkit, whyNoWebkit } from '#kit/machines/webkit.ts'
import { emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'
import { isNightly, volume } from '#kit/volume.ts'

/** The pages in the browsers that schools and families really have, and what those say that are older. */

let app: TestApp
let institute: TestInstitute
let website: Server
let site: string
let form = ''
beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS })
  institute = await makeInstitute(app)
  website = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="ar"><title>Website</title><main>${form}</main></html>`)
  }).listen(0, '127.0.0.1')
  await once(website, 'listening')
  site = `http://127.0.0.1:${(website.address() as AddressInfo).port}`
  const wanted = { name: 'Website', kind: 'publishable', allowedOrigins: [site] }
  const { key } = (await institute.owner.post('/api-keys', wanted)).body
  form = `<script src="${app.url}/widget.js" data-key="${key}" data-locale="ar" data-course-interest="x"></script>`
})
afterAll(async () => {
  website.close()
  await app.close()
})

/** Keeps a picture for people to look at, where TEST_VOLUME=full asks for it. */
const keep = async (window: DrivenWindow, name: string): Promise<void> => {
  if (!volume(false, true) || !window.picture) return
  await mkdir('.cache/screenshots', { recursive: true })
  await writeFile(path.join('.cache/screenshots', `${name}.png`), await window.picture())
}

const signsIn = async (window: DrivenWindow, browser: string): Promise<void> => {
  await visit(window, `${app.url}/sign-in`)
  await type(window, 'input[type=email]', emailOf(institute.ownerUserId))
  await type(window, 'input[type=password]', PASSWORD)
  await keep(window, `${browser}-sign-in`)
  await press(window, 'button[type=submit]')
  // Its first page, with what there is to do on this day.
  await until(window, `location.pathname === '/' && ${isShown('nav')} && ${isShown('main .card')}`)
  await keep(window, `${browser}-today`)
  expect(await window.evaluate(isShown('#trouble'))).toBe(false)
}

/** From the first step of the wizard to its last page. */
const setsUp = async (window: DrivenWindow, browser: string): Promise<void> => {
  const fresh = await startApp()
  onTestFinished(() => fresh.close())
  const goOn = async (step: string) => {
    await press(window, '.onward [type=submit]')
    await until(window, isShown(`#step-${step}`))
  }
  await visit(window, `${fresh.url}/setup/#token=${fresh.app.setupToken.ensure()}`)
  await until(window, isShown('#step-language'))
  await press(window, 'input[value=he]')
  await keep(window, `${browser}-wizard`)
  await goOn('institute')
  await type(window, '#institute-name', 'מכון האור')
  await goOn('owner')
  await keep(window, `${browser}-wizard-owner`)
  for (const [id, value] of Object.entries({ 'first-name': 'Noor', 'last-name': 'Haddad', email: 'o@example.org' })) {
    await type(window, `#owner-${id}`, value)
  }
  await type(window, '#owner-password', 'olive tree by the gate')
  await goOn('address')
  await goOn('mail')
  await goOn('review')
  await press(window, '.onward [type=submit]')
  await until(window, isShown('#done'))
  expect((await fresh.get('/setup/status')).body.needsSetup).toBe(false)
}

/** A family registers a child on the website of the institute. */
const registers = async (window: DrivenWindow, browser: string): Promise<void> => {
  await visit(window, site)
  const root = `document.querySelector('institute-registration').shadowRoot`
  const inForm = (selector: string) => `${root}.querySelector(${JSON.stringify(selector)})`
  await until(window, `document.querySelector('institute-registration') && ${inForm('form')}`)
  // Each part of the form says what it is.
  const legends = await window.evaluate<boolean>(`[].every.call(${root}.querySelectorAll('legend'), function (legend) {
    var box = legend.getBoundingClientRect()
    var around = legend.parentElement.getBoundingClientRect()
    return box.height > 0 && box.left > around.left - 1 && box.right < around.right + 1 && box.bottom < around.bottom
  })`)
  expect(legends).toBe(true)
  const values = {
    firstName: `ليان ${browser}`,
    lastName: 'حداد',
    'guardian.firstName': 'هالة',
    'guardian.lastName': 'حداد',
    'guardian.phone': '050-123-4567',
  }
  for (const [id, value] of Object.entries(values)) {
    await window.evaluate(`(${inForm(`[id="${id}"]`)}.value = ${JSON.stringify(value)}, true)`)
  }
  await keep(window, `${browser}-widget`)
  await window.evaluate(`(${inForm('button[type=submit]')}.click(), true)`)
  await until(window, inForm('[role=status]'))
  const leads = (await institute.owner.get('/leads')).body.data
  expect(leads.map((lead: { firstName: string }) => lead.firstName)).toContain(values.firstName)
}

const INVITED = 'rania@example.org'

/** Somebody new takes an invitation from a mail. */
const joins = async (window: DrivenWindow): Promise<void> => {
  await institute.owner.post('/members', { email: INVITED, roleId: institute.roles.teacher })
  await app.drain()
  await visit(window, `${app.url}/invitation?token=${mailedToken(app, INVITED, 'invitation')}`)
  await type(window, '#full-name', 'Rania Saleh')
  await type(window, '#password', 'olive tree by the gate')
  await press(window, 'button[type=submit]')
  await until(window, isShown('#done'))
}

/** The page says at once, in three languages, that the browser is too old, and shows nothing else. */
const saysTooOld = async (window: DrivenWindow, browser: string, address: string): Promise<void> => {
  await visit(window, `${app.url}${address}`)
  await until(window, isShown('#trouble-old'))
  const said = await window.evaluate<string>('document.body.innerText')
  for (const words of ['This browser is too old', 'הדפדפן הזה ישן מדי', 'هذا المتصفح قديم'])
    expect(said).toContain(words)
  for (const other of ['#trouble-broken', '#console > *']) {
    expect(await window.evaluate(isShown(other)), other).toBeFalsy()
  }
  await keep(window, `${browser}-too-old${address.replaceAll('/', '-')}`)
}

const WORK: Readonly<Record<OldChromium, (window: DrivenWindow, browser: string) => Promise<void>>> = {
  92: async (window, browser) => {
    await saysTooOld(window, browser, '/today')
    await saysTooOld(window, browser, '/setup/')
    await registers(window, browser)
    await joins(window)
  },
  103: async (window, browser) => {
    await saysTooOld(window, browser, '/sign-in')
    await registers(window, browser)
  },
  109: async (window, browser) => {
    await setsUp(window, browser)
    await signsIn(window, browser)
  },
  115: (window, browser) => setsUp(window, browser),
  119: async (window, browser) => {
    await setsUp(window, browser)
    await signsIn(window, browser)
  },
}

describe('old Chromium', async () => {
  const why = await whyNoOldChromium()
  if (why !== undefined) console.log(`Old browsers are skipped: ${why}`)

  // The oldest for families, and the oldest for the console and the wizard; at night those between and after them.
  const OLDEST: [OldChromium, string][] = [
    [92, 'a family registers a child and takes an invitation; the console and the wizard say that it is too old'],
    [109, 'the institute is set up, and its people sign in'],
  ]
  const OTHERS: [OldChromium, string][] = [
    [103, 'a family registers a child; the console says that it is too old'],
    [115, 'the institute is set up'],
    [119, 'the institute is set up, and its people sign in'],
  ]
  test.skipIf(why !== undefined).each(isNightly ? [...OLDEST, ...OTHERS] : OLDEST)('%i: %s', async (version) => {
    expect.hasAssertions()
    const browser: DrivenBrowser = await launchOldChromium(version)
    onTestFinished(() => browser.close())
    await WORK[version](browser, `chromium-${version}`)
  })
})

describe.each([
  ['Firefox ESR', 'firefox', whyNoFirefox, launchFirefox],
  ['WebKitGTK', 'webkit', whyNoWebkit, launchWebkit],
] as const)('%s, where Debian has it', (name, short, whyNot, launch) => {
  const why = whyNot()
  if (why !== undefined) console.log(`${name} is skipped: ${why}`)

  test.skipIf(why !== undefined)('sets the institute up, signs its people in, and registers a child', async () => {
    expect.hasAssertions()
    const browser = await launch()
    onTestFinished(() => browser.close())
    await setsUp(browser, short)
    await signsIn(browser, short)
    await registers(browser, short)
  })
})
