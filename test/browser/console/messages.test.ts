import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const { calls, mail, messages: words, refusals, shell } = await loadWords.en()

const owner = () => ({ userId: school.institute.ownerUserId })

/** Without a place to break, and what a page must not take for its own. */
const LONG_NAME = `Trip ${'x'.repeat(100)}`
const HOSTILE = '<img src=x onerror=alert(1)> {{title}} "quoted"'

const log = async (query = '') => (await school.institute.owner.get(`/notifications?limit=100${query}`)).body.data

const text = (page: Page) => page.getByRole('textbox', { name: words.body })

/** What is sent goes by its name: a name that was used is not written again. */
const sends = (page: Page): string[] => {
  const keys: string[] = []
  page.on('request', (request) => {
    const key = request.headers()['idempotency-key']
    if (request.url().endsWith('/notifications/send') && key) keys.push(key)
  })
  return keys
}

test.each([false, true])(
  'mails that waited for a mailbox are offered to be sent once there is one: %s',
  async (sendsMail) => {
    const page = await open({ as: owner(), path: '/account' })
    const since = '2026-11-23T06:30:00.000Z'
    const kept = { channel: 'email', waiting: 0, failed: 0, kept: 2, since, reason: '' }
    await page.route('**/api/v1/notifications/stuck', (route) => route.fulfill({ json: { channels: [kept] } }))
    await page.route('**/api/v1/institute', async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, json: { ...(await reply.json()), sendsMail } })
    })
    await page.goto(`${school.app.url}/messages`)
    await page.getByRole('button', { name: words.dropAll }).waitFor()
    await expect.poll(() => page.getByText(calls.noMailbox).count()).toBe(sendsMail ? 0 : 1)
    await expect
      .poll(() => page.getByRole('button', { name: mail.sendKept, exact: true }).count())
      .toBe(sendsMail ? 1 : 0)
    expect(await page.getByRole('button', { name: words.retryAll }).count()).toBe(0)
  },
)

test('the office writes to who was absent, sees whom it does not reach, and sends it once', async () => {
  const page = await open({ as: owner(), path: '/messages/new', size: 'desk' })
  await page.getByText(words.chooseFirst).waitFor()
  await page.getByRole('button', { name: words.whom }).click()
  await page.getByRole('option', { name: words.whoms.absent }).click()
  await page.getByRole('textbox', { name: words.subject }).fill('Homework')
  await text(page).fill('We did page 12. <b>Bold</b> \u202Eabc')
  // Of the family of the one who was absent nobody has an address but the student's telephone.
  await page.getByText(words.unreached(1)).first().waitFor()
  await page.getByText('Dana Levi').first().waitFor()
  // The office can call them, unless it says that it does not.
  const toCall = page.getByRole('checkbox', { name: calls.toCall })
  await press(toCall)
  expect(await page.getByRole('button', { name: words.sendNobody, exact: true }).isDisabled()).toBe(true)
  await press(toCall)
  await page.getByRole('button', { name: calls.onlyCall(1) }).waitFor()
  await page.getByRole('button', { name: words.whom }).click()
  await page.getByRole('option', { name: words.whoms.people }).click()
  await page.getByRole('combobox', { name: words.addGuardian }).fill('Samira')
  await page.getByRole('option', { name: /Samira/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: words.send(1) }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: words.send(1) }).isEnabled()).toBe(true)
  await page.getByRole('article').getByText('<b>Bold</b>').waitFor()
  const keys = sends(page)
  await page.getByRole('button', { name: words.send(1) }).click()
  const yes = page.getByRole('dialog').getByRole('button', { name: words.verb })
  await yes.dblclick()
  await page.getByText(words.sent(1)).waitFor()
  expect(new Set(keys).size).toBe(1)
  await school.app.drain()
  expect((await log()).filter(({ title }: { title: string }) => title === 'Homework')).toHaveLength(2)
  await page.getByRole('link', { name: words.seeSent }).click()
  const list = page.getByRole('list', { name: words.title })
  await list.getByText(words.states.sent).first().waitFor()
  await list
    .getByRole('link', { name: /Homework/ })
    .filter({ hasText: words.channels.email })
    .click()
  await page.getByRole('list', { name: words.tries }).getByText(words.outcomes.sent).waitFor()
  await page.getByText('samira@example.org').waitFor()
})

