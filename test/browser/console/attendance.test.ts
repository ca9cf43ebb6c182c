import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ar } from '../../../src/console/words/ar/index.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { he } from '../../../src/console/words/he/index.ts'
import { examine } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)

beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const { attendance: words, shell, today } = en
const HOSTILE = '<img src=x onerror=alert(1)>'

/** A class of fourteen that began ten minutes ago, for each test. */
let sessionId: string
beforeEach(async () => {
  const times = { scheduledStart: '2026-11-24T14:00:00.000Z', scheduledEnd: '2026-11-24T15:30:00.000Z' }
  sessionId = (await school.institute.owner.post(`/groups/${school.groupIds[1]}/sessions`, times)).body.id
})

interface Entry {
  firstName: string
  status: string | null
  minutesLate: number
  note: string | null
}

const stored = async (id = sessionId): Promise<Record<string, Entry>> => {
  const { body } = await school.institute.owner.get(`/sessions/${id}/attendance`)
  return Object.fromEntries((body.entries as Entry[]).map((entry) => [entry.firstName, entry]))
}
const statuses = async (id = sessionId): Promise<(string | null)[]> =>
  Object.values(await stored(id)).map(({ status }) => status)

const openClass = (options: Parameters<typeof open>[0] = {}) =>
  open({ as: school.teacher, path: `/sessions/${sessionId}`, ...options })
const target = (page: Page, name: string, status: 'absent' | 'late') =>
  page.getByRole('group', { name: words.of(name) }).getByRole('button', { name: words.statuses[status], exact: true })
const save = (page: Page) => page.getByRole('button', { name: shell.save, exact: true })
const isSaved = (page: Page) => page.getByText(words.savedAt('16:10'), { exact: true }).waitFor()
const count = (status: keyof typeof words.counts, n: number) => words.counts[status](n)

describe('on a phone', () => {
  test('a class where all came is marked with two taps from the first page', async () => {
    const page = await open({ as: school.teacher })
    const marked = school.sessionIds[1] as string
    await page.getByRole('link', { name: today.takeAttendance }).first().tap()
    const id = page.url().split('/').at(-1) as string
    await page.getByText(count('present', 14)).waitFor()
    await save(page).tap()
    await isSaved(page)
    expect([marked, sessionId]).toContain(id)
    expect(new Set(await statuses(id))).toEqual(new Set(['present']))
    // Nothing is to be taken back, and nothing to be saved.
    expect(await page.getByRole('button', { name: shell.undo }).count()).toBe(0)
    expect(await save(page).isDisabled()).toBe(true)
  })

  test('one tap for each exception, a second takes it back; the name opens the rest', async () => {
    const page = await openClass()
    await target(page, 'Dana Levi', 'absent').tap()
    await target(page, 'Omar Aziz', 'absent').tap()
    await target(page, 'Omar Aziz', 'absent').tap()
    await target(page, 'Sami Haddad', 'late').tap()
    await page.getByText(words.minutesLate(10)).waitFor()
    await page.getByRole('button', { name: 'Yara Nasser' }).tap()
    const details = page.getByRole('dialog', { name: 'Yara Nasser' })
    await details.getByText(words.statuses.excused).tap()
    await details.getByLabel(words.note).fill(HOSTILE)
    await details.getByRole('button', { name: shell.close }).tap()
    await page.getByRole('button', { name: 'Sami Haddad' }).tap()
    const minutes = page.getByLabel(words.minutes)
    await minutes.fill('a')
    await page.getByText(words.minutesWrong).waitFor()
    await minutes.fill('٢٥')
    await page.getByRole('dialog').getByRole('button', { name: shell.close }).tap()
    await page
      .getByText([count('present', 11), count('absent', 1), count('late', 1), count('excused', 1)].join(' · '))
      .waitFor()
    await save(page).tap()
    await isSaved(page)
    const { Dana, Omar, Sami, Yara } = await stored()
    expect([Dana, Omar, Sami, Yara]).toMatchObject([
      { status: 'absent' },
      { status: 'present' },
      { status: 'late', minutesLate: 25 },
      { status: 'excused', note: HOSTILE },
    ])
    await page.getByText(HOSTILE).waitFor()

    // Whoever opens it again sees what stands, and changes one of them.
    await page.reload()
    await page.getByText(HOSTILE).waitFor()
    await page.getByText(words.minutesLate(25)).waitFor()
    await isSaved(page)
    await target(page, 'Dana Levi', 'late').tap()
    await save(page).tap()
    await isSaved(page)
    expect((await stored())['Dana']).toMatchObject({ status: 'late', minutesLate: 10 })
    await page.getByRole('button', { name: shell.undo }).tap()
    await expect.poll(async () => (await stored())['Dana']).toMatchObject({ status: 'absent', minutesLate: 0 })
    expect((await stored())['Sami']).toMatchObject({ status: 'late', minutesLate: 25 })
  })
})

