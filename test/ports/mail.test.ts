import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import PostalMime, { type Email } from 'postal-mime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '#kernel/time/clock.ts'
import { startSmtpSink, type SmtpSinkOptions } from '#kit/smtp-sink.ts'
import { createFileMailer } from '#ports/mail/file.ts'
import { MailError, type Mail, type Mailer } from '#ports/mail/port.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'

const NOON = '2026-03-01T12:00:00.000Z'
const clockAt = (instant: string): Clock => ({
  now: () => instant,
  millis: () => Date.parse(instant),
  monotonic: () => 0,
})
const common = { from: 'Noor Institute <office@institute.example>', clock: clockAt(NOON) }

const mail: Mail = { to: 'nora@example.org', subject: 'Welcome', text: 'Good morning' }

const failureOf = async (sending: Promise<unknown>): Promise<MailError> => {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof MailError)) throw new Error(`expected a MailError, got ${String(error)}`)
  return error
}

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const openSink = async (options?: SmtpSinkOptions) => {
  const sink = await startSmtpSink(options)
  cleanups.push(() => sink.stop())
  return sink
}

const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'institute-mail-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The mails in a folder, ordered by file name. */
const readFolder = async (folder: string): Promise<Email[]> => {
  const names = await readdir(folder).catch(() => [])
  const mails = names.filter((name) => name.endsWith('.eml')).toSorted()
  return Promise.all(mails.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
}

const adapters: { name: string; open: () => Promise<{ mailer: Mailer; received: () => Promise<Email[]> }> }[] = [
  {
    name: 'smtp',
    open: async () => {
      const sink = await openSink()
      return { mailer: createSmtpMailer({ ...common, url: sink.url }), received: () => sink.messages() }
    },
  },
  {
    name: 'file',
    open: async () => {
      const folder = join(await makeFolder(), 'mail-outbox')
      return { mailer: createFileMailer({ ...common, folder }), received: () => readFolder(folder) }
    },
  },
]

describe.each(adapters)('a mailer ($name)', ({ open }) => {
  let mailer: Mailer
  let received: () => Promise<Email[]>
  beforeEach(async () => {
    ;({ mailer, received } = await open())
  })

  const deliver = async (change: Partial<Mail>): Promise<Email> => {
    await mailer.send({ ...mail, ...change })
    const [first, ...others] = await received()
    if (first === undefined || others.length > 0) throw new Error(`expected one mail, got ${others.length + 1}`)
    return first
  }

  test('delivers sender, recipient, subject, text and the time of sending', async () => {
    const got = await deliver({})
    expect(got.from).toEqual({ name: 'Noor Institute', address: 'office@institute.example' })
    expect(got.to).toEqual([{ name: '', address: 'nora@example.org' }])
    expect(got.subject).toBe('Welcome')
    expect(got.text?.trimEnd()).toBe('Good morning')
    expect(got.html).toBeUndefined()
    expect(got.date).toBe(NOON)
    expect(got.messageId).toMatch(/^<[^<>\s]+@institute\.example>$/)
  })

  test('delivers HTML beside the text, with the direction the caller gave it', async () => {
    const html = '<div dir="rtl" lang="ar"><p>أهلًا بك في <b>المعهد</b></p></div>'
    const got = await deliver({ text: 'أهلًا بك في المعهد', html })
    expect(got.text?.trimEnd()).toBe('أهلًا بك في المعهد')
    expect(got.html?.trimEnd()).toBe(html)
  })

  test.each([
    ['Arabic', 'فاتورة رقم 17: ‏٢٠٠ شيكل'],
    ['Hebrew', 'תזכורת: השיעור "אלגברה א׳" בוטל'],
    ['mixed directions', 'Lesson אלגברה (الجبر) moved to 17:30 — café'],
    ['direction marks and joiners', '\u2067שלום\u2069 \u200fمی\u200cخواهم\u200e 👩‍🏫'],
    ['a long subject', 'ملاحظة مهمة من إدارة المعهد '.repeat(12).trim()],
    ['what looks like an encoded word', '=?utf-8?Q?Not_this=0D=0ABcc:_eve@example.org?= and = and ? and مرحبا'],
  ])('keeps a subject as it is: %s', async (_name, subject) => {
    expect((await deliver({ subject })).subject).toBe(subject)
  })

  test('delivers a file that goes with it to the byte, under its name', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256))
    const got = await deliver({ attachments: [{ name: 'INV-2026-000001.pdf', type: 'application/pdf', bytes }] })
    expect(got.attachments).toMatchObject([{ filename: 'INV-2026-000001.pdf', mimeType: 'application/pdf' }])
    expect(Buffer.from(got.attachments[0]?.content as ArrayBuffer).equals(bytes)).toBe(true)
    expect(got.text?.trimEnd()).toBe(mail.text)
  })

  test('keeps dots, long lines and trailing spaces of the text', async () => {
    const text = ['.', '..two', `long ${'x'.repeat(3000)}`, 'ש'.repeat(1500), 'trailing ', 'From here'].join('\n')
    expect((await deliver({ text })).text?.replaceAll('\r\n', '\n').trimEnd()).toBe(text)
  })

  test('says in which language the mail is and that a machine sent it', async () => {
    const { headers } = await deliver({ locale: 'he' })
    expect(headers).toContainEqual(expect.objectContaining({ key: 'content-language', value: 'he' }))
    expect(headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  })

  test.each(['\r\n', '\n', '\r', '\0', '\u0085', '\u2028'])('takes %j in a subject for a space', async (lineBreak) => {
    const got = await deliver({ subject: `Hello${lineBreak}Bcc: eve@example.org${lineBreak}${lineBreak}<b>Hi</b>` })
    expect(got.subject).toBe('Hello Bcc: eve@example.org <b>Hi</b>')
    expect(got.bcc).toBeUndefined()
    expect(got.text?.trimEnd()).toBe('Good morning')
  })

  test.each([
    'nora@example.org\r\nBcc: eve@example.org',
    'nora@example.org\nSubject: Other',
    'nora@example.org\0',
    'nora@example.org, eve@example.org',
    'nora@example.org;eve@example.org',
    'nora@example.org eve@example.org',
    'nora@example.org@example.net',
    'Nora <nora@example.org>',
    '<nora@example.org>',
    'nora@example.org>',
    'group: nora@example.org;',
    'nora',
    '@example.org',
    'nora@',
    '',
  ])('refuses the recipient %j for good', async (to) => {
    expect((await failureOf(mailer.send({ ...mail, to }))).permanent).toBe(true)
    expect(await received()).toEqual([])
  })

  test('refuses a language that could start another header', async () => {
    const failure = await failureOf(mailer.send({ ...mail, locale: 'he\r\nBcc: eve@example.org' }))
    expect(failure.permanent).toBe(true)
    expect(await received()).toEqual([])
  })

  test('delivers each of many mails sent at once, once', async () => {
    const subjects = Array.from({ length: 20 }, (_, index) => `Mail ${index}`)
    await Promise.all(subjects.map((subject) => mailer.send({ ...mail, subject })))
    const got = await received()
    expect(got).toHaveLength(subjects.length)
    expect(new Set(got.map(({ subject }) => subject))).toEqual(new Set(subjects))
    expect(new Set(got.map(({ messageId }) => messageId)).size).toBe(subjects.length)
  })

  test('closes when the mail under way has arrived, and takes none after that', async () => {
    const sending = mailer.send(mail)
    await mailer.close()
    expect(await received()).toHaveLength(1)
    await sending
    expect((await failureOf(mailer.send(mail))).permanent).toBe(false)
    expect(await received()).toHaveLength(1)
  })
})

