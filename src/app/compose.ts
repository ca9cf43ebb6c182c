import { once } from 'node:events'
import { Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Aside } from '#db/aside.ts'
import type { Checkpointer } from '#db/checkpoints.ts'
import { openPostgres, openSqlite, type Database, type QueryLog } from '#db/database.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import type { EventSink, JobKind, Module } from '#kernel/module.ts'
import type { PipelineDeps } from '#http/pipeline.ts'
import { buildServer } from '#http/server.ts'
import { apiKeyAuthenticator, LastUse } from '#modules/api-keys/index.ts'
import { AccessTokens, makeSigningKey, RefreshTokens, userAuthenticator } from '#modules/identity/index.ts'
import { taughtGroups } from '#modules/groups/index.ts'
import { createSendMail, MailBudget } from '#modules/mail/index.ts'
import { isSetUp, SetupToken } from '#modules/setup/index.ts'
import { MemoryLimits } from '#ports/limits/memory.ts'
import type { RateLimits } from '#ports/limits/port.ts'
import type { Mailer } from '#ports/mail/port.ts'
import type { Outbound, UrlPolicy } from '#ports/outbound/port.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import { housekeepingModule } from '#runtime/housekeeping.ts'
import { sealedSecret } from '#runtime/sealed-secrets.ts'
import { Queue } from '#runtime/queue.ts'
import type { Units } from '#runtime/unit-of-work.ts'
import { Vault } from '#runtime/vault.ts'
import { baseUrlOf } from './base-url.ts'
import type { Config } from './config.ts'
import { masterKey } from './master-key.ts'
import { allModules } from './modules.ts'
import { Metrics } from './metrics.ts'
import { allPages } from './pages.ts'
import { Ticker } from './ticker.ts'
import { firstPair, followFiles } from './tls.ts'

/** What reaches outside this process or is slow; chosen by whoever starts the program, tests included. */
export interface Outside {
  clock: Clock
  log: Logger
  passwords: Passwords
  mailer: Mailer
  outbound: Outbound
  observe?: PipelineDeps['observe']
  /** Hear of every event after the modules. */
  eventSinks?: readonly EventSink[]
}

export interface App {
  readonly config: Config
  readonly metrics: Metrics
  /** Takes up a renewed certificate now rather than in half a minute. */
  lookAtCertificate(): void
  readonly database: Database
  readonly queue: Queue
  readonly units: Units
  readonly vault: Vault
  readonly modules: readonly Module[]
  readonly endpoints: readonly Endpoint[]
  readonly setupToken: SetupToken
  readonly tokens: AccessTokens
  /** Listens. @returns the port */
  listen(): Promise<number>
  /** Starts the queue and the clock's ticks. */
  work(): Promise<void>
  /** Lets running requests and jobs end, then closes everything. */
  close(deadlineMillis?: number): Promise<void>
}

export interface DatabaseOptions {
  queryLog?: QueryLog | undefined
  /** Makes the one that has a SQLite file checkpointed for a program that runs for long. */
  checkpointer?: (file: string) => Checkpointer
  /** Makes the one that runs long reads of a SQLite file in another thread. */
  aside?: (file: string) => Aside
}

export const openDatabase = (
  { databaseUrl, dataDir }: Config,
  { queryLog: log, checkpointer, aside }: DatabaseOptions = {},
): Database => {
  if (databaseUrl !== undefined) return openPostgres({ url: databaseUrl, ...(log && { log }) })
  const file = path.join(dataDir, 'institute.db')
  return openSqlite(file, { log, checkpointer: checkpointer?.(file), aside: aside?.(file) })
}

/** Where outbound requests may go. */
export const outboundPolicy = ({ webhookBlockPrivate }: Config): UrlPolicy => ({
  blockPrivate: webhookBlockPrivate,
  requireHttps: webhookBlockPrivate,
})

