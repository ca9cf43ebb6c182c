import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  const { owner } = school.institute
  const rule = { startTime: '16:00', endTime: '17:30', validFrom: '2026-09-01', validTo: null }
  for (const groupId of school.groupIds.slice(0, 2)) {
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [0, 3].map((weekday) => ({ ...rule, weekday })) })
    await owner.patch(`/groups/${groupId}`, { startsOn: '2026-09-01', endsOn: '2027-06-30' })
  }
  const { data } = (await owner.get(`/groups/${school.groupIds[0]}/enrollments`)).body
  await owner.post(`/students/${data[0].studentId}/status`, { status: 'active' })
  await owner.post(`/students/${data[0].studentId}/status`, { status: 'paused' })
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })

test.each(LANGUAGES)('what would be done is looked at in $locale', async ({ locale }) => {
  const { rollover: words } = await loadWords[locale]()
  const size = locale === 'en' ? 'desk' : 'phone'
  const theme = locale === 'ar' ? 'dark' : 'light'
  const page = await open({ as: owner(), path: '/groups/rollover', size, locale, theme })
  await press(page.getByRole('checkbox', { name: words.all(4) }))
  await page.getByRole('button', { name: words.open(4) }).waitFor()
  const plans = page.getByRole('list', { name: words.plan, exact: true })
  await plans.getByRole('button', { name: words.showStudents }).first().click()
  await expect.poll(() => plans.getAttribute('aria-busy')).toBe('false')
  await plans.getByText(words.reasons.paused).first().waitFor()
  await examine(page, locale, `console-rollover-${locale}`)
})

test('groups go on with the names and the students that are chosen, on a phone, and lead to the new ones', async () => {
  const { rollover: words, groups } = await loadWords.en()
  const page = await open({ as: owner(), path: `/groups/${school.groupIds[0]}`, locale: 'en' })
  await page.getByRole('link', { name: words.goOnGroup }).click()
  const plans = page.getByRole('list', { name: words.plan, exact: true })
  const name = plans.getByRole('textbox', { name: /Math A/ })
  await expect.poll(() => name.inputValue()).toBe('Math A 2027/28')
  await name.fill('Math advanced')
  await plans.getByRole('button', { name: words.showStudents }).click()
  // Who pauses is taken along by a tick, and Dana is left out.
  const paused = plans.getByRole('checkbox', { name: new RegExp(words.reasons.paused) })
  expect(await paused.isChecked()).toBe(false)
  await press(paused)
  await press(plans.getByRole('checkbox', { name: /^Dana Levi/ }))
  const { data } = (await school.institute.owner.get(`/groups/${school.groupIds[0]}/enrollments`)).body
  const kept = data.filter(({ status }: { status: string }) => status === 'active').length - 1
  await page.getByText(words.sum(1, kept)).waitFor()
  await page.getByRole('button', { name: words.open(1) }).click()
  const question = page.getByRole('dialog', { name: words.ask(1, kept) })
  await press(question.getByRole('checkbox', { name: words.notify }))
  await question.getByRole('button', { name: words.open(1) }).click()
  await page.getByRole('heading', { name: words.made(1) }).waitFor()
  await page.getByRole('link', { name: /Math advanced/ }).click()
  await page.getByRole('heading', { name: 'Math advanced' }).waitFor()
  await page.getByText(groups.statuses.planned).first().waitFor()
  const made = page.url().split('/').at(-1)
  expect((await school.institute.owner.get(`/groups/${made}`)).body).toMatchObject({
    name: 'Math advanced',
    startsOn: '2027-09-01',
    endsOn: '2028-06-30',
    enrolledCount: kept,
  })

  // A second time it is refused, and the page takes the group out.
  const again = await open({ as: owner(), path: `/groups/rollover?group=${school.groupIds[0]}`, locale: 'en' })
  await again.getByRole('alert').getByText('goes on already').waitFor()
  await again.getByRole('button', { name: words.takeOut(1) }).click()
  await expect.poll(() => again.getByRole('alert').count()).toBe(0)
})
