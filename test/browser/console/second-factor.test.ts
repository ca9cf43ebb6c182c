import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt, stepAt } from '#modules/identity/second-factor/totp.ts'
import { freePort } from '#kit/free-port.ts'
import { keepPicture } from '#kit/browser.ts'
import { firstStep, setUpCodes } from '#kit/second-factor.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { ar } from '../../../src/console/words/ar/index.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { emailOf, openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

const { account, factor: words, refusals, shell, signIn: first } = en

let school: School
/** With a name: browsers make no passkeys for numbers. */
let origin: string
beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  school = await openSchool('en', { config: { port, baseUrl: origin } })
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

const enterPassword = async (page: Page, userId: string): Promise<void> => {
  await page.getByLabel(first.email).fill(emailOf(userId))
  await page.getByLabel(first.password, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: first.submit }).click()
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** A device that holds passkeys, whose person is always there. */
const virtualDevice = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a member sets codes up, signs in with one, and with a recovery code once', async () => {
  const member = await school.member('front_desk')
  const page = await open({ origin, path: '/account' })
  await enterPassword(page, member.userId)
  await page.getByRole('button', { name: words.begin }).click()
  const begin = dialog(page, words.steps.password)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await begin.getByLabel(words.password).fill('wrong')
  await begin.getByRole('button', { name: words.next }).click()
  await begin.getByText(words.passwordWrong).waitFor()
  // Sent twice, it would be two wrong ones to whoever counts them.
  expect(sent).toEqual(['POST /api/v1/me/second-factor'])
  await begin.getByLabel(words.password).fill(PASSWORD)
  await begin.getByRole('button', { name: words.next }).click()

  const scan = dialog(page, words.steps.scan)
  await scan.getByRole('img', { name: words.qr }).waitFor()
  const secret = (await scan.getByLabel(words.secret).inputValue()).replaceAll(' ', '')
  const code = () => codeAt(secret, stepAt(school.app.clock.now()))
  await scan.getByLabel(words.code).fill('000000')
  await scan.getByRole('button', { name: words.turnOn }).click()
  await scan.getByText(refusals.reasons.wrong_code).waitFor()
  await scan.getByLabel(words.code).fill(code())
  await scan.getByRole('button', { name: words.turnOn }).click()
  const kept = dialog(page, words.steps.codes)
  const recovery = (await kept.getByLabel(words.codes).inputValue()).split('\n')
  expect(recovery).toHaveLength(10)
  const file = page.waitForEvent('download')
  await kept.getByRole('button', { name: words.save }).click()
  const saved = readFileSync(await (await file).path(), 'utf8')
  for (const said of [emailOf(member.userId), words.codesUse, ...recovery]) expect(saved).toContain(said)
  // On paper there are the codes and whose they are, and nothing of the page.
  await kept.getByRole('button', { name: words.print }).waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: words.codesOf(emailOf(member.userId)) }).waitFor()
  await page.getByText(recovery[9] ?? '', { exact: true }).waitFor()
  expect(await kept.getByRole('button').count()).toBe(0)
  await keepPicture(page, 'console-recovery-codes-print')
  await page.emulateMedia({ media: 'screen' })
  await kept.getByRole('button', { name: words.kept }).click()
  await page.getByText(words.codesLeft(10)).waitFor()

  const other = await open({ origin, path: '/account' })
  await enterPassword(other, member.userId)
  const field = other.getByLabel(first.code)
  const submit = other.getByRole('button', { name: first.codeSubmit })
  await field.fill(code())
  await submit.click()
  await other.getByText(first.codeUsed).waitFor()
  await field.fill('000000')
  await submit.click()
  // The clock of the server, as the reader's own clock writes it.
  await other.getByText(/The clock of the server says .*4:10:00 PM/).waitFor()
  await field.fill(recovery[0] ?? '')
  await submit.click()
  const told = dialog(other, words.usedTitle)
  await told.getByText(words.codesLeft(9)).waitFor()
  await told.getByRole('button', { name: shell.close }).click()
  await told.waitFor({ state: 'hidden' })
  await other.getByText(words.codesLeft(9)).waitFor()
})

