import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isolate } from '#shared/isolate.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let owner: School['institute']['owner']
/** A child of the guardian's in the other branch, whose father is there too. */
let elsewhereId: string
const { open } = watched(() => school)
const { family: words, people, register, shell } = await loadWords.en()

beforeAll(async () => {
  school = await openSchool('en')
  ;({ owner } = school.institute)
  const child = { branchId: school.secondBranchId, firstName: 'Rami', lastName: 'Khoury' }
  elsewhereId = (await owner.post('/students', child)).body.id
  const father = { firstName: 'Nabil', lastName: 'Khoury', phone: '0549876543' }
  const guardianId = (await owner.post('/guardians', father)).body.id
  const marks = { isPrimary: false, isPayer: false }
  const link = { guardianId: school.guardianId, relationship: 'mother', ...marks }
  await owner.post(`/students/${elsewhereId}/guardians`, link)
  await owner.post(`/students/${elsewhereId}/guardians`, {
    guardianId,
    relationship: 'father',
    ...marks,
    isPayer: true,
  })
  const line = { description: 'Books', unitAmountMinor: 9000 }
  const { id } = (await owner.post('/invoices', { studentId: elsewhereId, lines: [line], dueDate: '2026-12-01' })).body
  await owner.post(`/invoices/${id}/issue`)
  const message = {
    templateKey: 'message',
    channels: ['email'],
    data: { title: 'Closed on Sunday', message: 'Closed.' },
  }
  await owner.post('/notifications/send', { ...message, recipients: { guardianIds: [school.guardianId] } })
  await school.app.drain()
})
afterAll(() => school.app.close())

const guardiansOf = async (studentId: string) => (await owner.get(`/students/${studentId}/guardians`)).body.data

test('the front desk adds a guardian who pays from now on, and unlinks them again', async () => {
  const [studentId] = school.studentIds as [string]
  const as = await school.member('front_desk')
  const page = await open({ as, path: `/students/${studentId}`, size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.addGuardian }).click()
  await page.getByRole('searchbox').fill('052-999 8877')
  await page.getByText(words.noneFound).waitFor()
  await page.getByRole('button', { name: words.newGuardian }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel(people.phone).inputValue()).toBe('052-999 8877')
  await dialog.getByLabel(people.firstName).fill('George')
  await dialog.getByLabel(people.lastName).fill('<b>Khoury</b>')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: words.link }).click()
  await dialog.getByText(words.missingRelation).waitFor()
  await dialog.getByRole('button', { name: words.choose }).click()
  await page.getByRole('option', { name: people.relations.father }).click()
  await dialog.getByText(words.pays).click()
  await dialog.getByRole('button', { name: words.link }).click()
  await page.getByRole('link', { name: 'George <b>Khoury</b>' }).waitFor()
  expect(await guardiansOf(studentId)).toMatchObject([
    { relationship: 'father', isPayer: true, isPrimary: false, guardian: { phone: '+972529998877' } },
    { relationship: 'mother', isPayer: false, isPrimary: true },
  ])
  await page.getByRole('button', { name: new RegExp(`${shell.more}: George`) }).click()
  await page.getByRole('menuitem', { name: words.unlink }).click()
  await page.getByText(words.unlinkPayer).waitFor()
  await page.getByRole('button', { name: words.unlink }).click()
  await page.getByRole('link', { name: 'George <b>Khoury</b>' }).waitFor({ state: 'detached' })
  expect(await guardiansOf(studentId)).toMatchObject([{ relationship: 'mother' }])
})

