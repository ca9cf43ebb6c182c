import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { AccessTokens, makeSigningKey } from '#modules/identity/index.ts'
import type { MailSettings } from '#modules/mail/index.ts'
import { makeVapidPair, vapidKeys, type VapidKeys } from '#modules/notifications/index.ts'
import { SetupToken } from '#modules/setup/index.ts'
import { txtByNameServers } from '#ports/dns/name-servers.ts'
import type { TxtRecords } from '#ports/dns/port.ts'
import type { FileStore } from '#ports/files/port.ts'
import { NO_LAN_NAME } from '#ports/lan-name/port.ts'
import { MemoryLimits } from '#ports/limits/memory.ts'
import type { RateLimits } from '#ports/limits/port.ts'
import type { Mailer } from '#ports/mail/port.ts'
import { ReplaceableMailer } from '#ports/mail/replaceable.ts'
import { PUBLIC_ONLY, type Outbound, type PolicedOutbound, type UrlPolicy } from '#ports/outbound/port.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import type { Papers } from '#ports/papers/port.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import { sealedSecret } from '#runtime/secrets/sealed-secrets.ts'
import { Vault } from '#runtime/secrets/vault.ts'
import { startPrinter } from '#ports/papers/typst/printer.ts'
import { requester } from '#runtime/change/requester.ts'
import { Restoring } from './backup/restoring.ts'
import { openFiles } from './data-dir/files.ts'
import { DEFAULT_SENDER, type Config } from './config/config.ts'
import { openLog } from './process/log.ts'
import { openMailSettings, type OpenMailer } from './config/mail-settings.ts'
import { masterKey } from './data-dir/master-key.ts'
import { ChosenName } from './process/chosen-name.ts'
import { THIS_MACHINE, type Machine } from './process/own-hosts.ts'

/** The services that modules can use; modules.ts shows, a line for each module, which of them it takes. */
export interface Services {
  config: Config
  database: Database
  clock: Clock
  log: Logger
  vault: Vault
  limits: RateLimits
  passwords: Passwords
  mailer: Mailer
  mailSettings: MailSettings
  /** The time limit for one mail over an institute's own mail server. */
  ownMailMillis: number
  files: FileStore
  papers: Papers
  /** Sends requests out for one purpose, such as `webhook`; each purpose is counted under its own name. */
  outbound(purpose: string): Outbound
  /** Sends to the push services of browsers, whose addresses come from users. */
  push: PolicedOutbound
  /** Fetches what assistants say of themselves. Whoever signs in says where that is. */
  clientDocuments: PolicedOutbound
  txtRecords: TxtRecords
  /** What this machine is called in its network. */
  machine: Machine
  /** The name by which the network finds it, which the owner chooses. */
  lanName: ChosenName
  setupToken: SetupToken
  /** Backups that a browser puts in the place of what is there. */
  restoring: Restoring
  tokens: AccessTokens
  /** The keys with which the server sends to browsers, for institutes without keys of their own. */
  pushKeys: VapidKeys
}

type Chosen = Pick<
  Services,
  | 'clock'
  | 'log'
  | 'passwords'
  | 'files'
  | 'papers'
  | 'outbound'
  | 'push'
  | 'clientDocuments'
  | 'txtRecords'
  | 'machine'
  | 'lanName'
> & {
  openMailer: OpenMailer
  /** Default: half a minute. */
  ownMailMillis?: number
}

const OWN_MAIL_MILLIS = 30_000

/** Which addresses outbound requests may reach. */
export const outboundPolicy = ({ webhookBlockPrivate }: Config): UrlPolicy => ({
  blockPrivate: webhookBlockPrivate,
  requireHttps: webhookBlockPrivate,
})

/** Whom push services can write to about what this server sends: the sender of its mails. */
const writeTo = (mail: MailSettings): string => {
  const sender = mail.state().sender ?? DEFAULT_SENDER
  return `mailto:${/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender}`
}

/** Counters that all processes share, where there is a Redis, else those of this process. */
const openLimits = async ({ redisUrl }: Config, given: { clock: Clock; log: Logger }): Promise<RateLimits> => {
  if (redisUrl === undefined) return new MemoryLimits(given.clock)
  const { RedisLimits } = await import('#ports/limits/redis/limits.ts')
  return RedisLimits.open(redisUrl, given)
}

/** @throws CannotOpen, or an Error that says what is wrong with the master key */
export const openServices = async (config: Config, database: Database, chosen: Chosen): Promise<Services> => {
  const { clock, log, openMailer } = chosen
  const mailer = new ReplaceableMailer(openMailer(config))
  const vault = new Vault(masterKey(config))
  const signingKey = await sealedSecret({ database, vault, clock }, 'access-token-key', makeSigningKey)
  const pushPair = await sealedSecret({ database, vault, clock }, 'push-keys', makeVapidPair)
  const mailSettings = openMailSettings(config, { mailer, openMailer, log })
  return {
    ownMailMillis: OWN_MAIL_MILLIS,
    ...chosen,
    mailer,
    mailSettings,
    config,
    database,
    vault,
    limits: await openLimits(config, { clock, log }),
    setupToken: new SetupToken(config.dataDir),
    restoring: new Restoring({ config, log, policy: outboundPolicy(config) }),
    tokens: await AccessTokens.open(clock, signingKey, config.accessTokenSeconds),
    pushKeys: vapidKeys(pushPair, () => writeTo(mailSettings)),
  }
}

const vaultToLook = (config: Config): Vault => {
  try {
    return new Vault(masterKey(config))
  } catch {
    return new Vault(randomBytes(32))
  }
}

/**
 * The services for checks that read an install, perhaps a broken one, and change nothing: they send no mail, their
 * access tokens are valid nowhere, and without a master key they open no secret.
 */
export const openServicesReadOnly = async (
  config: Config,
  database: Database,
  { clock, outbound }: { clock: Clock; outbound: Outbound },
): Promise<Services> => {
  const log = openLog({ logLevel: 'silent' })
  const openMailer: OpenMailer = () => ({
    send: () => Promise.reject(new Error('No mail is sent from here.')),
    close: async () => {},
  })
  const mailer = new ReplaceableMailer(openMailer(config))
  const mailSettings = openMailSettings(config, { mailer, openMailer, log })
  return {
    config,
    database,
    clock,
    log,
    vault: vaultToLook(config),
    limits: new MemoryLimits(clock),
    passwords: createArgon2Passwords(),
    mailer,
    mailSettings,
    ownMailMillis: OWN_MAIL_MILLIS,
    files: await openFiles(config),
    // Its thread starts with the first paper, and nobody asks for one here.
    papers: startPrinter({ log, requester }),
    outbound: () => outbound,
    push: { policy: PUBLIC_ONLY, outbound },
    clientDocuments: { policy: PUBLIC_ONLY, outbound },
    txtRecords: txtByNameServers(),
    machine: THIS_MACHINE,
    lanName: new ChosenName({
      config,
      clock,
      log,
      machine: THIS_MACHINE,
      openLanName: () => NO_LAN_NAME,
      changed: async () => {},
    }),
    setupToken: new SetupToken(config.dataDir),
    restoring: new Restoring({ config, log, policy: outboundPolicy(config) }),
    tokens: await AccessTokens.open(clock, await makeSigningKey(), config.accessTokenSeconds),
    pushKeys: vapidKeys(await makeVapidPair(), () => writeTo(mailSettings)),
  }
}
