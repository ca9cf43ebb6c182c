import { createTransport, type NodemailerError } from 'nodemailer'
import { quoted } from '#kernel/basics/quote.ts'
import { createMailer, type MailerOptions } from './mailer.ts'
import { MailError, type Mailer, type MailFault } from './port.ts'
import { routesTo, type Route } from './route.ts'

export interface SmtpMailerOptions extends MailerOptions {
  /**
   * `smtp://user:password@host:port` or `smtps://…`; user and password are percent-encoded. smtp uses TLS if the server
   * offers it, and requires TLS before it sends a password to another machine. Somebody must vouch for the certificate of
   * another machine; mail servers make their own for what runs beside them.
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
/** A reply that is longer than this, in bytes, is no reply of a mail server. */
const LARGEST_REPLY = 65_536

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

/** What of a url may be shown. @throws an Error for another url */
export const placeOf = (url: string): { host: string; port: number; encryption: 'tls' | 'starttls'; user: string } => {
  const { host, port, secure, account } = parseUrl(url)
  return { host, port, encryption: secure ? 'tls' : 'starttls', user: account?.user ?? '' }
}

/** '' where the server asks for none. @throws an Error for another url */
export const passwordOf = (url: string): string => parseUrl(url).account?.pass ?? ''

/** An account as it is sent to the server: alone, and joined as in AUTH PLAIN. However short they are, joined they are not. */
const secretsOf = ({ user, pass }: Account): string[] => [
  `${user}\0${user}\0${pass}`,
  `\0${user}\0${pass}`,
  `${user}:${pass}`,
  `${pass}\r\n`,
  pass,
  user,
]

/** What the server says, without the account, which it may repeat. */
const words = (text: string, account: Account | undefined): string =>
  quoted(text, account ? secretsOf(account) : [], LONGEST_REPLY)

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

/** Replies about the account, whatever was asked (RFC 4954 section 6). */
const SIGN_IN_REPLIES: readonly unknown[] = [530, 534, 535, 538]

/** A bad certificate and a server that speaks another protocol come as socket errors. */
const faultOf = ({ code = '', message, responseCode }: NodemailerError): MailFault => {
  if (SIGN_IN_REPLIES.includes(responseCode)) return 'sign_in'
  return code === 'ESOCKET' && /certificate|\bSSL\b|\bTLS\b/i.test(message) ? 'encryption' : (FAULTS[code] ?? 'other')
}

/**
 * Refusals with a code that stands for good, although they are about this server's account or address and not about the
 * mail: no relaying (Exim, Sendmail, Postfix before 3.6, Exchange), no right to send as this sender (Exchange 5.7.60), and
 * too many mails (Gmail 5.4.5; Exchange 5.1.90, 5.2.251 to 5.2.255 and SubmissionQuotaExceeded). Somebody mends them, or
 * the next day does.
 */
const ABOUT_THE_SERVER = /\brelay|\b5\.(?:4\.5|1\.90|2\.25[1-5]|7\.60)\b|SubmissionQuotaExceeded/i

/** What the server answered with its refusal, by the command. */
const REFUSED: Readonly<Record<string, string>> = {
  STARTTLS: 'it does not encrypt the connection',
  'MAIL FROM': 'it refuses the sender',
  'RCPT TO': 'it refuses the recipient',
  DATA: 'it refuses the mail',
}

const refusalOf = ({ command = '', response = '' }: NodemailerError, fault: MailFault): string => {
  if (!/^[2-5]\d\d\b/.test(response)) return 'it answers as no mail server does'
  return fault === 'sign_in' ? 'it refuses the sign-in' : (REFUSED[command] ?? 'it refuses the connection')
}

const CLOSED: readonly unknown[] = ['ECONNRESET', 'EPIPE']

/** What happened where the server did not answer. @param said the error's own words */
const silenceOf = ({ code, originalCode }: NodemailerError, fault: MailFault, said: string): string => {
  if (fault === 'timeout') return 'it takes too long to answer'
  // Node's advice to developers follows a semicolon.
  if (fault === 'encryption') return `no encrypted connection comes about (${said.split(';', 1)[0]})`
  if (fault === 'unknown_host') return `there is no server of that name (${said})`
  if (code === 'ECONNECTION' || CLOSED.includes(originalCode)) return 'it closed the connection'
  return fault === 'unreachable' ? `nothing answers there (${said})` : said
}

/** Says in the log that a mail may arrive twice: it is sent again, because it must not be lost. */
const PERHAPS_TAKEN = ', after it was given the mail: it may have taken it'

/**
 * Converts an error to a MailError. It is permanent only if the server refused this recipient or this content in words of
 * its protocol. A refused sign-in or sender, a broken certificate, or a server that does not relay, is for the
 * administrator to fix, and the mail is retried.
 * @param wasGiven the whole mail had been written to the connection
 */
const toMailError = (error: NodemailerError, { host, port, account }: Server, wasGiven = false): MailError => {
  const { code, command, response, permanent } = error
  const fault = faultOf(error)
  const isAboutMail = code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM')
  const said = words(response || error.message, account)
  const reason = response
    ? `${refusalOf(error, fault)}: ${said}`
    : `${silenceOf(error, fault, said)}${wasGiven ? PERHAPS_TAKEN : ''}`
  // Without a reply, nodemailer itself refused the mail. A reply that is not SMTP says nothing about the mail.
  const isServers = fault === 'sign_in' || ABOUT_THE_SERVER.test(response ?? '')
  const isPermanent = isAboutMail && !isServers && (permanent ?? !response)
  return new MailError(`mail server ${host}:${port}: ${reason.slice(0, LONGEST_REPLY)}`, isPermanent, fault)
}

const openTransport = (
  { port, secure, account }: Server,
  { host, servername, isHere }: Route,
  timeoutMs: number,
  more: object = {},
) => {
  const requireTLS = account !== undefined && !secure && !isHere
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  // A server that does not close its side would otherwise keep the connection for seconds more.
  const closing = { socketCloseTimeout: 0, maxResponseSize: LARGEST_REPLY }
  const tls = { ...(servername !== undefined && { servername }), ...(isHere && { rejectUnauthorized: false }) }
  return createTransport({ host, port, secure, auth: account, requireTLS, tls, ...timeouts, ...closing, ...more })
}

type Transport = ReturnType<typeof openTransport>

const isRefusedConnection = ({ code, message }: NodemailerError): boolean =>
  code === 'ESOCKET' && message.includes('ECONNREFUSED')

/** Goes the first way on which somebody listens: a mail server may listen on one of a machine's own addresses alone. */
const onTheWay = async <T>(routes: readonly Route[], go: (route: Route) => Promise<T>): Promise<T> => {
  for (const route of routes.slice(0, -1)) {
    try {
      return await go(route)
    } catch (error) {
      if (!isRefusedConnection(error as NodemailerError)) throw error
    }
  }
  return go(routes.at(-1) as Route)
}

/** Connects to the mail server and signs in, without sending a mail. @throws MailError */
export const checkMailServer = async (url: string, timeoutMs: number): Promise<void> => {
  const server = parseUrl(url)
  let transport: Transport | undefined
  try {
    await onTheWay(await routesTo(server.host, undefined), (route) => {
      transport = openTransport(server, route, timeoutMs)
      return transport.verify()
    })
  } catch (error) {
    throw toMailError(error as NodemailerError, server)
  } finally {
    transport?.close()
  }
}

const nothing = (): void => {}

/** Learns from the library when it signed in, and when a whole mail has been written to the connection. */
const watchSession = () => {
  const session = { signedIn: false, gave: false }
  const info = (entry: { tnx?: unknown; action?: unknown }): void => {
    if (entry.action === 'authenticated') session.signedIn = true
    if (entry.tnx === 'message') session.gave = true
  }
  const logger = { level: nothing, trace: nothing, debug: nothing, info, warn: nothing, error: nothing, fatal: nothing }
  return { session, logger }
}

/** Makes a mailer that sends each mail over a new connection. @throws Error when the URL or the sender is invalid */
export const createSmtpMailer = ({
  url,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  addressOf,
  ...options
}: SmtpMailerOptions): Mailer => {
  const server = parseUrl(url)
  const { host, account } = server
  return createMailer(options, async (message, ended) => {
    const { session, logger } = watchSession()
    try {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)])
      const { response } = await onTheWay(await routesTo(host, addressOf), (route) =>
        openTransport(server, route, timeoutMs, { logger }).sendMail({ ...message, signal }),
      )
      return { answer: words(response, account), passwordUnused: account !== undefined && !session.signedIn }
    } catch (error) {
      throw toMailError(error as NodemailerError, server, session.gave)
    }
  })
}
