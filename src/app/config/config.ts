import path from 'node:path'
import type { S3Settings } from '#ports/files/s3/settings.ts'
import type { ClientLimits } from '#modules/oauth/index.ts'
import type { PublicLimits } from '#modules/leads/index.ts'
import type { HeartbeatLimits } from '#modules/issuer/index.ts'
import type { PublicKey } from '#modules/licensing/index.ts'
import type { MailLimits } from '#modules/mail/index.ts'

/** A bucket for backups, and what their names begin with there: nothing, or a folder with its slash. */
export interface BackupBucket {
  s3: S3Settings
  under: string
}

/** A name by which the local network found the server before. */
export interface FormerLanName {
  /** Without `.local`. */
  label: string
  /** The last day on which it is still answered, as YYYY-MM-DD. */
  until: string
}

/** The vendor's zone, in which its licensed servers have names on their own networks. */
export interface LanZoneSettings {
  name: string
  nameServers: readonly string[]
  /** Where this process answers for it; undefined: other processes do. */
  listen: { host: string; port: number } | undefined
}

/** Every setting of the program; read-config.ts reads them. */
export interface Config {
  mode: 'self_hosted' | 'cloud'
  host: string
  port: number
  /** What links begin with; undefined: the address from the wizard, else http://localhost:PORT. */
  baseUrl: string | undefined
  /** Names and addresses at which the server is reached too, in lower case. */
  otherHosts: readonly string[]
  /** The name that the local network finds the server by, without `.local`; undefined: none is given. */
  lanName: string | undefined
  /** Flags or the environment give the name, so that settings in institute.conf would have no effect. */
  lanNameIsFixed: boolean
  /** Names of before, without `.local`, each with the last day on which it is still answered. */
  formerLanNames: readonly FormerLanName[]
  dataDir: string
  /** 32 bytes; undefined: `<data dir>/master-key`, made when missing. */
  masterKey: Buffer | undefined
  /** postgres://…; undefined: SQLite in the data directory. */
  databaseUrl: string | undefined
  /** Where processes count limits together; undefined: each counts for itself. */
  redisUrl: string | undefined
  /** PEM files; undefined: plain HTTP. */
  tls: { certFile: string; keyFile: string } | undefined
  /** The bearer token for a Prometheus on another machine; undefined: only this machine may read the metrics. */
  metricsToken: string | undefined
  /** The bucket of files; undefined: they lie in the data directory. */
  s3: S3Settings | undefined
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** Flags or the environment configure mail, so that settings in institute.conf would have no effect. */
  mailIsFixed: boolean
  /** Where staff sign in; the pages of mailed links lead there. undefined: they describe it in words. */
  signInUrl: string | undefined
  registration: boolean
  trustedProxies: number
  webhookBlockPrivate: boolean
  /** Waits between the attempts of a delivery, in seconds. */
  webhookBackoffSeconds: readonly number[]
  backups: {
    /** Nightly backups that are kept; 0: none is made. */
    keep: number
    /** Where a copy of each goes: a folder on another disk, or a bucket. */
    to: { folder: string } | BackupBucket | undefined
    /** The public key that copies in a bucket are encrypted with. */
    key: string | undefined
    /** A program that is run after each, with the file's path. */
    command: string | undefined
  }
  license: {
    /** The root of the vendor's server, without a slash at the end; undefined: no licence is taken. */
    vendorUrl: string | undefined
    /** What the vendor's signatures are checked with; undefined: no licence is taken. */
    publicKey: PublicKey | undefined
    /** Between two heartbeats. */
    heartbeatSeconds: number
  }
  /** The zone in which this server, as the vendor's, gives names to the servers of its licences; undefined: none. */
  lanZone: LanZoneSettings | undefined
  updates: {
    /** An http(s) address below which the vendor's files lie, or a folder; undefined: nothing is looked for. */
    from: string | undefined
    /** Where the program lies, and beside it what install.sh and the updater lay there. */
    programDir: string
  }
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Requests a minute. */
  limits: {
    anonymousPerMinute: number
    userPerMinute: number
    keyPerMinute: number
    keyCeilingPerMinute: number
    loginPerMinuteOfAddress: number
    loginPerMinuteOfEmail: number
  }
  /** See PublicLimits and HeartbeatLimits. */
  publicLimits: PublicLimits & HeartbeatLimits & ClientLimits
  /** Seconds within which a body must arrive, and a client must take a reply. */
  bodySeconds: number
  replySeconds: number
  /** Bytes of the bodies that are being read or processed at once: in total, and from one network. */
  bodyBytesInAll: number
  bodyBytesPerNetwork: number
  /** Uploads and downloads that may run at once: in total, and from one network. */
  transfersInAll: number
  transfersPerNetwork: number
  /** See Leave. */
  leaveSeconds: number
  /** See MailLimits. */
  mailLimits: MailLimits
  accessTokenSeconds: number
  refreshTokenSeconds: number
  refreshTokenLongestSeconds: number
}

