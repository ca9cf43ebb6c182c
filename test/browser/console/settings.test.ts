import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mailers } from '#app/config/mail-settings.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { grant } from '#kit/grant.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { startSmtpSink } from '#kit/smtp-sink.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** A square of one dot. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A backup is made by a process of its own, which starts from the sources here. */
const MADE_MILLIS = 100_000

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en', { openMailer: mailers(systemClock) })
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const read = async (path: string) => (await school.institute.owner.get(path)).body

test('a branch is opened, changed, closed after a question, and removed', async () => {
  const { branches: words, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/branches' })
  await page.getByRole('button', { name: words.add }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: words.name }).fill(school.names.branch)
  await form.getByRole('button', { name: shell.save }).click()
  await form.getByRole('alert').filter({ hasText: 'Another branch has this name' }).waitFor()
  await form.getByRole('textbox', { name: words.name }).fill('Harbour')
  await form.getByRole('textbox', { name: words.city }).fill('Haifa')
  await form.getByRole('textbox', { name: words.phone }).fill('٠٤-٨٥٠٠٠٠٠')
  await page.keyboard.press('Enter')
  await page.getByText(words.added('Harbour')).waitFor()
  const made = (await read('/branches')).find(({ name }: { name: string }) => name === 'Harbour')
  expect(made).toMatchObject({ phone: '+97248500000', address: { city: 'Haifa' }, isActive: true })

  const more = page.getByRole('button', { name: words.moreOf('Harbour') })
  await more.click()
  await page.getByRole('menuitem', { name: words.close }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.asks.close.verb }).click()
  await page.getByText(words.closed, { exact: true }).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: words.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.asks.remove.verb }).click()
  await page.getByText(words.asks.remove.done('Harbour')).waitFor()
  expect(await read('/branches')).toHaveLength(2)
})

test('the institute gets a name, days to pay in Arabic digits, a logo, a colour and a term', async () => {
  const { institute: words, edit, shell } = await loadWords.en()
  // As a local network has it: without what browsers give to HTTPS alone.
  const page = await open({ as: owner(), path: '/settings/institute', size: 'desk', isPlainHttp: true })
  await page.getByRole('button', { name: edit.change(words.dueDays) }).click()
  await page.getByRole('textbox', { name: words.dueDays }).fill('900')
  await page.keyboard.press('Enter')
  await page.getByText(words.notBetween('0–365')).waitFor()
  await page.getByRole('textbox', { name: words.dueDays }).fill('٣٠')
  await page.keyboard.press('Enter')
  await page.getByText(words.days(30)).waitFor()

  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: words.pictureChoose }).click()
  await (await chosen).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PICTURE })
  await page.getByText(words.logoSaved).waitFor()
  // From wherever the page was opened, whatever address is set for the institute.
  expect(await page.locator('.rail img').getAttribute('src')).toMatch(/^\/files\//)
  await page.getByRole('textbox', { name: words.color, exact: true }).fill('#ffee00')
  await page.getByText(/is used a little darker/).waitFor()
  await page.getByRole('form', { name: words.color }).getByRole('button', { name: shell.save }).click()
  await page.getByText(words.colorSaved).waitFor()

  await page.getByRole('button', { name: words.termAdd }).click()
  await page.getByRole('textbox', { name: words.termName }).fill('Autumn')
  await page.getByRole('textbox', { name: words.termStarts }).fill('1.9.2026')
  await page.keyboard.press('Enter')
  await page.getByText(words.termFrom('01/09/2026')).waitFor()
  const settings = await read('/settings')
  expect(settings).toMatchObject({
    invoiceDueDays: 30,
    branding: { color: '#ffee00' },
    terms: [{ name: 'Autumn', startsOn: '2026-09-01' }],
  })
  expect(settings.branding.logoFileId).not.toBeNull()
})

test('papers get the address of the institute and its tax number, and go with mails', async () => {
  const { institute: words, edit } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/institute' })
  await page.getByRole('button', { name: edit.change(words.postal) }).click()
  await page.getByRole('textbox', { name: words.postal }).fill('P.O. Box 12\nNazareth')
  await page.keyboard.press('Control+Enter')
  await page.getByText('P.O. Box 12').waitFor()
  await page.getByRole('button', { name: edit.change(words.taxNumber) }).click()
  await page.getByRole('textbox', { name: words.taxNumber }).fill('٥١٤-123456')
  await page.keyboard.press('Enter')
  await page.getByText('514-123456').waitFor()
  await page.getByRole('button', { name: edit.change(words.inMails) }).click()
  await page.getByRole('button', { name: new RegExp(words.mailsGo.without) }).click()
  await page.getByRole('option', { name: words.mailsGo.with }).click()
  await page.getByRole('button', { name: new RegExp(words.mailsGo.with) }).waitFor()
  await expect.poll(async () => (await read('/settings')).papers.inMails).toBe(true)
  expect((await read('/settings')).papers).toEqual({
    address: 'P.O. Box 12\nNazareth',
    taxNumber: '514-123456',
    inMails: true,
  })
})

