import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { freePort } from '#kit/free-port.ts'
import type { TxtAnswer } from '#ports/dns/port.ts'
import { newLicense, TestInstall } from '#kit/licenses.ts'
import { makePlatformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { setUpCodes } from '#kit/second-factor.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { newPlan, newSubscription } from '../../api/examples/plans.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { emailOf, openSchool, type School } from './school.ts'
import { quietOf, watched } from './watch.ts'

/** The vendor’s way through the console: whoever manages the platform, and no institute. */

let school: School
let admin: TestPlatformAdmin
/** What the DNS says of every domain. */
let inDns: TxtAnswer = { problem: 'no_record' }

beforeAll(async () => {
  const port = await freePort()
  school = await openSchool('en', {
    config: { mode: 'cloud', port, baseUrl: `http://127.0.0.1:${port}` },
    // No name server outside is asked.
    txtRecords: { lookUp: async () => inDns },
  })
  admin = await makePlatformAdmin(school.app)
  await school.app.app.database.write((db) =>
    db
      .updateTable('user')
      .set({ email: emailOf(admin.userId), email_key: emailOf(admin.userId) })
      .where('id', '=', admin.userId)
      .execute(),
  )
}, 60_000)
afterAll(() => school.app.close())
const { open } = watched(() => school)

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const tenantId = () => school.institute.tenant.id
const overview = async () => (await admin.get(`/platform/tenants/${tenantId()}`)).body

test('a platform admin lands on the institutes, adds a plan and an institute with it, and renews its subscription', async () => {
  const { platform, plans } = await loadWords.en()
  const page = await open({ as: admin, size: 'desk' })
  await heading(page, platform.nav.institutes).waitFor()
  expect(new URL(page.url()).pathname).toBe('/platform/institutes')

  await page.getByRole('link', { name: plans.title }).click()
  await page.getByRole('link', { name: plans.add }).click()
  await page.getByLabel(plans.name, { exact: true }).fill('School')
  await page.getByLabel(plans.code, { exact: true }).fill('school')
  await page.getByLabel(plans.amount, { exact: true }).fill('199')
  await page.getByLabel(plans.quota.maxStudents).fill('300')
  await press(
    page.getByRole('radiogroup', { name: plans.feature.mcp }).getByRole('radio', { name: plans.on, exact: true }),
  )
  await page.getByRole('button', { name: plans.add }).click()
  await page.getByText('300', { exact: true }).waitFor()

  await page.getByRole('link', { name: platform.nav.institutes }).first().click()
  await page.getByRole('link', { name: platform.institutes.add }).click()
  await page.getByLabel(platform.add.name, { exact: true }).fill('Carmel Institute')
  await page.getByLabel(platform.add.slug).fill('carmel')
  await page.getByLabel(platform.add.ownerName).fill('Dana Levi')
  await page.getByLabel(platform.add.ownerEmail).fill('dana@example.org')
  await page.getByRole('button', { name: platform.add.plan }).click()
  await page.getByRole('option', { name: /School/ }).click()
  await page.getByRole('button', { name: platform.institutes.add }).click()
  await heading(page, 'Carmel Institute').waitFor()
  await page.getByRole('button', { name: platform.subscription.renew }).click()
  const renewal = page.getByRole('dialog')
  await renewal.getByLabel(platform.subscription.ends).fill('01/01/2026')
  await renewal.getByRole('button', { name: platform.subscription.renew }).click()
  // It says after which day.
  await renewal.getByText(/Choose a day after/).waitFor()
  await renewal.getByLabel(platform.subscription.ends).fill('31/12/2027')
  await renewal.getByRole('button', { name: platform.subscription.renew }).click()
  await page.getByText('31/12/2027').first().waitFor()
})

test('an institute is locked with a reason and opened again; who works in its name is told until they end it', async () => {
  const { platform, platformWork, shell } = await loadWords.en()
  const page = await open({ as: admin, size: 'desk', path: '/platform/institutes?q=noor' })
  await page.getByRole('link', { name: /Al-Noor Institute/ }).click()
  await heading(page, 'Al-Noor Institute').waitFor()
  await page.getByRole('button', { name: shell.more }).first().click()
  await page.getByRole('menuitem', { name: platform.one.lock }).click()
  const lock = page.getByRole('dialog')
  await lock.getByRole('button', { name: platform.one.lock }).click()
  await lock.getByText(shell.reasonMissing).waitFor()
  await lock.getByLabel(platform.one.lockReason).fill('Two months are unpaid.')
  await lock.getByRole('button', { name: platform.one.lock }).click()
  await page.getByText('Two months are unpaid.').first().waitFor()
  expect((await overview()).tenant).toMatchObject({ status: 'suspended', lockedReason: 'Two months are unpaid.' })
  await page.getByRole('button', { name: platform.one.unlock }).click()
  await page.getByRole('button', { name: platform.one.visit }).click()

  const visit = page.getByRole('dialog')
  await visit.getByLabel(shell.reason).fill('They asked by telephone.')
  await visit.getByRole('button', { name: platform.one.visit }).click()
  await heading(page, 'Today').waitFor()
  const banner = page.getByText(shell.impersonated('Samira Saleh'))
  await banner.waitFor()
  await page.getByRole('link', { name: shell.nav.students }).first().click()
  await heading(page, shell.nav.students).waitFor()
  await banner.waitFor()
  await page.getByRole('button', { name: platform.endVisit }).click()
  await heading(page, 'Al-Noor Institute').waitFor()
  await page.getByText(platformWork.log.inName).waitFor()
  const { data } = (await admin.get(`/platform/audit?tenantId=${tenantId()}&limit=100`)).body
  expect(data).toContainEqual(
    expect.objectContaining({
      action: 'platform-tenants.impersonate',
      metadata: expect.objectContaining({ reason: 'They asked by telephone.' }),
    }),
  )
  expect(data[0]).toMatchObject({ action: 'auth.logout' })
})

test('whoever is a member of no institute is told so, and a platform admin who is one goes there and back', async () => {
  const { platform, signIn } = await loadWords.en()
  const stranger = await school.member('teacher')
  await school.app.app.database.write((db) =>
    db.updateTable('membership').set({ status: 'disabled' }).where('user_id', '=', stranger.userId).execute(),
  )
  const lonely = await open({ as: stranger, size: 'desk' })
  await heading(lonely, signIn.noInstitute).waitFor()

  const both = await school.member('owner')
  await school.app.app.database.write((db) =>
    db.updateTable('user').set({ is_platform_admin: true }).where('id', '=', both.userId).execute(),
  )
  const page = await open({ as: both, size: 'desk' })
  await heading(page, platform.nav.institutes).waitFor()
  const account = page.getByRole('navigation').getByRole('button', { name: /Rania Saleh/ })
  await account.click()
  await page.getByRole('menuitem', { name: 'Al-Noor Institute' }).click()
  await heading(page, 'Today').waitFor()
  await account.click()
  await page.getByRole('menuitem', { name: platform.title }).click()
  await heading(page, platform.nav.institutes).waitFor()
  expect(new URL(page.url()).pathname).toBe('/platform/institutes')
})

test('somebody who lost their second step gets it reset, with the password of whoever does it', async () => {
  const { account, factor, platformWork, shell } = await loadWords.en()
  const lost = await school.member('teacher')
  await setUpCodes(school.app, lost)
  const page = await open({ as: admin, size: 'desk', path: `/platform/users?email=${emailOf(lost.userId)}` })
  const more = page.getByRole('main').getByRole('button', { name: `${shell.more}: Rania Saleh` })
  await more.click()
  await page.getByRole('menuitem', { name: factor.reset }).click()
  const dialog = page.getByRole('dialog')
  const [password, reset] = [
    dialog.getByLabel(account.passwordCurrent),
    dialog.getByRole('button', { name: factor.resetVerb }),
  ]
  await password.fill('not the password')
  await reset.click()
  await dialog.getByText(account.passwordWrong).waitFor()
  await password.fill(PASSWORD)
  await reset.click()
  await page.getByText(factor.resetDone('Rania Saleh')).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: platformWork.users.disable }).waitFor()
  expect(await page.getByRole('menuitem', { name: factor.reset }).count()).toBe(0)
})

