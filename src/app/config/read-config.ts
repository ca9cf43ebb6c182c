import path from 'node:path'
import { readPublicKey } from '#modules/licensing/index.ts'
import { readConfigFile } from './config-file.ts'
import { DATA_DIR, DEFAULT_SENDER, DEFAULTS, makesNightly, type Config } from './config.ts'
import { BACKUP_SETTINGS } from './backup-settings.ts'
import { LAN_NAME_SETTINGS } from './lan-name-settings.ts'
import { LAN_ZONE_SETTINGS } from './lan-zone-settings.ts'
import { readS3Url, S3_URL } from '#ports/files/s3/settings.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { limit, mailLimit, publicLimit } from './limit-settings.ts'
import { updateFrom } from './update-settings.ts'
import { hosts, integer, ON_OFF, oneOf, onOff, root, serverRoot, url, wholeNumber, type Setting } from './setting.ts'

/** A setting with which the program cannot start; the message names the key, the value and what is allowed. */
export class WrongSetting extends Mistake {
  constructor(message: string) {
    super(message)
    this.name = 'WrongSetting'
  }
}

/** How to write characters in a password that would end it in a URL. */
const IN_PASSWORDS = 'with %23 for # in a password, %2F for /, %3F for ?, %40 for @'

const MODES = ['self_hosted', 'cloud'] as const
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** A balancer looks every few seconds, as a rule. */
const LEAVE_SECONDS_IN_CLOUD = 5

/** What another mode changes beside itself. */
const withMode = (mode: Config['mode']): Partial<Config> => {
  const isCloud = mode === 'cloud'
  return { mode, webhookBlockPrivate: isCloud, leaveSeconds: isCloud ? LEAVE_SECONDS_IN_CLOUD : 0 }
}