test('a mailbox is tried, the reason why it fails is said in words, and a good one is kept and used', async () => {
  const { mail: words } = await loadWords.en()
  const sink = await startSmtpSink({ account: { user: 'office', password: 'right' } })
  try {
    const { hostname, port } = new URL(sink.url)
    const page = await open({ as: owner(), path: '/settings/mail' })
    await page.getByText(words.none).waitFor()
    await page.getByRole('button', { name: new RegExp(words.choose) }).click()
    await page.getByRole('option', { name: words.providers.own }).click()
    await page.getByRole('textbox', { name: words.host }).fill(hostname)
    await page.getByRole('textbox', { name: words.port }).fill(port)
    await page.getByRole('textbox', { name: words.user }).fill('office')
    await page.getByRole('textbox', { name: words.password, exact: true }).fill('wrong')
    await page.getByRole('textbox', { name: words.sender }).fill('office@noor.example.org')
    await page.getByRole('button', { name: words.tryAndKeep }).click()
    await page.getByText(words.faults.sign_in).waitFor()
    expect((await read('/mail/settings')).server).toBeNull()

    await page.getByRole('textbox', { name: words.password, exact: true }).fill('right')
    await page.getByRole('button', { name: words.tryAndKeep }).click()
    await page.getByText(words.saved).waitFor()
    await page.getByRole('button', { name: words.sendTest, exact: true }).click()
    await page.getByText(/The mail server took the test mail/).waitFor()
    expect(await sink.messages()).toHaveLength(2)
  } finally {
    await sink.stop()
  }
})

test('an address that the server does not take as sender is told, also where it is typed as that of the account', async () => {
  const { mail: words } = await loadWords.en()
  const before = await read('/mail/settings')
  const page = await open({ as: owner(), path: '/settings/mail' })
  await page.locator('form').getByRole('button').first().click()
  await page.getByRole('option', { name: words.providers.gmail }).click()
  await page.getByRole('textbox', { name: words.address, exact: true }).fill('office@noor..org')
  await page.getByRole('textbox', { name: words.password, exact: true }).fill('app password')
  await page.getByRole('button', { name: words.tryAndKeep }).click()
  await page.getByText(words.addressWrong).waitFor()
  // What a provider's server is called stands in no field of the page.
  const issues = [{ path: ['host'], message: 'Must be the name of a server.' }]
  const body = { error: { code: 'VALIDATION_ERROR', message: 'Invalid.', details: { issues } } }
  await page.route('**/api/v1/mail/**', (route) => route.fulfill({ status: 422, json: body }))
  await page.getByRole('textbox', { name: words.address, exact: true }).fill('office@noor.org')
  await page.getByRole('button', { name: words.tryAndKeep }).click()
  await page
    .getByRole('alert')
    .getByText((await loadWords.en()).register.notTaken)
    .waitFor()
  expect(await read('/mail/settings')).toEqual(before)
})

test('the line for a website is made for this website, shows its form, and is ended', async () => {
  const { website: words } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/website' })
  await page.getByRole('textbox', { name: words.site }).fill('Noor.example.org/register')
  await page.getByRole('button', { name: words.makeLine }).click()
  const line = await page.getByRole('textbox', { name: words.line }).inputValue()
  expect(line).toMatch(/^<script async src="http[^"]+\/widget\.js" data-key="ims_pk_[^"]+"><\/script>$/)
  await page.locator('institute-registration form').waitFor()
  const [key] = (await read('/api-keys')).data
  expect(key).toMatchObject({ kind: 'publishable', permissions: [] })
  expect(key.allowedOrigins.slice(0, 2)).toEqual(['https://noor.example.org', 'https://www.noor.example.org'])
  await page.getByRole('button', { name: words.endOf('noor.example.org') }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.end }).click()
  await page.getByText(words.sitesNone).waitFor()
})

test(
  'a backup is made at once, and downloaded with the password; the state of the server is said in words',
  async () => {
    const { backups: words, server, account, settings } = await loadWords.en()
    const page = await open({ as: owner(), path: '/settings/backups' })
    await page.getByText(words.none).waitFor()
    await page.getByRole('button', { name: words.make }).click()
    const download = page.getByRole('button', { name: new RegExp(words.download) })
    await download.waitFor({ timeout: MADE_MILLIS })
    await download.click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: account.passwordCurrent }).fill('not this one')
    await page.keyboard.press('Enter')
    await form.getByText(account.passwordWrong).waitFor()
    await form.getByRole('textbox', { name: account.passwordCurrent }).fill(PASSWORD)
    const saved = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await saved).suggestedFilename()).toMatch(/^institute-.*\.tar\.gz$/)

    await page.getByRole('link', { name: settings.title }).first().click()
    await page.getByRole('link', { name: new RegExp(settings.items.server.title) }).click()
    await page.getByText(server.abouts.queue.well).waitFor()
    await page.getByText(server.abouts.address.unwell).waitFor()
  },
  MADE_MILLIS + 30_000,
)

