import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { newGrant, newLesson, newSection, newVideoCourse } from '../../api/examples/curriculum.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { tooWide, watched } from './watch.ts'

/** How a video course is made: its sections and lessons, their order, their videos. */

let school: School
let owner: School['institute']['owner']
const { open } = watched(() => school)
const { curriculum: words, edit, faults, refusals, shell } = await loadWords.en()

/** Two hundred letters, with what a page must not take for its own. */
const LONG_HEBREW = `${'פעלים בזמן עבר ובזמן הווה '.repeat(8).slice(0, 176)}<b>1</b> & "x" #42 (א)`
const HOSTILE = '<img src=x onerror=alert(1)> {{title}} "quoted"'

beforeAll(async () => {
  school = await openSchool('en')
  ;({ owner } = school.institute)
})
afterAll(() => school.app.close())

const asOwner = () => ({ userId: school.institute.ownerUserId })

interface Shown {
  id: string
  title: string
  lessons: { id: string; title: string; video: { provider: string } | null; publishedAt: string | null }[]
}
const sectionsOf = async (courseId: string): Promise<Shown[]> =>
  (await owner.get(`/courses/${courseId}/curriculum`)).body.sections
const titlesOf = async (courseId: string, at = 0): Promise<string[]> =>
  ((await sectionsOf(courseId))[at]?.lessons ?? []).map(({ title }) => title)

/** A course of one section with three lessons. */
const newCourse = async () => {
  const courseId = await newVideoCourse(school.institute, { name: 'Grammar at home' })
  const sectionId = await newSection(school.institute, courseId, 'Verbs')
  const lessonIds: string[] = []
  for (const title of ['One', 'Two', 'Three']) lessonIds.push(await newLesson(school.institute, sectionId, { title }))
  return { courseId, sectionId, lessonIds: lessonIds as [string, string, string] }
}