/** Every key, in the order of --help. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  INSTITUTE_MODE: {
    allowed: 'self_hosted or cloud',
    about: 'One institute on its own server, or many',
    choices: MODES,
    default: DEFAULTS.mode,
    read: oneOf(MODES, withMode),
  },
  INSTITUTE_HOST: {
    allowed: 'an address of this machine',
    about: 'Address to listen on',
    default: DEFAULTS.host,
    read: (host) => (/^[\w.:-]+$/.test(host) ? { host } : undefined),
  },
  INSTITUTE_PORT: {
    allowed: '0 to 65535',
    about: 'Port to listen on',
    default: String(DEFAULTS.port),
    read: wholeNumber(0, 65_535, (port) => ({ port })),
  },
  INSTITUTE_BASE_URL: {
    allowed: 'http://… or https://… with no path behind the host, because pages and API lie at the root of the server',
    about: 'What links begin with',
    without: 'the wizard’s answer, else http://localhost:PORT',
    read: root((baseUrl) => ({ baseUrl })),
  },
  INSTITUTE_OTHER_HOSTS: {
    isRare: true,
    allowed: 'names and addresses, separated by commas, such as office.lan,10.8.0.1',
    about: 'At which the server is reached too, beside its address, its domains and what this machine is called',
    without: 'no others',
    read: hosts((otherHosts) => ({ otherHosts })),
  },
  ...LAN_NAME_SETTINGS,
  INSTITUTE_DATA_DIR: {
    allowed: 'a folder',
    about: 'Database, keys, mails, backups',
    default: DATA_DIR,
    isPath: true,
    read: (dataDir) => (dataDir === '' ? undefined : { dataDir: path.resolve(dataDir) }),
  },
  INSTITUTE_MASTER_KEY: {
    allowed: '32 bytes in base64url',
    about: 'In place of <data dir>/master-key',
    without: 'that file, made at the first start',
    secret: true,
    read: (text) => {
      const masterKey = Buffer.from(text, 'base64url')
      return masterKey.length === 32 ? { masterKey } : undefined
    },
  },
  INSTITUTE_DATABASE_URL: {
    allowed: `postgres://user:password@host:port/database, ${IN_PASSWORDS}`,
    about: 'Postgres in place of SQLite in the data directory',
    without: 'SQLite',
    secret: true,
    read: url(['postgres:', 'postgresql:'], (databaseUrl) => ({ databaseUrl })),
  },
  INSTITUTE_REDIS_URL: {
    isRare: true,
    allowed: `redis://user:password@host:port/number or rediss://…, ${IN_PASSWORDS}`,
    about: 'Redis, in which several processes count limits together',
    without: 'each process counts for itself',
    secret: true,
    read: url(['redis:', 'rediss:'], (redisUrl) => ({ redisUrl })),
  },
  INSTITUTE_S3_URL: {
    allowed: S3_URL,
    about: 'Bucket of an S3-compatible store, where files and exports go',
    without: 'the data directory',
    secret: true,
    read: (text) => {
      const s3 = readS3Url(text)
      return s3 && { s3 }
    },
  },
  INSTITUTE_SMTP_URL: {
    allowed: `smtp://user:password@host:port or smtps://…, ${IN_PASSWORDS}`,
    about: 'Mail server; without it mails are kept in <data dir>/mail-outbox',
    secret: true,
    read: url(['smtp:', 'smtps:'], (smtpUrl) => ({ smtpUrl })),
  },
  INSTITUTE_MAIL_FROM: {
    allowed: 'an email address',
    about: 'Sender of mails',
    default: DEFAULT_SENDER,
    read: (mailFrom) => (/@/.test(mailFrom) ? { mailFrom } : undefined),
  },
  INSTITUTE_SIGN_IN_URL: {
    allowed: 'http://… or https://…',
    about: 'Where staff sign in: mails and the pages behind them lead there',
    read: url(['http:', 'https:'], (signInUrl) => ({ signInUrl })),
  },
  INSTITUTE_REGISTRATION: {
    allowed: 'on or off',
    about: 'Whether people may register themselves',
    choices: ON_OFF,
    default: DEFAULTS.registration ? 'on' : 'off',
    read: onOff((registration) => ({ registration })),
  },
  INSTITUTE_TRUST_PROXY: {
    allowed: 'off, or 1 to 10',
    about: 'How many proxies in front may speak for their callers',
    default: DEFAULTS.trustedProxies === 0 ? 'off' : String(DEFAULTS.trustedProxies),
    read: (text) =>
      text === 'off' ? { trustedProxies: 0 } : wholeNumber(0, 10, (trustedProxies) => ({ trustedProxies }))(text),
  },
  INSTITUTE_LEAVE_SEC: {
    isRare: true,
    allowed: 'seconds, 0 to 300',
    about: 'How long a process that is told to stop says that it is not ready, and still answers',
    without: `0, in the mode cloud ${LEAVE_SECONDS_IN_CLOUD}`,
    read: wholeNumber(0, 300, (leaveSeconds) => ({ leaveSeconds })),
  },
  INSTITUTE_TLS_CERT: {
    allowed: 'a file, together with INSTITUTE_TLS_KEY',
    about: 'Certificate with its chain (PEM): the server speaks HTTPS; read again when it changes',
    without: 'plain HTTP',
    isPath: true,
    read: (file, { tls }) => ({ tls: { keyFile: '', ...tls, certFile: path.resolve(file) } }),
  },
  INSTITUTE_TLS_KEY: {
    allowed: 'a file, together with INSTITUTE_TLS_CERT',
    about: 'The certificate’s key (PEM)',
    without: 'plain HTTP',
    isPath: true,
    read: (file, { tls }) => ({ tls: { certFile: '', ...tls, keyFile: path.resolve(file) } }),
  },
  INSTITUTE_METRICS_TOKEN: {
    allowed: 'at least 16 characters without a space',
    about:
      'What a Prometheus on another machine sends as a bearer token; without it /metrics answers this machine alone',
    secret: true,
    read: (metricsToken) => (/^\S{16,}$/.test(metricsToken) ? { metricsToken } : undefined),
  },
  INSTITUTE_WEBHOOK_BLOCK_PRIVATE: {
    isRare: true,
    allowed: 'on or off',
    about: 'Whether webhooks are kept from private addresses',
    choices: ON_OFF,
    without: 'off, in the mode cloud on',
    read: onOff((webhookBlockPrivate) => ({ webhookBlockPrivate })),
  },
  INSTITUTE_WEBHOOK_BACKOFF_SEC: {
    isRare: true,
    allowed: 'four waits in seconds, such as 60,300,1800,7200',
    about: 'Waits between the attempts of a delivery',
    default: DEFAULTS.webhookBackoffSeconds.join(','),
    read: (text) => {
      const waits = text.split(',').map((wait) => integer(wait.trim(), 0, 7 * 24 * 3600))
      return waits.length === 4 && waits.every((wait) => wait !== undefined)
        ? { webhookBackoffSeconds: waits }
        : undefined
    },
  },
  INSTITUTE_LIMIT_ANONYMOUS: limit('anonymousPerMinute', 'Limit of an address without a good credential'),
  INSTITUTE_LIMIT_USER: limit('userPerMinute', 'Limit of a user'),
  INSTITUTE_LIMIT_KEY: limit('keyPerMinute', 'Limit of an API key that names none'),
  INSTITUTE_LIMIT_KEY_CEILING: limit('keyCeilingPerMinute', 'The most that an API key may name'),
  INSTITUTE_LIMIT_LOGIN_ADDRESS: limit('loginPerMinuteOfAddress', 'Sign-ins from one address'),
  INSTITUTE_LIMIT_LOGIN_EMAIL: limit('loginPerMinuteOfEmail', 'Sign-ins with one email'),
  INSTITUTE_LIMIT_REGISTRATION_ADDRESS: publicLimit(
    'registrationsPerMinuteOfAddress',
    'Public registrations from one address in a minute',
  ),
  INSTITUTE_LIMIT_REGISTRATION_KEY: publicLimit(
    'registrationsADayOfKey',
    'Public registrations with one publishable key in a day',
  ),
  INSTITUTE_LIMIT_REGISTRATION_PACE: publicLimit(
    'registrationsPerSecondOfInstitute',
    'Public registrations of one institute that start in a second',
  ),
  INSTITUTE_LIMIT_PUBLIC_ADDRESS: publicLimit(
    'readsPerMinuteOfAddress',
    'Public lists read from one address in a minute',
  ),
  INSTITUTE_LIMIT_HEARTBEAT_ADDRESS: publicLimit(
    'heartbeatsPerMinuteOfAddress',
    'Licence heartbeats from one address in a minute',
  ),
  INSTITUTE_LIMIT_HEARTBEAT_LICENSE: publicLimit(
    'heartbeatsPerMinuteOfLicense',
    'Heartbeats of all installs of one licence in a minute',
  ),
  INSTITUTE_LIMIT_LINK_MAILS: mailLimit('linksAnHourToAddress', 'Links to an account sent to one address in an hour'),
  INSTITUTE_LIMIT_INVITATION_MAILS: mailLimit(
    'invitationsAnHourToAddress',
    'Invitations sent to one address in an hour',
  ),
  INSTITUTE_LIMIT_INVITATIONS_HOUR: mailLimit('invitationsAnHour', 'Invitations of one institute in an hour'),
  INSTITUTE_LIMIT_INVITATIONS_DAY: mailLimit('invitationsADay', 'Invitations of one institute in a day'),
  INSTITUTE_ACCESS_TOKEN_SEC: {
    isRare: true,
    allowed: '60 to 86400 seconds',
    about: 'Life of an access token',
    default: String(DEFAULTS.accessTokenSeconds),
    read: wholeNumber(60, 86_400, (accessTokenSeconds) => ({ accessTokenSeconds })),
  },
  INSTITUTE_REFRESH_TOKEN_SEC: {
    isRare: true,
    allowed: '3600 to 31536000 seconds',
    about: 'Life of a refresh token since its last use',
    default: String(DEFAULTS.refreshTokenSeconds),
    read: wholeNumber(3600, 31_536_000, (refreshTokenSeconds) => ({ refreshTokenSeconds })),
  },
  INSTITUTE_REFRESH_TOKEN_LONGEST_SEC: {
    isRare: true,
    allowed: '3600 to 31536000 seconds',
    about: 'Life of a sign-in at the most',
    default: String(DEFAULTS.refreshTokenLongestSeconds),
    read: wholeNumber(3600, 31_536_000, (refreshTokenLongestSeconds) => ({ refreshTokenLongestSeconds })),
  },
  ...BACKUP_SETTINGS,
  INSTITUTE_LICENSE_VENDOR_URL: {
    isRare: true,
    allowed: 'the root of a server: https://…, or http://… on this machine (localhost, 127.0.0.1)',
    about: 'The vendor’s server, to which a licence’s heartbeats go, together with INSTITUTE_LICENSE_PUBLIC_KEY',
    without: 'what the build names; where it names none, no licence is taken',
    read: (text, { license }) => {
      const vendorUrl = serverRoot(text)
      return vendorUrl === undefined ? undefined : { license: { ...license, vendorUrl } }
    },
  },
  INSTITUTE_LICENSE_PUBLIC_KEY: {
    isRare: true,
    allowed: 'the line that `institute license-key public` prints at the vendor: 32 bytes in base64url',
    about: 'The vendor’s key, which licences and the vendor’s answers are checked with',
    without: 'the build’s own',
    read: (text, { license }) => {
      const publicKey = readPublicKey(text)
      return publicKey && { license: { ...license, publicKey } }
    },
  },
  INSTITUTE_LICENSE_HEARTBEAT_SEC: {
    isRare: true,
    allowed: '5 to 604800 seconds',
    about: 'Time between the heartbeats of a licence; the vendor may ask for more frequent ones',
    default: String(DEFAULTS.license.heartbeatSeconds),
    read: (text, { license }) =>
      wholeNumber(5, 604_800, (heartbeatSeconds) => ({ license: { ...license, heartbeatSeconds } }))(text),
  },
  ...LAN_ZONE_SETTINGS,
  INSTITUTE_UPDATE_URL: updateFrom,
  INSTITUTE_LOG_LEVEL: {
    allowed: LEVELS.join(', '),
    about: 'What is logged',
    choices: LEVELS,
    default: DEFAULTS.logLevel,
    read: oneOf(LEVELS, (logLevel) => ({ logLevel })),
  },
}

/** The flag of a key: `--data-dir` for INSTITUTE_DATA_DIR, and so on. */
export const flagOf = (key: string): string => key.slice('INSTITUTE_'.length).toLowerCase().replaceAll('_', '-')

