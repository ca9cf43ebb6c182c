import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

const owner = () => ({ userId: school.institute.ownerUserId })
const plain = (text: string | null): string => (text ?? '').replaceAll(/[\u2066-\u2069]/g, '')

const NAMED = {
  name: 'institute-2.local',
  wanted: 'institute.local',
  isFixed: false,
  isPossible: true,
  former: [{ name: 'office.local', until: '2026-04-01' }],
}

describe.each(['en', 'ar', 'he'] as const)('in %s', (locale) => {
  test('the owner chooses another name, takes the one that is proposed, and sees until when the one before leads here', async () => {
    const { network, lanName: words } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/settings' })
    await page.route('**/server/lan-name', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: NAMED }) : route.fallback(),
    )
    // A machine that is in a network, as the one of a test may not be.
    const url = 'http://192.168.1.20:8080'
    await page.route('**/server/address', (route) =>
      route.fulfill({
        json: { url, isFixed: false, whose: 'own', leadsTo: [], here: [url], ways: [{ url, isLocal: true }] },
      }),
    )
    await page.reload()
    await page.getByRole('link', { name: network.title }).click()
    const list = page.getByRole('list', { name: words.title })
    await list.getByText('office.local').waitFor()
    const told = page.getByRole('status').filter({ hasText: 'institute-2.local' })
    expect(plain(await told.textContent())).toBe(plain(words.otherHas('institute.local', 'institute-2.local')))
    await examine(page, locale, `lan-name-${locale}`)

    await page.getByRole('button', { name: words.choose }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox', { name: words.name })
    const take = dialog.getByRole('button', { name: words.take })
    await field.fill('مدرسة')
    await take.click()
    await dialog.getByText(words.wrong).waitFor()
    await page.route('**/server/lan-name', (route) =>
      route.request().postDataJSON()?.name === 'school'
        ? route.fulfill({
            status: 409,
            json: {
              error: {
                code: 'CONFLICT',
                message: 'Taken.',
                details: { reason: 'lan_name_taken', free: 'school-2' },
                requestId: 'x',
              },
            },
          })
        : route.fallback(),
    )
    await field.fill('school')
    await take.click()
    await dialog.getByText(words.taken).waitFor()
    await examine(page, locale, `lan-name-taken-${locale}`)
    await page.unrouteAll({ behavior: 'wait' })
    await dialog.getByRole('button', { name: words.takeFree('school-2') }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await school.institute.owner.get('/server/lan-name')).body.name).toBe('school-2.local')
    await list.getByText('school-2.local').waitFor()
  })

  test('whoever has it open by the name of before is told the new one, with a link to the same page', async () => {
    const { shell } = await loadWords[locale]()
    const page = await open({ as: school.teacher, locale, path: '/account' })
    await page.route('**/api/v1/institute', async (route) => {
      const reply = await route.fetch()
      const movesTo = { name: 'school-nablus.local', until: '2026-04-01' }
      await route.fulfill({ response: reply, json: { ...(await reply.json()), movesTo } })
    })
    await page.reload()
    const told = page.getByRole('status').filter({ hasText: 'school-nablus.local' })
    await told.waitFor()
    const there = new URL(school.app.url)
    there.hostname = 'school-nablus.local'
    expect(await told.getByRole('link', { name: shell.openThere }).getAttribute('href')).toBe(`${there.origin}/account`)
    await examine(page, locale, `moves-to-${locale}`)
  })
})
