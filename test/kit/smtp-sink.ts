import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { generate } from 'selfsigned'
import { SMTPServer, type SMTPServerError } from 'smtp-server'

/** A mail as the sink received it: parsed, with the client's MAIL FROM and RCPT TO. */
export interface ParsedMail extends Email {
  envelope: { from: string; to: string[] }
}

export interface SmtpSinkOptions {
  /** Clients must sign in with it to send; the url contains it. */
  account?: { user: string; password: string }
  /** Without it the sink offers no TLS. */
  tls?: 'starttls' | 'implicit'
  /** Called when a mail to this address has come in whole. */
  onAccepted?: (to: string) => void
}

export interface SmtpSink {
  /** smtp:// or smtps://, with the account if there is one. */
  readonly url: string
  /** The certificate that TLS clients must trust; null without TLS. */
  readonly certificate: string | null
  /** For each of them, whether it came encrypted. */
  readonly encrypted: readonly boolean[]
  /** The mails received so far, oldest first. */
  messages(): Promise<ParsedMail[]>
  /** Refuses every recipient from now on: temporarily (421) or permanently (550); null accepts mail again. */
  refuse(code: 421 | 550 | null): void
  stop(): Promise<void>
}

const REFUSALS = { 421: 'the sink is busy, try later', 550: 'the sink knows no such mailbox' }

const refusal = (code: number, message: string): SMTPServerError =>
  Object.assign(new Error(message), { responseCode: code })

const makeCertificate = (): ReturnType<typeof generate> =>
  generate([{ name: 'commonName', value: 'SMTP sink' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })

/** A mail server on a free loopback port that keeps the mails it receives. */
export const startSmtpSink = async ({ account, tls, onAccepted }: SmtpSinkOptions = {}): Promise<SmtpSink> => {
  const received: { raw: Buffer; envelope: ParsedMail['envelope'] }[] = []
  const encrypted: boolean[] = []
  let refusing: 421 | 550 | null = null

  const pair = tls === undefined ? null : await makeCertificate()
  const server = new SMTPServer({
    secure: tls === 'implicit',
    ...(pair === null ? {} : { key: pair.private, cert: pair.cert }),
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(account ? [] : ['AUTH'])],
    authOptional: account === undefined,
    allowInsecureAuth: tls === undefined,
    disableReverseLookup: true,
    closeTimeout: 10,
    onAuth: ({ username, password }, _session, done) => {
      if (username === account?.user && password === account?.password) done(null, { user: username })
      else done(refusal(535, `no account ${username} with password ${password}`))
    },
    onRcptTo: (_address, _session, done) => {
      done(refusing === null ? null : refusal(refusing, REFUSALS[refusing]))
    },
    onData: (stream, { envelope, secure }, done) => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const to = envelope.rcptTo.map(({ address }) => address)
      buffer(stream).then((raw) => {
        encrypted.push(secure)
        received.push({ raw, envelope: { from, to } })
        for (const one of to) onAccepted?.(one)
        done()
      }, done)
    },
  })
  // A client that hangs up is a case under test, not a fault of the sink.
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')

  const url = new URL(
    `${tls === 'implicit' ? 'smtps' : 'smtp'}://127.0.0.1:${(listener.address() as AddressInfo).port}`,
  )
  url.username = encodeURIComponent(account?.user ?? '')
  url.password = encodeURIComponent(account?.password ?? '')
  return {
    url: url.href,
    certificate: pair?.cert ?? null,
    encrypted,
    messages: () =>
      Promise.all(received.map(async ({ raw, envelope }) => ({ ...(await PostalMime.parse(raw)), envelope }))),
    refuse: (code) => {
      refusing = code
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
