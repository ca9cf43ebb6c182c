import { rmSync } from 'node:fs'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '#kit/accessibility.ts'
import { launchBrowser } from '#kit/browser.ts'
import { client, type Client } from '#kit/client.ts'
import { isNightly } from '#kit/volume.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { SCREENS, type Screen } from '../../src/console/map.ts'
import { loadWords } from '../../src/console/words/index.ts'
import { faultsOf, quietOf, SIZES, TELL_OF_VIOLATIONS, tooWide } from '../browser/console/watch.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { makeFolder, Server } from './program.ts'
import { bodyOf } from './vendor.ts'

/**
 * Everybody who works in an institute looks at every screen of the packaged program. Each role meets each screen; the
 * languages, sizes and colours take turns, so that each meets each role, each screen and each other.
 */

const ROLES = ['owner', 'admin', 'branch_manager', 'front_desk', 'accountant', 'teacher'] as const
type Role = (typeof ROLES)[number]
const LOCALES = ['ar', 'he', 'en'] as const

/** How a role sees the screens whose number leaves `turn` when it is divided by three. */
const lookOf = (role: number, turn: number) => ({
  locale: LOCALES[turn] as (typeof LOCALES)[number],
  size: (role + turn) % 2 === 0 ? ('phone' as const) : ('desk' as const),
  theme: (Math.floor(role / 2) + turn) % 2 === 0 ? ('light' as const) : ('dark' as const),
})

const folder = makeFolder()
let server: Server
let browser: Browser
/** Ids of records by the first word of an address. */
let records: Readonly<Record<string, string>>

const addressOf = ({ path: where }: Screen): string =>
  where.replaceAll(/:\w+/g, records[where.split('/')[1] as string] ?? crypto.randomUUID())

/** Members with the owner's password. @returns their user ids */
const addMembers = (tenantId: string, branchId: string): Record<string, string> => {
  const database = new BetterSqlite3(path.join(folder, 'data', 'institute.db'))
  const ids: Record<string, string> = {}
  for (const role of ROLES.slice(1)) {
    const [user, membership, assignment] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const email = `${role}@example.org`
    database
      .prepare(
        `insert into user (id, email, email_key, full_name, locale, status, email_verified, password_hash,
           is_platform_admin, created_at, updated_at)
         select ?, ?, ?, 'ليان حداد', locale, status, email_verified, password_hash, is_platform_admin, created_at,
           updated_at from user where email = ?`,
      )
      .run(user, email, email, OWNER.email)
    database
      .prepare(
        `insert into membership (id, tenant_id, user_id, status, created_at, updated_at)
         select ?, ?, ?, status, created_at, updated_at from membership limit 1`,
      )
      .run(membership, tenantId, user)
    database
      .prepare(
        `insert into role_assignment (id, tenant_id, membership_id, role_id, branch_id, created_at)
         select ?, ?, ?, id, ?, created_at from role where "key" = ?`,
      )
      .run(assignment, tenantId, membership, role === 'branch_manager' ? branchId : null, role)
    ids[role] = user
  }
  database.close()
  return ids
}

const HOUR = 3_600_000

