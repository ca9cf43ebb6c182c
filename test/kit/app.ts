import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pino, type Logger } from 'pino'
import { inject } from 'vitest'
import { migrations } from '#migrations'
import { DEFAULTS, type Config } from '#app/config/config.ts'
import { compose, type App } from '#app/compose.ts'
import { openDatabase } from '#app/open-database.ts'
import type { OpenMailer } from '#app/config/mail-settings.ts'
import { outboundPolicy } from '#app/services.ts'
import { openFiles } from '#app/data-dir/files.ts'
import type { HttpsPlaces } from '#app/https/https.ts'
import type { Machine } from '#app/process/own-hosts.ts'
import type { OpenLanName } from '#ports/lan-name/port.ts'
import { makeMasterKey } from '#app/data-dir/master-key.ts'
import { startPrinter } from '#ports/papers/typst/printer.ts'
import { requester } from '#runtime/change/requester.ts'
import { readingThread } from '#app/threads/reading-thread.ts'
import { openSqlite, type Database, type QueryLog } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import type { Module } from '#kernel/contract/module.ts'
import { txtByNameServers } from '#ports/dns/name-servers.ts'
import type { TxtRecords } from '#ports/dns/port.ts'
import type { FileStore } from '#ports/files/port.ts'
import type { Mail } from '#ports/mail/port.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import type { Outbound, PolicedOutbound } from '#ports/outbound/port.ts'
import type { Papers } from '#ports/papers/port.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import { createDatabase } from './postgres.ts'
import { client, type Client } from './client.ts'
import { TestClock } from './clock.ts'
import { databaseFolder } from './database-folder.ts'
import { checkColumns } from './declared-columns.ts'
import { watchExchanges } from './exchanges.ts'
import { watchEvents } from './recorded-events.ts'
import { recordStatements } from './statements.ts'
import { TEST_VENDOR } from './vendor.ts'

/** Passwords without hashing, which costs too much for tests of other things. */
const plainPasswords: Passwords = {
  hash: async (password) => `plain:${password}`,
  verify: async (hash, password) => hash === `plain:${password}`,
  needsRehash: () => false,
}

export interface TestApp extends Client {
  app: App
  url: string
  clock: TestClock
  dataDir: string
  /** Every mail that was sent, oldest first. */
  mails: Mail[]
  /** Runs all due jobs, and the jobs that they enqueue. */
  drain(): Promise<number>
  /** Moves the clock, then runs the jobs that are due. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
  /** Runs this when the app is closed. */
  alsoClose(work: () => Promise<void>): void
}

export interface TestAppOptions {
  config?: Partial<Config>
  passwords?: Passwords
  /** Default: whatever the settings, one that keeps every mail in `mails`. */
  openMailer?: OpenMailer
  /** The time limit for one mail over an institute's own mail server. Default: what the program has. */
  ownMailMillis?: number
  /** Default: what the program has. */
  outbound?: Outbound
  /** Default: one that reaches push services on this machine, which the program's own refuses. */
  push?: PolicedOutbound
  /** Default: what the program has. */
  txtRecords?: TxtRecords
  /** Default: `AT_HOME`. */
  machine?: Machine
  /** Default: the data directory's, unchanged. */
  files?(store: FileStore): FileStore
  /** Default: the thread of this process, unchanged. */
  papers?(printer: Papers): Papers
  /** Default: 2026-03-02T08:00:00.000Z, a Monday morning in Jerusalem. */
  now?: string
  log?: Logger
  /** Random requests come in: what they meet does not count as an outcome that a test has shown. */
  chance?: boolean
  /** Default: no name is known, and each that is chosen is free. */
  openLanName?: OpenLanName
  /** Default: those of the machine. */
  lanAddresses?(): readonly string[]
  /** Default: any free port, and no authority. */
  httpsPlaces?: HttpsPlaces
  /** Modules beside those of the program. */
  modules?: readonly Module[]
  /** Lets jobs run by themselves, in real time. */
  working?: boolean
  queryLog?: QueryLog
  /** Wraps the program's database, for example to let the test pause it. */
  wrap?(database: Database): Database
  /** Default: an empty database with the newest schema, on the engine of this run. */
  database?: (dataDir: string) => Promise<{ url: string | undefined; drop(): Promise<void> }>
}

/** A machine of an office that is no container, and has no other address than loopback. */
export const AT_HOME: Machine = {
  addresses: () => ['127.0.0.1', '::1'],
  name: () => 'office',
  lanName: () => undefined,
  formerLanNames: () => [],
  vendorName: () => undefined,
  isInContainer: () => false,
  hasSystemd: () => true,
  resolve: async () => [],
}

/** Push services of tests are on this machine, and speak HTTP. */
const LOCAL_PUSH = { blockPrivate: false, requireHttps: false }

/** A network without others: each name is free. */
const anyLanName: OpenLanName = () => {
  let current: string | undefined
  return {
    current: () => current,
    choose: async (label) => {
      current = `${label}.local`
      return { result: 'named' }
    },
    answerToo: () => {},
    close: async () => {},
  }
}

