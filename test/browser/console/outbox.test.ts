import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { en } from '../../../src/console/words/en/index.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import type { TestMember } from '#kit/institute.ts'
import { leaveFormer, leftByFormer, onDisk, sealedFor } from './kept.ts'
import { emailOf, openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let colleague: TestMember
const { open } = watched(() => school)

beforeAll(async () => {
  school = await openSchool('en')
  colleague = await school.member('teacher')
})
afterAll(() => school.app.close())

const { attendance: words, shell } = en

const TIMES = { scheduledStart: '2026-11-24T13:00:00.000Z', scheduledEnd: '2026-11-24T14:00:00.000Z' }

/** A class of the teacher for each test: fourteen students, an hour ago. */
let sessionId: string
beforeEach(async () => {
  sessionId = (await school.institute.owner.post(`/groups/${school.groupIds[1]}/sessions`, TIMES)).body.id
})

interface Entry {
  studentId: string
  firstName: string
  status: string | null
  note: string | null
}

/** What the database has, by first name. */
const stored = async (id = sessionId) => {
  const { body } = await school.institute.owner.get(`/sessions/${id}/attendance`)
  const entries = body.entries as Entry[]
  const statuses = Object.fromEntries(entries.map(({ firstName, status }) => [firstName, status]))
  return { version: body.version as number, entries, statuses }
}

const others = (statuses: Record<string, string | null>, ...names: string[]) =>
  new Set(Object.entries(statuses).flatMap(([name, status]) => (names.includes(name) ? [] : [status])))

const signIn = async (context: BrowserContext, { userId }: { userId: string }) => {
  const data = { email: emailOf(userId), password: PASSWORD, client: 'web' }
  expect((await context.request.post(`${school.app.url}/api/v1/auth/login`, { data })).status()).toBe(200)
}

const openClass = async (options: Parameters<typeof open>[0] = { as: school.teacher }) => {
  const page = await open({ path: `/sessions/${sessionId}`, ...options })
  await page.getByRole('heading', { name: 'Arabic B1' }).waitFor()
  return page
}

const mark = (page: Page, name: string, status: 'absent' | 'late') =>
  page
    .getByRole('group', { name: words.of(name) })
    .getByRole('button', { name: words.statuses[status], exact: true })
    .tap()
const pressed = (page: Page, name: string, status: 'absent' | 'late') =>
  page
    .getByRole('group', { name: words.of(name) })
    .getByRole('button', { name: words.statuses[status], exact: true, pressed: true })
const save = (page: Page) => page.getByRole('button', { name: shell.save, exact: true }).tap()
const says = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

/** That one change waits in this browser, and at which address, as it is sent from there alone. */
const saysWhereItWaits = (page: Page) => says(page, `${shell.unsent(1)} ${shell.waitsAt(new URL(page.url()).origin)}`)

/** Closes a tab. While one closes, the browser gives the network back to it, and its next try could still go out. */
const leave = async (page: Page): Promise<void> => {
  await page.goto('about:blank')
  await page.close()
}

/** How many classes the browser keeps marks of that nobody saved. */
const drafts = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    indexedDB.open('institute-intents').onsuccess = ({ target: { result } }) => {
      result.transaction('drafts').objectStore('drafts').count().onsuccess = ({ target }) => resolve(target.result)
    }
  })`)

const POLLED = { timeout: 20_000, interval: 200 }

const atToday = (page: Page) => page.getByRole('heading', { name: en.today.title, exact: true }).waitFor()

/** The requests that change the attendance, of all tabs of a browser. */
const sent = (context: BrowserContext): string[] => {
  const requests: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'PUT') requests.push(request.headers()['idempotency-key'] ?? '')
  })
  return requests
}

describe('attendance without a network', () => {
  test('that a version before left in the clear is sent, and what the server refuses of it is sealed', async () => {
    const { version, entries } = await stored()
    const [refused, taken] = [
      await school.institute.owner.post(`/groups/${school.groupIds[1]}/sessions`, TIMES),
      sessionId,
    ]
    const page = await open({ as: school.teacher, isPlainHttp: true })
    await atToday(page)
    const marksOf = (studentId: string | undefined) => [
      { studentId, status: 'absent', minutesLate: 0, note: 'ill at home' },
    ]
    const kept = {
      groupName: 'Arabic B1',
      scheduledStart: TIMES.scheduledStart,
      savedAt: TIMES.scheduledEnd,
      isTried: false,
    }
    const owner = `${school.teacher.userId}/${school.institute.tenant.id}`
    const left = (id: string, studentId: string | undefined) => ({
      owner,
      ...kept,
      sessionId: id,
      version,
      key: id,
      marks: marksOf(studentId),
    })
    await leaveFormer(page, 'unsent', [left(taken, entries[0]?.studentId), left(refused.body.id, refused.body.id)])
    await page.reload()
    await expect.poll(async () => (await stored(taken)).entries[0]?.status, POLLED).toBe('absent')
    await expect.poll(() => onDisk(page), POLLED).toMatch(/sealed=/)
    expect(await onDisk(page)).not.toMatch(/ill at home|Arabic B1|absent/)
    expect(await leftByFormer(page)).toBe(0)
    await page.close()
  })

  test('that a version before kept sealed in its own database is sent once, and a draft of it is there', async () => {
    const { version, entries } = await stored()
    const drafted = (await school.institute.owner.post(`/groups/${school.groupIds[1]}/sessions`, TIMES)).body.id
    const page = await open({ as: school.teacher })
    await atToday(page)
    const requests = sent(page.context())
    const owner = `${school.teacher.userId}/${school.institute.tenant.id}`
    const absent = { studentId: entries[0]?.studentId, status: 'absent', minutesLate: 0, note: null }
    const session = { groupName: 'Arabic B1', scheduledStart: TIMES.scheduledStart }
    const saved = { sessionId, ...session, version, marks: [absent], savedAt: TIMES.scheduledEnd }
    const sealed = await sealedFor(school.teacher, { ...saved, key: 'kept-before', isTried: true })
    await leaveFormer(page, 'unsent', [{ owner, sealed }])
    const draft = { sessionId: drafted, version: (await stored(drafted)).version, marks: [absent] }
    await leaveFormer(page, 'drafts', [{ owner, sessionId: drafted, sealed: await sealedFor(school.teacher, draft) }])
    await page.goto(`${school.app.url}/sessions/${drafted}`)
    await says(page, words.restored)
    await expect.poll(async () => (await stored()).entries[0]?.status, POLLED).toBe('absent')
    await expect.poll(() => leftByFormer(page), POLLED).toBe(0)
    expect(requests).toEqual(['kept-before'])
  })

  test('outlasts the tab and another person in the same browser, and is sent once by whom it belongs to', async () => {
    const before = await stored()
    const first = await openClass({ as: school.teacher, isPlainHttp: true })
    const context = first.context()
    await mark(first, 'Dana Levi', 'absent')
    await context.setOffline(true)
    await mark(first, 'Omar Aziz', 'late')
    await save(first)
    await says(first, words.unsent)
    await saysWhereItWaits(first)
    const disk = await onDisk(first)
    expect(disk).toContain(`${school.teacher.userId}/`)
    expect(disk).not.toMatch(/absent|late|status|marks|Arabic B1|2026-11/)
    for (const { studentId } of before.entries) expect(disk).not.toContain(studentId)
    await leave(first)
    const requests = sent(context)
    await context.setOffline(false)

    await signIn(context, colleague)
    const second = await open({ beside: first })
    await atToday(second)
    // What they do themselves is sent: the console of the other works, and leaves alone what is not theirs.
    expect(await second.getByText(shell.unsent(1)).count()).toBe(0)
    await second.getByRole('button', { name: shell.nav.menu }).tap()
    await second.keyboard.press('Escape')
    expect(await stored()).toEqual(before)
    expect(requests).toEqual([])
    await second.close()

    await signIn(context, school.teacher)
    const third = await open({ beside: first })
    await expect.poll(async () => (await stored()).statuses).toMatchObject({ Dana: 'absent', Omar: 'late' })
    await expect.poll(() => third.getByText(shell.unsent(1)).count()).toBe(0)
    const { statuses, version } = await stored()
    expect(others(statuses, 'Dana', 'Omar')).toEqual(new Set(['present']))
    expect(version).toBe(before.version + 1)
    expect(requests).toHaveLength(1)
    // Nothing is left to be sent again.
    await third.reload()
    await atToday(third)
    expect(await stored()).toMatchObject({ version })
    expect(requests).toHaveLength(1)
  })

  test('can be taken where the network goes on the way to the class', async () => {
    const ahead = school.sessionIds[1] as string
    const page = await open({ as: school.teacher })
    const chunk = page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: en.today.takeAttendance }).waitFor()
    await chunk
    await page.context().setOffline(true)
    await page.getByRole('link', { name: en.today.takeAttendance }).tap()
    await mark(page, 'Dana Levi', 'late')
    await save(page)
    await saysWhereItWaits(page)
    // Today does not ask for what was taken.
    await page.getByRole('navigation').getByRole('link', { name: en.today.title }).tap()
    const current = page.getByRole('region', { name: en.today.currentClass })
    await current.getByText(words.unsent).waitFor()
    await current.getByRole('link', { name: en.today.seeAttendance }).waitFor()
    await page.context().setOffline(false)
    await expect.poll(async () => (await stored(ahead)).statuses['Dana'], { timeout: 20_000 }).toBe('late')
    await current.getByText(words.unsent).waitFor({ state: 'detached' })
  })

  test('is sent by itself when the server answers again', async () => {
    const page = await openClass()
    await page.context().route('**/attendance', (route) => route.abort())
    await mark(page, 'Dana Levi', 'absent')
    await save(page)
    await says(page, words.unsent)
    expect((await stored()).statuses['Dana']).toBeNull()
    await page.context().unroute('**/attendance')
    await expect.poll(async () => (await stored()).statuses['Dana'], { timeout: 20_000 }).toBe('absent')
    await says(page, words.savedAt('16:10'))
    await expect.poll(() => pressed(page, 'Dana Levi', 'absent').count()).toBe(1)
  })

  test('whose reply was lost takes effect once, and what was marked after it follows', async () => {
    const before = await stored()
    const page = await openClass()
    const requests = sent(page.context())
    let isLost = true
    await page.context().route('**/attendance', async (route) => {
      if (route.request().method() !== 'PUT' || !isLost) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await mark(page, 'Dana Levi', 'absent')
    await save(page)
    await says(page, words.unsent)
    await expect.poll(async () => (await stored()).statuses['Dana']).toBe('absent')
    await mark(page, 'Dana Levi', 'late')
    await mark(page, 'Omar Aziz', 'absent')
    await save(page)
    await says(page, words.unsent)
    isLost = false
    await page.evaluate('window.dispatchEvent(new Event("online"))')
    await expect
      .poll(async () => (await stored()).statuses, { timeout: 20_000 })
      .toMatchObject({ Dana: 'late', Omar: 'absent' })
    await says(page, words.savedAt('16:10'))
    expect((await stored()).version).toBe(before.version + 2)
    expect(new Set(requests).size).toBe(2)
    expect(await page.getByText(words.conflict).count()).toBe(0)
  })
})

test('marks that nobody saved are there for whom they belong to, and for nobody else', async () => {
  const first = await openClass()
  await mark(first, 'Dana Levi', 'absent')
  await says(first, words.unsaved)
  await expect.poll(() => drafts(first)).toBe(1)
  await first.close()
  const context = first.context()
  await signIn(context, { userId: school.institute.ownerUserId })
  const second = await openClass({ beside: first })
  await says(second, words.unsaved)
  expect(await pressed(second, 'Dana Levi', 'absent').count()).toBe(0)
  await second.close()
  await signIn(context, school.teacher)
  const third = await openClass({ beside: first })
  await says(third, words.restored)
  await expect.poll(() => pressed(third, 'Dana Levi', 'absent').count()).toBe(1)
  await third.getByRole('button', { name: words.startOver }).tap()
  await says(third, words.unsaved)
  expect(await pressed(third, 'Dana Levi', 'absent').count()).toBe(0)
  expect(others((await stored()).statuses)).toEqual(new Set([null]))
})

const isMarkedByOffice = async (name: string, status: string, note: string | null = null) => {
  const { entries } = await stored()
  const studentId = entries.find(({ firstName }) => firstName === name)?.studentId
  const body = { entries: [{ studentId, status, note }] }
  expect((await school.institute.owner.put(`/sessions/${sessionId}/attendance`, body)).status).toBe(200)
}

describe('another who marked the class meanwhile', () => {
  test('is shown beside one’s own marks, and overwritten only by choice', async () => {
    const page = await openClass()
    await mark(page, 'Dana Levi', 'absent')
    await mark(page, 'Omar Aziz', 'late')
    await isMarkedByOffice('Dana', 'excused', 'The doctor <b>called</b>')
    await isMarkedByOffice('Omar', 'absent')
    await isMarkedByOffice('Sami', 'excused')
    await save(page)
    await says(page, words.conflict)
    expect((await stored()).statuses).toMatchObject({ Dana: 'excused', Omar: 'absent', Sami: 'excused', Lina: null })
    const choices = (name: string) => page.getByRole('radiogroup', { name: words.of(name) })
    await choices('Dana Levi').getByText('The doctor <b>called</b>').waitFor()
    // Nobody had chosen that Sami is present, so the other's mark is proposed.
    await choices('Sami Haddad').getByRole('radio', { name: words.statuses.excused, checked: true }).waitFor()
    const button = page.getByRole('button', { name: shell.save, exact: true })
    expect(await button.isDisabled()).toBe(true)
    await choices('Dana Levi').getByText(words.statuses.excused).tap()
    await choices('Omar Aziz').getByText(words.statuses.late).tap()
    await button.tap()
    await expect.poll(async () => (await stored()).statuses).toMatchObject({ Omar: 'late', Lina: 'present' })
    expect((await stored()).statuses).toMatchObject({ Dana: 'excused', Sami: 'excused' })
    await says(page, words.savedAt('16:10'))
  })

  test('is seen too where the marks come from the outbox', async () => {
    const page = await openClass()
    await page.context().setOffline(true)
    await mark(page, 'Dana Levi', 'absent')
    await save(page)
    await says(page, words.unsent)
    await leave(page)
    await isMarkedByOffice('Dana', 'late')
    await page.context().setOffline(false)
    const later = await open({ beside: page })
    await says(later, words.conflicting('Arabic B1', '24/11/2026 15:00'))
    expect((await stored()).statuses).toMatchObject({ Dana: 'late', Lina: null })
    await later.getByRole('link', { name: words.open }).tap()
    await says(later, words.conflict)
    await later
      .getByRole('radiogroup', { name: words.of('Dana Levi') })
      .getByText(words.statuses.absent)
      .tap()
    await later.getByRole('button', { name: shell.save, exact: true }).tap()
    await expect.poll(async () => (await stored()).statuses).toMatchObject({ Dana: 'absent', Lina: 'present' })
  })
})

test('a browser that keeps nothing takes attendance too, and says so when the server cannot be reached', async () => {
  const page = await open({ as: school.teacher })
  await page.addInitScript('Object.defineProperty(window, "indexedDB", { value: undefined })')
  await page.goto(`${school.app.url}/sessions/${sessionId}`)
  await mark(page, 'Dana Levi', 'absent')
  await page.context().setOffline(true)
  await save(page)
  await says(page, en.faults.unreachable)
  await page.context().setOffline(false)
  await save(page)
  await says(page, words.savedAt('16:10'))
  expect((await stored()).statuses).toMatchObject({ Dana: 'absent', Lina: 'present' })
})

test('what the server refuses stays with its reason until it is discarded', async () => {
  const page = await openClass()
  await page.context().setOffline(true)
  await mark(page, 'Dana Levi', 'absent')
  await save(page)
  await says(page, words.unsent)
  const cancelled = await school.institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Flu' })
  expect(cancelled.status).toBe(200)
  await page.context().setOffline(false)
  const reason = en.refusals.reasons.session_cancelled ?? ''
  expect(reason).not.toBe('')
  await page.getByText(reason).waitFor()
  await page.goto(`${school.app.url}/today`)
  await page.getByText(reason).waitFor()
  await page.getByRole('button', { name: words.discard }).tap()
  const question = page.getByRole('dialog', { name: words.discardTitle('Arabic B1', '24/11/2026 15:00') })
  await question.getByRole('button', { name: words.discard }).tap()
  await expect.poll(() => page.getByText(reason).count()).toBe(0)
  await page.reload()
  await atToday(page)
  expect(await page.getByText(reason).count()).toBe(0)
})