/** One of each record that a screen shows. */
const fill = async (owner: Client, teacherUserId: string): Promise<Record<string, string>> => {
  const [{ id: branchId }] = bodyOf(await owner.get('/branches'))
  const create = async (where: string, body: object): Promise<string> => bodyOf(await owner.post(where, body)).id
  const staff = { branchId, firstName: 'ليان', lastName: 'حداد', userId: teacherUserId }
  const teacherStaffId = await create('/staff', staff)
  const categoryId = await create('/course-categories', { name: 'Languages', slug: 'languages' })
  const courseId = await create('/courses', { categoryId, name: 'العربية' })
  const groups = await create('/groups', { courseId, branchId, name: 'عربي ب1', teacherStaffId, room: 'غرفة 1' })
  const students = await create('/students', { branchId, firstName: 'דנה', lastName: 'לוי', phone: '+972501234567' })
  const guardians = await create('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: '+972501234568' })
  await owner.post(`/students/${students}/guardians`, { guardianId: guardians, relationship: 'mother', isPayer: true })
  await create('/enrollments', { studentId: students, groupId: groups })
  const [scheduledStart, scheduledEnd] = [-1, 1].map((hours) => new Date(Date.now() + hours * HOUR).toISOString())
  const sessions = await create(`/groups/${groups}/sessions`, { scheduledStart, scheduledEnd })
  const lines = [{ description: 'November', unitAmountMinor: 45_000 }]
  const invoices = await create('/invoices', { studentId: students, dueDate: '2030-01-31', lines })
  await owner.post(`/invoices/${invoices}/issue`, {})
  const leads = await create('/leads', { firstName: 'Noa', lastName: 'Cohen', phone: '+972501234569' })
  return {
    children: students,
    students,
    guardians,
    groups,
    sessions,
    invoices,
    leads,
    staff: teacherStaffId,
    courses: courseId,
  }
}

beforeAll(async () => {
  server = await Server.start([EXECUTABLE, 'serve', '--port', '0'], { cwd: folder })
  const anybody = client(server.url ?? '')
  const setup = newSetup(setupTokenIn(path.join(folder, 'data')))
  const { accessToken, activeTenantId } = bodyOf(await anybody.post('/setup/bootstrap', setup))
  const owner = anybody.as(accessToken)
  const [{ id: branchId }] = bodyOf(await owner.get('/branches'))
  const { teacher = '' } = addMembers(activeTenantId, branchId)
  records = await fill(owner, teacher)
  bodyOf(await owner.patch('/feature-flags', { advanced_reports: true }))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** What was read by axe: the roles share the markup. The colours in which it is met first are enough; at night both are read. */
const read = new Set<string>()

/** Of those of the vendor, which are open to none of these, one for each place is enough. */
const LOOKED_AT = SCREENS.filter(({ isForPlatform, platformRail }) => !isForPlatform || platformRail)

/** Looks at all screens in the name of a role. @returns what is wrong */
const walk = async (role: Role): Promise<string[]> => {
  const origin = server.url ?? ''
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', deviceScaleFactor: 1 })
  await context.addInitScript(TELL_OF_VIOLATIONS)
  const email = role === 'owner' ? OWNER.email : `${role}@example.org`
  const data = { email, password: OWNER.password, client: 'web' }
  const signedIn = await context.request.post(`${origin}/api/v1/auth/login`, { data })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const member = client(origin, accessToken)
  const { permissions } = bodyOf(await member.get('/auth/me')) as { permissions: string[] }
  const can = (...wanted: string[]): boolean => wanted.some((permission) => permissions.includes(permission))
  const isOpen = ({ needs, isForOwner, isForPlatform }: Screen): boolean =>
    isForPlatform === undefined &&
    (needs === undefined || can(...needs)) &&
    (isForOwner === undefined || role === 'owner')

  const page = await context.newPage()
  const faults: string[] = []
  const found = faultsOf(page, origin)
  page.on('response', (response) => {
    if (/^(?:403|422|5..)$/.test(String(response.status()))) found.push(`${response.status()} ${response.url()}`)
  })
  const quiet = quietOf(page)

  for (const turn of LOCALES.keys()) {
    const { locale, size, theme } = lookOf(ROLES.indexOf(role), turn)
    const words = await loadWords[locale]()
    await page.setViewportSize(SIZES[size])
    await page.emulateMedia({ colorScheme: theme })
    expect((await member.patch('/me', { locale })).status).toBe(200)
    await page.goto(`${origin}/account`)
    await quiet()
    const places = await page
      .locator('.rail a.item')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    // None of these roles is that of a family.
    const inRail = SCREENS.filter((screen) => screen.rail && !('isForFamily' in screen.rail) && isOpen(screen)).map(
      (screen) => screen.path,
    )
    expect(places, `${role}: the places`).toEqual(inRail)

    for (const screen of LOOKED_AT.filter((_, index) => (index + ROLES.indexOf(role)) % LOCALES.length === turn)) {
      const where = `${role}, ${locale}, ${size}, ${theme}, ${screen.path}`
      await page.evaluate(`history.pushState(null, '', '${addressOf(screen)}')`)
      await quiet()
      const title = await page.locator('main h1').filter({ visible: true }).textContent()
      const isRefused = title === words.shell.notAllowed.title
      if (isRefused === isOpen(screen)) found.push(isRefused ? 'is refused' : `is open: ${title}`)
      if (title === words.shell.notThere.title) found.push('is not there')
      const key = `${isOpen(screen) ? screen.path : 'refused'} ${isNightly ? theme : ''}`
      if (!read.has(key)) {
        read.add(key)
        found.push(...(await violations(page)))
      }
      found.push(...(await tooWide(page)))
      faults.push(...found.splice(0).map((fault) => `${where}: ${fault}`))
    }
  }
  await context.close()
  return faults
}

test('each role sees the screens that it may use, in every language, size and colour, and no other', async () => {
  const [owner, ...waiting] = ROLES
  const faults = await walk(owner)
  const walkOn = async (): Promise<void> => {
    const role = waiting.shift()
    if (role === undefined) return
    faults.push(...(await walk(role)))
    await walkOn()
  }
  await Promise.all([walkOn(), walkOn()])
  expect(faults).toEqual([])
}, 120_000)
