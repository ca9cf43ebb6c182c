import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { startBadMailServer, type BadMailServer, type Behaviour, type Stage } from '#kit/bad-mail-server.ts'
import { MailError, type Mail, type MailFault } from '#ports/mail/port.ts'
import { secretForms } from '#kit/secret-forms.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'

const ACCOUNT = { user: 'office@institute.example', password: 'planted-secret/1' }
const mail: Mail = { id: 'message-1', to: 'nora@example.org', subject: 'Welcome', text: 'Good morning' }

let server: BadMailServer
beforeAll(async () => {
  server = await startBadMailServer()
})
afterAll(() => server.stop())
beforeEach(() => {
  server.behave({})
  server.mails.length = 0
})

const mailer = ({ timeoutMs = 5000, url = '' } = {}) =>
  createSmtpMailer({
    url: url || server.url(`${encodeURIComponent(ACCOUNT.user)}:${encodeURIComponent(ACCOUNT.password)}`),
    from: 'Noor <office@institute.example>',
    clock: systemClock,
    timeoutMs,
  })

const failureOf = async (sending: Promise<unknown>): Promise<MailError> => {
  const error = await sending.then(
    (reply) => reply,
    (reason: unknown) => reason,
  )
  if (!(error instanceof MailError)) throw new Error(`expected a MailError, got ${String(error)}`)
  return error
}

/** The failure, without the server's name before it. */
const trouble = async (at: Partial<Record<Stage, Behaviour>>, options?: { timeoutMs: number }) => {
  server.behave(at)
  const { message, permanent, fault } = await failureOf(mailer(options).send(mail))
  const prefix = `mail server 127.0.0.1:${server.port}: `
  expect(message.startsWith(prefix)).toBe(true)
  return { words: message.slice(prefix.length), permanent, fault }
}

const later = (fault: MailFault, words: unknown) => ({ words, permanent: false, fault })
const never = (words: string) => ({ words, permanent: true, fault: 'refused' })

const SLOW = 'it takes too long to answer'
const CLOSED = 'it closed the connection'
const PERHAPS = ', after it was given the mail: it may have taken it'
const STRANGE = 'it answers as no mail server does'

