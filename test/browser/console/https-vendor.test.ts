import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

/** Of a machine that is in a network, as the one of a test may not be. */
const URL_THERE = 'http://192.168.1.20:8080'
const ADDRESS = {
  url: URL_THERE,
  isFixed: false,
  whose: 'own',
  leadsTo: [],
  here: [URL_THERE],
  ways: [{ url: URL_THERE, isLocal: true }],
}

const NAME = 'bcdfghjkmn.lan.vendor.example'
const GIVEN = {
  isFixed: false,
  way: 'vendor',
  name: null,
  leads: false,
  addresses: [`https://${NAME}:8443`],
  hasPlainPort: false,
  certificate: { names: [NAME], validUntil: '2027-02-20T10:00:00.000Z' },
  root: null,
  order: { at: '2026-11-22T10:00:00.000Z', result: 'ok', reason: null, detail: '' },
  vendorName: { name: NAME, leads: 'nowhere', askedAt: '2026-11-24T10:00:00.000Z', failure: null },
  nextOrderAt: '2027-01-05T10:00:00.000Z',
  isOrdering: false,
}
const FAILED = {
  ...GIVEN,
  vendorName: {
    ...GIVEN.vendorName,
    failure: { at: '2026-11-24T10:00:00.000Z', reason: 'license_locked', detail: '' },
  },
}

describe.each(['en', 'ar', 'he'] as const)('in %s', (locale) => {
  test('the owner chooses HTTPS by the vendor, and is told why none comes to a server outside of a network', async () => {
    const { https: words, network } = await loadWords[locale]()
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/settings' })
    await page.route('**/server/address', (route) => route.fulfill({ json: ADDRESS }))
    await page.reload()
    await page.getByRole('link', { name: network.title }).click()
    await page.getByRole('button', { name: words.change, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await press(dialog.getByRole('radio', { name: words.ways.vendor }))
    await dialog.getByText(words.wayText.vendor).waitFor()
    // The name is the vendor's to give.
    expect(await dialog.getByRole('textbox').count()).toBe(0)
    await examine(page, locale, `https-vendor-choice-${locale}`)
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(words.reasons.no_lan_address).waitFor()
    expect((await school.institute.owner.get('/server/https')).body).toMatchObject({ way: 'vendor', name: null })
    await examine(page, locale, `https-vendor-none-${locale}`)

    // The other ways that need no name are chosen without one.
    for (const way of ['local', 'off'] as const) {
      await page.getByRole('button', { name: words.change, exact: true }).click()
      await press(dialog.getByRole('radio', { name: words.ways[way] }))
      await dialog.locator('button[type=submit]').click()
      await dialog.waitFor({ state: 'detached' })
      expect((await school.institute.owner.get('/server/https')).body).toMatchObject({ way, name: null })
    }
  })

  test('a router that hides the name, and a vendor that gives it no more, are said with what to do', async () => {
    const { https: words, network } = await loadWords[locale]()
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/settings' })
    let shown: object = GIVEN
    await page.route('**/server/https', (route) => route.fulfill({ json: shown }))
    await page.route('**/server/address', (route) => route.fulfill({ json: ADDRESS }))
    await page.reload()
    await page.getByRole('link', { name: network.title }).click()
    await page.getByText(words.tried).waitFor()
    await page.getByText(words.hidden.nowhere).waitFor()
    await examine(page, locale, `https-vendor-hidden-${locale}`)
    shown = FAILED
    await page.reload()
    await page.getByText(words.reasons.license_locked).waitFor()
    await page.getByText(words.vendorGoesOn).waitFor()
    await expect.poll(() => page.getByRole('button', { name: words.now }).count()).toBe(1)
    await examine(page, locale, `https-vendor-failed-${locale}`)
  })
})
