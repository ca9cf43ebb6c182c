import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { startBadMailServer, type BadMailServer } from '#kit/bad-mail-server.ts'
import { DOCUMENTED, SEEN } from '#kit/mail-server-replies.ts'
import { startSmtpSink } from '#kit/smtp-sink.ts'
import { MailError, type Mail } from '#ports/mail/port.ts'
import { routesTo } from '#ports/mail/route.ts'
import { checkMailServer, createSmtpMailer } from '#ports/mail/smtp.ts'

/** Mails by the servers that schools have, as they were seen. */

const mail: Mail = { to: 'noor@elsewhere.example', subject: 'Welcome', text: 'Good morning' }

let server: BadMailServer
beforeEach(async () => {
  server = await startBadMailServer()
})
afterEach(() => server.stop())

const send = (url = server.url()) =>
  createSmtpMailer({ url, from: 'office@school.example', clock: systemClock, timeoutMs: 5000 }).send(mail)

describe.each(Object.entries(SEEN))('a stock %s on the same machine', (_, { encrypts, usual, refusals }) => {
  beforeEach(async () => {
    if (encrypts) await server.makeCertificate()
    server.behave(usual)
  })

  test('takes mail, encrypted where it offers that, and a password that nobody asks for is told', async () => {
    expect(await send()).toEqual({ answer: usual.dot ?? '250 taken', passwordUnused: false })
    const url = server.url('office:secret')
    expect(await send(url)).toMatchObject({ passwordUnused: true })
    expect(server.mails).toHaveLength(2)
    expect(server.commands.filter((line) => line.startsWith('AUTH'))).toEqual([])
    expect(server.reached.filter((stage) => stage === 'encrypted')).toHaveLength(encrypts ? 2 : 0)
  })

  test('elsewhere gets no password, and no mail under a certificate that it made for itself', async () => {
    // 0.0.0.0 also connects to this machine, but does not count as this machine.
    const url = server.url('office:secret').replace('127.0.0.1', '0.0.0.0')
    await expect(send(url)).rejects.toMatchObject({ fault: 'encryption', permanent: false })
    expect(server.mails).toEqual([])
  })

  test('is understood where it refuses: whether this mail alone is refused for good', async () => {
    for (const [name, { at, says, permanent }] of Object.entries(refusals)) {
      server.behave({ ...usual, [at]: says })
      const error = await send().catch((reason: unknown) => reason)
      expect(error, name).toBeInstanceOf(MailError)
      expect(error, name).toMatchObject({ permanent, message: expect.stringContaining(says) })
    }
  })
})

describe.each(Object.entries(DOCUMENTED))('%s, by its documents,', (_, refusals) => {
  test.each(Object.entries(refusals))('refuses for the moment: %s', async (_name, { at, says, permanent }) => {
    server.behave({ [at]: says })
    await expect(send(server.url('office:secret'))).rejects.toMatchObject({ permanent })
  })
})

test.each(['127.0.0.1', 'localhost'])(
  'the certificate that a mail server on this machine made for itself is accepted at %s, with a password too',
  async (host) => {
    for (const tls of ['implicit', 'starttls'] as const) {
      const sink = await startSmtpSink({ tls, account: { user: 'office', password: 'secret' } })
      const url = sink.url.replace('127.0.0.1', host)
      expect(await send(url)).toMatchObject({ passwordUnused: false })
      await checkMailServer(url, 5000)
      expect(sink.encrypted).toEqual([true])
      await sink.stop()
    }
  },
)

test('a name is of this machine only where all its addresses are', async () => {
  expect((await routesTo('localhost', undefined)).every(({ isHere }) => isHere)).toBe(true)
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) {
    expect(await routesTo(address, undefined)).toEqual([{ host: address, servername: undefined, isHere: true }])
  }
  for (const address of ['192.0.2.7', '0.0.0.0', '::', '2001:db8::1', 'no-such-name.invalid']) {
    expect(await routesTo(address, undefined)).toMatchObject([{ host: address, isHere: false }])
  }
  expect(await routesTo('localhost', async () => '192.0.2.7')).toEqual([
    { host: '192.0.2.7', servername: 'localhost', isHere: false },
  ])
  expect(await routesTo('mail.example', async () => '::1')).toMatchObject([{ isHere: true }])
})
