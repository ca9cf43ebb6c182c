import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOOKED_AT } from '#kit/accessibility.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** Everything that a person or a record may be called, as whoever means harm writes it. */
const MARKUP = '<img src=x onerror=alert(1)>'
const TURNED = '\u202Eabc "\'&amp; 👩‍👩‍👧'
const LONG = 'وليّ'.repeat(25)
const NOTES = `${MARKUP}\u202E\n${'x'.repeat(200)} 👍`

let school: School
/** The pages that hold the most, and those that are much like them. */
let records: Readonly<Record<string, string>>
let others: Readonly<Record<string, string>>
beforeAll(async () => {
  school = await openSchool('ar')
  const { institute, studentIds, groupIds, guardianId } = school
  const { owner } = institute
  const [studentId, groupId] = [studentIds[0] ?? '', groupIds[0] ?? '']
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  for (const [where, body] of [
    [`/students/${studentId}`, { firstName: MARKUP, lastName: TURNED, notes: NOTES, tags: [MARKUP] }],
    [`/guardians/${guardianId}`, { firstName: MARKUP, lastName: LONG }],
    [`/courses/${courseId}`, { name: MARKUP, description: NOTES }],
    [`/groups/${groupId}`, { name: `${MARKUP} ${TURNED}`, room: MARKUP }],
  ] as const) {
    const { status } = await owner.patch(where, body)
    if (status !== 200) throw new Error(`${where}: ${status}`)
  }
  records = {
    student: `/students/${studentId}`,
    guardian: `/guardians/${guardianId}`,
    group: `/groups/${groupId}`,
  }
  others = { find: '/find?q=onerror', students: '/students', groups: '/groups', course: `/courses/${courseId}` }
})
afterAll(() => school.app.close())
const { open, expectCalm } = watched(() => school)

const show = async (page: Page, path: string): Promise<void> => {
  await page.goto(school.app.url + path)
  await page.getByRole('main').getByText(MARKUP).filter({ visible: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Examines the pages. @returns the pictures that names made */
const examineAll = async (pages: Readonly<Record<string, string>>, locale: 'ar' | 'he' | 'en'): Promise<number> => {
  const page = await open({ as: { userId: school.institute.ownerUserId }, locale })
  let pictures = 0
  for (const [name, path] of Object.entries(pages)) {
    await show(page, path)
    pictures += await page.locator('img[src=x]').count()
    await examine(page, locale, `console-${name}-${locale}`)
    await expectCalm()
  }
  return pictures
}

test.each(LANGUAGES)(
  'a student, a guardian and a group are text, and fit everywhere, in $locale',
  async ({ locale }) => {
    expect(await examineAll(records, locale)).toBe(0)
  },
)

test('the lists, what was found and a course are text, and fit everywhere', async () => {
  expect(await examineAll(others, LOOKED_AT)).toBe(0)
})

test('the front desk enrols a student in a group that has room, and takes it back', async () => {
  const studentId = school.studentIds.at(-1) ?? ''
  const page = await open({ as: await school.member('front_desk'), path: `/students/${studentId}`, locale: 'en' })
  await page.getByRole('button', { name: 'Enrol in a group' }).click()
  const sheet = page.getByRole('dialog')
  const group = school.names.groups[3]
  await sheet.getByRole('searchbox', { name: 'Name of the group' }).fill(group.slice(0, 4))
  await sheet.getByRole('button', { name: group }).click()
  await page.getByText('is in', { exact: false }).getByText(group).waitFor()
  const roster = async () =>
    (await school.institute.owner.get(`/groups/${school.groupIds[3]}/enrollments?status=active`)).body.data.map(
      (enrollment: { studentId: string }) => enrollment.studentId,
    )
  expect(await roster()).toContain(studentId)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(roster).not.toContain(studentId)
})
