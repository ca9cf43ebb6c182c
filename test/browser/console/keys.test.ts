import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const keysNow = async () => (await school.institute.owner.get('/api-keys')).body.data

test('a key is made with what it may do and until when, shown once, limited, and ended', async () => {
  const { apiKeys: words, members, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/keys' })
  await page.getByText(words.none).waitFor()
  await page.getByRole('link', { name: words.add }).click()
  const send = page.getByRole('button', { name: words.add })
  await send.click()
  await page.getByText(words.nameMissing).waitFor()
  await page.getByText(words.mayMissing).waitFor()
  await page.getByRole('textbox', { name: words.name }).fill('Bookkeeping')
  await press(page.getByRole('checkbox', { name: members.permissions['invoices.read'] }))
  await page.getByRole('textbox', { name: words.until }).fill('23/11/2026')
  await send.click()
  await page.getByText(words.untilPast).waitFor()
  await page.getByRole('textbox', { name: words.until }).fill('31/12/2026')
  await send.click()
  await page.getByRole('heading', { name: words.made }).waitFor()
  const shown = await page.getByRole('textbox', { name: words.key }).inputValue()
  expect(shown).toMatch(/^ims_sk_/)
  expect(await keysNow()).toMatchObject([
    { name: 'Bookkeeping', kind: 'secret', permissions: ['invoices.read'], expiresAt: '2026-12-31T22:00:00.000Z' },
  ])
  await page.getByRole('link', { name: words.kept }).click()
  const list = page.getByRole('list', { name: words.title })
  await list.getByText(/never used/).waitFor()
  expect(await page.content()).not.toContain(shown)

  const more = page.getByRole('button', { name: words.moreOf('Bookkeeping') })
  await more.click()
  await page.getByRole('menuitem', { name: words.changeLimit }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: words.limitLabel }).fill('900000')
  await dialog.getByRole('button', { name: shell.save }).click()
  await dialog.getByText(words.limitWrong).waitFor()
  await dialog.getByRole('textbox', { name: words.limitLabel }).fill('٣٠')
  await dialog.getByRole('button', { name: shell.save }).click()
  await list.getByText(/30 requests a minute/).waitFor()

  await more.click()
  await page.getByRole('menuitem', { name: words.end }).click()
  await dialog.getByRole('button', { name: words.end }).click()
  await page.getByText(words.none).waitFor()
  expect((await keysNow())[0].revokedAt).not.toBeNull()
  await page.getByRole('button', { name: new RegExp(words.live) }).click()
  await page.getByRole('option', { name: words.ended }).click()
  await list.getByText('Bookkeeping').waitFor()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the pages read well', async () => {
    const { apiKeys: words, roles } = await loadWords[locale]()
    const body = { name: 'Bookkeeping', kind: 'secret', permissions: ['invoices.read', 'students.read'] }
    expect((await school.institute.owner.post('/api-keys', body)).status).toBe(201)
    const page = await open({ as: owner(), locale, path: '/settings/keys' })
    await page.getByRole('list', { name: words.title }).waitFor()
    await examine(page, locale, `keys-${locale}`)
    await page.goto(`${school.app.url}/settings/keys/new`)
    await page.getByRole('group', { name: roles.groups['billing']! }).waitFor()
    await examine(page, locale, `keys-${locale}-new`)
  })
})
