import path from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import { systemClock, type Clock } from '#kernel/time/clock.ts'
import { loadTimeZones } from '#kernel/time/zone.ts'
import { isSetUp, SETUP_TOKEN, SetupToken } from '#modules/setup/index.ts'
import type { Tracing } from '#ports/tracing/port.ts'
import { openLanName } from '#ports/lan-name/multicast.ts'
import { txtByNameServers } from '#ports/dns/name-servers.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import { PUBLIC_ONLY } from '#ports/outbound/port.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { startPrinter } from '#ports/papers/typst/printer.ts'
import { requester } from '#runtime/change/requester.ts'
import { openTelemetry } from '#ports/tracing/otlp/open.ts'
import { version } from '#executable/version.ts'
import { checkpointThread } from './threads/checkpoint-thread.ts'
import { assertClock } from './process/clock-check.ts'
import type { BackupSummary } from './backup/backup-summary.ts'
import { makeBackup, type Backup } from './backup/make.ts'
import { restoreBackup, type Restored, type Source } from './backup/restore.ts'
import type { RestoreOrder } from './backup/restoring.ts'
import { compose, type App } from './compose.ts'
import type { Config } from './config/config.ts'
import { readTelemetrySettings } from './config/telemetry-settings.ts'
import { assertDatabase, hasBegun, markBegun } from './data-dir/data-dir.ts'
import { lockDataDir, type Release } from './data-dir/data-lock.ts'
import { outboundPolicy } from './services.ts'
import { openFiles } from './data-dir/files.ts'
import { IdleMemory } from './process/idle-memory.ts'
import { hasSecrets } from './data-dir/key-check.ts'
import { openToOthers } from './trouble/rights.ts'
import { hasMasterKey, makeMasterKey } from './data-dir/master-key.ts'
import { assertCanListen } from './process/listening.ts'
import { mailers } from './config/mail-settings.ts'
import { addressesOf, greeting } from './process/greeting.ts'
import { readingThread } from './threads/reading-thread.ts'
import { programClock } from './process/server-clock.ts'
import { ServiceManager } from './process/service-manager.ts'
import { firstPair } from './process/tls.ts'
import { openUpgraded, type Upgrade } from './upgrade.ts'

const STOP_MILLIS = 10_000

/**
 * Makes the setup token before the server listens: a script that sees the server ready may read the token at once.
 * @returns undefined when the institute is set up already
 */
const tokenForSetup = async ({ config, database, setupToken }: App): Promise<string | undefined> => {
  if (config.mode === 'self_hosted' && !(await isSetUp(database.read))) return setupToken.ensure()
  setupToken.remove()
  return undefined
}

/** What the log says of a start. Many can read a log: the setup token stays out of it. */
const logStart = (log: Logger, { config, database, setupToken }: App, port: number): void => {
  const { mode, dataDir } = config
  const addresses = addressesOf(config, port)
  log.info({ version, engine: database.engine, mode, node: process.version, addresses }, 'started')
  if (setupToken.read() === undefined) return
  const tokenFile = path.join(dataDir, SETUP_TOKEN)
  log.info({ tokenFile }, 'the institute is not set up yet: `institute setup-token` prints the address of the wizard')
}

const ZONES_AFTER_MILLIS = 1000

/** A program that is fully prepared and does not listen yet. */
export interface Program {
  /** Listens and starts the work. @returns the greeting, for a terminal @throws WrongSetting where it cannot listen */
  open(): Promise<string[]>
  /** Reloads what may have been renewed: the certificate. */
  reload(): void
  /** Lets running work end, within ten seconds. */
  stop(): Promise<void>
  /** Resolves when the program has to step aside for a backup. */
  readonly restoreOrder: Promise<RestoreOrder>
  /** Stops, and leaves the data directory locked, for the program that takes its place in this process. */
  handOver(): Promise<HandedOver>
}

interface HandedOver {
  release: Release
  /** Where it listened. */
  port: number
  /** To be called once the other serves. */
  endSigns: () => void
}

