import { isIP } from 'node:net'
import { createTransport, type NodemailerError } from 'nodemailer'
import { createMailer, type MailerOptions } from './mailer.ts'
import { MailError, type Mailer } from './port.ts'

export interface SmtpMailerOptions extends MailerOptions {
  /**
   * `smtp://user:password@host:port` or `smtps://…`, user and password percent-encoded. smtp goes over to TLS where the
   * server offers it, and insists on it before it sends a password to another machine.
   */
  url: string
  /** For the whole of one delivery, from looking up the name to the last reply. */
  timeoutMs?: number
}

interface Account {
  user: string
  pass: string
}

interface Server {
  host: string
  port: number
  secure: boolean
  account: Account | undefined
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 }
const LONGEST_REPLY = 300

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Throws an Error that does not quote the url, for it may hold a password. Nothing may follow the port: what does is
 * most likely the rest of a password with a bare / ? or # in it.
 */
const parseUrl = (url: string): Server => {
  const parsed = URL.parse(url)
  const protocol = parsed?.protocol
  const user = decode(parsed?.username ?? '')
  const pass = decode(parsed?.password ?? '')
  const isWellFormed = parsed !== null && parsed.hostname !== '' && user !== null && pass !== null
  if (
    !isWellFormed ||
    (protocol !== 'smtp:' && protocol !== 'smtps:') ||
    !/^\/?$/.test(parsed.pathname + parsed.search + parsed.hash)
  ) {
    throw new Error(
      'a mail server is written smtp://host:port or smtps://host:port, with user:password@ (percent-encoded) if need be',
    )
  }
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(parsed.port) || DEFAULT_PORTS[protocol],
    secure: protocol === 'smtps:',
    account: user === '' ? undefined : { user, pass },
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A server may quote in its reply what it was sent: here without user and password, bare or as SMTP writes them. */
const withoutAccount = (text: string, { user, pass }: Account): string =>
  [base64(`\0${user}\0${pass}`), base64(pass), base64(user), pass, user]
    .filter((secret) => secret !== '')
    .reduce((clean, secret) => clean.replaceAll(secret, '***'), text)

/**
 * Permanent is only what the server said about this recipient or this content. A refused sign-in or sender or a broken
 * certificate is for the administrator to mend, and the mail waits for that.
 */
const toMailError = (error: NodemailerError, { host, port, account }: Server): MailError => {
  const isAboutMail = error.code === 'EMESSAGE' || (error.code === 'EENVELOPE' && error.command !== 'MAIL FROM')
  const reason = error.code === 'EABORT' ? 'it took too long' : error.message
  const clean = account === undefined ? reason : withoutAccount(reason, account)
  const text = clean.replace(/\s+/g, ' ').slice(0, LONGEST_REPLY)
  return new MailError(`mail server ${host}:${port}: ${text}`, isAboutMail && (error.permanent ?? true))
}

const openTransport = ({ host, port, secure, account }: Server, timeouts: object = {}) => {
  const requireTLS = account !== undefined && !secure && !isLoopback(host)
  return createTransport({ host, port, secure, auth: account, requireTLS, ...timeouts })
}

/** Reaches the mail server and signs in, and sends nothing. Throws MailError. */
export const checkMailServer = async (url: string, timeoutMs: number): Promise<void> => {
  const server = parseUrl(url)
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  const transport = openTransport(server, timeouts)
  try {
    await transport.verify()
  } catch (error) {
    throw toMailError(error as NodemailerError, server)
  } finally {
    transport.close()
  }
}

/** Hands mails to a mail server, each over a connection of its own. Throws an Error when the url or sender is none. */
export const createSmtpMailer = ({ url, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: SmtpMailerOptions): Mailer => {
  const server = parseUrl(url)
  const transport = openTransport(server)
  return createMailer(options, async (message) => {
    try {
      await transport.sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) })
    } catch (error) {
      throw toMailError(error as NodemailerError, server)
    }
  })
}