test('who may not change the settings does not see them', async () => {
  const { settings: words, shell } = await loadWords.en()
  const desk = await open({ as: await school.member('front_desk'), path: '/today', size: 'desk' })
  expect(await desk.getByRole('link', { name: shell.nav.settings }).count()).toBe(0)
  const admin = await open({ as: await school.member('admin'), path: '/settings', size: 'desk' })
  await admin.getByRole('link', { name: new RegExp(words.items.people.title) }).waitFor()
  expect(await admin.getByRole('link', { name: new RegExp(words.items.mail.title) }).count()).toBe(0)
})

test('the owner reads how much of the plan is used, the licence, and what a lock would mean; Today tells what is near', async () => {
  const { plan: words, plans, server, settings, today } = await loadWords.en()
  const { limits } = await read('/plan')
  const students = limits.find(({ limit }: { limit: string }) => limit === 'maxStudents').used
  await grant(school.app, school.institute, { quotas: { maxStudents: students, maxStorageBytes: 5_000_000_000 } })
  onTestFinished(() => grant(school.app, school.institute, {}))
  const page = await open({ as: owner(), path: '/today' })
  const need = page.getByRole('listitem').filter({ hasText: plans.quota.maxStudents }).first()
  await need.getByRole('link', { name: today.look }).click()
  await page.getByRole('heading', { name: settings.items.plan.title }).waitFor()
  await page.getByText(words.full, { exact: true }).waitFor()
  await page.getByText(/5,000 MB/).waitFor()
  await page.getByText(server.licenses.unlicensed).waitFor()
  await page.getByText(words.lockStays[2] ?? '').waitFor()
  expect(await page.getByText(words.near, { exact: true }).count()).toBe(0)
})

test('whose access is ended is told so on the page that is open', async () => {
  const { signIn, shell } = await loadWords.en()
  const member = await school.member('front_desk')
  const page = await open({ as: member, path: '/students', size: 'desk' })
  await page.getByRole('heading', { name: shell.nav.students }).waitFor()
  const { data } = await read('/members?isFamily=false&limit=100')
  const { membershipId } = data.find(({ userId }: { userId: string }) => userId === member.userId)
  const ended = await school.institute.owner.patch(`/members/${membershipId}`, { status: 'disabled' })
  expect(ended.status).toBe(200)
  await page.getByRole('link', { name: shell.nav.leads }).click()
  await page.getByRole('heading', { name: signIn.noInstitute }).waitFor()
})

test('a feature is switched on and off, and assistants are told where the server is', async () => {
  const { features: words, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/features' })
  const assistants = page.getByRole('checkbox', { name: words.each.mcp.title })
  await assistants.waitFor()
  const wasOn = await assistants.isChecked()
  expect(wasOn).toBe((await read('/feature-flags')).mcp)
  if (!wasOn) await press(assistants)
  expect(await page.getByRole('textbox', { name: words.address }).inputValue()).toMatch(/^https?:\/\/.+\/mcp$/)
  await press(assistants)
  await page.getByText(words.off(words.each.mcp.title)).waitFor()
  expect((await read('/feature-flags')).mcp).toBe(false)
  expect(await page.getByRole('textbox', { name: words.address }).count()).toBe(0)
  const last = page.getByRole('alertdialog').filter({ hasText: words.off(words.each.mcp.title) })
  await last.getByRole('button', { name: shell.undo }).click()
  await page.getByRole('textbox', { name: words.address }).waitFor()
  expect((await read('/feature-flags')).mcp).toBe(true)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the pages look right', async () => {
    const words = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/settings/institute' })
    await page.getByText(words.institute.rules).waitFor()
    await examine(page, locale, `console-institute-${locale}`)
    for (const [name, shown] of [
      ['branches', words.branches.add],
      ['mail', words.mail.provider],
      ['backups', words.backups.kept],
      ['server', words.server.abouts.address.unwell],
      ['features', words.features.each.mcp.text],
      ['plan', words.plan.lockText],
      ['website', words.website.makeLine],
    ] as const) {
      await page.goto(`${school.app.url}/settings/${name}`)
      await page.getByText(shown).first().waitFor()
      await examine(page, locale, `console-${name}-${locale}`)
    }
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(words.website.title)
  })

  test('mails that the mail server did not take are told, and sent again with one press', async () => {
    const { mail: words } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/account' })
    const reason = '454 4.7.0 Temporary authentication failure: Connection lost to authentication server'
    const email = { channel: 'email', waiting: 12, failed: 3, since: '2026-11-23T06:30:00.000Z', reason }
    let channels: object[] = [email]
    await page.route('**/api/v1/notifications/stuck', (route) => route.fulfill({ json: { channels } }))
    await page.route('**/api/v1/notifications/stuck/retry', (route) => {
      channels = []
      return route.fulfill({ status: 202, json: { retried: 15 } })
    })
    await page.goto(`${school.app.url}/settings/mail`)
    await page.getByText(reason).waitFor()
    await examine(page, locale, `console-stuck-mails-${locale}`)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: words.sendAgain }).click()
    expect((await sent).postDataJSON()).toEqual({ channel: 'email' })
    await page.getByText(words.sentAgain).waitFor()
    await page.getByText(reason).waitFor({ state: 'detached' })
  })
})
