import { isIP } from 'node:net'
import { createTransport, type NodemailerError } from 'nodemailer'
import { createMailer, type MailerOptions } from './mailer.ts'
import { MailError, type Mailer, type MailFault } from './port.ts'

export interface SmtpMailerOptions extends MailerOptions {
  /**
   * `smtp://user:password@host:port` or `smtps://…`; user and password are percent-encoded. smtp uses TLS if the server
   * offers it, and requires TLS before it sends a password to another machine.
   */
  url: string
  /** The time limit for one delivery, from the DNS lookup to the last reply. */
  timeoutMs?: number
  /** Chooses the address of the server's host, or throws; the certificate is still the host's. Default: the system's. */
  addressOf?: (host: string) => Promise<string>
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
 * Parses the URL of a mail server. Nothing may follow the port: it would most likely be the rest of a password that
 * contains a / ? or # without encoding.
 * @throws Error that does not quote the URL, because it may contain a password
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

/** The host:port of an smtp or smtps url, without user and password. @throws an Error for another url */
export const serverOf = (url: string): string => {
  const { host, port } = parseUrl(url)
  return `${host}:${port}`
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/**
 * Removes user and password from a reply of the server, which may quote them: as plain text or as SMTP encodes them.
 */
const withoutAccount = (text: string, { user, pass }: Account): string =>
  [base64(`\0${user}\0${pass}`), base64(pass), base64(user), pass, user]
    .filter((secret) => secret !== '')
    .reduce((clean, secret) => clean.replaceAll(secret, '***'), text)

const FAULTS: Readonly<Record<string, MailFault>> = {
  EDNS: 'unknown_host',
  ECONNECTION: 'unreachable',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
  ETLS: 'encryption',
  EAUTH: 'sign_in',
  ENOAUTH: 'sign_in',
  EENVELOPE: 'refused',
  EMESSAGE: 'refused',
}

/** A bad certificate and a server that speaks another protocol come as socket errors. */
const faultOf = ({ code = '', message }: NodemailerError): MailFault =>
  code === 'ESOCKET' && /certificate|\bSSL\b|\bTLS\b/i.test(message) ? 'encryption' : (FAULTS[code] ?? 'other')

/**
 * Converts an error to a MailError. It is permanent only if the server refused this recipient or this content. A
 * refused sign-in or sender, or a broken certificate, is for the administrator to fix, and the mail is retried.
 */
const toMailError = (error: NodemailerError, { host, port, account }: Server): MailError => {
  const isAboutMail = error.code === 'EMESSAGE' || (error.code === 'EENVELOPE' && error.command !== 'MAIL FROM')
  const reason = error.code === 'EABORT' ? 'it took too long' : error.message
  const clean = account === undefined ? reason : withoutAccount(reason, account)
  const text = clean.replace(/\s+/g, ' ').slice(0, LONGEST_REPLY)
  return new MailError(`mail server ${host}:${port}: ${text}`, isAboutMail && (error.permanent ?? true), faultOf(error))
}

const openTransport = ({ host, port, secure, account }: Server, more: object = {}) => {
  const requireTLS = account !== undefined && !secure && !isLoopback(host)
  return createTransport({ host, port, secure, auth: account, requireTLS, ...more })
}

/** Connects to the mail server and signs in, without sending a mail. @throws MailError */
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

/** Makes a mailer that sends each mail over a new connection. @throws Error when the URL or the sender is invalid */
export const createSmtpMailer = ({
  url,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  addressOf,
  ...options
}: SmtpMailerOptions): Mailer => {
  const server = parseUrl(url)
  const open = async () => {
    if (!addressOf) return openTransport(server)
    const { host } = server
    return openTransport(server, {
      host: await addressOf(host),
      ...(isIP(host) === 0 && { tls: { servername: host } }),
    })
  }
  return createMailer(options, async (message) => {
    try {
      const transport = await open()
      const { response } = await transport.sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) })
      return response
    } catch (error) {
      throw toMailError(error as NodemailerError, server)
    }
  })
}
