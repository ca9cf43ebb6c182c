import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMember } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { newGrant, newLesson, newSection, newVideoCourse } from '../../api/examples/curriculum.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { tooWide, watched } from './watch.ts'

/** What a family finds of video courses on a phone: what there is to watch and to read, and what is done. */

let school: School
let owner: School['institute']['owner']
let mother: TestMember
let lina: TestMember
let courseId: string
let grantId: string
let lessonIds: { video: string; text: string; hidden: string }
const { open } = watched(() => school)
const { own: words, curriculum, faults } = await loadWords.en()

const LONG_HEBREW = 'פעלים בזמן עבר ובזמן הווה '.repeat(8).slice(0, 200)
const BODY = 'Read <b>twice</b>.\nשורה שנייה\nسطر ثالث'

beforeAll(async () => {
  school = await openSchool('en')
  ;({ owner } = school.institute)
  const [studentId = ''] = school.studentIds
  mother = await school.member('guardian')
  await linkAccount(school.app, 'guardian', { id: school.guardianId, userId: mother.userId })
  lina = await school.member('student')
  await linkAccount(school.app, 'student', { id: studentId, userId: lina.userId })
  courseId = await newVideoCourse(school.institute, { name: 'Grammar at home', description: 'For the holidays' })
  const sectionId = await newSection(school.institute, courseId, 'Verbs')
  const video = await newLesson(school.institute, sectionId, { title: 'Past tense', durationSec: 600, isPreview: true })
  await owner.put(`/lessons/${video}/video`, { url: 'https://youtu.be/dQw4w9WgXcQ' })
  const text = await newLesson(school.institute, sectionId, { title: LONG_HEBREW, kind: 'text', body: BODY })
  const hidden = await newLesson(school.institute, sectionId, {
    title: 'Not for anybody yet',
    kind: 'text',
    body: BODY,
  })
  lessonIds = { video, text, hidden }
  for (const id of [video, text]) await owner.post(`/lessons/${id}/publish`)
  grantId = await newGrant(school.institute, courseId, studentId)
})
afterAll(() => school.app.close())

const base = () => `/children/${school.studentIds[0]}`

test('a mother sees what her child has to watch, and cannot say that it is done', async () => {
  const page = await open({ as: mother, path: base() })
  await page.getByRole('link', { name: words.coursesPlace, exact: true }).tap()
  await page
    .getByRole('link', { name: /Grammar at home/ })
    .getByText(words.progress(0, 2))
    .waitFor()
  await page.getByRole('link', { name: /Grammar at home/ }).tap()
  await page.getByRole('heading', { level: 1, name: 'Grammar at home' }).waitFor()
  await page.getByText('For the holidays').waitFor()
  expect(await page.getByText('Not for anybody yet').count()).toBe(0)
  await page.getByRole('link', { name: words.begin('Past tense') }).tap()
  const watch = page.getByRole('link', { name: `${curriculum.watchOn('YouTube')}: Past tense` })
  await watch.waitFor()
  expect(await watch.getAttribute('href')).toBe('https://www.youtube.com/watch?v=dQw4w9WgXcQ')
  expect([await watch.getAttribute('target'), await watch.getAttribute('rel')]).toEqual(['_blank', 'noreferrer'])
  await page.getByText(words.onlyStudent).waitFor()
  expect(await page.getByRole('button', { name: words.markDone }).count()).toBe(0)
  // Nor is there a way to what is not published.
  await page.goto(`${school.app.url}${base()}/courses/${courseId}/${lessonIds.hidden}`)
  await page.getByText(words.lessonGone).waitFor()
  expect(await page.getByText('Not for anybody yet').count()).toBe(0)
})

