import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMember } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** A mother asks on her phone that what the school keeps of her child be changed, and the desk decides. */

let school: School
let mother: TestMember
let desk: TestMember
const { open } = watched(() => school)
const { proposals: words, people, branches, own, register, shell, today } = await loadWords.en()

const HOSTILE = '<img src=x onerror=alert(1)> ‮evil'

beforeAll(async () => {
  school = await openSchool('en')
  const guardian = await school.member('guardian')
  await linkAccount(school.app, 'guardian', { id: school.guardianId, userId: guardian.userId })
  mother = guardian
  desk = await school.member('front_desk')
})
afterAll(() => school.app.close())

const waiting = async () => (await school.institute.owner.get('/proposed-changes')).body.data

test('what she asks for is sent once though the answer is lost, the desk takes over a part, and she reads why', async () => {
  const [lina = '', other = ''] = school.studentIds
  const page = await open({ as: mother, path: `/children/${lina}` })
  await page.getByRole('link', { name: words.details }).tap()
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Lina Khoury' }) })
  await card.getByRole('button', { name: words.proposeOf('Lina Khoury') }).tap()
  const form = page.getByRole('dialog')
  // Nothing differs yet: there is nothing to send.
  expect(await form.getByRole('button', { name: words.send }).isDisabled()).toBe(true)
  await form.getByLabel(people.phone).fill('not a phone')
  await form.getByLabel(branches.street).fill(HOSTILE)
  await form.getByRole('button', { name: words.send }).tap()
  await form.getByText(register.faults.noPhone).waitFor()
  await form.getByLabel(people.phone).fill('050-999-8877')
  await form.getByLabel(words.note).fill('We have moved')

  // The server keeps it, and the line is cut before its answer.
  let isCut = false
  await page.route('**/me/proposed-changes', async (route) => {
    if (isCut) return route.continue()
    isCut = true
    await route.fetch()
    return route.abort()
  })
  await form.getByRole('button', { name: words.send }).tap()
  await form.getByRole('alert').or(card.getByText(words.waiting)).first().waitFor()
  if (await form.isVisible()) await form.getByRole('button', { name: words.send }).tap()
  await card.getByText(words.waiting).waitFor()
  await card.getByText(HOSTILE).waitFor()
  await page.unroute('**/me/proposed-changes')
  const [sent, ...more] = await waiting()
  expect(more).toEqual([])
  expect(sent).toMatchObject({ studentId: lina, fields: ['phone', 'address'], note: 'We have moved' })

  const office = await open({ as: desk, path: '/today', size: 'desk' })
  await office
    .locator('li', { hasText: words.need(1) })
    .getByRole('link', { name: today.look })
    .click()
  const asked = office.getByRole('article', { name: 'Lina Khoury' })
  await asked.getByText('We have moved').waitFor()
  await asked.getByText('050-999-8877').waitFor()
  // Somebody changes the phone by hand meanwhile: nothing is overwritten, and it is shown as it is now.
  await school.institute.owner.patch(`/students/${lina}`, { phone: '0501231231' })
  await asked.getByRole('button', { name: words.acceptOf('Lina Khoury') }).click()
  await asked.getByText(words.changedSince).waitFor()
  await asked.getByText('050-123-1231').waitFor()
  await asked.getByRole('checkbox', { name: people.phone }).press('Space')
  await asked.getByRole('button', { name: words.acceptSome(1) }).click()
  await office.getByText(words.takenOver('Lina Khoury')).waitFor()
  await office.getByText(words.nobody).waitFor()
  expect((await school.institute.owner.get(`/students/${lina}`)).body).toMatchObject({
    phone: '+972501231231',
    address: { line1: HOSTILE },
  })

  // What another family's record is called in an address leads to nothing of it.
  await page.goto(`${school.app.url}/details?of=${other}`)
  await page.getByText(/^Changed as you asked: .*Address/).waitFor()
  await page.getByText(/^Not changed: .*Phone/).waitFor()
  expect(await page.getByText('Ali Mansour').count()).toBe(0)
})

test('a decision that declines takes a word, which the family reads', async () => {
  const [lina = ''] = school.studentIds
  const page = await open({ as: mother, path: `/details?of=${school.guardianId}` })
  await page.getByRole('button', { name: words.proposeOf('Samira Khoury') }).tap()
  const form = page.getByRole('dialog')
  // She signs in with an address of her own, and of guardians no day of birth is kept.
  expect(await form.getByLabel(people.email).count()).toBe(0)
  expect(await form.getByLabel(people.birthDate).count()).toBe(0)
  await form.getByLabel(people.lastName).fill('Khouri')
  await form.getByRole('button', { name: words.send }).tap()
  await page.getByText(words.waiting).waitFor()
  await page.getByRole('button', { name: words.takeBack }).tap()
  await page.getByText(words.takenBack).waitFor()
  expect(await waiting()).toEqual([])

  const body = { studentId: lina, changes: { lastName: HOSTILE.slice(0, 40) } }
  expect((await mother.post('/me/proposed-changes', body)).status).toBe(201)
  const office = await open({ as: desk, path: '/proposals', size: 'desk' })
  await office.getByRole('button', { name: words.declineOf('Lina Khoury') }).click()
  const dialog = office.getByRole('dialog')
  await dialog.getByLabel(shell.reason).fill('Please bring her passport')
  await dialog.getByRole('button', { name: words.decline }).click()
  await office.getByText(words.leftAlone('Lina Khoury')).waitFor()
  await page.goto(`${school.app.url}/details`)
  await page.getByText(words.remark('Please bring her passport')).waitFor()
})

test('the school is put on the home screen where the browser offers it, and nobody is asked twice', async () => {
  const page = await open({ as: mother })
  expect(await page.locator('link[rel=manifest]').getAttribute('href')).toBe('/app.webmanifest')
  const offer = () =>
    page.evaluate(`(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true })
      event.prompt = () => { window.asked = true; return Promise.resolve({ outcome: 'accepted' }) }
      dispatchEvent(event)
    })()`)
  await offer()
  const hint = page.getByRole('complementary', { name: own.homeScreen })
  await hint.getByRole('button', { name: own.putThere }).tap()
  await hint.waitFor({ state: 'detached' })
  expect(await page.evaluate('window.asked')).toBe(true)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await offer()
  expect(await hint.count()).toBe(0)
})

test.each(LANGUAGES)('both pages fit and read well in $locale', async ({ locale }) => {
  const [lina = ''] = school.studentIds
  const changes = { phone: '0509998878', address: { line1: 'Herzl 5', city: 'Haifa' } }
  await mother.post('/me/proposed-changes', { studentId: lina, changes, note: 'We have moved' })
  const { proposals } = await loadWords[locale]()
  const page = await open({ as: mother, path: '/details', locale })
  await page.getByText(proposals.waiting).waitFor()
  await examine(page, locale, `console-own-details-${locale}`)
  const office = await open({ as: desk, path: '/proposals', locale })
  await office.getByRole('article').first().waitFor()
  expect(await waiting()).toHaveLength(1)
  await examine(office, locale, `console-proposals-${locale}`)
})