test('who has a phone only is put on the list to call, written to by WhatsApp, and told by one person alone', async () => {
  const page = await open({ as: owner(), path: '/messages/new?whom=absent', size: 'desk' })
  await page.getByRole('textbox', { name: words.subject }).fill('Trip')
  await text(page).fill('The bus leaves at eight.')
  const put = page.getByRole('button', { name: calls.onlyCall(1) })
  await expect.poll(() => put.isEnabled()).toBe(true)
  await put.click()
  await page.getByRole('dialog').getByRole('button', { name: calls.onlyCallVerb }).click()
  await page.getByText(calls.listed(1)).waitFor()
  await school.app.drain()
  await page.getByRole('link', { name: calls.see }).click()
  const list = page.getByRole('list', { name: calls.title })
  await list.getByText('The bus leaves at eight.').waitFor()
  const written = await list.getByRole('link', { name: calls.whatsapp }).getAttribute('href')
  expect(written).toMatch(/^https:\/\/wa\.me\/\d+\?text=/)
  expect(decodeURIComponent(written ?? '')).toContain('The bus leaves at eight.')
  const texted = await list.getByRole('link', { name: calls.sms }).getAttribute('href')
  expect(texted).toMatch(/^sms:\+\d+\?&body=/)
  // Somebody else told them meanwhile: who and when is said, and it is not done twice.
  const desk = await school.institute.member({ role: 'admin' })
  const batch = new URL(page.url()).searchParams.get('batch')
  const [call] = (await desk.get(`/notifications/calls?status=open&sourceId=${batch}`)).body.data
  expect((await desk.post(`/notifications/calls/${call.id}/told`, { how: 'call' })).status).toBe(200)
  await list.getByRole('button', { name: calls.told, exact: true }).click()
  await list.getByRole('alert').waitFor()
  expect((await desk.delete(`/notifications/calls/${call.id}/told`)).status).toBe(200)
  await list.getByRole('button', { name: calls.told, exact: true }).click()
  await page.getByText(calls.toldOf('Dana Levi')).waitFor()
  await page.getByText(calls.none).waitFor()
  await page.getByRole('button', { name: shell.undo }).click()
  await list.getByText('The bus leaves at eight.').waitFor()
})

test.each(LANGUAGES)('the list to call is looked at in $locale', async ({ locale }) => {
  const { calls: own } = await loadWords[locale]()
  const [, , studentId] = school.studentIds
  await school.institute.owner.post('/notifications/send', {
    templateKey: 'message',
    channels: ['email'],
    recipients: { studentIds: [studentId] },
    data: { title: LONG_NAME, message: HOSTILE },
    toCall: true,
  })
  await school.app.drain()
  const page = await open({ as: owner(), path: '/messages/calls', locale })
  await expect.poll(() => page.getByRole('list', { name: own.title }).getByRole('listitem').count()).toBeGreaterThan(0)
  await examine(page, locale, `console-calls-${locale}`)
  const list = page.getByRole('list', { name: own.title })
  await list.getByRole('listitem').first().locator('button[aria-haspopup]').click()
  await page.getByRole('menuitem', { name: own.onlyThis }).click()
  await page.getByRole('button', { name: own.allTold }).click()
  await page.getByText(own.allToldTitle).waitFor()
  await examine(page, locale, `console-calls-all-told-${locale}`)
  const [{ sourceId }] = (await school.institute.owner.get('/notifications/calls?status=open')).body.data
  await page.getByRole('dialog').getByRole('button', { name: own.allTold }).click()
  await page.getByText(own.none).waitFor()
  const { data } = (await school.institute.owner.get(`/notifications/calls?sourceId=${sourceId}`)).body
  expect(data.every(({ how }: { how: string }) => how === 'whatsapp')).toBe(true)
})

