import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { linkAccount } from '#kit/link-account.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { newGrant, newLesson, newPublished, newSection } from '../../api/examples/curriculum.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** Who gets a video course, how far they are, and who sees what of it. */

let school: School
let owner: School['institute']['owner']
const { open } = watched(() => school)
const { curriculum: words, courses, shell } = await loadWords.en()

beforeAll(async () => {
  school = await openSchool('en')
  ;({ owner } = school.institute)
})
afterAll(() => school.app.close())

const asOwner = () => ({ userId: school.institute.ownerUserId })

const menuOf = async (page: Page, title: string, entry: string): Promise<void> => {
  await page.getByRole('button', { name: `${shell.more}: ${title}`, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

test('the desk gives a course to a student and to a group, and takes it away; the office sees who did what', async () => {
  const { courseId, sectionId, lessonIds } = await newPublished(school.institute, 2)
  await newLesson(school.institute, sectionId, { title: 'Not published' })
  const desk = await school.member('front_desk')
  const page = await open({ as: desk, path: `/courses/${courseId}`, size: 'desk', locale: 'en' })
  expect(await page.getByRole('link', { name: new RegExp(words.lessons) }).count()).toBe(0)
  await page.getByRole('link', { name: new RegExp(words.students) }).click()
  await page.getByText(words.nobody).waitFor()
  await page.getByRole('button', { name: words.give }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(words.giveFollows).waitFor()
  await sheet.getByRole('searchbox').fill('Hala Farah')
  await sheet.getByRole('button', { name: /Hala Farah/ }).click()
  await page.getByText(words.given('Hala Farah')).waitFor()
  await sheet.getByText(words.has).waitFor()
  await press(sheet.getByRole('radio', { name: words.giveGroup }))
  await sheet.getByRole('button', { name: new RegExp(words.group) }).click()
  await page.getByRole('option', { name: /Robotics/ }).click()
  await sheet.getByRole('button', { name: words.giveToGroup }).click()
  await page.getByText(words.givenMany(5)).waitFor()
  const list = page.getByRole('list', { name: words.students })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(6)
  await menuOf(page, 'Hala Farah', words.takeAway)
  await sheet.getByText(words.takeAwayText).waitFor()
  await sheet.getByRole('button', { name: words.takeAway }).click()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(5)
  // The addresses of its lessons are not for the desk.
  await page.goto(`${school.app.url}/courses/${courseId}/curriculum`)
  await page.getByRole('heading', { name: shell.notAllowed.title }).waitFor()

  const office = await open({ as: asOwner(), path: `/courses/${courseId}/students`, size: 'desk' })
  const rows = office.getByRole('list', { name: words.students }).locator(':scope > li')
  await expect.poll(() => rows.count()).toBe(5)
  const lina = rows.filter({ hasText: 'Lina Khoury' })
  await lina.getByText(words.doneOf(0, 2)).waitFor()
  // Published lessons alone, by their names for ears.
  const marks = lina.getByRole('list', { name: words.lessonsOf('Lina Khoury') }).getByRole('listitem')
  await expect
    .poll(() => marks.allTextContents())
    .toEqual([`1${words.isOpen('Lesson 1')}`, `2${words.isOpen('Lesson 2')}`])
  const pupil = await school.member('student')
  await linkAccount(school.app, 'student', { id: school.studentIds[0] as string, userId: pupil.userId })
  expect((await pupil.post(`/me/lessons/${lessonIds[1]}/complete`)).status).toBe(200)
  await office.reload()
  await lina.getByText(words.doneOf(1, 2)).waitFor()
  await expect
    .poll(() => marks.allTextContents())
    .toEqual([`1${words.isOpen('Lesson 1')}`, `2${words.isDone('Lesson 2')}`])
  await menuOf(office, 'Lina Khoury', words.whichLessons)
  const done = office.getByRole('dialog').getByRole('listitem')
  await expect
    .poll(() => done.allTextContents())
    .toEqual([`1Lesson 1${words.lessonOpen}`, `Lesson 2${words.lessonDone}`])
})

test('a teacher reads the video course of a group from its page, and changes nothing', async () => {
  const groupId = school.groupIds[0] as string
  const { courseId } = (await owner.get(`/groups/${groupId}`)).body
  const sectionId = await newSection(school.institute, courseId, 'At home')
  await newLesson(school.institute, sectionId, { title: 'First steps' })
  await newGrant(school.institute, courseId, school.studentIds[0])
  const page = await open({ as: school.teacher, path: `/groups/${groupId}` })
  await page.getByRole('link', { name: new RegExp(words.lessons) }).tap()
  await page.getByRole('link', { name: 'First steps' }).waitFor()
  for (const name of [words.addSection, words.addLesson, `${shell.more}: First steps`]) {
    expect(await page.getByRole('button', { name }).count(), name).toBe(0)
  }
  expect(await page.locator('.handle').count()).toBe(0)
  await page.getByRole('link', { name: 'First steps' }).tap()
  await page.getByText(words.noVideo).waitFor()
  expect(await page.getByRole('button', { name: words.publish }).count()).toBe(0)
  await page.goto(`${school.app.url}/courses/${courseId}/students`)
  await page.getByRole('list', { name: words.students }).getByText('Lina Khoury').waitFor()
  expect(await page.getByRole('button', { name: words.give }).count()).toBe(0)
})

test('whoever may not see the contents of courses is told so', async () => {
  const { courseId } = await newPublished(school.institute)
  const page = await open({ as: await school.member('accountant'), path: `/courses/${courseId}/curriculum` })
  await page.getByRole('heading', { name: shell.notAllowed.title }).waitFor()
  await page.goto(`${school.app.url}/courses/${courseId}/students`)
  await page.getByRole('heading', { name: shell.notAllowed.title }).waitFor()
  expect(await page.getByText('Lesson 1').count()).toBe(0)
  const family = await open({ as: await school.member('guardian'), path: `/courses/${courseId}/curriculum` })
  await family.getByRole('heading', { name: shell.notAllowed.title }).waitFor()
})

test('where the feature is off there is no way to it, and its addresses say so', async () => {
  const { courseId, lessonIds } = await newPublished(school.institute)
  const page = await open({ as: asOwner(), path: `/courses/${courseId}`, size: 'desk' })
  await page.getByRole('link', { name: new RegExp(words.lessons) }).waitFor()
  await owner.patch('/feature-flags', { courses_video: false })
  try {
    await page.reload()
    await page.getByRole('heading', { level: 2, name: courses.details }).waitFor()
    expect(await page.getByText(words.title, { exact: true }).count()).toBe(0)
    for (const path of [
      `/courses/${courseId}/curriculum`,
      `/courses/${courseId}/students`,
      `/lessons/${lessonIds[0]}`,
    ]) {
      await page.goto(school.app.url + path)
      await page.getByText(words.off).waitFor()
    }
    await page.getByRole('button', { name: words.switchOn }).click()
    await page.getByRole('heading', { level: 1, name: 'Lesson 1' }).waitFor()
  } finally {
    await owner.patch('/feature-flags', { courses_video: true })
  }
})
