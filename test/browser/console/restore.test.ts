import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { answerAway } from '#app/away.ts'
import { WORDS } from '#app/pages/words/index.ts'
import { encrypted, newBackupKey } from '#app/backup/encryption.ts'
import { makeBackup } from '#app/backup/make.ts'
import type { BackupBucket } from '#app/config/config.ts'
import { keepPicture } from '#kit/browser.ts'
import { freePort } from '#kit/free-port.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { storeOfOne } from '#kit/store-of-one.ts'
import { openSchool, type School } from './school.ts'
import { SIZES, watched } from './watch.ts'

/** A process of its own reads the backup. */
const READ = { timeout: 60_000 }

let school: School
/** Its backup. */
let file: string
beforeAll(async () => {
  school = await openSchool('en')
  file = (await makeBackup(school.app.app.config, school.app.clock)).file
  school.app.clock.advance(60)
  const { owner, branchId } = school.institute
  await owner.post('/students', { branchId, firstName: 'Rima', lastName: 'Salem' })
  // This program steps aside for nothing: `test/cli/restore-here` does that, with one that runs.
  school.app.app.restoring.replace = () => {}
})
afterAll(() => school.app.close())
const { open, expectCalm } = watched(() => school)

const answers = async (page: Page, step: string, more: object = {}): Promise<void> => {
  const json = { canRestore: true, step, reason: null, detail: '', backup: null, asOf: null, keptAs: null, ...more }
  await page.unroute('**/server/restore')
  await page.route('**/server/restore', (route) => route.fulfill({ json }))
}

test.each(['en', 'ar', 'he'] as const)(
  'the owner sees what a backup holds and what a restore takes back, confirms it, and hears what became of it (%s)',
  async (locale) => {
    const { restores: words, account } = await loadWords[locale]()
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/settings/backups' })
    const pictures = async (name: string): Promise<void> => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        // oxlint-disable no-await-in-loop -- one after the other
        await page.setViewportSize(viewport)
        await expectCalm()
        await keepPicture(page, `restore-${locale}-${name}-${size}`)
        // oxlint-enable no-await-in-loop
      }
    }
    const row = page.getByRole('listitem').filter({ has: page.getByText(words.holds) })
    await row.first().waitFor()
    await pictures('list')
    await row.getByText(words.holds).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(words.lost.students).waitFor(READ)
    await pictures('held')
    await dialog.getByRole('button', { name: words.open }).click()
    const password = dialog.getByRole('textbox', { name: account.passwordCurrent })
    await password.fill('a wrong one')
    await dialog.getByRole('button', { name: words.verb }).click()
    await dialog.getByText(account.passwordWrong).waitFor()
    await pictures('ask')
    await password.fill(PASSWORD)
    await answers(page, 'restoring')
    await dialog.getByRole('button', { name: words.verb }).click()
    await page.getByText(words.restoring).waitFor()
    await pictures('restoring')
    // It asks again by itself; and what it has read before is of another day.
    const loaded = page.waitForEvent('load')
    await answers(page, 'done', { asOf: school.app.clock.now(), keptAs: 'before-restore.tar.gz' })
    await loaded
    await page.getByRole('status').first().waitFor()
    await pictures('done')
    await answers(page, 'failed', { reason: 'interrupted' })
    await page.goto(`${school.app.url}/settings/backups/move`)
    await page.getByRole('link', { name: words.move.toBackups }).waitFor()
    await pictures('move')
    await page.getByRole('link', { name: words.move.toBackups }).click()
    await page.getByText(words.reasons.interrupted).waitFor()
    await expect.poll(() => page.getByText(words.failed).count()).toBe(1)
  },
)