const handleOf = (page: Page, title: string): Locator => page.getByRole('button', { name: words.move(title) })
const menuOf = async (page: Page, title: string, entry: string): Promise<void> => {
  await page.getByRole('button', { name: `${shell.more}: ${title}`, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}
const shownIn = (page: Page, section: string): Promise<string[]> =>
  page.getByRole('list', { name: section, exact: true }).getByRole('link').allTextContents()

const middleOf = async (element: Locator) => {
  const box = (await element.boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Drags one handle to where another is. */
const drag = async (page: Page, from: Locator, to: Locator): Promise<void> => {
  const [start, end] = [await middleOf(from), await middleOf(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x, (start.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await page.mouse.up()
}

/** The same with a finger. */
const dragByTouch = async (page: Page, from: Locator, to: Locator): Promise<void> => {
  const [start, end] = [await middleOf(from), await middleOf(to)]
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [start])
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await touch('touchMove', [{ x: start.x, y: start.y + (end.y - start.y) * share }])
  }
  await touch('touchEnd', [])
}

test('a course gets its sections and lessons, and each link that is no video is refused in words at its field', async () => {
  const courseId = await newVideoCourse(school.institute, { name: 'Spelling' })
  const page = await open({ as: asOwner(), path: `/courses/${courseId}`, size: 'desk' })
  await page.getByRole('link', { name: new RegExp(words.lessons) }).click()
  await page.getByText(words.empty).waitFor()
  await page.getByRole('button', { name: words.addSection }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('textbox', { name: words.sectionTitle }).fill(HOSTILE)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: HOSTILE }).waitFor()

  await page.getByRole('button', { name: words.addLesson }).click()
  await sheet.getByRole('button', { name: words.addLesson }).click()
  await sheet.getByText(edit.missing).waitFor()
  await sheet.getByRole('textbox', { name: words.lessonTitle }).fill('Silent letters')
  const field = sheet.getByRole('textbox', { name: new RegExp(words.link) })
  for (const [typed, told] of [
    ['https://youtu.be/ dQw4w9WgXcQ', words.linkMalformed],
    ['https://youtu.be/short', words.linkMalformed],
    ['https://videos.example.org/1', refusals.reasons.unknown_host],
    ['https://www.youtube.com/playlist?list=PL1234567890', refusals.reasons.playlist_not_supported],
    ['https://vimeo.com/12345678/password', refusals.reasons.password_protected],
    ['https://www.dailymotion.com/video/x7tgad0', refusals.reasons.provider_not_enabled],
    ['https://www.terabox.com/s/1abcdefgh', refusals.reasons.terabox_not_enabled],
  ] as const) {
    await field.fill(typed)
    await sheet.getByRole('button', { name: words.addLesson }).click()
    await sheet.locator('.field .error').getByText(told).waitFor()
    expect(await field.inputValue()).toBe(typed)
  }
  // As browsers show it, without https, and with the blanks that came along.
  await field.fill('  www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s ')
  await sheet.getByRole('button', { name: words.addLesson }).click()
  await sheet.waitFor({ state: 'detached' })
  expect(await sectionsOf(courseId)).toMatchObject([
    { title: HOSTILE, lessons: [{ title: 'Silent letters', video: { provider: 'youtube' }, publishedAt: null }] },
  ])

  // A text has its lines; its page changes it in place.
  await page.getByRole('button', { name: words.addLesson }).click()
  await sheet.getByRole('textbox', { name: words.lessonTitle }).fill('Rules')
  await press(sheet.getByRole('radio', { name: words.kinds.text }))
  await sheet.getByRole('textbox', { name: new RegExp(words.text) }).fill('First line\nSecond line')
  await sheet.getByRole('button', { name: words.addLesson }).click()
  await page.getByRole('link', { name: 'Rules' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor()
  await page.getByRole('button', { name: new RegExp(words.lessonTitle) }).click()
  await page.getByRole('textbox', { name: words.lessonTitle }).fill(LONG_HEBREW)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).getByText(LONG_HEBREW).waitFor()
  await page.getByRole('button', { name: new RegExp(words.duration) }).click()
  await page.getByRole('textbox', { name: words.duration }).fill('a while')
  await page.keyboard.press('Enter')
  await page.getByText(words.wrongDuration).waitFor()
  await page.getByRole('textbox', { name: words.duration }).fill('١٢')
  await page.keyboard.press('Enter')
  await page.getByText(words.minutes(12)).waitFor()
  await page.getByRole('button', { name: words.publish, exact: true }).click()
  await page.getByText(words.published, { exact: true }).waitFor()
  const [, rules] = (await sectionsOf(courseId))[0]?.lessons ?? []
  expect(rules).toMatchObject({
    title: LONG_HEBREW,
    body: 'First line\nSecond line',
    durationSec: 720,
    publishedAt: expect.any(String),
  })
})

test('lessons are sorted by a mouse, and by the arrow keys without losing the place', async () => {
  const { courseId } = await newCourse()
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum`, size: 'desk' })
  await drag(page, handleOf(page, 'One'), handleOf(page, 'Three'))
  await expect.poll(() => titlesOf(courseId)).toEqual(['Two', 'Three', 'One'])
  await expect.poll(() => shownIn(page, 'Verbs')).toEqual(['Two', 'Three', 'One'])
  await handleOf(page, 'One').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => titlesOf(courseId)).toEqual(['One', 'Two', 'Three'])
  await page.getByText(words.placed('One', 1, 3)).waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => titlesOf(courseId)).toEqual(['Two', 'One', 'Three'])
  await expect
    .poll(() => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")'))
    .toBe(words.move('One'))
  await menuOf(page, 'Three', words.up)
  await expect.poll(() => titlesOf(courseId)).toEqual(['Two', 'Three', 'One'])
  // Escape gives a drag up.
  const { x, y } = await middleOf(handleOf(page, 'Two'))
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 150, { steps: 3 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  expect(await shownIn(page, 'Verbs')).toEqual(['Two', 'Three', 'One'])
})

test('sections and lessons are sorted by a finger on a phone', async () => {
  const { courseId } = await newCourse()
  await newSection(school.institute, courseId, 'Nouns')
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum` })
  await dragByTouch(page, handleOf(page, 'Three'), handleOf(page, 'One'))
  await expect.poll(() => titlesOf(courseId)).toEqual(['Three', 'One', 'Two'])
  // Not under the bar at the bottom; a section gives way before one is at its top.
  await page.evaluate(`[...document.querySelectorAll('.handle')].at(-1).scrollIntoView({ block: 'center' })`)
  await dragByTouch(page, handleOf(page, 'Nouns'), handleOf(page, 'One'))
  await expect.poll(async () => (await sectionsOf(courseId)).map(({ title }) => title)).toEqual(['Nouns', 'Verbs'])
})

test('a lesson is moved to another section from its menu, by keyboard', async () => {
  const { courseId } = await newCourse()
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum` })
  await page.getByRole('button', { name: `${shell.more}: Two`, exact: true }).press('Enter')
  // There is no other section yet.
  expect(await page.getByRole('menuitem', { name: words.toSection }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await newSection(school.institute, courseId, 'Nouns')
  await page.reload()
  await menuOf(page, 'Two', words.toSection)
  await page.getByRole('dialog').getByRole('button', { name: 'Nouns' }).press('Enter')
  await page.getByText(words.movedTo('Two', 'Nouns')).waitFor()
  expect([await titlesOf(courseId), await titlesOf(courseId, 1)]).toEqual([['One', 'Three'], ['Two']])
  await expect.poll(() => shownIn(page, 'Nouns')).toEqual(['Two'])
})

test('a hand that lets go before its last move is drawn puts a lesson where it was let go', async () => {
  const { courseId } = await newCourse()
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum`, size: 'desk' })
  const [handle, place] = [handleOf(page, 'Three'), await middleOf(handleOf(page, 'One'))]
  await handle.hover()
  await page.mouse.down()
  // Both within one task of the page, so that nothing is drawn between them.
  await page.evaluate(`for (const type of ['pointermove', 'pointerup']) {
    const handles = [...document.querySelectorAll('.handle')]
    const dragged = handles.find((one) => one.getAttribute('aria-label') === ${JSON.stringify(words.move('Three'))})
    const at = ${JSON.stringify({ clientX: place.x, clientY: place.y })}
    dragged.dispatchEvent(new PointerEvent(type, { bubbles: true, ...at }))
  }`)
  await page.mouse.up()
  await expect.poll(() => titlesOf(courseId)).toEqual(['Three', 'One', 'Two'])
})

test('of two who sort at once the later one is told, and sees what the other did', async () => {
  const { courseId, sectionId, lessonIds } = await newCourse()
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum`, size: 'desk' })
  await handleOf(page, 'One').waitFor()
  const [one, two, three] = lessonIds
  expect((await owner.put(`/sections/${sectionId}/lessons/order`, { ids: [three, two, one] })).status).toBe(200)
  await drag(page, handleOf(page, 'Two'), handleOf(page, 'One'))
  await page.getByText(refusals.reasons.order_changed).waitFor()
  await expect.poll(() => shownIn(page, 'Verbs')).toEqual(['Three', 'Two', 'One'])
  expect(await titlesOf(courseId)).toEqual(['Three', 'Two', 'One'])
  // Somebody else renames the section while its name is being typed.
  await menuOf(page, 'Verbs', words.rename)
  const field = page.getByRole('dialog').getByRole('textbox')
  await field.fill('Mine')
  expect((await owner.patch(`/sections/${sectionId}`, { title: 'Theirs' })).status).toBe(200)
  await page.getByRole('dialog').getByRole('button', { name: shell.save }).click()
  await page.getByRole('dialog').getByText(refusals.reasons.version_conflict).waitFor()
  expect(await field.inputValue()).toBe('Mine')
  await page.getByRole('dialog').getByRole('button', { name: shell.save }).click()
  await page.getByRole('heading', { name: 'Mine' }).waitFor()
})

test('a network that is cut while one sorts leaves the order as it was, until it is tried again', async () => {
  const { courseId } = await newCourse()
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum`, size: 'desk' })
  await handleOf(page, 'One').waitFor()
  let isLost = false
  await page.route('**/lessons/order', async (route) => {
    // The server did it, and nobody heard of it.
    if (isLost) await route.fetch()
    await route.abort()
  })
  await drag(page, handleOf(page, 'One'), handleOf(page, 'Two'))
  await page.getByRole('alert').getByText(faults.unreachable).waitFor()
  await expect.poll(() => shownIn(page, 'Verbs')).toEqual(['One', 'Two', 'Three'])
  expect(await titlesOf(courseId)).toEqual(['One', 'Two', 'Three'])
  isLost = true
  await page.getByRole('button', { name: shell.retry }).click()
  await expect.poll(() => titlesOf(courseId)).toEqual(['Two', 'One', 'Three'])
  await page.getByRole('alert').getByText(faults.unreachable).waitFor()
  await page.unroute('**/lessons/order')
  await page.getByRole('button', { name: shell.retry }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect(await titlesOf(courseId)).toEqual(['Two', 'One', 'Three'])
  expect(await shownIn(page, 'Verbs')).toEqual(['Two', 'One', 'Three'])
})