/** Wires the whole program over an open database of the newest schema. */
export const compose = async (config: Config, database: Database, outside: Outside): Promise<App> => {
  const { clock, log, passwords } = outside
  const vault = new Vault(masterKey(config))
  const limits: RateLimits = new MemoryLimits(clock)
  const setupToken = new SetupToken(config.dataDir)
  const signingKey = await sealedSecret({ database, vault, clock }, 'access-token-key', makeSigningKey)
  const tokens = await AccessTokens.open(clock, signingKey, config.accessTokenSeconds)
  const sessionLifetime = {
    slidingSeconds: config.refreshTokenSeconds,
    longestSeconds: config.refreshTokenLongestSeconds,
  }

  const metrics = new Metrics({ database, clock })
  const features = allModules({
    deploymentMode: config.mode,
    vault,
    registration: config.registration,
    limits,
    loginLimits: config.limits,
    setupToken,
    tokens: { access: tokens, refresh: new RefreshTokens(vault) },
    passwords,
    sessionLifetime,
    sendMail: createSendMail(vault),
    mailBudget: new MailBudget(limits, config.mailLimits),
    mailer: outside.mailer,
    baseUrl: baseUrlOf(config),
    mailBackoffSeconds: config.webhookBackoffSeconds,
    outbound: metrics.watch(outside.outbound),
    urlPolicy: outboundPolicy(config),
    backoffSeconds: config.webhookBackoffSeconds,
    keyLimits: config.limits,
    probeDatabase: () => database.probe(),
    probeCache: async () => {
      await limits.peek('probe', 1, 1)
    },
  })
  const modules = [...features, housekeepingModule]
  const kinds = new Map<string, JobKind>(modules.flatMap(({ jobs = [] }) => jobs.map((kind) => [kind.name, kind])))
  const endpoints = modules.flatMap((module) => module.endpoints ?? [])
  const units: Units = {
    database,
    clock,
    rules: Object.assign({}, ...modules.map((module) => module.tables ?? {})),
    sinks: [...modules.flatMap((module) => module.eventSinks ?? []), ...(outside.eventSinks ?? [])],
    maxAttempts: (kind) => Queue.maxAttempts(kinds, kind),
    wake: () => queue.wake(),
    unforeseen: (refusal, { action, requestId }) =>
      log.warn({ err: refusal.cause, requestId, action, refusal: refusal.spec.name }, 'an unforeseen refusal'),
  }
  const queue = new Queue(units, { kinds, log, alone: config.mode === 'self_hosted' })
  const ticker = new Ticker(
    units,
    modules.flatMap((module) => module.ticks ?? []),
    log,
  )
  const lastUse = new LastUse(database, log)
  const pair = config.tls && firstPair(config.tls)
  const server = buildServer({
    units,
    vault,
    limits,
    limitSettings: config.limits,
    bodySettings: config,
    connections: config,
    log,
    endpoints,
    pages: [...allPages({ endpoints, isSetUp: () => isSetUp(database.read) }), metrics.page(config.metricsToken)],
    tls: pair,
    measure: (endpoint, status, seconds) => metrics.request(endpoint, status, seconds),
    trustedProxies: config.trustedProxies,
    authenticators: [
      apiKeyAuthenticator({
        limits: config.limits,
        lastUse,
      }),
      userAuthenticator({
        db: database.read,
        version: () => database.version(),
        tokens,
        taughtGroups,
        userPerMinute: config.limits.userPerMinute,
      }),
    ],
    ...(outside.observe && { observe: outside.observe }),
  })

  const certificate =
    config.tls && pair && server instanceof TlsServer ? followFiles(server, config.tls, pair, log) : undefined

  return {
    config,
    metrics,
    lookAtCertificate: () => certificate?.look(),
    database,
    queue,
    units,
    vault,
    modules,
    endpoints,
    setupToken,
    tokens,
    listen: async () => {
      server.listen(config.port, config.host)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    work: async () => {
      await queue.start()
      await ticker.start()
    },
    close: async (deadlineMillis = 10_000) => {
      ticker.stop()
      certificate?.end()
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
        if (!server.listening) resolve()
      })
      server.closeIdleConnections()
      const cut = setTimeout(() => server.closeAllConnections(), deadlineMillis)
      await Promise.all([closed, queue.stop(deadlineMillis)])
      await lastUse.settle()
      clearTimeout(cut)
      await Promise.all([outside.mailer.close(), outside.outbound.close(), limits.close()])
      await database.close()
    },
  }
}