/** An address with a name and a password in it, also where it is not one that is allowed. */
const HAS_PASSWORD = /:\/\/.*@/

/** @param places file and line of the values that come from institute.conf, to begin a message with */
const settle = (
  values: Readonly<Record<string, string | undefined>>,
  places: Readonly<Record<string, string>>,
  config: Config,
): Config => {
  let settled = config
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const text = values[key]
    // A compose file hands on a variable that nobody gave as nothing, or as a space.
    if (text === undefined || text.trim() === '') continue
    const read = setting.read(text, settled)
    if (!read) {
      const shown = setting.secret || HAS_PASSWORD.test(text) ? '(not shown)' : text
      throw new WrongSetting(`${places[key] ?? ''}${key}=${shown}: must be ${setting.allowed}.`)
    }
    settled = { ...settled, ...read }
  }
  const { tls } = settled
  if (tls && (tls.certFile === '' || tls.keyFile === '')) {
    throw new WrongSetting('INSTITUTE_TLS_CERT and INSTITUTE_TLS_KEY: must be given together.')
  }
  const { license } = settled
  if ((license.vendorUrl === undefined) !== (license.publicKey === undefined)) {
    throw new WrongSetting('INSTITUTE_LICENSE_VENDOR_URL and INSTITUTE_LICENSE_PUBLIC_KEY: must be given together.')
  }
  const { lanZone } = settled
  if (lanZone && (lanZone.name === '' || lanZone.nameServers.length === 0)) {
    throw new WrongSetting(
      'INSTITUTE_LAN_ZONE and INSTITUTE_LAN_ZONE_SERVERS: must be given together, and INSTITUTE_LAN_ZONE_DNS only with them.',
    )
  }
  const { backups, databaseUrl, mode } = settled
  if ((backups.to ?? backups.command) !== undefined && !makesNightly(settled)) {
    const why =
      databaseUrl !== undefined
        ? 'the database is in Postgres'
        : mode === 'cloud'
          ? 'INSTITUTE_MODE is cloud'
          : 'INSTITUTE_BACKUP_KEEP is 0'
    throw new WrongSetting(
      `INSTITUTE_BACKUP_TO and INSTITUTE_BACKUP_COMMAND: must be left out where no nightly backup is made (${why}).`,
    )
  }
  return settled
}