describe('at a desk', () => {
  test('keys alone mark a class of forty', async () => {
    const { groupId, id } = await classOfForty()
    expect(groupId).not.toBe('')
    const page = await openClass({ size: 'desk', path: `/sessions/${id}` })
    await page.getByText(count('present', 40)).waitFor()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    for (let row = 0; row < 40; row += 1)
      await press(row === 3 ? '2' : row === 7 ? '3' : row === 8 ? '4' : '1', 'Enter')
    // Back up to the first, and from there by arrows: an absence that was none.
    await press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft')
    await press('Space')
    const details = page.getByRole('dialog')
    await details.getByLabel(words.note).fill('Came with her brother')
    await page.keyboard.press('Escape')
    await press('Control+Enter')
    await isSaved(page)
    const saved = await statuses(id)
    expect(saved.filter((status) => status !== 'present')).toEqual(['late', 'excused'])
    expect(Object.values(await stored(id))[3]).toMatchObject({ status: 'present', note: 'Came with her brother' })
  })

  test('whoever may only read sees the marks and no way to change them', async () => {
    await school.institute.owner.put(`/sessions/${sessionId}/attendance`, {
      entries: [{ studentId: school.studentIds[2], status: 'absent', note: HOSTILE }],
    })
    const page = await openClass({ as: await school.member('front_desk'), size: 'desk' })
    const row = page.getByRole('listitem').filter({ hasText: 'Dana Levi' })
    await row.getByText(words.statuses.absent).waitFor()
    await row.getByText(HOSTILE).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    expect(await save(page).count()).toBe(0)
  })

  test('a child who came and is not on the list is found, enrolled and marked', async () => {
    const named = { branchId: school.institute.branchId, firstName: HOSTILE.slice(0, 20), lastName: 'Zidan' }
    expect((await school.institute.owner.post('/students', named)).status).toBe(201)
    const page = await openClass({ as: { userId: school.institute.ownerUserId }, size: 'desk' })
    await page.getByRole('button', { name: words.add }).click()
    const sheet = page.getByRole('dialog', { name: words.addTitle })
    await sheet.getByLabel(words.addWho).fill('Lina')
    await sheet.getByText(words.addNone).waitFor()
    await sheet.getByLabel(words.addWho).fill('zid')
    await sheet.getByRole('button', { name: 'Zidan' }).click()
    await page.getByText(count('present', 15)).waitFor()
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toContain('Zidan')
    await page.getByRole('radiogroup', { name: 'Zidan' }).getByRole('radio', { name: words.statuses.late }).click()
    await save(page).click()
    await isSaved(page)
    expect((await stored())[named.firstName]).toMatchObject({ status: 'late', minutesLate: 10 })
    const enrolled = await school.institute.owner.get(`/enrollments?groupId=${school.groupIds[1]}`)
    expect(enrolled.body.data[0]).toMatchObject({ enrolledAt: '2026-11-24T14:00:00.000Z' })
  })

  test('a teacher adds somebody who walked in, beside marks that are not saved; the desk enrols them by one press', async () => {
    const { owner, branchId } = school.institute
    const named = { branchId, firstName: 'Nur', lastName: 'Walker' }
    expect((await owner.post('/students', named)).status).toBe(201)
    const page = await openClass({ size: 'desk' })
    const absent = page.getByRole('radiogroup', { name: words.of('Dana Levi') })
    await absent.getByRole('radio', { name: words.statuses.absent }).click()
    await page.getByRole('button', { name: words.add }).click()
    const sheet = page.getByRole('dialog', { name: words.addTitle })
    await sheet.getByLabel(words.addWho).fill('Lina')
    await sheet.getByText(words.walkInNone).waitFor()
    await sheet.getByLabel(words.addWho).fill('walker')
    await sheet.getByRole('button', { name: 'Nur Walker' }).click()
    await page.getByText(words.walkIn).waitFor()
    await save(page).click()
    await isSaved(page)
    expect(await stored()).toMatchObject({ Nur: { status: 'present' }, Dana: { status: 'absent' } })

    const desk = await open({ as: await school.member('front_desk'), size: 'desk' })
    const waiting = desk.getByRole('list', { name: today.walkIns })
    await waiting.getByText('Nur Walker').waitFor()
    await waiting.getByRole('button', { name: today.walkInEnrol }).last().click()
    await expect.poll(() => waiting.count()).toBe(0)
    const enrolled = await owner.get(`/enrollments?groupId=${school.groupIds[1]}`)
    expect(enrolled.body.data[0]).toMatchObject({ enrolledAt: '2026-11-24T14:00:00.000Z' })
  })

  test('a class that was added after its pupils says that nobody was in it when it began, and why they are not on it', async () => {
    const { owner } = school.institute
    const group = (await owner.get(`/groups/${school.groupIds[1]}`)).body
    const { id: groupId } = (await owner.post('/groups', { ...group, name: 'New' })).body
    await owner.post('/enrollments', { studentId: school.studentIds[0], groupId })
    const times = { scheduledStart: '2026-11-24T14:00:00.000Z', scheduledEnd: '2026-11-24T15:30:00.000Z' }
    const { id } = (await owner.post(`/groups/${groupId}/sessions`, times)).body
    const page = await openClass({ path: `/sessions/${id}`, as: { userId: school.institute.ownerUserId } })
    await page.getByText(words.nobody).waitFor()
    await page.getByRole('button', { name: words.add }).click()
    await page.getByLabel(words.addWho).fill('Lina')
    await page.getByRole('dialog').getByRole('button', { name: 'Lina Khoury' }).click()
    await page.getByText(words.addedLater('Lina Khoury')).waitFor()
    await page.getByRole('button', { name: words.sinceThis }).click()
    await page.getByRole('group', { name: words.of('Lina Khoury') }).waitFor()
    const [{ enrolledAt }] = (await owner.get(`/enrollments?groupId=${groupId}`)).body.data
    expect(enrolledAt).toBe('2026-11-24T14:00:00.000Z')
    // They stand on the list, and nothing is saved of them yet.
    expect(await stored(id)).toMatchObject({ Lina: { status: null } })
  })

  test('whoever opens a class of another day is told so', async () => {
    const times = { scheduledStart: '2026-11-25T14:00:00.000Z', scheduledEnd: '2026-11-25T15:30:00.000Z' }
    const { body } = await school.institute.owner.post(`/groups/${school.groupIds[1]}/sessions`, times)
    const page = await openClass({ size: 'desk', path: `/sessions/${body.id}` })
    await page.getByText(words.notBegun('25/11/2026 16:00')).waitFor()
    expect(await save(page).isEnabled()).toBe(true)
  })

  test('of a cancelled class no attendance is taken', async () => {
    await school.institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Flu' })
    const page = await openClass({ size: 'desk' })
    await page.getByText(words.cancelled).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
  })
})