test('the sender may have a name in any script', async () => {
  const folder = await makeFolder()
  await createFileMailer({ ...common, from: '"معهد النور, القدس" <office@institute.example>', folder }).send(mail)
  expect((await readFolder(folder))[0]?.from).toEqual({
    name: 'معهد النور, القدس',
    address: 'office@institute.example',
  })
})

const OFFICE = 'office@institute.example'

test.each([
  ['the institute is named as the sender', OFFICE, 'معهد النور', 'معهد النور'],
  ['a name in the configuration counts for more', `Office <${OFFICE}>`, 'معهد النور', 'Office'],
  ['a line break in it starts no header', OFFICE, 'Noor\r\nBcc: eve@example.org', 'Noor Bcc: eve·@·example·.·org'],
  ['what looks like an encoded word stays', OFFICE, '=?utf-8?Q?Bank?=', '=·?utf-8?Q?Bank?='],
  ['an address in it is broken up', OFFICE, 'security@paypal.example', 'security·@·paypal·.·example'],
  ['so is that of a page, and what looks like one', OFFICE, 'https://a。b c＠d․e', 'https·:··/··/·a·。·b c·＠·d·․·e'],
  ['what turns letters around is left out', OFFICE, '\u202eelpmaxe\u2066 Noor', 'elpmaxe Noor'],
])('%s', async (_name, from, senderName, shown) => {
  const folder = await makeFolder()
  await createFileMailer({ ...common, from, folder }).send({ ...mail, senderName })
  const [got] = await readFolder(folder)
  // A dot in the middle stands for what breaks it up.
  expect(got?.from).toEqual({ name: shown.replaceAll('·', '\u2060'), address: OFFICE })
  expect(got?.bcc).toBeUndefined()
})

