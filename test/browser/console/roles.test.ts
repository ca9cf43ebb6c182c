import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantTo } from '#kit/oauth.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en', { features: { mcp: true } })
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const rolesNow = async () => (await school.institute.owner.get('/roles?limit=100')).body.data
const idOf = async (key: string): Promise<string> =>
  (await rolesNow()).find((role: { key: string | null }) => role.key === key).id

test('a role is made as a copy of another, changed, given to somebody, and deleted once nobody has it', async () => {
  const { roles: words, members, shell, refusals } = await loadWords.en()
  const page = await open({ as: owner(), path: `/settings/roles/${await idOf('front_desk')}`, size: 'desk' })
  await page.getByText(words.fixed).waitFor()
  await page.getByRole('link', { name: words.copy }).click()
  const name = page.getByRole('textbox', { name: words.name })
  await expect.poll(() => name.inputValue()).toContain('Front desk')
  // What changes something brings what sees it, so that cannot be taken away by itself.
  const reads = page.getByRole('checkbox', { name: members.permissions['students.read'], exact: true })
  expect(await reads.isChecked()).toBe(true)
  expect(await reads.isDisabled()).toBe(true)

  await name.fill('א'.repeat(200))
  await page.getByRole('button', { name: words.add }).click()
  await page.getByText(shell.tooLong(100, 200)).waitFor()
  await name.fill('Owner')
  await page.getByRole('button', { name: words.add }).click()
  await page.getByText(refusals.reasons.role_name_taken).waitFor()
  await name.fill('מזכירות ערב')
  await press(page.getByRole('checkbox', { name: members.permissions['payments.record'] }))
  await page.getByRole('button', { name: words.add }).click()
  await page.getByRole('heading', { name: 'מזכירות ערב' }).waitFor()
  await page.getByText(words.noHolders).waitFor()
  const made = (await rolesNow()).find((role: { name: string }) => role.name === 'מזכירות ערב')
  expect(made.permissions).toContain('students.write')
  expect(made.permissions).not.toContain('payments.record')

  await page.getByRole('button', { name: words.change }).click()
  const form = page.getByRole('dialog')
  await press(form.getByRole('checkbox', { name: members.permissions['reports.read'] }))
  await form.getByRole('button', { name: shell.save }).click()
  await page.getByText(members.permissions['reports.read']).first().waitFor()

  const holder = await school.member('front_desk')
  await school.institute.owner.put(`/members/${holder.membershipId}/roles`, { roles: [{ roleId: made.id }] })
  await page.reload()
  await page.getByRole('list', { name: words.holders }).getByText('Rania Saleh').waitFor()
  const remove = async () => {
    await page.getByRole('main').getByRole('button', { name: shell.more, exact: true }).click()
    await page.getByRole('menuitem', { name: words.end }).click()
  }
  await remove()
  await form.getByText(/It stays as long as somebody has it: .*Rania Saleh/).waitFor()
  await form.getByRole('button', { name: words.end }).click()
  await form.getByText(refusals.reasons.role_in_use).waitFor()
  await form.getByRole('button', { name: shell.leaveIt }).click()

  await school.institute.owner.put(`/members/${holder.membershipId}/roles`, {
    roles: [{ roleId: await idOf('front_desk') }],
  })
  await page.reload()
  await page.getByText(words.noHolders).waitFor()
  await remove()
  await form.getByRole('button', { name: words.end }).click()
  await page.getByText(/The role .* is deleted/).waitFor()
  expect((await rolesNow()).some((role: { id: string }) => role.id === made.id)).toBe(false)
})