/** A group of the teacher with forty students, and its class of now. */
const classOfForty = async () => {
  const { owner, branchId } = school.institute
  const { body: first } = await owner.get(`/groups/${school.groupIds[1]}`)
  const group = {
    courseId: first.courseId,
    branchId,
    name: 'Choir',
    teacherStaffId: school.teacherStaffId,
    capacity: 40,
  }
  const { body: made } = await owner.post('/groups', group)
  const studentIds: string[] = []
  for (let index = 0; index < 40; index += 1) {
    const name = { firstName: `Child ${index}`, lastName: `Of the choir ${String(index).padStart(2, '0')}` }
    studentIds.push((await owner.post('/students', { branchId, ...name })).body.id)
  }
  const body = { studentIds, enrolledAt: '2026-11-24T08:00:00.000Z' }
  expect((await owner.post(`/groups/${made.id}/enrollments`, body)).status).toBe(200)
  const times = { scheduledStart: '2026-11-24T14:00:00.000Z', scheduledEnd: '2026-11-24T15:30:00.000Z' }
  const { body: session } = await owner.post(`/groups/${made.id}/sessions`, times)
  return { groupId: made.id as string, id: session.id as string }
}

test.each([
  { locale: 'ar', spoken: ar, theme: 'light' },
  { locale: 'he', spoken: he, theme: 'light' },
  { locale: 'en', spoken: en, theme: 'dark' },
] as const)('in $locale it reads well at every size, with every mark', async ({ locale, spoken, theme }) => {
  await school.institute.owner.put(`/sessions/${sessionId}/attendance`, {
    entries: (['absent', 'late', 'excused'] as const).map((status, index) => ({
      studentId: school.studentIds[index],
      status,
      minutesLate: status === 'late' ? 15 : 0,
      note: index === 0 ? HOSTILE : null,
    })),
  })
  const page = await openClass({ locale, theme, browserLocale: locale })
  await page.getByText(spoken.attendance.unsaved).waitFor()
  await examine(page, locale, `console-attendance-${locale}`)
  await page.getByRole('button', { name: 'Lina Khoury' }).tap()
  const details = page.getByRole('dialog')
  await details.waitFor()
  await examine(page, locale, `console-attendance-details-${locale}`)
  await expect.poll(() => details.getByText(spoken.attendance.statuses.absent, { exact: true }).count()).toBe(1)
})
