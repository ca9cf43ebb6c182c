import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

test.each(['ar', 'he', 'en'] as const)(
  'all parts of pages can be read and used by everybody, in %s',
  async (locale) => {
    const page = await open({ path: '/parts', locale })
    await expect.poll(() => page.locator('.notice').count()).toBeGreaterThan(4)
    await examine(page, locale, `console-parts-${locale}`)
    await page
      .getByRole('button', { name: /Sign out|ניתוק|تسجيل الخروج/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await examine(page, locale, `console-confirm-${locale}`)
  },
)
