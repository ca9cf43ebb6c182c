import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { keepPicture } from '#kit/browser.ts'
import { openSchool, type School } from './school.ts'
import { SIZES, watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open, expectCalm } = watched(() => school)

const AT = '2026-11-24T01:12:00.000Z'
const NEWS = {
  en: ['Updates come by themselves.', 'The week opens faster on old phones.'],
  he: ['עדכונים מותקנים מעצמם.', 'השבוע נפתח מהר יותר בטלפונים ישנים.'],
  ar: ['تُثبَّت التحديثات تلقائيًا.', 'يُفتح الأسبوع أسرع على الهواتف القديمة.'],
}
const OFFERED = {
  version: '0.1.0',
  isConfigured: true,
  obstacle: null,
  mode: 'install',
  hour: 3,
  channel: 'stable',
  current: null,
  offer: { version: '0.2.0', news: NEWS, sizeBytes: 52_000_000, isFromStick: false },
  isPlanned: false,
  check: { at: AT, result: 'ok', reason: null, detail: '', version: '0.2.0' },
  nextCheckAt: AT,
  install: null,
  isInstalling: false,
}
const WENT_BACK = {
  ...OFFERED,
  install: { at: AT, result: 'failed', reason: 'went_back', detail: 'Version 0.1.0 answers again.', version: '0.2.0' },
}

const answers = async (page: Page, json: object): Promise<void> => {
  await page.unroute('**/server/updates')
  await page.route('**/server/updates', (route) => route.fulfill({ json }))
}

test.each(['en', 'ar', 'he'] as const)(
  'the owner reads what is new, has it put in, and hears what became of it (%s)',
  async (locale) => {
    const { updates: words } = await loadWords[locale]()
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/account' })
    const pictures = async (name: string): Promise<void> => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        // oxlint-disable no-await-in-loop -- one after the other
        await page.setViewportSize(viewport)
        await expectCalm()
        await keepPicture(page, `updates-${locale}-${name}-${size}`)
        // oxlint-enable no-await-in-loop
      }
    }
    await answers(page, OFFERED)
    await page.goto(`${school.app.url}/settings/updates`)
    await page.getByText(NEWS[locale][0] as string).waitFor()
    await pictures('offered')
    await page.getByRole('button', { name: words.install }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(words.installText).waitFor()
    await page.route('**/server/updates/install', (route) =>
      route.fulfill({ status: 202, json: { ...OFFERED, isInstalling: true } }),
    )
    await answers(page, { ...OFFERED, isInstalling: true })
    await dialog.getByRole('button', { name: words.install }).click()
    await page.getByText(words.installing).waitFor()
    // It asks again by itself.
    await answers(page, WENT_BACK)
    await page.getByText(words.reasons.went_back).waitFor()
    // It waits for a person from now on.
    expect(await page.getByText(words.byItself('03:00')).count()).toBe(0)
    await pictures('back')
  },
)

test.each(['en', 'ar', 'he'] as const)(
  'the owner brings a version on a stick, hears why one is not taken, and has it put in at night (%s)',
  async (locale) => {
    const { updates: words } = await loadWords[locale]()
    const alone = { ...OFFERED, isConfigured: false, mode: 'tell', offer: null, check: null, nextCheckAt: null }
    const brought = { ...alone, offer: { ...OFFERED.offer, isFromStick: true } }
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/account' })
    const pictures = async (name: string): Promise<void> => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        // oxlint-disable no-await-in-loop -- one after the other
        await page.setViewportSize(viewport)
        await expectCalm()
        await keepPicture(page, `updates-${locale}-stick-${name}-${size}`)
        // oxlint-enable no-await-in-loop
      }
    }
    await answers(page, alone)
    await page.goto(`${school.app.url}/settings/updates`)
    await page.getByText(words.stick.about).waitFor()
    const choose = async (): Promise<void> => {
      const chosen = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: words.stick.choose }).click()
      await (await chosen).setFiles({ name: 'institute.tar', mimeType: 'application/x-tar', buffer: Buffer.from('x') })
    }
    const answerTo = async (reply: { status: number; json: object } | undefined): Promise<void> => {
      await page.unroute('**/server/updates/file')
      await page.route('**/server/updates/file', (route) => (reply ? route.fulfill(reply) : route.abort()))
    }
    await answerTo(undefined)
    await choose()
    await page.getByText(words.stick.broken).waitFor()
    const why = { reason: 'update_not_taken', why: 'bad_signature', detail: '0 of 1 keys signed it' }
    await answerTo({ status: 409, json: { error: { code: 'CONFLICT', message: '', details: why, requestId: 'x' } } })
    await choose()
    await page.getByText(words.reasons.bad_signature).waitFor()
    await pictures('refused')
    await answerTo({ status: 200, json: brought })
    await answers(page, brought)
    await choose()
    await page.getByText(words.fromStick).waitFor()
    await pictures('brought')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await answers(page, { ...brought, isPlanned: true })
    await page.getByRole('button', { name: words.atHour('03:00') }).click()
    expect((await sent).postDataJSON()).toEqual({ isPlanned: true })
    await page.getByText(words.byItself('03:00')).waitFor()
    await page.getByRole('button', { name: words.notAtHour }).waitFor()
  },
)

test('the owner chooses whether and when, which the server keeps', async () => {
  const { updates: words, shell } = await loadWords.en()
  const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/account' })
  await answers(page, OFFERED)
  await page.goto(`${school.app.url}/settings/updates`)
  await page.getByRole('button', { name: shell.edit }).click()
  await page.getByText(words.modes.off, { exact: true }).click()
  await keepPicture(page, 'updates-how')
  await page.unroute('**/server/updates')
  await page.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.notConfigured).waitFor()
  expect((await school.institute.owner.get('/server/updates')).body).toMatchObject({ mode: 'off', hour: 3 })
})