test('a student learns a lesson after the other, also where the network is gone for a while', async () => {
  const page = await open({ as: lina, path: `${base()}/courses/${courseId}` })
  await page.getByRole('link', { name: words.begin('Past tense') }).tap()
  const done = page.getByRole('button', { name: words.markDone })
  await page.route('**/complete', (route) => route.abort())
  await done.tap()
  await page.getByRole('alert').getByText(faults.unreachable).waitFor()
  expect((await lina.get(`/me/courses/${courseId}`)).body.completedCount).toBe(0)
  await page.unroute('**/complete')
  await done.tap()
  await page.getByText(words.markedDone).waitFor()
  await done.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: words.nextLesson }).tap()
  await page.getByRole('heading', { level: 1 }).getByText(LONG_HEBREW).waitFor()
  await expect.poll(() => page.locator('.lesson-body').textContent()).toBe(BODY)
  await page.getByRole('button', { name: words.markDone }).tap()
  await page.getByText(words.courseDone('Grammar at home')).waitFor()
  await page.getByRole('link', { name: 'Grammar at home' }).tap()
  await page.getByText(words.progress(2, 2)).waitFor()
  await page.getByText(words.completed, { exact: true }).waitFor()
  expect((await owner.get(`/courses/${courseId}/progress`)).body.data).toMatchObject([
    { courseEnrollmentId: grantId, status: 'completed', completedLessonIds: [lessonIds.video, lessonIds.text] },
  ])
})

test('while a course is not paid its lessons are closed but for the previews, and nothing of one that was taken away is left', async () => {
  const [, ali = ''] = school.studentIds
  const link = { guardianId: school.guardianId, relationship: 'mother', isPrimary: false, isPayer: true }
  await owner.post(`/students/${ali}/guardians`, link)
  const own = await newGrant(school.institute, courseId, ali)
  const line = { description: 'Grammar at home', unitAmountMinor: 20_000, courseEnrollmentId: own }
  expect((await owner.post('/invoices', { studentId: ali, lines: [line], dueDate: '2026-12-20' })).status).toBe(201)
  const page = await open({ as: mother, path: `/children/${ali}/courses/${courseId}` })
  await page.getByText(words.closedUntilPaid).waitFor()
  await page
    .getByRole('link', { name: /Past tense/ })
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: new RegExp(LONG_HEBREW.slice(0, 20)) }).count()).toBe(0)
  await page.goto(`${school.app.url}/children/${ali}/courses/${courseId}/${lessonIds.text}`)
  await page.getByText(words.closedUntilPaid).waitFor()
  expect(await page.locator('.lesson-body').count()).toBe(0)

  await owner.delete(`/course-enrollments/${own}`)
  await page.goto(`${school.app.url}/children/${ali}/courses/${courseId}`)
  await page.getByText(faults.notFound).waitFor()
  await page.goto(`${school.app.url}/children/${ali}/courses`)
  await page.getByText(words.noCourses).waitFor()
  // The child of another family is not there.
  await page.goto(`${school.app.url}/children/${school.studentIds[3]}/courses/${courseId}`)
  await page.getByText(faults.notFound).waitFor()
})

test('where the feature is off the page of a child has no way to it, and its addresses say so', async () => {
  await owner.patch('/feature-flags', { courses_video: false })
  try {
    const page = await open({ as: mother, path: base() })
    await page.getByRole('link', { name: words.marks }).waitFor()
    expect(await page.getByRole('link', { name: words.coursesPlace, exact: true }).count()).toBe(0)
    const below = `${base()}/courses/${courseId}`
    for (const path of [`${base()}/courses`, below, `${below}/${lessonIds.video}`]) {
      await page.goto(school.app.url + path)
      await page.getByText(curriculum.off).waitFor()
      expect(await page.getByRole('button', { name: curriculum.switchOn }).count()).toBe(0)
    }
  } finally {
    await owner.patch('/feature-flags', { courses_video: true })
  }
})

test.each(LANGUAGES)('in $locale the video courses of a family read well', async ({ locale }) => {
  const spoken = await loadWords[locale]()
  const page = await open({ as: lina, locale, browserLocale: locale, path: `${base()}/courses` })
  const look = async (path: string, text: string, name: string) => {
    await page.goto(school.app.url + path)
    await page.locator('main').getByText(text).first().waitFor()
    expect(await tooWide(page), path).toEqual([])
    await examine(page, locale, `console-own-${name}-${locale}`)
  }
  await page.getByRole('navigation', { name: spoken.shell.nav.label }).first().waitFor({ state: 'attached' })
  await look(`${base()}/courses`, 'Grammar at home', 'video-courses')
  await look(`${base()}/courses/${courseId}`, 'Past tense', 'video-course')
  await look(`${base()}/courses/${courseId}/${lessonIds.video}`, spoken.curriculum.watchOn('YouTube'), 'watch')
  await look(`${base()}/courses/${courseId}/${lessonIds.text}`, 'Read', 'read')
})