test('a mailer says what took the mail: the file, or the reply of the mail server', async () => {
  const folder = await makeFolder()
  const { answer: file } = await createFileMailer({ ...common, folder }).send(mail)
  expect(await readFile(file, 'utf8')).toContain('Good morning')
  const sink = await openSink()
  expect((await createSmtpMailer({ ...common, url: sink.url }).send(mail)).answer).toMatch(/^250 /)
})

test.each(['', 'office', 'a@example.org, b@example.org', 'Office <office>'])(
  'a mailer is not made with the sender %j',
  (from) => {
    expect(() => createFileMailer({ ...common, from, folder: '.' })).toThrow('mails cannot come from')
  },
)

describe('over SMTP', () => {
  const account = { user: 'office@institute.example', password: 'p@ss/w:rd#1' }
  const mailerFor = (url: string): Mailer => createSmtpMailer({ ...common, url })

  test('the server hears one sender and one recipient', async () => {
    const sink = await openSink()
    await mailerFor(sink.url).send(mail)
    const [got] = await sink.messages()
    expect(got?.envelope).toEqual({ from: 'office@institute.example', to: ['nora@example.org'] })
  })

  test('signs in with the user and password of the url', async () => {
    const sink = await openSink({ account })
    await mailerFor(sink.url).send(mail)
    expect(await sink.messages()).toHaveLength(1)
  })

  test('a refused recipient is refused for good when the server says 550, for now when it says 421', async () => {
    const sink = await openSink()
    const mailer = mailerFor(sink.url)
    sink.refuse(550)
    const forGood = await failureOf(mailer.send(mail))
    expect(forGood.permanent).toBe(true)
    expect(forGood.message).toContain('no such mailbox')
    sink.refuse(421)
    expect((await failureOf(mailer.send(mail))).permanent).toBe(false)
    sink.refuse(null)
    await mailer.send(mail)
    expect(await sink.messages()).toHaveLength(1)
  })

  test('a refused sign-in is worth another try, and its message holds neither user nor password', async () => {
    const sink = await openSink({ account })
    const url = new URL(sink.url)
    url.password = 'hunter%2F2'
    const failure = await failureOf(mailerFor(url.href).send(mail))
    expect(failure).toMatchObject({ permanent: false, fault: 'sign_in' })
    expect(failure.message).toContain('535')
    expect(failure.message).not.toMatch(/hunter|office/)
    expect(failure.cause).toBeUndefined()
  })

  test('a server that wants a sign-in and gets none is worth another try', async () => {
    const sink = await openSink({ account })
    const url = new URL(sink.url)
    url.username = ''
    url.password = ''
    expect((await failureOf(mailerFor(url.href).send(mail))).permanent).toBe(false)
  })

  test('a server that is not there is worth another try', async () => {
    const sink = await startSmtpSink()
    await sink.stop()
    const failure = await failureOf(mailerFor(sink.url).send(mail))
    expect(failure).toMatchObject({ permanent: false, fault: 'unreachable' })
    expect(failure.message).toContain(new URL(sink.url).host)
  })

  test.each([
    ['says nothing', (): void => {}],
    [
      'never ends its greeting',
      (socket: Socket): void => {
        const drip = setInterval(() => socket.write('220-wait\r\n'), 10)
        socket.on('close', () => clearInterval(drip))
      },
    ],
  ])('a server that %s is given up after the time allowed', async (_name, greet) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      greet(socket)
    }).listen(0, '127.0.0.1')
    cleanups.push(async () => server.close())
    await once(server, 'listening')
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const connected = once(server, 'connection') as Promise<[Socket]>
    const failure = await failureOf(createSmtpMailer({ ...common, url, timeoutMs: 200 }).send(mail))
    expect(failure).toMatchObject({ permanent: false, fault: 'timeout' })
    const [socket] = await connected
    if (!socket.closed) await new Promise((closed) => socket.once('close', closed))
  })

  // 0.0.0.0 also connects to this machine, but does not count as this machine.
  const elsewhere = (url: string): string => url.replace('127.0.0.1', '0.0.0.0')
  test('a certificate that nobody vouches for is not accepted', async () => {
    for (const tls of ['implicit', 'starttls'] as const) {
      const sink = await openSink({ tls })
      const failure = await failureOf(mailerFor(elsewhere(sink.url)).send(mail))
      expect(failure).toMatchObject({ permanent: false, fault: 'encryption' })
      expect(failure.message).toContain('no encrypted connection comes about (self-signed certificate)')
      expect(await sink.messages()).toEqual([])
    }
  })

  test('smtps talks TLS from the start, smtp goes over to it', async () => {
    const authorities = getCACertificates('default')
    cleanups.push(async () => setDefaultCACertificates(authorities))
    for (const tls of ['implicit', 'starttls'] as const) {
      const sink = await openSink({ tls, account })
      setDefaultCACertificates([...authorities, String(sink.certificate)])
      await mailerFor(sink.url).send(mail)
      expect(await sink.messages()).toHaveLength(1)
    }
  })

  test('a password does not leave the machine without TLS', async () => {
    const sink = await openSink({ account })
    expect((await failureOf(mailerFor(elsewhere(sink.url)).send(mail))).permanent).toBe(false)
    expect(await sink.messages()).toEqual([])
  })

  test.each([
    '',
    'mail.example.org',
    'https://u:secret@mail.example.org',
    'smtp://',
    'smtp://u:secret@:25',
    'smtp://u:secret@h:x',
    'smtp://u:100%secret@h:25',
    'smtp://u:25/secret@h:25',
    'smtp://u:25?secret@h:25',
    'smtp://u:25#secret@h:25',
  ])('%j is no mail server, and the error does not quote it', (url) => {
    expect(() => mailerFor(url)).toThrow(/^a mail server is written smtp/)
  })
})