/** The data directory that holds when none is given, below the working directory. */
export const DATA_DIR = './data'

/** The sender that holds when none is given. */
export const DEFAULT_SENDER = 'institute@localhost'

export const DEFAULTS: Omit<Config, 'dataDir'> = {
  mode: 'self_hosted',
  host: '0.0.0.0',
  port: 8080,
  baseUrl: undefined,
  otherHosts: [],
  lanName: 'institute',
  lanNameIsFixed: false,
  formerLanNames: [],
  masterKey: undefined,
  databaseUrl: undefined,
  redisUrl: undefined,
  tls: undefined,
  metricsToken: undefined,
  s3: undefined,
  smtpUrl: undefined,
  mailFrom: undefined,
  mailIsFixed: false,
  signInUrl: undefined,
  registration: false,
  trustedProxies: 0,
  webhookBlockPrivate: false,
  leaveSeconds: 0,
  webhookBackoffSeconds: [60, 300, 1800, 7200],
  backups: { keep: 14, to: undefined, key: undefined, command: undefined },
  // A vendor who hands out builds writes its server's root and its public key here (`institute license-key public`).
  license: { vendorUrl: undefined, publicKey: undefined, heartbeatSeconds: 21_600 },
  lanZone: undefined,
  // A vendor who hands out builds writes the address of its updates here.
  updates: { from: undefined, programDir: path.dirname(process.execPath) },
  logLevel: 'info',
  limits: {
    anonymousPerMinute: 1200,
    userPerMinute: 6000,
    keyPerMinute: 1200,
    keyCeilingPerMinute: 6000,
    loginPerMinuteOfAddress: 300,
    loginPerMinuteOfEmail: 30,
  },
  publicLimits: {
    registrationsPerMinuteOfAddress: 30,
    registrationsADayOfKey: 300,
    registrationsPerSecondOfInstitute: 10,
    readsPerMinuteOfAddress: 300,
    heartbeatsPerMinuteOfAddress: 120,
    heartbeatsPerMinuteOfLicense: 120,
    clientsPerHourOfAddress: 20,
  },
  bodySeconds: 30,
  replySeconds: 30,
  bodyBytesInAll: 64 * 1024 * 1024,
  bodyBytesPerNetwork: 16 * 1024 * 1024,
  transfersInAll: 512,
  transfersPerNetwork: 64,
  mailLimits: {
    linksAnHourToAddress: 10,
    invitationsAnHourToAddress: 10,
    invitationsAnHour: 200,
    invitationsADay: 1000,
  },
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * 24 * 3600,
  refreshTokenLongestSeconds: 90 * 24 * 3600,
}

/** Whether the program makes a backup every night. A database elsewhere is backed up there. */
export const makesNightly = ({
  mode,
  databaseUrl,
  backups,
}: Pick<Config, 'mode' | 'databaseUrl' | 'backups'>): boolean =>
  mode === 'self_hosted' && databaseUrl === undefined && backups.keep > 0