/** The whole program over an open database, with what it really reaches outside. */
export const composed = async (
  config: Config,
  database: Database,
  { clock, log, tracing }: { clock: Clock; log: Logger; tracing?: Tracing | undefined },
): Promise<App> =>
  compose(config, database, {
    clock,
    log,
    tracing,
    openLanName,
    passwords: createArgon2Passwords({}),
    openMailer: mailers(clock),
    files: await openFiles(config),
    papers: startPrinter({ log, requester }),
    outbound: guardedOutbound({ policy: outboundPolicy(config) }),
    push: { policy: PUBLIC_ONLY, outbound: guardedOutbound({ policy: PUBLIC_ONLY }) },
    txtRecords: txtByNameServers(),
  })

/** Makes a master key where there is none, and nothing yet that was sealed with one. */
export const ensureMasterKey = async (config: Config, database: Database): Promise<void> => {
  if (!hasMasterKey(config) && !(await hasSecrets(database))) makeMasterKey(config)
}

/**
 * Prepares everything for `institute serve`.
 * @param held the lock of the data directory, where this process has it
 * @throws DataDirInUse, NewerDatabase, WrongSetting
 */
export const prepareProgram = async (config: Config, log: Logger, held?: Release): Promise<Program> => {
  assertClock(systemClock)
  const telemetry = await openTelemetry(readTelemetrySettings(), log)
  const release = held ?? (await lockDataDir(config.dataDir))
  if (!hasBegun(config.dataDir)) {
    // Check them before there is a database: a first start that fails leaves nothing half made.
    if (config.tls) firstPair(config.tls)
    await assertCanListen(config)
  }
  const { database, taken, backup } = await openUpgraded(config, {
    checkpointer: (file) => checkpointThread(config.dataDir, file, log),
    readingThread: (file) => readingThread({ dataDir: config.dataDir, file }, log),
  })
  if (taken.length > 0) log.info({ taken, backup }, 'the database was brought to the schema of this version')
  if (config.smtpUrl === undefined) {
    log.warn('There is no mail server (INSTITUTE_SMTP_URL): mails are kept in mail-outbox in the data directory.')
  }
  const open = openToOthers(config.dataDir)
  if (open !== undefined) log.warn(open)
  markBegun(config.dataDir)
  await ensureMasterKey(config, database)
  const { clock, stop: stopClock } = await programClock(database)
  const app = await composed(config, database, { clock, log, tracing: telemetry?.tracing })
  app.metrics.watchProcess()
  telemetry?.sendMetrics(app.metrics)
  const memory = new IdleMemory(log)
  const manager = new ServiceManager(log, () => database.write(async () => {}))
  const end = async (): Promise<void> => {
    memory.stop()
    stopClock()
    await app.close(STOP_MILLIS)
    await telemetry?.close()
  }
  return {
    open: async () => {
      const setupToken = await tokenForSetup(app)
      const port = await app.listen()
      await app.work()
      memory.start()
      // Loading takes processor time: serve the first requests before it.
      setTimeout(loadTimeZones, ZONES_AFTER_MILLIS).unref()
      await manager.ready(`Listening on port ${port}`)
      logStart(log, app, port)
      return greeting(config, port, setupToken)
    },
    reload: () => app.lookAtCertificate(),
    stop: async () => {
      log.info('stopping')
      await Promise.all([manager.stopping(), end()])
      release()
    },
    restoreOrder: app.restoring.order,
    handOver: async () => {
      log.info('stepping aside for a backup that is put back')
      const { port } = app.config
      const [endSigns] = await Promise.all([manager.pausing(), end()])
      return { release, port, endSigns }
    },
  }
}

/** Migrates the database to the newest schema. `alone`: see openUpgraded. @throws DataDirInUse, NewerDatabase, Mistake */
export const migrateDatabase = async (config: Config, alone: boolean): Promise<Upgrade> => {
  const release = await lockDataDir(config.dataDir)
  try {
    const { database, ...done } = await openUpgraded(config, { alone })
    await database.close()
    return done
  } finally {
    release()
  }
}

/** @param to a file or a folder; undefined: the backups folder in the data directory */
export const backUp = (config: Config, wanted: { to: string | undefined; force: boolean }): Promise<Backup> =>
  makeBackup(config, systemClock, wanted)

export const restore = (
  config: Config,
  source: Source,
  look: (summary: BackupSummary) => Promise<void>,
): Promise<Restored> => restoreBackup(config, systemClock, source, look)

/** undefined: the institute is set up, or the program never ran here. */
export const readSetupToken = (config: Config): string | undefined => {
  assertDatabase(config)
  return new SetupToken(config.dataDir).read()
}
