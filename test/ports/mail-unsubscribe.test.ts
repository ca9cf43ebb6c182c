import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { createFileMailer } from '#ports/mail/file.ts'
import type { Mail, Mailer } from '#ports/mail/port.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { startSmtpSink, type SmtpSink } from '#kit/smtp-sink.ts'

/** The headers by which mail programs offer to stop mails. */

const URL_OF_STOP = `https://institute.example/unsubscribe?token=${'a-_9'.repeat(125)}`
const from = 'office@institute.example'
const mail: Mail = { to: 'nora@example.org', subject: 'Welcome', text: 'Good morning' }

let sink: SmtpSink
let mailer: Mailer
beforeEach(async () => {
  sink = await startSmtpSink()
  mailer = createSmtpMailer({ url: sink.url, from, clock: systemClock })
})
afterEach(() => sink.stop())

/** The headers about lists that arrive with a mail. */
const listHeaders = async (unsubscribeUrl?: string): Promise<Record<string, string>> => {
  await mailer.send({ ...mail, unsubscribeUrl })
  const [got] = await sink.messages()
  const headers = got?.headers.filter(({ key }) => key.startsWith('list-')) ?? []
  return Object.fromEntries(headers.map(({ key, value }) => [key, value]))
}

test('a mail that can be stopped says where, and that one click is enough', async () => {
  expect(await listHeaders(URL_OF_STOP)).toEqual({
    'list-unsubscribe': `<${URL_OF_STOP}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
})

test('without https it says only where: one click takes no other address', async () => {
  const plain = URL_OF_STOP.replace('https', 'http')
  expect(await listHeaders(plain)).toEqual({ 'list-unsubscribe': `<${plain}>` })
})

test('other mails say nothing of it', async () => {
  expect(await listHeaders()).toEqual({})
})

test.each([
  'https://institute.example/\r\nBcc: eve@example.org',
  'https://institute.example/\nBcc: eve@example.org',
  'https://institute.example/>, <mailto:eve@example.org',
  'https://institute.example/a b',
  'https://institute.example/\0',
  'https://مدرسة.example/',
  'mailto:office@institute.example',
  'javascript:alert(1)',
  'https://',
  `https://institute.example/${'a'.repeat(1000)}`,
  '',
])('the address %j is refused for good', async (unsubscribeUrl) => {
  await expect(mailer.send({ ...mail, unsubscribeUrl })).rejects.toMatchObject({ name: 'MailError', permanent: true })
  expect(await sink.messages()).toEqual([])
})

test('the address stands whole on one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'institute-mail-'))
  try {
    await createFileMailer({ from, clock: systemClock, folder }).send({ ...mail, unsubscribeUrl: URL_OF_STOP })
    const [name] = await readdir(folder)
    const lines = (await readFile(join(folder, String(name)), 'latin1')).split('\r\n')
    expect(lines.filter((line) => line.endsWith(`<${URL_OF_STOP}>`))).toHaveLength(1)
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
