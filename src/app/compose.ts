import { once } from 'node:events'
import { Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Clock } from '#kernel/time/clock.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Module } from '#kernel/contract/module.ts'
import type { PipelineDeps } from '#http/pipeline.ts'
import { buildServer } from '#http/server/server.ts'
import type { AccessTokens } from '#modules/identity/index.ts'
import { findLanHost } from '#modules/issuer/index.ts'
import { askForLanName } from '#modules/licensing/index.ts'
import type { SetupToken } from '#modules/setup/index.ts'
import type { TxtRecords } from '#ports/dns/port.ts'
import type { FileStore } from '#ports/files/port.ts'
import { NO_LAN_NAME, type OpenLanName } from '#ports/lan-name/port.ts'
import { openNameServer } from '#ports/lan-zone/name-server.ts'
import type { LanZone } from '#ports/lan-zone/port.ts'
import { originOf } from '#ports/files/s3/settings.ts'
import type { Outbound, PolicedOutbound } from '#ports/outbound/port.ts'
import type { Papers } from '#ports/papers/port.ts'
import type { Passwords } from '#ports/passwords/port.ts'
import type { Tracing } from '#ports/tracing/port.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { outsideHandle } from '#runtime/records/handles.ts'
import { freeLostKeys } from '#runtime/change/idempotency.ts'
import { usualLane } from '#runtime/queue/lanes.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { runInTransaction, type Runtime } from '#runtime/change/transaction.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { version } from '#executable/version.ts'
import type { Restoring } from './backup/restoring.ts'
import { backupState } from './backup/state.ts'
import { baseUrlOf } from './config/base-url.ts'
import type { Config } from './config/config.ts'
import { issuerOf } from './config/issuer.ts'
import { errorPages } from './pages/error-page.ts'
import { tracedKinds, tracedOutbound } from './process/spans.ts'
import { combineModules } from './combine-modules.ts'
import { Https, type HttpsPlaces } from './https/https.ts'
import { httpsModule } from './https/module.ts'
import { instituteOfHost } from './pages/institute-of-host.ts'
import { Leave } from './process/leave.ts'
import { listenTrouble } from './process/listening.ts'
import type { OpenMailer } from './config/mail-settings.ts'
import { openServices } from './services.ts'
import { allModules } from './modules.ts'
import { Metrics } from './process/metrics.ts'
import { ChosenName } from './process/chosen-name.ts'
import { reachedAt } from './process/lan-addresses.ts'
import { THIS_MACHINE, type Machine } from './process/own-hosts.ts'
import { pagesModule } from './pages/web-pages.ts'
import { CronScheduler } from '#runtime/queue/cron-scheduler.ts'
import { firstPair, followFiles } from './process/tls.ts'

/** Everything slow or outside this process. The caller chooses the implementations; tests bring their own. */
export interface Outside {
  clock: Clock
  log: Logger
  passwords: Passwords
  openMailer: OpenMailer
  /** The time limit for one mail over an institute's own mail server; default: half a minute. */
  ownMailMillis?: number
  files: FileStore
  papers: Papers
  outbound: Outbound
  /** Sends to addresses that whoever signs in may name: public ones alone. */
  push: PolicedOutbound
  txtRecords: TxtRecords
  /** Default: this one. */
  machine?: Machine
  /** Default: those of the machine at which others of its network reach it. */
  lanAddresses?: () => readonly string[]
  /** Default: the network knows no name of this server. */
  openLanName?: OpenLanName
  /** Default: the usual ports, and Let's Encrypt. */
  httpsPlaces?: HttpsPlaces
  observe?: PipelineDeps['observe']
  /** Default: nothing is traced. */
  tracing?: Tracing | undefined
  /** Modules beside those of modules.ts. */
  modules?: readonly Module[]
}

export interface App {
  readonly config: Config
  readonly metrics: Metrics
  readonly https: Https
  /** The name server of the vendor's zone; undefined: this process answers for none. */
  readonly lanZone: LanZone | undefined
  /** Reloads a renewed certificate now instead of at the next check, within half a minute. */
  lookAtCertificate(): void
  readonly database: Database
  readonly queue: Queue
  readonly runtime: Runtime
  readonly vault: Vault
  readonly modules: readonly Module[]
  readonly endpoints: readonly Endpoint[]
  readonly setupToken: SetupToken
  readonly restoring: Restoring
  readonly tokens: AccessTokens
  /** Starts to listen. @returns the port */
  listen(): Promise<number>
  /** Starts the modules, the queue and the cron jobs. */
  work(): Promise<void>
  /**
   * Says for a while that it is not ready, lets running requests and jobs end, then closes everything. Cuts off what still
   * runs at the deadline, which begins after that while.
   */
  close(deadlineMillis?: number): Promise<void>
}