test('a section with lessons stays, a lesson without a video asks before it is published, and its video opens elsewhere', async () => {
  const { courseId, lessonIds } = await newCourse()
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum`, size: 'desk' })
  await menuOf(page, 'Verbs', words.deleteSection)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: words.deleteSection }).click()
  await dialog.getByText(refusals.reasons.section_in_use).waitFor()
  await dialog.getByRole('button', { name: shell.leaveIt }).click()
  await menuOf(page, 'One', words.publish)
  await dialog.getByText(words.publishEmptyText).waitFor()
  await dialog.getByRole('button', { name: shell.leaveIt }).click()
  expect((await owner.get(`/lessons/${lessonIds[0]}`)).body.publishedAt).toBeNull()

  await page.getByRole('link', { name: 'One', exact: true }).click()
  await page.getByRole('textbox', { name: words.link }).fill('https://vimeo.com/76979871')
  await page.getByRole('button', { name: words.saveLink }).click()
  const watch = page.getByRole('link', { name: `${words.watchOn('Vimeo')}: One` })
  await watch.waitFor()
  expect(await watch.getAttribute('href')).toBe('https://vimeo.com/76979871')
  expect([await watch.getAttribute('target'), await watch.getAttribute('rel')]).toEqual(['_blank', 'noreferrer'])
  await page.getByRole('button', { name: words.publish, exact: true }).click()
  await page.getByRole('button', { name: words.unpublish }).waitFor()
  await page.getByRole('button', { name: words.unpublish }).click()
  await page.getByText(words.notPublished, { exact: true }).waitFor()
  await page.getByRole('button', { name: words.takeOff }).click()
  await page.getByRole('button', { name: words.saveLink }).click()
  await page.getByText(words.linkMissing).waitFor()

  await page.getByRole('button', { name: `${shell.more}: One` }).click()
  await page.getByRole('menuitem', { name: words.deleteLesson }).click()
  await dialog.getByRole('button', { name: words.deleteLesson }).click()
  await page.getByRole('heading', { level: 1, name: 'Grammar at home' }).waitFor()
  expect(await titlesOf(courseId)).toEqual(['Two', 'Three'])
  // To whoever opens its address it is simply not there.
  await page.goto(`${school.app.url}/lessons/${lessonIds[0]}`)
  await page.getByText(faults.notFound).waitFor()
})

test.each(LANGUAGES)('in $locale the pages of a video course read well', async ({ locale }) => {
  const spoken = await loadWords[locale]()
  const courseId = await newVideoCourse(school.institute, { name: 'قواعد اللغة' })
  const sectionId = await newSection(school.institute, courseId, 'الأفعال')
  const lessonId = await newLesson(school.institute, sectionId, {
    title: LONG_HEBREW,
    description: 'لماذا <b>نقول</b> & "كان"',
    body: 'سطر أول\nשורה שנייה\nThird line',
    durationSec: 754,
    isPreview: true,
  })
  await owner.put(`/lessons/${lessonId}/video`, { url: 'https://youtu.be/dQw4w9WgXcQ' })
  await newLesson(school.institute, sectionId, { title: 'Without a video' })
  await owner.post(`/lessons/${lessonId}/publish`)
  await newSection(school.institute, courseId, LONG_HEBREW)
  for (const studentId of school.studentIds.slice(0, 3)) await newGrant(school.institute, courseId, studentId)
  // Without touch: a sheet whose field has the focus waits for the keyboard of a phone, which never comes here.
  const page = await open({ as: asOwner(), path: `/courses/${courseId}/curriculum`, size: 'desk', locale })
  await page.getByText(spoken.curriculum.noVideo).waitFor()
  expect(await tooWide(page)).toEqual([])
  await examine(page, locale, `console-curriculum-${locale}`)
  await page.getByRole('button', { name: spoken.curriculum.addLesson }).first().click()
  await page.getByRole('dialog').waitFor()
  await examine(page, locale, `console-curriculum-new-lesson-${locale}`)
  await page.goto(`${school.app.url}/lessons/${lessonId}`)
  await page.getByText('Third line').waitFor()
  await examine(page, locale, `console-video-lesson-${locale}`)
  await page.goto(`${school.app.url}/courses/${courseId}/students`)
  await page.getByRole('list', { name: spoken.curriculum.students }).getByText('Lina Khoury').waitFor()
  await examine(page, locale, `console-course-students-${locale}`)
  await page.getByRole('button', { name: spoken.curriculum.give }).click()
  await page.getByRole('dialog').getByText(spoken.curriculum.giveFollows).waitFor()
  await examine(page, locale, `console-give-course-${locale}`)
})