test('a lost answer is asked again under the same name, and nothing goes twice', async () => {
  const page = await open({ as: owner(), path: `/messages/new?guardianId=${school.guardianId}`, size: 'desk' })
  await page.getByRole('textbox', { name: words.subject }).fill('Lost')
  await text(page).fill('The answer is lost on the way.')
  const send = page.getByRole('button', { name: words.send(1) })
  await expect.poll(() => send.isEnabled()).toBe(true)
  const keys = sends(page)
  let isCut = true
  await page.route('**/notifications/send', async (route) => {
    if (!route.request().headers()['idempotency-key'] || !isCut) return route.continue()
    // It arrives, and the answer does not.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await send.click()
  const yes = page.getByRole('dialog').getByRole('button', { name: words.verb })
  await yes.click()
  await expect.poll(() => keys.length).toBeGreaterThan(0)
  await page.getByRole('dialog').locator('.notice').first().waitFor()
  isCut = false
  await yes.click()
  await page.getByText(words.sent(1)).waitFor()
  expect(new Set(keys).size).toBe(1)
  await school.app.drain()
  const sent = (await log()).filter(({ title }: { title: string }) => title === 'Lost')
  expect(sent.filter(({ channel }: { channel: string }) => channel === 'email')).toHaveLength(1)
})

test('a teacher writes to a class in four taps, sees own groups alone, and hears when the day is full', async () => {
  const groupId = school.groupIds[0] as string
  const { teacher } = school
  const page = await open({ as: teacher, path: `/groups/${groupId}` })
  await page.getByRole('link', { name: words.toGroup }).click()
  await text(page).fill('Bring a ruler tomorrow.')
  await page.getByText(words.budget(3)).waitFor()
  const send = page.getByRole('button', { name: /^Send to/ })
  await expect.poll(() => send.isEnabled()).toBe(true)
  await send.click()
  await page.getByRole('dialog').getByRole('button', { name: words.verb }).click()
  await page.getByText(words.sentTitle).waitFor()
  await school.app.drain()
  await page.getByRole('link', { name: words.seeSent }).click()
  await page.getByText(words.ownAbout).waitFor()
  const own = page.getByRole('list', { name: words.title })
  await own.getByText('Math A').first().waitFor()
  expect(await own.innerText()).not.toContain('Homework')
  for (const message of ['Second', 'Third']) {
    const body = { templateKey: 'message', channels: ['email'], data: { title: 'Math A', message } }
    const audience = { kind: 'group', groupIds: [groupId] }
    expect((await teacher.post('/notifications/send', { ...body, audience })).status).toBe(202)
  }
  await page.goto(`${school.app.url}/messages/new?groupId=${groupId}`)
  await text(page).fill('Once more.')
  await page.getByText(/Enough was written to this group today/).waitFor()
  expect(await page.getByRole('button', { name: /^Send/ }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: words.whom }).click()
  const whoms = await page.getByRole('option').allTextContents()
  expect(whoms).toEqual([words.whoms.groups, words.whoms.absent])
})

test('from a lesson it goes to its group', async () => {
  const page = await open({ as: school.teacher, path: `/sessions/${school.sessionIds[1]}` })
  await page
    .locator('.page-head')
    .getByRole('button', { name: (await loadWords.en()).shell.more })
    .click()
  await page.getByRole('menuitem', { name: words.toGroup }).click()
  await page.waitForURL(new RegExp(`/messages/new\\?groupId=${school.groupIds[1]}`))
  await page.getByRole('list', { name: words.groups }).getByText('Arabic B1').waitFor()
  expect(await page.getByRole('textbox', { name: words.subject }).inputValue()).toBe('Arabic B1')
})

test('what waits for quiet hours says until when, in the outlook and in the list', async () => {
  const { owner: as } = school.institute
  await as.patch('/settings', { quietHours: { from: '00:00', to: '23:00' } })
  const page = await open({ as: owner(), path: `/messages/new?guardianId=${school.guardianId}`, size: 'desk' })
  await page.getByRole('textbox', { name: words.subject }).fill('Later')
  await text(page).fill('This waits.')
  await page.getByText(words.goesAt('23:00')).first().waitFor()
  const send = page.getByRole('button', { name: words.send(1) })
  await expect.poll(() => send.isEnabled()).toBe(true)
  await send.click()
  await page.getByRole('dialog').getByRole('button', { name: words.verb }).click()
  await page.getByText(words.sent(1)).waitFor()
  await school.app.drain()
  await page.goto(`${school.app.url}/messages?status=queued`)
  await page
    .getByText(/waits for the quiet hours to end/)
    .first()
    .waitFor()
  await as.patch('/settings', { quietHours: null })
})

test('what did not arrive says why and is sent again, and filters stand in the address', async () => {
  const { owner: as } = school.institute
  const studentId = school.studentIds[9] as string
  const body = { templateKey: 'message', channels: ['email'], data: { title: 'Refused', message: 'Hello.' } }
  const recipients = { studentIds: [studentId], guardianIds: [school.guardianId] }
  expect((await as.post('/notifications/send', { ...body, recipients })).status).toBe(202)
  await school.app.drain()
  const page = await open({ as: owner(), path: '/messages', size: 'desk' })
  await page.getByRole('button', { name: words.stateLabel }).click()
  await page.getByRole('option', { name: words.states.skipped }).click()
  await page.waitForURL(/status=skipped/)
  await page.getByText(words.because.no_email).first().waitFor()
  await page
    .getByRole('link', { name: /Refused/ })
    .first()
    .click()
  await page.getByRole('button', { name: words.again }).click()
  await page.getByText(refusals.reasons.nobody_reached).first().waitFor()
  await as.patch(`/students/${studentId}`, { email: 'tala@example.org' })
  await page.getByRole('button', { name: words.again }).click()
  await page.getByText(words.didAgain).first().waitFor()
  await school.app.drain()
  expect(
    (await log('&status=sent')).some(({ recipient }: { recipient: { id: string } }) => recipient.id === studentId),
  ).toBe(true)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the pages stand well', async () => {
    const all = await loadWords[locale]()
    const groupId = school.groupIds[3] as string
    const page = await open({ as: owner(), locale, path: `/messages/new?groupId=${groupId}`, size: 'desk' })
    await page
      .getByRole('textbox', { name: all.messages.body })
      .fill('Tomorrow at 16:00 \u0645\u0631\u062D\u0628\u0627 \u05E9\u05DC\u05D5\u05DD')
    await page.getByRole('status').getByText(all.messages.people(6)).waitFor()
    await expect.poll(() => page.getByRole('article').innerText()).toContain('16:00')
    await examine(page, locale, `console-message-new-${locale}`)
    await page.goto(`${school.app.url}/messages`)
    await page.getByRole('list', { name: all.messages.title }).waitFor()
    await examine(page, locale, `console-messages-${locale}`)
    await page.getByRole('list', { name: all.messages.title }).getByRole('link').first().click()
    await page.getByRole('list', { name: all.messages.tries }).waitFor()
    await examine(page, locale, `console-message-${locale}`)
  })
})

