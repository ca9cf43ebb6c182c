import { afterAll, beforeAll, expect, test } from 'vitest'
import { layoutFaults } from '#kit/layout.ts'
import type { Locale } from '#shared/locale.ts'
import { SCREENS } from '../../../src/console/map.ts'
import { newGrant, newLesson, newSection } from '../../api/examples/curriculum.ts'
import { openSchool, type School } from './school.ts'
import { quietOf, SIZES, watched } from './watch.ts'

/**
 * Words differ in length, and a page runs from the right in two languages: each screen is looked at once in those windows
 * that `examine` leaves to the night.
 */

const WINDOWS: Partial<Record<Locale, readonly (keyof typeof SIZES)[]>> = { he: ['phone', 'desk'], ar: ['desk'] }

let school: School
let ids: Readonly<Record<string, string | undefined>>
beforeAll(async () => {
  school = await openSchool('he')
  const { owner } = school.institute
  const first = async (path: string): Promise<string> => (await owner.get(path)).body.data[0].id
  const [invoices, courses, leads] = [await first('/invoices'), await first('/courses'), await first('/leads')]
  const paid = { allocations: [{ invoiceId: invoices, amountMinor: 10_000 }], currency: 'ILS', method: 'cash' }
  const { body } = await owner.post('/payments', paid)
  const [students, guardians] = [school.studentIds[0], school.guardianId]
  const [groups, sessions] = [school.groupIds[0], school.sessionIds[1]]
  const section = await newSection(school.institute, courses)
  const lessons = await newLesson(school.institute, section, { title: 'Past tense' })
  await newGrant(school.institute, courses, students)
  ids = { students, guardians, groups, sessions, invoices, courses, lessons, leads, receipts: body.id }
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

test.each(Object.entries(WINDOWS))(
  'each screen fits in %s',
  async (locale, sizes) => {
    const as = { userId: school.institute.ownerUserId }
    const page = await open({ as, locale: locale as Locale, path: '/account' })
    const quiet = quietOf(page)
    const faults: string[] = []
    // Those of the vendor are looked at by their own test.
    for (const { path } of SCREENS.filter(({ isForPlatform }) => !isForPlatform)) {
      const address = path.replace(/([a-z]+)\/:id/, (_, name: string) => `${name}/${ids[name]}`)
      await page.evaluate(`history.pushState(null, '', '${address}')`)
      await quiet()
      for (const size of sizes) {
        await page.setViewportSize(SIZES[size])
        faults.push(...(await layoutFaults(page)).map((fault) => `${path}, ${size}: ${fault}`))
      }
    }
    expect(faults).toEqual([])
  },
  120_000,
)