describe('a mail server that', () => {
  test('does what mail servers do takes the mail, also when its replies come in pieces', async () => {
    const pieces = (['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'dot'] as const).map(
      (stage): [Stage, Behaviour] => [stage, { bytes: server.behaviourAt(stage) as string }],
    )
    for (const behaviours of [{}, Object.fromEntries(pieces)]) {
      server.behave(behaviours)
      expect((await mailer().send(mail)).answer).toBe('250 taken')
    }
    expect(server.mails).toHaveLength(2)
    for (const taken of server.mails) expect(taken).toContain('Message-ID: <message-1@institute.example>')
  })

  const STAGES = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const

  test.each(STAGES)('says nothing at %s is tried again later', async (stage) => {
    expect(await trouble({ [stage]: 'hangs' }, { timeoutMs: 150 })).toEqual(later('timeout', SLOW))
    expect(server.mails).toEqual([])
  })

  test.each(STAGES)('closes the connection at %s is tried again later', async (stage) => {
    expect(await trouble({ [stage]: 'closes' })).toEqual(later('unreachable', CLOSED))
    expect(server.mails).toEqual([])
  })

  test.each([
    ['closes the connection', 'closes', later('unreachable', CLOSED + PERHAPS)],
    ['says nothing', 'hangs', later('timeout', SLOW + PERHAPS)],
  ] as const)('%s after the final dot may have taken the mail, and its log says so', async (_, dot, expected) => {
    expect(await trouble({ dot }, { timeoutMs: 1000 })).toEqual(expected)
    expect(server.mails).toHaveLength(1)
  })

  test('closes the connection in the middle of the mail is tried again later', async () => {
    expect(await trouble({ content: 'closes' })).toEqual(later('unreachable', expect.stringContaining(CLOSED)))
    expect(server.mails).toEqual([])
  })

  test.each([
    ['greeting', '421 too busy', 'it refuses the connection', 'other'],
    ['greeting', '554 we do not know you', 'it refuses the connection', 'other'],
    ['EHLO', '421 too busy', 'it refuses the connection', 'unreachable'],
    ['MAIL', '451 try again', 'it refuses the sender', 'refused'],
    ['MAIL', '550 not for this sender', 'it refuses the sender', 'refused'],
    ['RCPT', '450 greylisted', 'it refuses the recipient', 'refused'],
    ['RCPT', '421 closing', 'it refuses the recipient', 'refused'],
    ['DATA', '451 no room', 'it refuses the mail', 'refused'],
    ['dot', '451 try again', 'it refuses the mail', 'refused'],
    ['AUTH', '454 try again', 'it refuses the sign-in', 'sign_in'],
    ['AUTH', '535 wrong', 'it refuses the sign-in', 'sign_in'],
    ['RCPT', '530 5.7.0 sign in first', 'it refuses the sign-in', 'sign_in'],
  ] as const)('answers at %s with %s is tried again later', async (stage, reply, words, fault) => {
    expect(await trouble({ [stage]: reply })).toEqual(later(fault, `${words}: ${reply}`))
  })

  test.each([
    ['RCPT', '550 no such mailbox', 'it refuses the recipient'],
    ['DATA', '554 no valid recipients', 'it refuses the mail'],
    ['dot', '554 this is spam', 'it refuses the mail'],
  ] as const)('answers at %s with %s has refused this mail for good', async (stage, reply, words) => {
    expect(await trouble({ [stage]: reply })).toEqual(never(`${words}: ${reply}`))
  })

  test.each(['greeting', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'dot'] as const)(
    'answers with rubbish at %s is tried again later, and its rubbish is one line',
    async (stage) => {
      const { words, permanent } = await trouble({ [stage]: `HTTP/1.1 \0\x01\x1b[31m\xff rubbish` })
      expect(permanent).toBe(false)
      expect(words).not.toMatch(/\p{Cc}/u)
      expect(words).toContain(STRANGE)
    },
  )

  test.each(['greeting', 'EHLO', 'RCPT', 'dot'] as const)(
    'answers at %s without an end is cut off, not kept in memory',
    async (stage) => {
      const huge = `250-${'x'.repeat(1000)}\r\n`.repeat(200)
      const { words, permanent } = await trouble({ [stage]: huge.trimEnd() })
      expect(permanent).toBe(false)
      expect(words.length).toBeLessThan(400)
    },
  )

  test.each(['greeting', 'RCPT'] as const)('writes a novel at %s is quoted briefly', async (stage) => {
    const { words } = await trouble({ [stage]: `550 ${'no '.repeat(5000)}` })
    expect(words.length).toBeLessThanOrEqual(300)
    expect(words).toContain('550 no no')
  })

  test('refuses to encrypt does not get the mail in the clear', async () => {
    const at = { EHLO: '250-stand-in\r\n250 STARTTLS', STARTTLS: '454 not now' }
    expect(await trouble(at)).toEqual(later('encryption', 'it does not encrypt the connection: 454 not now'))
    expect(server.mails).toEqual([])
  })

  test('repeats the credentials is quoted without them', async () => {
    const { user, password } = ACCOUNT
    const plain = Buffer.from(`\0${user}\0${password}`).toString('base64')
    for (const stage of ['AUTH', 'MAIL', 'RCPT', 'dot'] as const) {
      const { words } = await trouble({ [stage]: `535 ${user} ${password} ${plain} is wrong` })
      expect(words).toContain('535 *** *** *** is wrong')
    }
  })

  test('repeats the password in any form is quoted without it, also where it takes the mail', async () => {
    const { user, password } = ACCOUNT
    for (const form of secretForms(user, password)) {
      expect((await trouble({ AUTH: `535 ${form} is wrong` })).words, form).toMatch(/535 [*0-9a-f: ]{3,30} is wrong$/i)
      server.behave({ dot: `250 taken ${form} here` })
      expect((await mailer().send(mail)).answer, form).toMatch(/^250 taken [*0-9a-f: ]{3,30} here$/i)
    }
  })
})

test.each([
  ['me', 'abc'],
  ['me', 'ab'],
  ['k', 'pw'],
])('the account %s with the password %s is quoted in no form, however short it is', async (user, password) => {
  for (const form of secretForms(user, password)) {
    server.behave({ AUTH: `535 <${form}>` })
    const { message } = await failureOf(mailer({ url: server.url(`${user}:${password}`) }).send(mail))
    expect(message, form).toMatch(/535 <[%x\\]*\*\*\*>$/)
  }
})

describe('connections', () => {
  test.each([
    [{}],
    [{ dot: 'closes' }],
    [{ RCPT: '550 no' }],
    [{ greeting: '554 no' }],
    [{ DATA: 'hangs' }],
    [{ greeting: 'hangs' }],
  ] as const)('are closed at once after %j', async (behaviours) => {
    server.behave(behaviours)
    await mailer({ timeoutMs: 150 })
      .send(mail)
      .catch(() => {})
    await vi.waitFor(() => expect(server.sockets.size).toBe(0), 1000)
  })

  test('of mails that hang are closed when the mailer is, after its grace', async () => {
    server.behave({ MAIL: 'hangs' })
    const closing = mailer({ timeoutMs: 60_000 })
    const sent = failureOf(closing.send(mail))
    await vi.waitFor(() => expect(server.reached.at(-1)).toBe('MAIL'))
    await closing.close(10)
    expect((await sent).permanent).toBe(false)
    expect((await failureOf(closing.send(mail))).message).toContain('closed')
    await vi.waitFor(() => expect(server.sockets.size).toBe(0), 1000)
  })
})
