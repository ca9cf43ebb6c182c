import path from 'node:path'
import * as v from 'valibot'
import { CONFIGURATION } from '#app/config/config-file.ts'
import type { Config } from '#app/config/config.ts'
import { isInUse } from '#app/data-dir/data-lock.ts'
import { saveMailServer, MAIL_PROVIDERS, MailServer, smtpUrlOf, type MailProvider } from '#app/config/mail-settings.ts'
import { PASSWORD_UNUSED, sendTestMail } from '#app/operator/mail-trial.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { SYSTEM } from '#executable/system-words.ts'
import { isService } from '#app/explain/command-line.ts'
import { email } from '#kernel/values/schema.ts'
import { askLine, askWhether, isTerminal } from './ask.ts'
import { result, tell, WrongUsage, type Command, type Invocation } from './command.ts'
import { openConfig } from './open.ts'
import { knownPassword } from './password.ts'

const OWN = 'own'
const IDS = [...MAIL_PROVIDERS.map(({ id }) => id), OWN]
/** The port on which mail servers speak TLS from the start. */
const TLS_PORT = 465
const USUAL_PORT = 587

/** How people call a provider, and which password it wants. */
const WORDS: Readonly<Record<MailProvider['id'], { name: string; password: string }>> = {
  gmail: {
    name: 'Gmail, or Google Workspace',
    password:
      'Google wants an app password of 16 letters, and not that of the account: turn on 2-Step Verification there, then make one at https://myaccount.google.com/apppasswords.',
  },
  microsoft: {
    name: 'Microsoft 365, with an address of one’s own',
    password:
      'Microsoft takes the password of the mailbox once its administrator has allowed “Authenticated SMTP” for it. Addresses at outlook.com and hotmail.com cannot be used by programs so.',
  },
  yahoo: {
    name: 'Yahoo',
    password: 'Yahoo wants an app password, and not that of the account: make one in Account Security there.',
  },
  zoho: {
    name: 'Zoho Mail',
    password:
      'Zoho takes the password of the account, or, with two-factor sign-in, an application-specific one. An address of one’s own domain may need --server smtppro.zoho.com:465.',
  },
}

const chosenProvider = async ({ options }: Invocation): Promise<MailProvider | undefined> => {
  let id = options.provider ?? (options.server === undefined ? undefined : OWN)
  if (id === undefined) {
    if (!isTerminal()) throw new WrongUsage(`institute mail-setup needs --provider (${IDS.join(', ')}) or --server.`)
    tell('Who provides the mailbox that mails are sent from?')
    for (const [index, { id: one }] of MAIL_PROVIDERS.entries()) tell(`  ${index + 1}  ${WORDS[one].name}`)
    tell(`  ${IDS.length}  somebody else, or a mail server of one’s own`)
    const answer = await askLine(`A number from 1 to ${IDS.length}`)
    id = IDS[Number(answer) - 1] ?? answer
  }
  if (!IDS.includes(id)) throw new WrongUsage(`"${id}" is no provider: it is one of ${IDS.join(', ')}.`)
  return MAIL_PROVIDERS.find((provider) => provider.id === id)
}

/** `mail.example.org`, `mail.example.org:465`, `[::1]:587` */
const hostAndPortOf = (text: string): { host: string; port: number | undefined } => {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: port === undefined ? undefined : Number(port) }
}

type MailHost = Pick<MailServer, 'host' | 'port' | 'encryption'>

const chosenHost = async ({ options }: Invocation, provider: MailProvider | undefined): Promise<MailHost> => {
  if (provider && options.server === undefined) return provider
  const given = hostAndPortOf(
    options.server ?? (await askLine('The name of the mail server, such as smtp.example.org')),
  )
  const port =
    given.port ?? (options.server === undefined ? Number(await askLine('Its port', String(USUAL_PORT))) : USUAL_PORT)
  const encryption = options.encryption ?? (port === TLS_PORT ? 'tls' : 'starttls')
  return { host: given.host, port, encryption: encryption as MailHost['encryption'] }
}