test.each(LANGUAGES)('whoever has few recovery codes left is offered new ones, in $locale', async ({ locale }) => {
  const { factor: own, signIn: ofSignIn } = await loadWords[locale]()
  const member = await school.member('front_desk')
  await member.patch('/me', { locale })
  const { recoveryCodes } = await setUpCodes(school.app, member)
  const used = recoveryCodes.slice(0, 7).map((code) => code.replace('-', ''))
  for (const code of used) {
    const ticket = await firstStep(school.app, emailOf(member.userId))
    expect((await school.app.post('/auth/login/second-factor', { ticket, code })).status).toBe(200)
  }
  const page = await open({ origin, path: '/today', locale, browserLocale: locale, size: 'phone' })
  await page.getByLabel(ofSignIn.email).fill(emailOf(member.userId))
  await page.getByLabel(ofSignIn.password, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: ofSignIn.submit }).click()
  await page.getByLabel(ofSignIn.code).fill(recoveryCodes[7] ?? '')
  await page.getByRole('button', { name: ofSignIn.codeSubmit }).click()
  const told = page.getByRole('dialog', { name: own.usedTitle })
  await told.getByText(own.codesLeft(2)).waitFor()
  await examine(page, locale, `console-recovery-left-${locale}`)
  await told.getByRole('button', { name: own.make }).click()
  await page.getByText(own.codesLeft(2)).waitFor()
  await page.getByRole('button', { name: own.make }).waitFor()
})

test('a passkey is added, named and used; at another address the page says where it works', async () => {
  const member = await school.member('front_desk')
  const page = await open({ origin, path: '/account', size: 'desk' })
  await virtualDevice(page)
  await enterPassword(page, member.userId)
  await page.getByRole('button', { name: words.addPasskey }).click()
  const sheet = dialog(page, words.addPasskey)
  await sheet.getByLabel(words.passkeyName).fill('Front desk PC')
  await sheet.getByLabel(words.password).fill(PASSWORD)
  await sheet.getByRole('button', { name: words.next }).click()
  await page.getByText(words.passkeyAdded('Front desk PC')).waitFor()

  await page.getByRole('button', { name: account.endEverywhere }).click()
  await dialog(page, account.endEverywhereTitle).getByRole('button', { name: account.endEverywhere }).click()
  await page.getByRole('button', { name: first.passkey }).click()
  await page.getByRole('heading', { level: 1, name: en.today.title }).waitFor()
  expect(
    (await school.app.app.database.read.selectFrom('passkey').select(['name', 'last_used_at']).execute())[0],
  ).toEqual({ name: 'Front desk PC', last_used_at: school.app.clock.now() })

  const elsewhere = await open({ as: member, path: '/account' })
  await elsewhere.getByText(words.notHere(origin)).waitFor()
  expect(await elsewhere.getByRole('button', { name: words.addPasskey }).count()).toBe(0)
})

test('a role that asks for it leads its people there, and lets them go on', async () => {
  const roleName = en.shell.roles['teacher'] ?? ''
  const owner = await open({ as: { userId: school.institute.ownerUserId }, path: '/settings/roles' })
  await press(owner.getByRole('checkbox', { name: roleName }))
  await owner.getByText(words.policySaved(roleName)).waitFor()

  const teacher = await open({ origin, path: '/week' })
  await virtualDevice(teacher)
  await enterPassword(teacher, school.teacher.userId)
  await teacher.getByRole('heading', { level: 1, name: words.needed }).waitFor()
  await teacher.getByRole('button', { name: words.withPasskey }).click()
  await teacher.getByLabel(words.password).fill(PASSWORD)
  await teacher.getByRole('button', { name: words.next }).click()
  await teacher.getByRole('heading', { level: 1, name: en.week.title }).waitFor()
  expect(new URL(teacher.url()).pathname).toBe('/week')

  // Whoever chooses a language there reads it from then on.
  const { userId } = await school.member('teacher')
  const another = await open({ origin, path: '/week' })
  await virtualDevice(another)
  await enterPassword(another, userId)
  await another.getByRole('heading', { level: 1, name: words.needed }).waitFor()
  await another.getByRole('button', { name: 'العربية' }).click()
  await another.getByRole('button', { name: ar.factor.withPasskey }).click()
  await another.getByLabel(ar.factor.password).fill(PASSWORD)
  await another.getByRole('button', { name: ar.factor.next }).click()
  await another.getByRole('heading', { level: 1, name: ar.week.title }).waitFor()

  // The owner sees who of those who work here has one, and who has none.
  await owner.goto(`${school.app.url}/settings/people`)
  const people = owner.getByRole('list', { name: en.members.title }).getByRole('listitem')
  await people.filter({ hasText: en.members.secondStep }).first().waitFor()
  await keepPicture(owner, 'people-and-second-steps')
  await owner.getByRole('button', { name: en.members.showThem }).click()
  await expect.poll(() => people.filter({ hasText: en.members.secondStep }).count()).toBe(0)
  expect(await people.count()).toBeGreaterThan(0)
})
