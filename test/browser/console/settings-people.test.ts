import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { mailedToken } from '#kit/sign-in.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })

const mailed = async (email: string): Promise<string> => {
  await school.app.drain()
  return mailedToken(school.app, email, 'invitation')
}

interface Member {
  email: string
  status: string
  roles: { roleKey: string | null; branchId: string | null }[]
}

const memberOf = async (email: string): Promise<Member | undefined> =>
  (await school.institute.owner.get('/members?limit=100')).body.data.find((one: Member) => one.email === email)

test('several people are invited at once, one of them gets another role in one branch, and one invitation is taken back', async () => {
  const { members: words, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings', size: 'desk' })
  await page.getByRole('link', { name: new RegExp(words.title) }).click()
  await page.getByRole('button', { name: words.invite }).click()
  expect(await page.getByRole('link', { name: words.toMail }).getAttribute('href')).toBe('/settings/mail')
  await page.getByRole('textbox', { name: words.emails }).fill('Nora@example.org, <omar@example.org>')
  await page.getByRole('button', { name: words.record }).click()
  await page.getByText(words.chooseRole).last().waitFor()
  await page.getByRole('button', { name: new RegExp(words.chooseRole) }).click()
  await page.getByRole('option', { name: shell.roles['teacher'] ?? '' }).click()
  await page.getByText(words.permissions['attendance.mark']).waitFor()
  // In all branches, unless some are chosen.
  const where = page.getByRole('group', { name: words.where })
  expect(await where.getByRole('checkbox', { name: shell.allBranches }).isChecked()).toBe(true)
  const branches = await where.getByRole('checkbox').count()
  for (let at = 1; at < branches; at += 1) await where.locator('label').nth(at).click()
  await page.getByRole('button', { name: words.record }).click()
  // There is no mailbox: nothing is said to be sent, and each link is given once.
  const given = page.getByRole('dialog', { name: words.handOverTitle })
  const linkOf = (email: string) => given.getByRole('textbox', { name: words.linkOf(email) }).inputValue()
  expect(await linkOf('Nora@example.org')).toMatch(/\/invitation\?token=\S+$/)
  expect(await linkOf('omar@example.org')).not.toBe(await linkOf('Nora@example.org'))
  await examine(page, 'en', 'console-hand-over-en')
  await given.getByRole('button', { name: shell.close }).last().click()
  await given.waitFor({ state: 'detached' })
  expect(await memberOf('nora@example.org')).toMatchObject({
    status: 'invited',
    roles: expect.arrayContaining([
      expect.objectContaining({ roleKey: 'teacher', branchId: school.institute.branchId }),
      expect.objectContaining({ roleKey: 'teacher', branchId: school.secondBranchId }),
    ]),
  })

  // Whoever is invited already is named with the reason, and stays in the field.
  await page.getByRole('button', { name: words.invite }).click()
  await page.getByRole('textbox', { name: words.emails }).fill('nora@example.org')
  await page.getByRole('button', { name: words.record }).click()
  await page.getByRole('alert').filter({ hasText: 'invited already' }).waitFor()
  expect(await page.getByRole('textbox', { name: words.emails }).inputValue()).toBe('nora@example.org')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: words.moreOf('nora@example.org') }).click()
  await page.getByRole('menuitem', { name: words.changeRoles }).click()
  await page
    .getByText(shell.roles['teacher'] ?? '', { exact: true })
    .last()
    .click()
  await page.getByText(shell.roles['front_desk'] ?? '', { exact: true }).click()
  await page.getByRole('group', { name: words.where }).getByText(school.names.branch).click()
  await page.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.rolesSaved('nora@example.org')).waitFor()
  expect(await memberOf('nora@example.org')).toMatchObject({
    roles: [{ roleKey: 'front_desk', branchId: school.secondBranchId }],
  })

  await page.getByRole('button', { name: words.moreOf('omar@example.org') }).click()
  await page.getByRole('menuitem', { name: words.resend }).click()
  expect(await linkOf('omar@example.org')).toContain('/invitation?token=')
  await given.getByRole('button', { name: shell.close }).last().click()
  await page.getByRole('button', { name: words.moreOf('omar@example.org') }).click()
  await page.getByRole('menuitem', { name: words.takeBack }).click()
  await page.getByRole('button', { name: words.asks.takeBack.verb }).click()
  await page.getByText(words.asks.takeBack.done('omar@example.org')).waitFor()
  expect(await memberOf('omar@example.org')).toBeUndefined()
})