/** @throws WrongUsage where the server would not take it */
const checkedServer = (given: unknown): MailServer => {
  const read = v.safeParse(MailServer, given)
  if (read.success) return read.output
  const [issue] = read.issues
  throw new WrongUsage(`${String(issue.path?.[0]?.key)}: ${issue.message}`)
}

const checkedEmail = (text: string): string => {
  if (!v.safeParse(email, text).success) throw new WrongUsage(`"${text}" is not an email address.`)
  return text
}

const given = async (value: string | undefined, question: string, fallback?: string): Promise<string> => {
  if (value !== undefined) return value
  return fallback !== undefined && !isTerminal() ? fallback : askLine(question, fallback)
}

/** Tries it. @returns whether it may be kept */
const isGood = async (config: Config, server: MailServer, to: string, provider: MailProvider | undefined) => {
  tell(`Sending a test mail to ${to} …`)
  const tried = { ...config, smtpUrl: smtpUrlOf(server), mailFrom: server.sender }
  const { taken, passwordUnused, failure } = await sendTestMail(tried, to)
  if (!failure) {
    tell(`The mail server took it: ${taken}`)
    if (passwordUnused) tell(PASSWORD_UNUSED)
    tell('Now look whether it arrives, also among the unwanted mail.')
    return true
  }
  tell(failure.advice)
  tell(`What happened: ${failure.message}`)
  if (provider && failure.fault === 'sign_in') tell(WORDS[provider.id].password)
  if (isTerminal()) return askWhether('Keep this mail server all the same?')
  tell('Nothing was changed; with --untested it is kept without a test mail.')
  return false
}

export const mailSetup: Command = {
  about: 'Name the mail server, try it, and keep it in institute.conf; asks for what is not given',
  usage: '[--provider PROVIDER] [--sender EMAIL] …',
  options: {
    provider: { value: 'PROVIDER', choices: IDS, about: `Who provides the mailbox: ${IDS.join(', ')}` },
    server: { value: 'HOST:PORT', about: 'A mail server of one’s own' },
    encryption: {
      value: 'KIND',
      choices: ['starttls', 'tls'],
      about: 'Of a mail server of one’s own: tls from the start, or starttls; without it, tls on port 465',
    },
    sender: { value: 'EMAIL', about: 'The address that mails come from' },
    user: { value: 'USER', about: 'Who signs in at the mail server; without it the sender, with "" nobody' },
    'password-stdin': { about: 'Reads the password from standard input' },
    to: { value: 'EMAIL', about: 'Who gets the test mail; without it the sender' },
    untested: { about: 'Keeps it without a test mail' },
  },
  run: async (invocation) => {
    const { options, switches } = invocation
    const config = openConfig(invocation)
    if (config.mailIsFixed) {
      throw new Mistake(
        'Flags or the environment name the mail server (INSTITUTE_SMTP_URL, INSTITUTE_MAIL_FROM), and come before institute.conf: change it there.',
      )
    }
    const provider = await chosenProvider(invocation)
    const place = await chosenHost(invocation, provider)
    const sender = checkedEmail(await given(options.sender, 'The address that mails come from'))
    const user = await given(options.user, 'The user who signs in at the mail server', sender)
    if (provider && isTerminal()) tell(WORDS[provider.id].password)
    const fromInput = switches.has('password-stdin')
    const password = user === '' ? '' : await knownPassword(user, { fromInput })
    const server = checkedServer({ ...place, user, password, sender })
    if (!switches.has('untested')) {
      const to = checkedEmail(await given(options.to, 'Who gets the test mail', sender))
      if (!(await isGood(config, server, to, provider))) return 1
    }
    saveMailServer(config, server)
    result(`Mails come from ${sender} and go out through ${server.host}:${server.port}.`)
    tell(`${path.join(config.dataDir, CONFIGURATION)} says so now.`)
    if (await isInUse(config.dataDir)) {
      const how = isService(config) ? SYSTEM.restart : 'stop it, and start it again'
      tell(`The program is running, and takes it up when it starts: ${how}.`)
    }
    return 0
  },
}
