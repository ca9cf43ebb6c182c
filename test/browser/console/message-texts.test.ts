import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en', { features: { sms_notifications: true, byo_email_provider: true } })
})
afterAll(() => school.app.close())

const { messages, messageTexts: words } = await loadWords.en()
const owner = () => ({ userId: school.institute.ownerUserId })

test('a text is written in place of the usual one with its variables, tried, and taken back', async () => {
  const page = await open({ as: owner(), path: '/settings/messages', size: 'desk' })
  await page.getByRole('link', { name: words.events['student.absent'] }).click()
  const body = page.getByRole('textbox', { name: words.body })
  await body.fill('Dear family, ')
  await page.getByRole('button', { name: words.values.studentName }).click()
  await expect.poll(() => body.inputValue()).toBe('Dear family, {{studentName}}')
  await page
    .getByRole('article', { name: words.preview })
    .getByText(`Dear family, ${words.samples.studentName}`)
    .waitFor()
  await page.getByRole('button', { name: words.save }).click()
  await page.getByText(words.saved).first().waitFor()
  const { data } = (await school.institute.owner.get('/notification-templates?limit=100')).body
  expect(data.filter((text: { isPlatformDefault: boolean }) => !text.isPlatformDefault)).toMatchObject([])
  await page.getByRole('heading', { name: words.own }).waitFor()
  await page.getByRole('button', { name: words.trial }).click()
  await page.getByText(words.trialDone).first().waitFor()
  await school.app.drain()
  expect(school.app.mails.at(-1)?.text).toContain(`Dear family, ${words.samples.studentName}`)
  // A variable that it does not have is refused by the server.
  await body.fill('{{nonsense}}')
  await page.getByRole('button', { name: words.save }).click()
  await page.getByRole('alert').first().waitFor()
  await expect.poll(() => body.getAttribute('aria-invalid')).toBe('true')
  await body.fill('Dear family')
  await page.getByRole('button', { name: words.back }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.back }).click()
  await page.getByText(words.isBack).first().waitFor()
  await page.getByRole('heading', { name: words.usual }).waitFor()
})

test('a text of one’s own is filled in when a message is written', async () => {
  const { owner: as } = school.institute
  const text = {
    key: 'trip',
    channel: 'email',
    locale: 'en',
    subject: 'Trip on {{data.day}}',
    body: '{{recipientName}}: {{data.day}}',
  }
  expect((await as.post('/notification-templates', text)).status).toBe(201)
  const page = await open({ as: owner(), path: `/messages/new?guardianId=${school.guardianId}`, size: 'desk' })
  await page.getByRole('button', { name: messages.template }).click()
  await page.getByRole('option', { name: 'trip' }).click()
  await page.getByRole('textbox', { name: 'day' }).fill('Sunday')
  await page.getByRole('article').getByText('Trip on Sunday').waitFor()
})

test('a provider is set up, tried with its answer in words, and forgotten', async () => {
  const page = await open({ as: owner(), path: '/settings/messages', size: 'desk' })
  const list = page.getByRole('list', { name: words.providers })
  const sms = list.getByRole('listitem').filter({ hasText: messages.channels.sms })
  await sms.getByRole('button', { name: words.setUp }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: words.provider }).click()
  await page.getByRole('option', { name: words.names.https }).click()
  await dialog.getByRole('textbox', { name: words.fields.url }).fill('https://sms.example.invalid/send')
  await dialog.getByLabel(words.fields.token, { exact: true }).fill('secret-token')
  await dialog.getByRole('button', { name: words.keep }).click()
  await page.getByText(words.kept).first().waitFor()
  await sms.getByText(words.names.https).waitFor()
  expect(await page.content()).not.toContain('secret-token')
  await sms.getByRole('button', { name: words.test }).click()
  await dialog.getByRole('textbox', { name: words.testTo }).fill('050-123-4567')
  await dialog.getByRole('button', { name: words.test }).click()
  await dialog.getByText(/It does not work/).waitFor()
  await dialog
    .getByRole('button', { name: (await loadWords.en()).shell.close })
    .first()
    .click()
  await sms.getByRole('button', { name: messages.channels.sms }).click()
  await page.getByRole('menuitem', { name: words.forget }).click()
  await dialog.getByRole('button', { name: words.forget }).click()
  await sms.getByText(words.none).waitFor()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the pages stand well', async () => {
    const all = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/settings/messages', size: 'desk' })
    await page.getByRole('list', { name: all.messageTexts.providers }).waitFor()
    const providers = page.getByRole('list', { name: all.messageTexts.providers })
    await expect.poll(() => providers.getByRole('listitem').count()).toBe(4)
    await examine(page, locale, `console-message-texts-${locale}`)
    await page.getByRole('link', { name: all.messageTexts.events['invoice.issued'] }).click()
    await page.getByRole('textbox', { name: all.messageTexts.body }).waitFor()
    await examine(page, locale, `console-message-text-${locale}`)
  })
})
