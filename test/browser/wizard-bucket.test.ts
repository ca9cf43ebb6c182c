import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { encrypted, newBackupKey } from '#app/backup/encryption.ts'
import { makeBackup } from '#app/backup/make.ts'
import { writeWhole } from '#app/backup/write-whole.ts'
import { systemClock } from '#kernel/time/clock.ts'
import type { Locale } from '#shared/locale.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { putInStore, startS3rver, type TestStore } from '#kit/s3.ts'
import { newSetup } from '#kit/setup.ts'
import { words as ar } from '../../web-setup/words/ar/wizard-steps.ts'
import { words as en } from '../../web-setup/words/en/wizard-steps.ts'
import { words as he } from '../../web-setup/words/he/wizard-steps.ts'
import { words as arFirst } from '../../web-setup/words/ar/wizard.ts'
import { words as enFirst } from '../../web-setup/words/en/wizard.ts'
import { words as heFirst } from '../../web-setup/words/he/wizard.ts'
import { announced, examine, headingHasFocus, LANGUAGES, newPage } from './screens.ts'

const WORDS = { ar: ar.wizardMove, en: en.wizardMove, he: he.wizardMove }
const FIRST = { ar: arFirst.wizard, en: enFirst.wizard, he: heFirst.wizard }
const OLD = 'nightly-2026-08-30T00-30-00-000Z.tar.gz'
const NEW = 'nightly-2026-09-01T00-30-00-000Z.tar.gz'
/** Every byte of the backup is read, in a process of its own. */
const LONG = { timeout: 60_000 }
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

let browser: Browser
let store: TestStore
let app: TestApp
let page: Page
const key = await newBackupKey()

beforeAll(async () => {
  browser = await launchBrowser()
  store = await startS3rver()
  const former = await startApp()
  await former.post('/setup/bootstrap', newSetup(former.app.setupToken.ensure()))
  if (engine === 'sqlite') {
    const { file } = await makeBackup(former.app.config, systemClock)
    const sealed = path.join(former.dataDir, 'sealed')
    await writeWhole(await encrypted([readFileSync(file)] as never, key.recipient), sealed)
    await putInStore(store, `school/${NEW}.age`, readFileSync(sealed))
    await putInStore(store, `school/${OLD}.age`, readFileSync(sealed).subarray(0, 3000))
    await putInStore(store, 'letters/letter.pdf', 'a letter')
  }
  await former.close()
})
afterAll(async () => {
  await browser.close()
  await store.close()
})
beforeEach(() => {
  store.fault = () => undefined
})
afterEach(async () => {
  await page.close()
  await app.close()
})

const field = (label: string) => page.getByRole('textbox', { name: label })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const said = (text: string) => page.getByText(text)

const openStore = async (locale: Locale) => {
  app = await startApp({ config: { backups: { keep: 14, to: undefined, key: undefined, command: undefined } } })
  page = await newPage(browser, locale)
  await page.goto(`${app.url}/setup/#token=${app.app.setupToken.ensure()}`)
  await page.getByRole('button', { name: FIRST[locale].language.move }).click()
  await page.locator('#move-file').waitFor()
  await examine(page, locale, `wizard-${locale}-move`)
  await button(WORDS[locale].fromBucket).click()
  await page.locator('#move-bucket').waitFor()
}

describe.runIf(engine === 'sqlite').each(LANGUAGES)('in $locale', ({ locale }) => {
  const words = WORDS[locale]
  const { bucket } = words

  test('a new server is given the store with the copies, one of them, and its key, and says what it holds', async () => {
    await openStore(locale)
    expect(await headingHasFocus(page)).toBe(true)
    await examine(page, locale, `wizard-${locale}-bucket`)
    await button(bucket.look).click()
    await announced(page, bucket.missing)
    await field(bucket.address).fill(`http://${store.settings.host}`)
    await field(bucket.name).fill(store.settings.bucket)
    await field(bucket.keyId).fill('somebody')
    await field(bucket.secret).fill('something')
    await button(bucket.look).click()
    await said(bucket.reasons.wrong_key).waitFor()
    await examine(page, locale, `wizard-${locale}-bucket-wrong`)
    await field(bucket.keyId).fill(store.settings.keyId)
    await button(bucket.look).click()
    await said(bucket.reasons.wrong_secret).waitFor()
    await field(bucket.secret).fill(store.settings.secret)
    await button(bucket.look).click()
    // The copies lie in one of its folders.
    await page.getByText('letters').waitFor()
    await field(bucket.folder).fill('letters')
    await button(bucket.look).click()
    await said(bucket.foreign('1')).waitFor()
    await field(bucket.folder).fill('school')
    await button(bucket.look).click()
    await page.locator('#move-copies').waitFor()
    const copies = page.getByRole('list', { name: bucket.list(store.settings.bucket) }).getByRole('listitem')
    await expect.poll(() => copies.count()).toBe(2)
    expect(plain((await copies.first().textContent()) ?? '')).toContain('01/09/2026')
    expect(await headingHasFocus(page)).toBe(true)
    await examine(page, locale, `wizard-${locale}-copies`)

    // One of them was cut short on its way there.
    await copies.last().getByRole('button').click()
    await page.locator('#move-key').waitFor()
    await field(words.key).fill(key.identity)
    await button(words.open).click()
    await said(words.reasons.damaged).waitFor(LONG)
    await button(words.fromBucket).click()
    // What was typed is there still.
    await button(bucket.look).click()
    await copies.first().getByRole('button').click()
    await page.locator('#move-key').waitFor()
    await field(words.key).fill((await newBackupKey()).identity)
    await button(words.open).click()
    await said(words.reasons.wrong_key).waitFor(LONG)
    await field(words.key).fill(key.identity)
    await button(words.open).click()
    await page.locator('#move-held').waitFor(LONG)
    await page.getByText('معهد النور').waitFor()
    expect(await page.getByRole('checkbox').isChecked()).toBe(true)
    await examine(page, locale, `wizard-${locale}-held`)

    // A key that may only read is no reason to stay away.
    store.fault = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined)
    await button(words.held.restore).click()
    await said(words.refused.bucket_takes_none).waitFor()
    await button(words.held.restore).waitFor()
  })
})
