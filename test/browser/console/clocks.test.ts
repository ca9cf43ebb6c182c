import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { NOW, openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

test('the page of the server says so where its clock and that of the device are far apart, when it is looked at', async () => {
  const { server: words } = await loadWords.en()
  const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/settings/server', locale: 'en' })
  const well = page.getByText(
    words
      .lookedAt('')
      .replace(/[\u2066-\u2069]/g, '')
      .trim(),
  )
  await well.waitFor()
  const notice = page.locator('.notice.warn')
  expect(await notice.count()).toBe(0)
  await page.clock.setFixedTime(new Date(Date.parse(NOW) - 365 * 86_400_000))
  await page.getByRole('button', { name: words.lookAgain }).click()
  await expect.poll(() => notice.innerText()).toMatch(/2025.*2026/)
})