test('guardians are invited to accounts from their page, from a child’s and from a class; nobody else sees that', async () => {
  const { members } = await loadWords.en()
  const [studentId] = school.studentIds as [string]
  const as = { userId: school.institute.ownerUserId }
  const [groupId] = school.groupIds as [string]
  const make = async (firstName: string, phone: string, email?: string) => {
    const { id } = (await owner.post('/guardians', { firstName, lastName: 'Mattar', phone, email })).body
    const link = { guardianId: id, relationship: 'other', isPrimary: false, isPayer: false }
    await owner.post(`/students/${studentId}/guardians`, link)
    return id as string
  }
  const huda = await make('Huda', '0531112233', 'huda@mattar.org')
  await make('Ola', '0531112234', 'ola@mattar.org')
  await make('Basma', '0531112235')
  const page = await open({ as, path: `/guardians/${huda}`, size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.inviteOf('Huda Mattar') }).click()
  const given = page.getByRole('dialog', { name: members.handOverTitle })
  const link = given.getByRole('textbox', { name: members.linkOf('Huda Mattar') })
  expect(await link.inputValue()).toContain('/invitation?token=')
  await given.getByRole('button', { name: shell.close }).last().click()
  await page.getByText(members.invited, { exact: true }).first().waitFor()
  await page.getByRole('button', { name: members.resend }).waitFor()

  await page.goto(`${school.app.url}/students/${studentId}`)
  await page.getByRole('button', { name: words.inviteOf('Basma Mattar') }).click()
  const asked = page.getByRole('dialog')
  await asked.getByRole('textbox').fill('basma@mattar.org')
  await asked.getByRole('button', { name: members.record }).click()
  await page.getByRole('textbox', { name: members.linkOf('Basma Mattar') }).waitFor()
  await given.getByRole('button', { name: shell.close }).last().click()
  await page.getByRole('button', { name: words.inviteOf('Basma Mattar') }).waitFor({ state: 'detached' })

  // A student comes in with an account of their own too.
  const { fullName } = (await owner.get(`/students/${studentId}`)).body
  await page.getByRole('button', { name: words.inviteOf(fullName) }).click()
  await asked.getByText(words.inviteStudentAbout).waitFor()
  await asked.getByRole('textbox').fill('pupil@mattar.org')
  await asked.getByRole('button', { name: members.record }).click()
  await page.getByRole('textbox', { name: members.linkOf(fullName) }).waitFor()
  await given.getByRole('button', { name: shell.close }).last().click()
  await page.getByText(members.invited, { exact: true }).first().waitFor()
  await page.getByRole('button', { name: words.inviteOf(fullName) }).waitFor({ state: 'detached' })

  const enrolled = (await owner.get(`/students/${studentId}/enrollments`)).body.data
  if (!enrolled.some((one: { groupId: string }) => one.groupId === groupId)) {
    await owner.post('/enrollments', { studentId, groupId })
  }
  await page.goto(`${school.app.url}/groups/${groupId}`)
  await page.getByRole('button', { name: words.inviteFamilies }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('ola@mattar.org').waitFor()
  expect(await sheet.getByText('huda@mattar.org').count()).toBe(0)
  await sheet.getByText(words.accountsInvited(2)).waitFor()
  await examine(page, 'en', 'console-invite-families-en')
  await sheet.getByRole('button', { name: members.record }).click()
  await sheet.getByRole('textbox', { name: members.linkOf('Ola Mattar') }).waitFor()
  await sheet.getByRole('button', { name: shell.close }).last().click()
  await sheet.waitFor({ state: 'detached' })
  const { data } = (await owner.get('/directory/guardians?q=mattar')).body
  expect(data.map(({ account }: { account: string }) => account)).toEqual(['invited', 'invited', 'invited'])

  const desk = await open({ as: await school.member('front_desk'), path: `/guardians/${huda}`, locale: 'en' })
  await desk.getByRole('heading', { name: 'Huda Mattar' }).waitFor()
  expect(await desk.getByRole('button', { name: members.resend }).count()).toBe(0)
})

test('one page shows the family over all branches, and links another child', async () => {
  const as = { userId: school.institute.ownerUserId }
  const page = await open({ as, path: '/today', size: 'desk', locale: 'en' })
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/api\/v1\/(?:guardians|students|invoices|notifications)/.test(request.url())) asked.push(request.url())
  })
  await page.goto(`${school.app.url}/guardians/${school.guardianId}`)
  await page.getByText(/North branch/).waitFor()
  await page.getByText('Closed on Sunday').waitFor()
  // With the one that asks what is held in cheques.
  await expect.poll(() => asked.length).toBe(4)
  const father = page.getByRole('listitem').filter({ hasText: words.guardiansOf(isolate('Rami Khoury')) })
  expect(await father.getByRole('link', { name: '054-987-6543' }).getAttribute('href')).toBe('tel:+972549876543')
  // Both what she pays and what the father pays.
  await page.getByText(people.due('01/12/2026')).waitFor()
  await page.getByText(people.due('10/12/2026')).waitFor()

  await page.getByRole('button', { name: `Change: ${register.nationalId}` }).click()
  await page.getByRole('textbox', { name: register.nationalId }).fill('039337423')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^039337423/ }).waitFor()
  expect((await owner.get(`/guardians/${school.guardianId}`)).body.nationalId).toBe('039337423')

  await page.getByRole('button', { name: words.addChild }).click()
  await page.getByRole('searchbox').fill('Dana Levi')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Dana Levi/ })
    .click()
  await page.getByRole('button', { name: words.choose }).click()
  await page.getByRole('option', { name: people.relations.grandparent }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.link }).click()
  await page.getByRole('link', { name: /Dana Levi/ }).waitFor()
  const [dana] = (await owner.get('/students?q=Dana')).body.data
  expect(await guardiansOf(dana.id)).toMatchObject([{ relationship: 'grandparent', isPayer: false }])
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the family, and the link of a guardian, look right', async () => {
    const said = await loadWords[locale]()
    const as = { userId: school.institute.ownerUserId }
    const page = await open({ as, locale, path: `/guardians/${school.guardianId}` })
    await page.getByText('Closed on Sunday').waitFor()
    await expect.poll(() => page.getByRole('heading', { name: said.family.otherGuardians }).count()).toBe(1)
    await examine(page, locale, `console-family-${locale}`)
    await page.getByRole('button', { name: new RegExp(`${said.shell.more}: .*Rami`) }).click()
    await page.getByRole('menuitem', { name: said.family.change }).click()
    await page.getByText(said.family.pays).waitFor()
    await examine(page, locale, `console-link-${locale}`)
  })
})
