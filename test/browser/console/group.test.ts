import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let path: string
beforeAll(async () => {
  school = await openSchool('en')
  path = `/groups/${school.groupIds[0]}`
  const rule = { startTime: '16:00', endTime: '17:30', validFrom: '2026-09-01' }
  await school.institute.owner.put(`${path}/schedules`, {
    schedules: [0, 3].map((weekday) => ({ ...rule, weekday })),
  })
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

test('the front desk drops a student after a question that names both', async () => {
  const page = await open({ as: await school.member('front_desk'), path, locale: 'en' })
  await page.getByText(/Sun, Wed .16:00–.17:30./).waitFor()
  await page.getByRole('button', { name: 'More: Ali Mansour' }).click()
  await page.getByRole('menuitem', { name: 'Drop' }).click()
  const question = page.getByRole('dialog', { name: /Drop .*Ali Mansour.* from .*Math A/ })
  await question.getByRole('button', { name: 'Drop' }).click()
  await page.getByText('11 of 16 places').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'More: Ali Mansour' }).count()).toBe(0)
})

test('a teacher reads the group and changes nothing; a past lesson without marks leads to attendance', async () => {
  const page = await open({ as: school.teacher, path, size: 'desk', locale: 'en' })
  await page.getByRole('link', { name: 'Lina Khoury' }).first().waitFor()
  expect(await page.getByRole('button', { name: /^Change|^More/ }).count()).toBe(0)
  const came = page.getByRole('row', { name: /Dana Levi.*Attended: 0 of 1.*Absent/ })
  expect(await came.getByRole('link', { name: 'Absent' }).getAttribute('href')).toBe(
    `/sessions/${school.sessionIds[0]}`,
  )
  await page.getByRole('columnheader', { name: /24 November/ }).waitFor()
  const unmarked = page.getByRole('link', { name: /Attendance was not taken/ })
  expect(await unmarked.getAttribute('href')).toBe(`/sessions/${school.unmarkedId}`)
})
