import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SystemRoleKey } from '#kernel/rights/permissions.ts'
import { SCREENS, type Screen } from '../../../src/console/map.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { NOW, openSchool, type School } from './school.ts'
import { quietOf, watched } from './watch.ts'

let school: School
let leadId: string
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  leadId = (await school.institute.owner.get('/leads')).body.data[0].id
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const roleId = (key: SystemRoleKey): string => school.institute.roles[key]
const named = (key: SystemRoleKey): string => shell.roles[key] ?? ''
const words = await loadWords.en()
const { branches, looking, shell, refusals, signIn } = words

/** Begins on the page of the role, for the whole institute or for the branch of this name. */
const lookAs = async (page: Page, key: SystemRoleKey, branch?: string): Promise<void> => {
  await page.getByRole('button', { name: looking.begin }).click()
  const sheet = page.getByRole('dialog', { name: looking.titleOf(named(key)) })
  if (branch !== undefined) {
    await sheet.getByRole('button', { name: words.members.where }).click()
    await page.getByRole('option', { name: branch }).click()
  }
  await sheet.getByRole('button', { name: looking.verb, exact: true }).click()
  await page.getByText(looking.as(named(key), branch)).waitFor()
}

const banner = (page: Page) => page.getByRole('button', { name: looking.end, exact: true })

test('one looks as a role of a branch in one tab, through a reload, and comes back to one’s own work', async () => {
  const page = await open({ as: owner(), path: `/settings/roles/${roleId('branch_manager')}`, size: 'desk' })
  await lookAs(page, 'branch_manager', school.names.branch)
  await page.getByText(looking.left(15)).waitFor()
  await page.goto(`${school.app.url}/settings/branches`)
  await page.getByText(looking.as(named('branch_manager'), school.names.branch)).waitFor()
  await page.getByRole('button', { name: branches.moreOf(school.names.branch) }).click()
  await page.getByRole('menuitem', { name: branches.close }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: branches.close }).click()
  await page.getByText(refusals.reasons.previewing).waitFor()
  await page.getByRole('button', { name: shell.leaveIt }).click()

  await page.goto(`${school.app.url}/account`)
  await page.getByText(looking.noAccount).waitFor()

  const beside = await open({ beside: page, path: '/settings/people', size: 'desk' })
  await beside.getByRole('heading', { name: words.members.title }).waitFor()
  expect(await banner(beside).count()).toBe(0)

  await banner(page).click()
  await page.getByRole('heading', { name: named('branch_manager') }).waitFor()
  expect(await banner(page).count()).toBe(0)
  expect(await page.getByText(looking.over).count()).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: named('branch_manager') }).waitFor()
  expect(await banner(page).count()).toBe(0)
})

test('it is over once the time is up, or the role is changed, and the page of the role says so', async () => {
  const { body: made } = await school.institute.owner.post('/roles', { name: 'Evenings', permissions: ['groups.read'] })
  const page = await open({ as: owner(), path: `/settings/roles/${made.id}` })
  const quiet = quietOf(page)
  const begin = async () => {
    await page.getByRole('button', { name: looking.begin }).click()
    await page.getByRole('dialog').getByRole('button', { name: looking.verb, exact: true }).click()
    await page.getByText(looking.as('Evenings', undefined)).waitFor()
  }
  await begin()
  // Whatever it asks for is there, so that it is the next page that meets the change.
  await quiet()
  const changed = await school.institute.owner.patch(`/roles/${made.id}`, { permissions: ['students.read'] })
  expect(changed.status).toBe(200)
  await page.goto(`${school.app.url}/groups`)
  await page.getByText(looking.over).waitFor()
  await page.getByText(words.members.permissions['students.read']).waitFor()
  expect(await banner(page).count()).toBe(0)

  await begin()
  await page.clock.setFixedTime(new Date(Date.parse(NOW) + 15 * 60_000))
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText(looking.over).waitFor()
})

test('signing out ends one’s own work too, in every tab', async () => {
  const page = await open({ as: owner(), path: `/settings/roles/${roleId('front_desk')}`, size: 'desk' })
  const beside = await open({ beside: page, path: '/today', size: 'desk' })
  await lookAs(page, 'front_desk')
  await page.locator('.rail').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: shell.signOut }).click()
  for (const one of [page, beside]) await one.getByRole('button', { name: signIn.submit }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await page.goto(`${school.app.url}/today`)
  await page.getByRole('button', { name: signIn.submit }).waitFor()
})