/** The vendor's zone, for which nothing listens. */
export const LAN_ZONE = { name: 'lan.test', nameServers: ['ns.lan.test'], listen: undefined }

const endless = <T extends object>(limits: T): T =>
  Object.fromEntries(Object.keys(limits).map((name) => [name, 1e9])) as T

/** Limits so high that tests never reach them. */
export const NO_LIMITS = {
  limits: endless(DEFAULTS.limits),
  mailLimits: endless(DEFAULTS.mailLimits),
  publicLimits: endless(DEFAULTS.publicLimits),
}

/** No request waits for its turn in real time. */
const WITHOUT_PACE = { publicLimits: { ...DEFAULTS.publicLimits, registrationsPerSecondOfInstitute: 1e9 } }

/** No backup is made by itself in the middle of a test of something else. */
const BY_HAND = { backups: { ...DEFAULTS.backups, keep: 0 } }

export const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

let template: string | undefined

/** A migrated SQLite file, made once per worker and copied for each app. */
const sqliteTemplate = async (): Promise<string> => {
  if (template && existsSync(template)) return template
  const file = path.join(mkdtempSync(path.join(databaseFolder(), 'institute-template-')), 'institute.db')
  const database = openSqlite(file)
  await migrate(database, migrations)
  try {
    await checkColumns(database)
  } finally {
    await database.close()
  }
  template = file
  return file
}

const freshDatabase = async (dataDir: string): Promise<{ url: string | undefined; drop(): Promise<void> }> => {
  if (engine === 'postgres') {
    return createDatabase(inject('postgresAdminUrl'), { template: inject('postgresTemplate') })
  }
  copyFileSync(await sqliteTemplate(), path.join(dataDir, 'institute.db'))
  return { url: undefined, drop: async () => {} }
}

/** Starts the whole program on a free port, with its own database on the engine of this run. */
export const startApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const dataDir = mkdtempSync(path.join(databaseFolder(), 'institute-test-'))
  const { url: databaseUrl, drop } = await (options.database ?? freshDatabase)(dataDir)
  const clock = new TestClock(options.now ?? '2026-03-02T08:00:00.000Z')
  const mails: Mail[] = []
  const exchanges = watchExchanges()
  const events = watchEvents()
  const statements = recordStatements()
  const config: Config = {
    ...DEFAULTS,
    ...BY_HAND,
    ...WITHOUT_PACE,
    license: { ...DEFAULTS.license, ...TEST_VENDOR },
    lanZone: LAN_ZONE,
    host: '127.0.0.1',
    port: 0,
    dataDir,
    databaseUrl,
    ...options.config,
  }
  makeMasterKey(config)
  const log = options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' })
  const opened = openDatabase(config, {
    queryLog: (event) => {
      statements.log(event)
      options.queryLog?.(event)
    },
    readingThread: (file) => readingThread({ dataDir, file }, log),
  })
  const outbound = options.outbound ?? guardedOutbound({ policy: outboundPolicy(config) })
  const push = options.push ?? {
    policy: LOCAL_PUSH,
    outbound: options.outbound ?? guardedOutbound({ policy: LOCAL_PUSH }),
  }
  const app = await compose(config, options.wrap?.(opened) ?? opened, {
    clock,
    log,
    passwords: options.passwords ?? plainPasswords,
    openMailer:
      options.openMailer ??
      (() => ({
        send: async (mail) => ({ answer: `mail ${mails.push(mail)}`, passwordUnused: false }),
        close: async () => {},
      })),
    ...(options.ownMailMillis !== undefined && { ownMailMillis: options.ownMailMillis }),
    files: options.files?.(await openFiles(config)) ?? (await openFiles(config)),
    papers: options.papers?.(startPrinter({ log, requester })) ?? startPrinter({ log, requester }),
    outbound,
    push,
    txtRecords: options.txtRecords ?? txtByNameServers(),
    machine: options.machine ?? AT_HOME,
    httpsPlaces: options.httpsPlaces ?? { ports: [0], plainPort: undefined, directory: 'http://127.0.0.1:9/' },
    lanAddresses: options.lanAddresses ?? (options.machine ?? AT_HOME).addresses,
    openLanName: options.openLanName ?? anyLanName,
    observe: exchanges.observe,
    modules: [{ name: 'watch', eventSubscribers: [events.subscriber] }, ...(options.modules ?? [])],
  })
  app.setupToken.ensure()
  const url = `http://127.0.0.1:${await app.listen()}`
  const alsoClosed: (() => Promise<void>)[] = []
  if (options.working) await app.work()
  return {
    ...client(url),
    app,
    url,
    clock,
    dataDir,
    mails,
    drain: () => app.queue.drain(),
    pass: async (seconds) => {
      clock.advance(seconds)
      await app.queue.drain()
    },
    alsoClose: (work) => void alsoClosed.push(work),
    close: async () => {
      for (const work of alsoClosed) await work()
      await app.close(1000)
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
      statements.flush()
      if (!options.chance) exchanges.flush(app.endpoints)
      const violations = [...exchanges.violations, ...events.violations]
      if (violations.length > 0) throw new Error(violations.join('\n'))
    },
  }
}