test('nobody gives more than they may do themselves, and the page names what', async () => {
  const { roles: words, members } = await loadWords.en()
  const made = await school.institute.owner.post('/roles', {
    name: 'Keeper of roles',
    permissions: ['roles.manage', 'members.read', 'students.read'],
  })
  expect(made.status).toBe(201)
  const keeper = await school.member('front_desk')
  await school.institute.owner.put(`/members/${keeper.membershipId}/roles`, { roles: [{ roleId: made.body.id }] })
  const page = await open({ as: keeper, path: '/settings/roles/new' })
  await page.getByRole('textbox', { name: words.name }).fill('More than mine')
  await press(page.getByRole('checkbox', { name: members.permissions['payments.record'] }))
  await page.getByRole('button', { name: words.add }).click()
  await page.getByText(new RegExp(`Not: .*${members.permissions['payments.record']}`)).waitFor()
})

test('two roles are compared by what only one of them may do', async () => {
  const { roles: words, members } = await loadWords.en()
  const [first, second] = [await idOf('front_desk'), await idOf('accountant')]
  const page = await open({ as: owner(), path: `/settings/roles/compare?first=${first}&second=${second}` })
  const row = (text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text })
  await row(members.permissions['invoices.write']).waitFor()
  await expect.poll(() => row(members.permissions['invoices.write']).textContent()).toMatch(/Accountant$/)
  await expect.poll(() => row(members.permissions['leads.write']).textContent()).toMatch(/Front desk$/)
  expect(await row(members.permissions['payments.record']).count()).toBe(0)
  await press(page.getByRole('checkbox', { name: words.onlyDifferent }))
  await row(members.permissions['payments.record']).waitFor()
})

test('the last owner keeps the role of one, and is told why', async () => {
  const { members: words, refusals, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/people' })
  await page.getByRole('button', { name: words.moreOf('Samira Saleh') }).click()
  await page.getByRole('menuitem', { name: words.changeRoles }).click()
  const dialog = page.getByRole('dialog')
  await press(dialog.getByRole('checkbox', { name: 'Owner' }))
  await press(dialog.getByRole('checkbox', { name: 'Accountant' }))
  await dialog.getByRole('button', { name: shell.save }).click()
  await dialog.getByText(refusals.reasons.last_owner).waitFor()
  expect((await school.institute.owner.get('/settings')).status).toBe(200)
})

test('the assistants that somebody let in are seen, and one is ended after a second press', async () => {
  const { members: words } = await loadWords.en()
  const { app, institute } = school
  await grantTo(app, institute.owner, institute.tenant.id)
  const [grant] = (await institute.owner.get('/me/grants')).body.data
  const page = await open({ as: owner(), path: '/settings/people' })
  await page.getByRole('button', { name: words.moreOf('Samira Saleh') }).click()
  await page.getByRole('menuitem', { name: words.grants }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: words.grants }).getByText(grant.clientName).first().waitFor()
  await dialog.getByRole('button', { name: words.grantEndOf(grant.clientName) }).click()
  await dialog.getByText(words.grantEndSure(grant.clientName)).waitFor()
  expect((await institute.owner.get('/me/grants')).body.data).toHaveLength(1)
  await dialog.getByRole('button', { name: words.grantEndNow }).click()
  await dialog.getByText(words.noGrants).waitFor()
  expect((await institute.owner.get('/me/grants')).body.data).toHaveLength(0)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the pages read well', async () => {
    const { roles: words } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/settings/roles' })
    await expect.poll(() => page.getByRole('link', { name: words.compare }).count()).toBe(1)
    await examine(page, locale, `roles-${locale}`)
    await page.goto(`${school.app.url}/settings/roles/new?from=${await idOf('accountant')}`)
    await page.getByRole('group', { name: words.groups['billing']! }).waitFor()
    await examine(page, locale, `roles-${locale}-new`)
    await page.goto(`${school.app.url}/settings/roles/compare`)
    await page.getByRole('heading', { name: words.groups['administration']! }).waitFor()
    await examine(page, locale, `roles-${locale}-compare`)
    await page.goto(`${school.app.url}/settings/roles/${await idOf('teacher')}`)
    await page.getByText(words.holders).waitFor()
    await examine(page, locale, `roles-${locale}-one`)
  })
})