describe('in a folder', () => {
  test('a mail is a file for its owner alone, in a folder for its owner alone', async () => {
    const folder = join(await makeFolder(), 'mail-outbox')
    await createFileMailer({ ...common, folder }).send(mail)
    const names = await readdir(folder)
    expect(names).toEqual([expect.stringMatching(/^20260301T120000000Z-[0-9a-f-]{36}\.eml$/)])
    expect((await stat(join(folder, String(names[0])))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('a mail is a message as it would travel: lines end in CRLF and are short', async () => {
    const folder = await makeFolder()
    await createFileMailer({ ...common, folder }).send({ ...mail, text: `${'x'.repeat(5000)}\nשלום` })
    const [name] = await readdir(folder)
    const raw = await readFile(join(folder, String(name)), 'latin1')
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n\u0080-\u00ff]/)
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(76)
  })

  test('the names stand in the order of sending, by time and within one millisecond', async () => {
    const folder = await makeFolder()
    const instants = [NOON, NOON, NOON, '2026-03-01T12:00:00.001Z', '2026-11-01T00:00:00.000Z']
    for (const [index, instant] of instants.entries()) {
      const mailer = createFileMailer({ ...common, clock: clockAt(instant), folder })
      await mailer.send({ ...mail, subject: `Mail ${index}` })
    }
    const subjects = (await readFolder(folder)).map(({ subject }) => subject)
    expect(subjects).toEqual(instants.map((_, index) => `Mail ${index}`))
  })

  test('a folder that cannot be written is worth another try and leaves nothing behind', async () => {
    const folder = join(await makeFolder(), 'mail-outbox')
    await writeFile(folder, 'a file stands where the folder should be')
    const mailer = createFileMailer({ ...common, folder })
    expect((await failureOf(mailer.send(mail))).permanent).toBe(false)
    await rm(folder)
    await mkdir(folder)
    await mailer.send(mail)
    expect(await readdir(folder)).toHaveLength(1)
  })
})