test.each(['en', 'ar', 'he'] as const)(
  'the owner brings an encrypted backup from elsewhere, opens it with its key, sees what it holds, and removes it (%s)',
  async (locale) => {
    const { restores, backups } = await loadWords[locale]()
    const words = restores.bring
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/settings/backups' })
    const pictures = async (name: string): Promise<void> => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        // oxlint-disable no-await-in-loop -- one after the other
        await page.setViewportSize(viewport)
        await expectCalm()
        await keepPicture(page, `bring-${locale}-${name}-${size}`)
        // oxlint-enable no-await-in-loop
      }
    }
    const bring = async (name: string, bytes: Buffer): Promise<void> => {
      const chosen = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: words.choose }).click()
      await (await chosen).setFiles({ name, mimeType: 'application/octet-stream', buffer: bytes })
    }
    const dialog = page.getByRole('dialog')
    await bring('letter.pdf', Buffer.from('a letter to the parents'))
    await dialog.getByText(restores.reasons.not_a_backup).waitFor(READ)
    await pictures('letter')
    await page.keyboard.press('Escape')
    const mine = await newBackupKey()
    await bring(
      'nightly.tar.gz.age',
      Buffer.from(await buffer(await encrypted([readFileSync(file)] as never, mine.recipient))),
    )
    const key = dialog.getByRole('textbox', { name: words.key })
    await key.waitFor(READ)
    await key.fill((await newBackupKey()).identity)
    await dialog.getByRole('button', { name: words.keyVerb }).click()
    await dialog.getByText(restores.reasons.wrong_key).waitFor(READ)
    await pictures('key')
    await key.fill(mine.identity)
    await dialog.getByRole('button', { name: words.keyVerb }).click()
    await dialog.getByText(restores.lost.students).waitFor(READ)
    await pictures('held')
    await page.keyboard.press('Escape')
    // The list has it as it was opened.
    await expect.poll(() => page.getByText(words.encrypted).count()).toBe(0)
    await page.getByText(backups.kinds.brought).waitFor()
    await pictures('list')
    await page.getByRole('button', { name: words.remove }).click()
    await page.getByRole('alertdialog').or(dialog).getByRole('button', { name: words.remove }).click()
    await expect.poll(() => page.getByText(backups.kinds.brought).count()).toBe(0)
  },
)

test.each(['en', 'ar', 'he'] as const)(
  'the owner sees what the bucket of the settings holds, brings one of it here, and opens it with its key (%s)',
  async (locale) => {
    const { restores, backups } = await loadWords[locale]()
    const words = restores.bucket
    const name = 'nightly-2026-09-01T00-30-00-000Z.tar.gz'
    const mine = await newBackupKey()
    const sealed = Buffer.from(await buffer(await encrypted([readFileSync(file)] as never, mine.recipient)))
    const { config } = school.app.app
    const { backups: former } = config
    const { promise: rest, resolve: comeOn } = Promise.withResolvers<void>()
    const to = await storeOfOne(name, sealed, { rest })
    const lead = (settings: BackupBucket): unknown => Object.assign(config, { backups: { ...former, to: settings } })
    lead({ ...to, s3: { ...to.s3, host: `127.0.0.1:${await freePort()}` } })
    const page = await open({ as: { userId: school.institute.ownerUserId }, locale, path: '/settings/backups' })
    const pictures = async (state: string): Promise<void> => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        // oxlint-disable no-await-in-loop -- one after the other
        await page.setViewportSize(viewport)
        await expectCalm()
        await keepPicture(page, `bucket-${locale}-${state}-${size}`)
        // oxlint-enable no-await-in-loop
      }
    }
    const show = page.getByRole('button', { name: words.show })
    await show.waitFor()
    await pictures('asked')
    await show.click()
    await page.getByText(words.reasons.unreachable).waitFor()
    await pictures('unreachable')
    lead(to)
    await show.click()
    const bring = page.getByRole('list', { name: words.list('al-amal') }).getByText(words.fetch)
    await bring.waitFor()
    await pictures('list')
    await bring.click()
    await page.getByRole('status').getByText('50').waitFor()
    await pictures('fetching')
    comeOn()
    const dialog = page.getByRole('dialog')
    const key = dialog.getByRole('textbox', { name: restores.bring.key })
    await key.waitFor(READ)
    await key.fill(mine.identity)
    await dialog.getByRole('button', { name: restores.bring.keyVerb }).click()
    await dialog.getByText(restores.lost.students).waitFor(READ)
    await page.keyboard.press('Escape')
    await page.getByText(backups.kinds.brought).waitFor()
    await page.getByRole('button', { name: restores.bring.remove }).click()
    await page.getByRole('alertdialog').or(dialog).getByRole('button', { name: restores.bring.remove }).click()
    await expect.poll(() => page.getByText(backups.kinds.brought).count()).toBe(0)
    Object.assign(config, { backups: former })
  },
)

test('who opens any page while the program is away reads that it comes back, and gets there by itself', async () => {
  const port = await freePort()
  const comeBack = await answerAway({ host: '127.0.0.1', port, tls: undefined })
  try {
    const page = await open({ origin: `http://127.0.0.1:${port}`, path: '/students', browserLocale: 'ar' })
    for (const [size, viewport] of Object.entries(SIZES)) {
      // oxlint-disable no-await-in-loop -- one after the other
      await page.setViewportSize(viewport)
      await page.getByRole('heading', { name: WORDS.ar.away.title }).waitFor()
      await keepPicture(page, `away-${size}`)
      // oxlint-enable no-await-in-loop
    }
    // Its styles came with it, past its own policy.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('main')).maxWidth`)).toBe('416px')
    await page.waitForEvent('load')
  } finally {
    await comeBack()
  }
})
