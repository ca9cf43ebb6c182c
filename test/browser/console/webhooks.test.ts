import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver, type WebhookReceiver } from '#kit/receiver.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let receiver: WebhookReceiver
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
afterEach(() => receiver?.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const secretOf = (text: string) => /whsec_[\w+/=-]+/.exec(text)?.[0]

const added = async (events: string[] = ['student.created']) => {
  const { status, body } = await school.institute.owner.post('/webhooks', { url: receiver.url, events })
  expect(status).toBe(201)
  return body as { id: string; url: string; secret: string }
}

const happens = async () => {
  const student = { branchId: school.institute.branchId, firstName: 'Nour', lastName: 'Haddad' }
  expect((await school.institute.owner.post('/students', student)).status).toBe(201)
  await school.app.drain()
}

test('an address is added: what it is told of is chosen by subject, and the secret is shown once with lines to copy', async () => {
  const { webhooks: words } = await loadWords.en()
  receiver = await startReceiver(200)
  const page = await open({ as: owner(), path: '/settings/webhooks/new' })
  const form = page.getByRole('form', { name: words.add })
  const send = form.getByRole('button', { name: words.add })
  await send.click()
  await form.getByText(words.addressMissing).waitFor()

  const address = form.getByRole('textbox', { name: words.address })
  await address.fill('receiver')
  await send.click()
  await form.getByText(words.addressFaults.other.replaceAll(/[\u2066-\u2069]/g, ''), { exact: false }).waitFor()
  await address.fill('http://169.254.169.254/latest')
  await send.click()
  await form.getByText(words.addressFaults.refused).waitFor()
  await address.fill('ftp://receiver.example.org')
  await send.click()
  await form.getByText(/has to begin with https/).waitFor()

  await address.fill(receiver.url)
  await press(form.getByRole('checkbox', { name: words.all }))
  await send.click()
  await form.getByText(words.whatMissing).waitFor()
  await press(form.getByRole('checkbox', { name: words.groups.money, exact: true }))
  await press(form.getByRole('checkbox', { name: words.events['student.created'] }))
  await send.click()
  await page.getByRole('heading', { name: words.made }).waitFor()
  const shown = await page.getByRole('textbox', { name: words.secretNew }).inputValue()
  expect(secretOf(shown)).toBe(shown)
  // The lines are those that the guide's tests run.
  await page.getByText('timingSafeEqual(given, expected)').waitFor()
  await press(page.getByRole('radio', { name: 'Python' }))
  await page.getByText('hmac.compare_digest').waitFor()
  await press(page.getByRole('radio', { name: 'PHP' }))
  await page.getByText('hash_equals').waitFor()

  const [made] = (await school.institute.owner.get('/webhooks')).body.data
  expect(made).toMatchObject({
    url: receiver.url,
    events: ['student.created', 'invoice.issued', 'invoice.overdue', 'invoice.reminder_requested', 'payment.recorded'],
  })
  await page.getByRole('link', { name: words.secretKept }).click()
  await page.getByRole('heading', { name: receiver.url }).waitFor()
  await page.getByText(words.noDeliveries).waitFor()
  expect(secretOf(await page.content())).toBeUndefined()
})

test('a try says what was answered, and why there was no answer', async () => {
  const { webhooks: words } = await loadWords.en()
  receiver = await startReceiver(200, 404)
  const { id } = await added()
  const page = await open({ as: owner(), path: `/settings/webhooks/${id}` })
  const attempt = page.getByRole('button', { name: words.test, exact: true })
  await attempt.click()
  await page
    .getByRole('alert')
    .filter({ hasText: /It arrived: the program answered .*200/ })
    .waitFor()
  await attempt.click()
  await page
    .getByRole('alert')
    .filter({ hasText: /but the program answered .*404/ })
    .waitFor()
  receiver.close()
  await attempt.click()
  await page
    .getByRole('alert')
    .filter({ hasText: /No answer: no connection/ })
    .waitFor()
  expect(receiver.received).toHaveLength(2)
})

test('what failed is shown with the answer and the next try, and is sent again', async () => {
  const { webhooks: words } = await loadWords.en()
  receiver = await startReceiver(503, 503, 200)
  const { id } = await added()
  await happens()
  const page = await open({ as: owner(), path: `/settings/webhooks/${id}` })
  const list = page.getByRole('list', { name: words.deliveries })
  const row = list.getByRole('listitem').filter({ hasText: words.events['student.created'] })
  await row.getByText(words.deliveryState.queued, { exact: true }).waitFor()
  await row.getByText(/answer .*503/).waitFor()
  await row.getByText(/next try .*16:11/).waitFor()
  await row.getByText('noted').waitFor()
  await row.getByRole('button', { name: new RegExp(words.sentShow) }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(/"lastName": "Haddad"/).waitFor()
  await sheet.getByText(/X-Service-Event: student.created/).waitFor()
  expect(secretOf((await sheet.textContent()) ?? '')).toBeUndefined()
  await page.keyboard.press('Escape')

  await school.institute.owner.patch(`/webhooks/${id}`, { isActive: false })
  await page.reload()
  await page.getByText(words.pausedText).waitFor()
  await row.getByText(words.deliveryState.disabled, { exact: true }).waitFor()
  await page.getByRole('button', { name: words.resume }).click()
  await page.getByText(words.resumed).waitFor()
  const again = row.getByRole('button', { name: new RegExp(words.replay) })
  await again.click()
  await page.getByText(words.replayed).waitFor()
  await school.app.drain()
  await row.getByText(/next try .*16:11/).waitFor()
  // The program is there again: nobody waits for the next try.
  await again.click()
  await school.app.drain()
  await row.getByText(words.deliveryState.delivered, { exact: true }).waitFor()
  expect(receiver.received).toHaveLength(3)
})

test('one that was switched off after failures says so, in the list and on its page', async () => {
  const { webhooks: words } = await loadWords.en()
  receiver = await startReceiver(500)
  const { id } = await added()
  await school.app.app.database.write((db) =>
    db
      .updateTable('webhook_endpoint')
      .set({ is_active: false, failure_count: 20, disabled_at: '2026-11-23T08:00:00.000Z' })
      .where('id', '=', id)
      .execute(),
  )
  const page = await open({ as: owner(), path: '/settings/webhooks' })
  await page.getByText(/since .*23\/11\/2026 10:00.*, after 20 failures in a row/).waitFor()
  await page.getByRole('link').filter({ hasText: words.state.off }).click()
  await page.getByText(/Switched off on .*23\/11\/2026/).waitFor()
  await expect.poll(() => page.getByRole('button', { name: words.resume }).count()).toBe(1)
})

test('the secret is changed once, also where the answer is lost and the window was closed in between', async () => {
  const { webhooks: words, shell } = await loadWords.en()
  receiver = await startReceiver(200)
  const { id } = await added()
  const page = await open({ as: owner(), path: `/settings/webhooks/${id}` })
  await page.getByRole('button', { name: words.rotate }).click()
  const dialog = page.getByRole('dialog')
  const names: (string | undefined)[] = []
  await page.route('**/rotate-secret', async (route) => {
    names.push(route.request().headers()['idempotency-key'])
    // The server does it, and nobody hears of it.
    if (names.length === 1) await route.fetch()
    if (names.length === 1) await route.abort('connectionreset')
    else await route.continue()
  })
  await dialog.getByRole('button', { name: words.rotate }).click()
  await dialog.getByText(words.rotateLost).waitFor()
  await dialog.getByRole('button', { name: shell.cancel }).click()
  await page.getByRole('button', { name: words.rotate }).click()
  await dialog.getByText(words.rotateLost).waitFor()
  await dialog.getByRole('button', { name: words.askAgain }).click()
  const shown = await dialog.getByRole('textbox', { name: words.secretNew }).inputValue()
  expect(secretOf(shown)).toBe(shown)
  expect(names).toHaveLength(2)
  expect(names[1]).toBe(names[0])
  const { body } = await school.institute.owner.get('/audit?action=webhooks.rotate-secret')
  expect(body.data).toHaveLength(1)
  await dialog.getByRole('button', { name: words.secretKept }).click()

  // Whoever changes it again is told what that ends.
  await page.getByText(/The former one signs too until .*25\/11\/2026/).waitFor()
  await page.getByRole('button', { name: words.rotate }).click()
  await dialog.getByText(/Changed again, the older one stops at once/).waitFor()
})

test('one that somebody deleted meanwhile is told of, and is deleted from its own page', async () => {
  const { webhooks: words, faults } = await loadWords.en()
  receiver = await startReceiver(200)
  const { id } = await added()
  const page = await open({ as: owner(), path: `/settings/webhooks/${id}` })
  await page.getByRole('heading', { name: receiver.url }).waitFor()
  await school.institute.owner.delete(`/webhooks/${id}`)
  await page.getByRole('button', { name: words.test, exact: true }).click()
  await page.getByText(faults.notFound).first().waitFor()

  const other = await added()
  const next = await open({ as: owner(), path: `/settings/webhooks/${other.id}`, size: 'desk' })
  await next.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
  await next.getByRole('menuitem', { name: words.end }).click()
  await next.getByRole('dialog').getByRole('button', { name: words.end }).click()
  await next.getByText(words.ended).waitFor()
  await next.getByRole('heading', { name: words.title }).waitFor()
  expect((await school.institute.owner.get(`/webhooks/${other.id}`)).status).toBe(404)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the pages read well', async () => {
    const { webhooks: words } = await loadWords[locale]()
    receiver = await startReceiver(503, 200)
    const { id } = await added(['student.created', 'student.updated', 'payment.recorded'])
    await happens()
    const page = await open({ as: owner(), locale, path: '/settings/webhooks' })
    await expect.poll(() => page.getByText(receiver.url).count()).toBe(1)
    await examine(page, locale, `webhooks-${locale}`)
    await page.goto(`${school.app.url}/settings/webhooks/new`)
    await page.getByRole('checkbox', { name: words.all }).waitFor()
    await examine(page, locale, `webhooks-${locale}-new`)
    await page.goto(`${school.app.url}/settings/webhooks/${id}`)
    await page.getByText('timingSafeEqual(given, expected)').waitFor()
    await page
      .getByRole('list', { name: words.deliveries })
      .getByText(words.deliveryState.queued, { exact: true })
      .waitFor()
    await examine(page, locale, `webhooks-${locale}-one`)
  })
})