test.each(LANGUAGES)('a mail that waits for the mail server is given up alone, in $locale', async ({ locale }) => {
  const { messages: own } = await loadWords[locale]()
  const title = `Waits ${locale}`
  await school.institute.owner.post('/notifications/send', {
    templateKey: 'message',
    channels: ['email'],
    data: { title, message: 'We are closed.' },
    recipients: { userIds: [school.institute.ownerUserId] },
  })
  await school.app.drain()
  const id = (await log()).find((one: { title: string }) => one.title === title).id as string
  const now = school.app.clock.now()
  const waits = {
    status: 'queued' as const,
    reason: 'mail server mx:25: it cannot be reached',
    next_attempt_at: plusSeconds(now, 3600),
    server_failed_at: now,
  }
  await school.app.app.database.write((db) => db.updateTable('notification').set(waits).where('id', '=', id).execute())
  const page = await open({ as: owner(), path: `/messages/${id}`, locale, size: 'phone' })
  await page.getByRole('button', { name: own.dropOne }).waitFor()
  await examine(page, locale, `console-message-waits-${locale}`)
  await page.getByRole('button', { name: own.dropOne }).click()
  await examine(page, locale, `console-message-drop-${locale}`)
  await page.getByRole('dialog').getByRole('button', { name: own.dropOne }).click()
  await page.getByText(own.droppedOne).waitFor()
  await page.getByText(own.because.dropped).first().waitFor()
  expect(await page.getByRole('button', { name: own.dropOne }).count()).toBe(0)
  await page.getByRole('button', { name: own.again }).waitFor()
  expect((await school.institute.owner.get(`/notifications/${id}`)).body.status).toBe('skipped')
})