test('whoever signs out in another tab ends it', async () => {
  const page = await open({ as: owner(), path: `/settings/roles/${roleId('front_desk')}`, size: 'desk' })
  const beside = await open({ beside: page, path: '/today', size: 'desk' })
  await lookAs(page, 'front_desk')
  await beside.locator('.rail').getByRole('button').last().click()
  await beside.getByRole('menuitem', { name: shell.signOut }).click()
  for (const one of [page, beside]) await one.getByRole('button', { name: signIn.submit }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})

test('from the list of roles one chooses which; and the page fits everywhere', async () => {
  for (const { locale } of LANGUAGES) {
    const spoken = await loadWords[locale]()
    const page = await open({ as: owner(), path: '/settings/roles', locale })
    await page.getByRole('button', { name: spoken.looking.begin }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: spoken.looking.verb, exact: true }).click()
    await sheet.getByText(spoken.members.chooseRole).last().waitFor()
    await sheet.getByRole('button', { name: spoken.members.role }).click()
    await page.getByRole('option', { name: spoken.shell.roles['teacher'] ?? '' }).click()
    await examine(page, locale, `look-as-${locale}`)
    await sheet.getByRole('button', { name: spoken.looking.verb, exact: true }).click()
    await page.getByText(spoken.looking.ofTeacher).waitFor()
    await quietOf(page)()
    await examine(page, locale, `looking-${locale}`)
    await page.getByRole('button', { name: spoken.looking.end, exact: true }).click()
    const title = page.getByRole('heading', { level: 1, name: spoken.shell.roles['teacher'] ?? '' })
    await title.waitFor()
    expect(await page.getByText(spoken.looking.ofTeacher).count()).toBe(0)
  }
}, 60_000)

/** Of no record. */
const GONE = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Ids of records by the first word of an address. */
const addressOf = ({ path: where }: Screen): string => {
  const { studentIds, groupIds, sessionIds, guardianId } = school
  const records: Record<string, string | undefined> = {
    students: studentIds[0],
    pay: where.includes('guardians') ? guardianId : studentIds[0],
    guardians: guardianId,
    groups: groupIds[0],
    sessions: sessionIds[1],
    leads: leadId,
    children: studentIds[0],
    settings: roleId('front_desk'),
  }
  return where.replaceAll(/:\w+/g, records[where.split('/')[1] as string] ?? GONE)
}

const ROLES: readonly SystemRoleKey[] = [
  'admin',
  'branch_manager',
  'front_desk',
  'accountant',
  'teacher',
  'student',
  'guardian',
]

/**
 * What was refused to the pages of these screens, by its address: what a page rehearses of what is typed is a POST, whose
 * refusal it shows once somebody presses.
 */
const refusedOn = async (page: Page, screens: readonly Screen[]): Promise<ReadonlyMap<string, number>> => {
  const refused = new Map<string, number>()
  page.on('response', (response) => {
    const address = response.url().slice(`${school.app.url}/api/v1`.length)
    if (response.status() >= 400 && response.request().method() === 'GET') refused.set(address, response.status())
  })
  const quiet = quietOf(page)
  for (const screen of screens) {
    await page.evaluate(`history.pushState(null, '', '${addressOf(screen)}')`)
    await quiet().catch((error: unknown) => {
      throw new Error(`${screen.path} is never there`, { cause: error })
    })
  }
  return refused
}

test.each(ROLES)(
  '%s: no screen of the map meets what it does not meet for a new member of the role',
  async (key) => {
    const screens = SCREENS.filter(({ isForPlatform }) => isForPlatform === undefined)
    const page = await open({ as: owner(), path: `/settings/roles/${roleId(key)}`, size: 'desk' })
    await lookAs(page, key)
    const refused = await refusedOn(page, screens)
    await page.getByText(looking.as(named(key), undefined)).waitFor()
    const member = await school.institute.member({ role: key })
    for (const [address, status] of refused)
      expect([address, (await member.get(address)).status]).toEqual([address, status])
  },
  60_000,
)