test('a member loses their access after a question, and gets it again; whoever may only look changes nothing', async () => {
  const { members: words, faults } = await loadWords.en()
  const name = `${school.names.teacher[0]} ${school.names.teacher[1]}`
  const page = await open({ as: owner(), path: '/settings/people' })
  const teach = async (who: string) => {
    await page.getByRole('button', { name: words.moreOf(who) }).click()
    await page.getByRole('menuitem', { name: words.teaches }).click()
  }
  await teach(name)
  await page.getByText(words.teachesAlready(name)).waitFor()
  // Whoever leads a small school teaches, too.
  const leader = `${school.names.parent[0]} ${school.names.teacher[1]}`
  const names: (string | undefined)[] = []
  await page.route('**/api/v1/staff', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    names.push(route.request().headers()['idempotency-key'])
    return names.length > 1 ? route.fallback() : route.abort()
  })
  await teach(leader)
  await page.getByText(faults.unreachable).first().waitFor()
  await teach(leader)
  await page.getByText(words.teachesNow(leader)).waitFor()
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), names[0]])
  const staff = (await school.institute.owner.get('/staff')).body.data
  expect(staff).toMatchObject([{ userId: school.institute.ownerUserId }, { userId: school.teacher.userId }])
  await page.getByRole('button', { name: words.moreOf(name) }).click()
  await page.getByRole('menuitem', { name: words.end }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.asks.end.verb }).click()
  await page.getByText(words.disabled).waitFor()
  await page.getByRole('button', { name: words.moreOf(name) }).click()
  await page.getByRole('menuitem', { name: words.letIn }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.asks.letIn.verb }).click()
  await page.getByText(words.disabled).waitFor({ state: 'detached' })

  const reader = await school.institute.member({ permissions: ['members.read'] })
  const read = await open({ as: reader, path: '/settings/people' })
  await read.getByText(name).waitFor()
  expect(await read.getByRole('button', { name: /^More|^Invite/ }).count()).toBe(0)
})

test('a teacher who was added by name is invited to that record, and sees their groups at once', async () => {
  const { owner: client, branchId } = school.institute
  const { members: words, shell } = await loadWords.en()
  const record = { branchId, firstName: 'Rania', lastName: 'Khalil', email: 'rania@example.org' }
  const { id } = (await client.post('/staff', record)).body
  const page = await open({ as: owner(), path: '/settings/people', size: 'desk' })
  await page.getByRole('button', { name: words.invite }).click()
  await page.getByRole('textbox', { name: words.emails }).fill('Rania@example.org')
  await page.getByRole('button', { name: new RegExp(words.chooseRole) }).click()
  await page.getByRole('option', { name: shell.roles['teacher'] ?? '' }).click()
  // Whoever has the address is proposed.
  await page.getByRole('button', { name: /Rania Khalil/ }).waitFor()
  await page.getByRole('button', { name: words.record }).click()
  await page.getByRole('textbox', { name: words.linkOf('Rania@example.org') }).waitFor()
  expect(await memberOf('rania@example.org')).toMatchObject({ status: 'invited', roles: [{ roleKey: 'teacher' }] })
  const token = await mailed('rania@example.org')
  const accepted = { token, password: 'olive tree by the gate', fullName: 'Rania Khalil' }
  const { userId } = (await school.app.post('/invitations/accept', accepted)).body
  expect((await client.get(`/staff/${id}`)).body.userId).toBe(userId)
})

test('an owner sees who is signed in, and signs a teacher out on one device and then on all', async () => {
  const { members: words, account } = await loadWords.en()
  const { signedIn } = words
  const teacher = await school.institute.member({ role: 'teacher' })
  const phone = await open({ as: teacher, path: '/account' })
  await phone.getByText(account.sessions).first().waitFor()
  const address = (await school.institute.owner.get('/members?limit=100')).body.data.find(
    ({ userId }: { userId: string }) => userId === teacher.userId,
  ).email as string
  const page = await open({ as: owner(), path: '/settings/people' })
  await page.getByRole('link', { name: signedIn.title }).click()
  await page.getByText(account.here).waitFor()
  await page.getByRole('searchbox', { name: signedIn.search }).fill(address.toUpperCase())
  await page.getByText(account.here).waitFor({ state: 'detached' })
  const rows = page.getByRole('list', { name: signedIn.title }).getByRole('listitem')
  const before = await rows.count()
  expect(before).toBeGreaterThan(1)
  await rows.first().getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: signedIn.end }).click()
  await expect.poll(() => rows.count()).toBe(before - 1)

  const name = (await rows.first().locator('.name').textContent()) ?? ''
  await page.goto(`${school.app.url}/settings/people/signed-in?member=${teacher.membershipId}`)
  await page.getByRole('button', { name: signedIn.endAll }).click()
  await page.getByRole('dialog').getByRole('button', { name: signedIn.endAll }).click()
  await page.getByText(signedIn.allEnded(name)).waitFor()
  await page.getByText(signedIn.nowhere).waitFor()
  await page.getByRole('button', { name: words.showAll }).click()
  await page.getByText(account.here).waitFor()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the settings, the people and the roles look right', async () => {
    const { members: words } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/settings' })
    await examine(page, locale, `console-settings-${locale}`)
    await page.getByRole('link', { name: new RegExp(words.title) }).click()
    await page.getByRole('button', { name: words.invite }).waitFor()
    await page.getByRole('list', { name: words.title }).getByText('Saleh').first().waitFor()
    await examine(page, locale, `console-people-${locale}`)
    await page.goto(`${school.app.url}/settings/people/signed-in`)
    await page.getByRole('list', { name: words.signedIn.title }).getByRole('listitem').first().waitFor()
    await examine(page, locale, `console-signed-in-${locale}`)
    await page.goto(`${school.app.url}/settings/roles`)
    await page.getByText(words.mayAll).waitFor()
    await examine(page, locale, `console-roles-${locale}`)
    await expect.poll(() => page.getByRole('heading', { level: 2 }).count()).toBeGreaterThanOrEqual(8)
  })
})