type Values = Readonly<Record<string, string | undefined>>

const givenIn =
  (flags: Values, environment: Values) =>
  (key: string): string | undefined =>
    flags[key] || environment[key]

/** The data directory: it is known before its institute.conf is read. */
export const dataDirOf = (flags: Values, environment: Values = process.env): string =>
  path.resolve(givenIn(flags, environment)('INSTITUTE_DATA_DIR') ?? DATA_DIR)

/**
 * Reads the configuration. Flags win over the environment, that over `<data dir>/institute.conf`, that over the
 * defaults.
 * @param flags by their key (INSTITUTE_…)
 * @returns also the INSTITUTE_ keys of the environment that are unknown
 * @throws WrongSetting, or a Mistake in institute.conf
 */
export const readConfig = (
  flags: Values,
  environment: Values = process.env,
): { config: Config; unknownKeys: string[] } => {
  const given = givenIn(flags, environment)
  const dataDir = dataDirOf(flags, environment)
  const known = new Set(Object.keys(SETTINGS))
  const { values: file, places } = readConfigFile(dataDir, known)
  const unknownKeys = Object.keys(environment).filter((key) => key.startsWith('INSTITUTE_') && !known.has(key))
  const values = Object.fromEntries([...known].map((key) => [key, given(key) || file[key]]))
  const placesInForce = Object.fromEntries(Object.entries(places).filter(([key]) => !given(key)))
  const mailIsFixed = Boolean(given('INSTITUTE_SMTP_URL') || given('INSTITUTE_MAIL_FROM'))
  const lanNameIsFixed = Boolean(given('INSTITUTE_LAN_NAME'))
  return {
    config: settle({ ...values, INSTITUTE_DATA_DIR: dataDir }, placesInForce, {
      ...DEFAULTS,
      dataDir,
      mailIsFixed,
      lanNameIsFixed,
    }),
    unknownKeys,
  }
}