/** Wires the whole program over an open database that has the newest schema. */
export const compose = async (settings: Config, database: Database, outside: Outside): Promise<App> => {
  // With the port that the system chooses, where the settings leave it to it: the server's own addresses name it.
  const config = { ...settings }
  const { clock, log } = outside
  const lastBackup = () => backupState(config, clock).lastGoodAt
  const metrics = new Metrics({
    database,
    clock,
    mode: config.mode,
    ...(database.engine === 'sqlite' && { lastBackup }),
  })
  const { tracing } = outside
  const watched = (to: Outbound, purpose: string) => metrics.watch(tracing ? tracedOutbound(tracing, to) : to, purpose)
  const outbound = (purpose: string) => watched(outside.outbound, purpose)
  const toPublic = (purpose: string) => ({ ...outside.push, outbound: watched(outside.push.outbound, purpose) })
  const own = outside.machine ?? THIS_MACHINE
  const lanName = new ChosenName({
    config,
    clock,
    log,
    machine: own,
    openLanName: outside.openLanName ?? (() => NO_LAN_NAME),
    changed: (from, to) => https.followName(from, to),
  })
  const services = await openServices(config, database, {
    ...outside,
    machine: {
      ...own,
      lanName: () => lanName.current() ?? own.lanName(),
      formerLanNames: () => [...lanName.former().map(({ name }) => name), ...own.formerLanNames()],
      vendorName: () => https.vendorName ?? own.vendorName(),
    },
    lanName,
    outbound,
    push: toPublic('notification'),
    clientDocuments: toPublic('assistant'),
  })
  const { vault, limits, mailer, papers, setupToken, tokens, restoring } = services
  const leave = new Leave(config.leaveSeconds)
  const findInstitute = instituteOfHost(config, database)
  const https = new Https({
    config,
    clock,
    log,
    machine: services.machine,
    outbound: services.outbound('certificate'),
    askForLanName: askForLanName(
      { issuer: issuerOf(config), vault, outbound: services.outbound('licence') },
      { everywhere: database.read, clock },
    ),
    lanAddresses: outside.lanAddresses ?? (() => reachedAt(config.host, own)),
    instituteName: async () => (await findInstitute(''))?.name,
    places: outside.httpsPlaces,
  })
  const features = allModules(services, [
    metrics.module(config.metricsToken),
    leave.module,
    httpsModule({ https, isCloud: config.mode === 'cloud', findInstitute }),
    ...(outside.modules ?? []),
  ])
  const modules = [
    ...features,
    pagesModule(features, {
      findInstitute,
      isCloud: config.mode === 'cloud',
      fileOrigin: config.s3 && originOf(config.s3),
    }),
  ]
  const {
    rules,
    kinds,
    endpoints,
    recordNames,
    cronJobs,
    credentials,
    subscribers,
    authenticators,
    mcpAuthenticators,
    knowsOrigin,
  } = combineModules(modules)
  const runtime: Runtime = {
    database,
    clock,
    rules,
    subscribers,
    credentials,
    maxAttempts: (kind) => Queue.maxAttempts(kinds, kind),
    usualLane: (kind, tenantId) => usualLane(kinds, kind, tenantId),
    wake: () => queue.wake(),
    unforeseenRefusal: (refusal, { action, requestId }) =>
      log.warn({ err: refusal.cause, requestId, action, refusal: refusal.spec.name }, 'an unforeseen refusal'),
  }
  const isOnlyProcess = config.mode === 'self_hosted'
  const queue = new Queue(runtime, { kinds: tracing ? tracedKinds(tracing, kinds) : kinds, log, isOnlyProcess })
  const scheduler = new CronScheduler(runtime, cronJobs, log)
  const pair = config.tls && firstPair(config.tls)
  const {
    server,
    another,
    stop: stopServer,
  } = buildServer({
    runtime,
    vault,
    limits,
    limitSettings: config.limits,
    bodySettings: config,
    connections: config,
    log,
    endpoints,
    mcp: {
      authenticators: mcpAuthenticators,
      baseUrl: () => baseUrlOf(config)(database.read),
      version,
    },
    errorPage: errorPages(findInstitute),
    knowsOrigin,
    recordNames,
    tls: pair,
    elsewhere: (asked) => https.elsewhere(asked),
    measure: (endpoint, status, seconds) => metrics.request(endpoint, status, seconds),
    trustedProxies: config.trustedProxies,
    authenticators,
    ...(outside.observe && { observe: outside.observe }),
    ...(tracing && { tracing }),
  })

  const certificate =
    config.tls && pair && server instanceof TlsServer ? followFiles(server, config.tls, pair, log) : undefined

  const zone = config.lanZone
  const lanZone =
    zone?.listen &&
    openNameServer({
      zone,
      listen: zone.listen,
      find: (label) => findLanHost(database.read, label, clock.now()),
      now: () => clock.millis(),
      log,
    })

  return {
    config,
    metrics,
    https,
    lanZone,
    lookAtCertificate: () => {
      certificate?.look()
      void https.look()
    },
    database,
    queue,
    runtime,
    vault,
    modules,
    endpoints,
    setupToken,
    tokens,
    restoring,
    listen: async () => {
      if (isOnlyProcess) await database.write((db) => freeLostKeys(db, clock.now()))
      for (const { name, beforeRequests } of modules) {
        await beforeRequests?.({
          db: outsideHandle(runtime),
          everywhere: database.read,
          change: (work) =>
            runInTransaction(runtime, systemAuditContext(`${name}.start`), (unit) => work(unit.system())),
        })
      }
      server.listen(config.port, config.host)
      await once(server, 'listening').catch((error: unknown) => {
        throw listenTrouble(error, config)
      })
      config.port = (server.address() as AddressInfo).port
      await https.open(another)
      lanName.open()
      await lanZone?.open()
      return config.port
    },
    work: async () => {
      for (const module of modules) await module.start?.()
      await queue.start()
      scheduler.start()
    },
    close: async (deadlineMillis = 10_000) => {
      scheduler.stop()
      certificate?.end()
      await lanZone?.close()
      await Promise.all([leave.run().then(() => stopServer(deadlineMillis)), queue.stop(deadlineMillis)])
      for (const module of modules.toReversed()) {
        await module
          .close?.()
          .catch((error: unknown) => log.error({ err: error, module: module.name }, 'not closed well'))
      }
      await Promise.all([
        mailer.close(0),
        papers.close(),
        outside.files.close(),
        outside.outbound.close(),
        outside.push.outbound.close(),
        limits.close(),
      ])
      await database.close()
    },
  }
}