test('a licence shows its servers and what they are to do; it is locked, and gives a text that opens them', async () => {
  const { licenses: words, shell, platform, updates } = await loadWords.en()
  const license = await newLicense(school.app, school.institute)
  await new TestInstall(school.app, license).beat({
    updater: {
      channel: 'stable',
      lastCheckAt: school.app.clock.now(),
      lastResult: 'failed',
      lastReason: 'disk_full: the disk of /opt/institute needs 744 MB, and has 120 MB',
      targetVersion: '1.3.0',
    },
  })
  const page = await open({ as: admin, size: 'desk', path: '/platform/licenses' })
  await page.getByRole('link', { name: /Al-Noor Institute/ }).click()
  await heading(page, words.of('Al-Noor Institute')).waitFor()
  await page.getByText(/last heard from/).waitFor()
  await page
    .getByText(updates.reasons.disk_full)
    .filter({ hasText: 'the disk of /opt/institute needs 744 MB, and has 120 MB' })
    .waitFor()
  await page.getByRole('button', { name: shell.more }).click()
  await page.getByRole('menuitem', { name: words.lock, exact: true }).click()
  await page.getByRole('dialog').getByLabel(platform.one.lockReason).fill('Unpaid.')
  await page.getByRole('dialog').getByRole('button', { name: words.lock }).click()
  await page.getByText(words.waits.lock).waitFor()
  await page.getByText(/Locked since .*Unpaid\./).waitFor()
  await page.getByRole('button', { name: shell.more }).click()
  await page.getByRole('menuitem', { name: words.unlockToken }).click()
  await page.getByRole('button', { name: words.unlockTokenMake }).click()
  await expect
    .poll(() => page.getByRole('textbox', { name: words.unlockTokenTitle }).inputValue())
    .toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('one failed job is tried again and another dropped, a kind is paused and goes on, and an admin is added', async () => {
  const { platform, platformWork } = await loadWords.en()
  const { jobs: words, users } = platformWork
  const kind = 'oauth.sweep'
  const dead = { kind, lane: kind, payload: {}, run_at: '2099-01-01T00:00:00.000Z', state: 'dead' as const }
  await school.app.app.database.write((db) =>
    db
      .insertInto('job')
      .values(
        ['The disk was full.', 'The receiver answered 503.'].map((last_error) => ({
          ...dead,
          id: newId(),
          tenant_id: null,
          attempts: 5,
          max_attempts: 5,
          lease_until: null,
          unique_key: null,
          last_error,
          created_at: school.app.clock.now(),
          finished_at: school.app.clock.now(),
        })),
      )
      .execute(),
  )
  const page = await open({ as: admin, size: 'desk', path: '/platform/jobs' })
  const job = (error: string) =>
    page.getByRole('list', { name: words.single }).getByRole('listitem').filter({ hasText: error })
  const choose = async (error: string, entry: string) => {
    await job(error)
      .getByRole('button', { name: words.more(kind) })
      .click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await choose('The disk was full.', words.drop)
  await page.getByRole('dialog').getByRole('button', { name: words.drop }).click()
  await job('The disk was full.').waitFor({ state: 'detached' })
  await choose('The receiver answered 503.', words.retry)
  await job('The receiver answered 503.').waitFor({ state: 'detached' })

  // A kind that nothing runs in between.
  await admin.post(`/platform/queues/${kind}/pause`, { reason: 'The receiver is away.' })
  const paused = page.getByRole('list', { name: words.kinds }).getByRole('listitem').filter({ hasText: kind })
  await page.reload()
  await paused.getByText('The receiver is away.').waitFor()
  await paused.getByRole('button', { name: words.resume }).click()
  await page.getByText(words.resumed(kind)).waitFor()

  await page.getByRole('link', { name: platform.nav.users }).click()
  await page.getByRole('button', { name: users.add }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel(users.name).fill('Maya Cohen')
  await sheet.getByLabel(users.email).fill('maya@example.org')
  await sheet.getByRole('button', { name: users.add }).click()
  await page.getByText('maya@example.org').waitFor()
  const { data } = (await admin.get('/platform/users?email=maya@example.org')).body
  expect(data).toMatchObject([{ fullName: 'Maya Cohen', isPlatformAdmin: true }])
})

test('a domain that does not point here yet says so, and a figure of a month opens whom it counts', async () => {
  const { platform, platformFigures: words, refusals } = await loadWords.en()
  await admin.patch(`/platform/tenants/${tenantId()}`, { features: { custom_domain: true } })
  const domain = { domain: 'noor.example.org', kind: 'custom' }
  expect((await admin.post(`/platform/tenants/${tenantId()}/domains`, domain)).status).toBe(201)
  const page = await open({ as: admin, size: 'desk', path: `/platform/institutes/${tenantId()}` })
  await page.getByRole('button', { name: platform.domains.check }).first().click()
  await page.getByText(refusals.reasons.dns_no_record).waitFor()
  inDns = { values: ['of-another-program'] }
  await page.getByRole('button', { name: platform.domains.check }).first().click()
  await page.getByText(refusals.reasons.dns_other_value).getByText('of-another-program').waitFor()

  await page.getByRole('link', { name: platform.nav.figures }).click()
  const months = page.getByRole('table', { name: words.byMonth })
  await months.waitFor()
  await months.getByRole('link').first().click()
  await page.getByRole('link', { name: /Al-Noor Institute/ }).waitFor()
  await page.getByRole('link', { name: words.all }).click()
  expect(new URL(page.url()).search).toBe('')
})

const PAGES = [
  'institutes',
  'institutes/new',
  'institutes/:tenant',
  'figures',
  'renewals',
  'licenses',
  'licenses/:license',
  'plans',
  'plans/:plan',
  'jobs',
  'users',
  'history',
] as const

test.each(LANGUAGES)(
  'every page of the vendor can be read in $locale',
  async ({ locale }) => {
    const plan = await newPlan(school.app)
    const license = await newLicense(school.app, school.institute)
    await new TestInstall(school.app, license).beat()
    if ((await overview()).subscription === null) await newSubscription(school.app, school.institute)
    await admin.post(`/platform/tenants/${tenantId()}/domains`, { domain: `${locale}.rimon.example`, kind: 'custom' })
    const ids = { tenant: tenantId(), license: license.id, plan: plan.id as string }
    const page = await open({ as: admin, locale })
    const quiet = quietOf(page)
    for (const path of PAGES) {
      const address = path.replace(/:(\w+)/, (_, name: keyof typeof ids) => ids[name])
      await page.goto(`${school.app.url}/platform/${address}`)
      await quiet()
      await expect.poll(() => heading(page, /./).count(), { message: path }).toBe(1)
      await examine(page, locale, `vendor-${path.replaceAll(/[/:]+/g, '-')}-${locale}`)
    }
  },
  120_000,
)
