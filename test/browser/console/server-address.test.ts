import type { Route } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { keepPicture } from '#kit/browser.ts'
import { volume } from '#kit/volume.ts'
import { examine } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { SIZES, watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open, expectCalm } = watched(() => school)

const FORMER = 'http://192.168.1.20:8080'
const NEW = 'http://192.168.1.37:8080'
const MOVED = { url: FORMER, isFixed: false, whose: 'strange', leadsTo: [], here: [NEW], ways: [] }

/** As nginx 1.22 answers in place of the server. */
const byProxy =
  (status: number, title: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      contentType: 'text/html',
      body: `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n`,
    })

/** What a camera reads in a code that is drawn of squares of one. */
const decoded = (path: string): string => {
  const dark = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  const scale = 4
  const size = (Math.max(...dark.map(([x]) => x)) + 5) * scale
  const data = new Uint8Array(size * size * 4).fill(255)
  for (const [x, y] of dark) {
    for (let at = 0; at < scale * scale; at += 1) {
      const pixel = (y * scale + Math.floor(at / scale)) * size + x * scale + (at % scale)
      data.fill(0, pixel * 4, pixel * 4 + 3)
    }
  }
  return decodeQR({ width: size, height: size, data })
}

const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

describe.each(['en', 'ar', 'he'] as const)('in %s', (locale) => {
  const owner = () => ({ userId: school.institute.ownerUserId })

  test('the owner is told that people are sent elsewhere, and sets the address with one tap and a question', async () => {
    const { server: words } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/account' })
    const pictures = async (name: string): Promise<void> => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        // oxlint-disable no-await-in-loop -- one after the other
        await page.setViewportSize(viewport)
        await expectCalm()
        await keepPicture(page, `address-${locale}-${name}-${size}`)
        // oxlint-enable no-await-in-loop
      }
    }
    await page.route('**/server/address', (route) => route.fulfill({ json: MOVED }))
    await page.reload()
    const told = page.getByRole('status').filter({ hasText: '192.168.1.20' })
    await told.waitFor()
    expect(plain((await told.textContent()) ?? '')).toContain(plain(words.moved(FORMER, school.app.url)))
    await pictures('moved')
    await page.getByRole('button', { name: words.setAddress }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(words.setUnsent).waitFor()
    await pictures('question')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.route('**/server/address', (route) => route.fulfill({ json: { ...MOVED, url: NEW, whose: 'own' } }))
    await dialog.getByRole('button', { name: words.setAddress }).click()
    expect((await sent).postDataJSON()).toEqual({ baseUrl: NEW })
    await told.waitFor({ state: 'detached' })
    expect((await school.institute.owner.get('/settings')).body.baseUrl).toBe(NEW)
  })

  test('a poster says where others open it, to a camera too, and is alone on its sheet', async () => {
    const { network: words } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/settings' })
    const ways = [
      { url: NEW, isLocal: true },
      { url: 'http://institute.local:8080', isLocal: true },
    ]
    await page.route('**/server/address', (route) =>
      route.fulfill({ json: { ...MOVED, url: NEW, whose: 'own', ways } }),
    )
    await page.reload()
    await page.getByRole('link', { name: words.title }).click()
    const poster = page.getByRole('region', { name: words.poster })
    await poster.getByText('institute.local:8080').waitFor()
    const path = poster.locator('.qr path')
    expect(decoded((await path.getAttribute('d')) ?? '')).toBe(NEW)
    await examine(page, locale, `network-${locale}`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('heading', { name: words.title }).isVisible()).toBe(false)
    expect(await page.getByText(words.ofName).isVisible()).toBe(false)
    await expect.poll(() => poster.isVisible()).toBe(true)
    if (volume(false, true)) await page.pdf({ path: `.cache/screenshots/network-${locale}.pdf`, format: 'A4' })
  })

  test('what a proxy answers in place of the server is told as that, with what to set', async () => {
    const { faults } = await loadWords[locale]()
    const page = await open({ as: school.teacher, locale, path: '/account' })
    for (const [status, title, text] of [
      [413, 'Request Entity Too Large', faults.inFront[413]],
      [502, 'Bad Gateway', faults.inFront[502]],
      [200, 'Sign in to the network', faults.otherPage(200)],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one after the other
      await page.route('**/me/notifications?*', byProxy(status, title))
      await page.goto(`${school.app.url}/inbox`)
      const told = page.getByRole('alert').filter({ hasText: text })
      await told.waitFor()
      await expect.poll(() => told.count()).toBe(1)
      await keepPicture(page, `proxy-${locale}-${status}`)
      await page.unroute('**/me/notifications?*')
      // oxlint-enable no-await-in-loop
    }
  })
})

test('whoever is no owner is told nothing of the address, and a fixed one says who changes it', async () => {
  const { server: words } = await loadWords.en()
  const asked: string[] = []
  const page = await open({ as: school.teacher, path: '/account' })
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(asked).not.toContain('/api/v1/server/address')
  const fixed = await open({ as: { userId: school.institute.ownerUserId }, path: '/account' })
  await fixed.route('**/server/address', (route) => route.fulfill({ json: { ...MOVED, isFixed: true } }))
  await fixed.reload()
  await fixed.getByText(words.movedFixed).waitFor()
  expect(await fixed.getByRole('button', { name: words.setAddress }).count()).toBe(0)
})
