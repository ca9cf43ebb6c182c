import { timingSafeEqual, createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { databaseBytes } from '#db/size.ts'
import type { Database } from '#db/database.ts'
import type { Clock } from '#kernel/time/clock.ts'
import { Unauthorized } from '#kernel/values/errors.ts'
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import type { Module } from '#kernel/contract/module.ts'
import { openRead, type Endpoint, type RequestInfo } from '#kernel/contract/endpoint.ts'
import { content } from '#kernel/values/media.ts'
import type { Outbound, OutboundResult } from '#ports/outbound/port.ts'
import type { MetricSource, PrometheusMetric } from '#ports/tracing/otlp/telemetry.ts'
import { oldestDueAt, unfinishedJobs } from '#runtime/queue/backlog.ts'
import type { Config } from '#app/config/config.ts'
import { version } from '#executable/version.ts'
import { lostLogLines } from './log.ts'

/**
 * In seconds. Each answers a question: what most replies take; what a cheap reply may take beside heavy work; what a
 * person notices; what they wait for; when they give up. They are few, because each endpoint and status has all of them.
 */
const REQUEST_BUCKETS = [0.01, 0.05, 0.25, 1, 5]

const isLoopback = (peer: string): boolean => ipaddr.isValid(peer) && ipaddr.process(peer).range() === 'loopback'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Headers by which a proxy tells whom it speaks for. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
]

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i

/**
 * Whether the request comes from a program on this machine, and not through a proxy here. A proxy may send none of the
 * forwarding headers; then the host name that the client asked for, or HTTP/1.0, which only simple proxies still speak,
 * gives it away.
 */
const isLocalProgram = (request: RequestInfo): boolean =>
  isLoopback(request.peer) &&
  request.httpVersion !== '1.0' &&
  LOOPBACK_HOST.test(request.header('host') ?? '') &&
  FORWARDING.every((name) => request.header(name) === undefined)

/** Allows a program on this machine that is no proxy, or a client that knows the token. */
const mayRead = (request: RequestInfo, token: string | undefined): boolean => {
  const given = /^Bearer (.+)$/i.exec(request.header('authorization') ?? '')?.[1]
  if (given !== undefined) return token !== undefined && timingSafeEqual(digest(given), digest(token))
  return isLocalProgram(request)
}

interface MetricsDeps {
  database: Database
  clock: Clock
  mode: Config['mode']
  lastBackup?: () => string | null
}

/**
 * The metrics for Prometheus. Each app has its own registry, so that several apps in one process do not add up. They are
 * prom-client's and not OpenTelemetry's, which has none of the process's own metrics under the names that METRICS.md
 * promises, adds labels and lines to others, and would have to be loaded at each start.
 */
export class Metrics implements MetricSource {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'endpoint' | 'status'>
  readonly #outbound: Counter<'purpose' | 'outcome'>
  /** Caches the labelled histogram of each endpoint and status, because the lookup is slow. */
  readonly #measured = new BoundedCache<string, Histogram.Internal<'endpoint' | 'status'>>(10_000)

  /** @param lastBackup when the newest backup was made; null: there is none; undefined: none is made here */
  constructor({ database, clock, mode, lastBackup }: MetricsDeps) {
    const registers = [this.#registry]
    new Gauge({
      name: 'institute_build_info',
      help: 'Always 1; its labels say what runs: version, database engine, mode, and version of Node.',
      labelNames: ['version', 'engine', 'mode', 'node'],
      registers,
    }).set({ version, engine: database.engine, mode, node: process.version }, 1)
    this.#requests = new Histogram({
      name: 'institute_request_duration_seconds',
      help: 'Time from a request to its reply, by endpoint and status.',
      labelNames: ['endpoint', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    })
    this.#outbound = new Counter({
      name: 'institute_outbound_requests_total',
      help: 'Requests that went out, by purpose (webhook, notification, captcha, licence, assistant): delivered (2xx), refused (another status), unanswered.',
      labelNames: ['purpose', 'outcome'],
      registers,
    })
    const jobs: Gauge<'kind' | 'state'> = new Gauge({
      name: 'institute_jobs',
      help: 'Jobs of the queue that have not ended well, by kind and state (queued, paused, running, dead).',
      labelNames: ['kind', 'state'],
      registers,
      collect: async () => {
        const found = await unfinishedJobs(database.read)
        jobs.reset()
        for (const { kind, state, count } of found) jobs.set({ kind, state }, count)
      },
    })
    const age: Gauge = new Gauge({
      name: 'institute_oldest_due_job_seconds',
      help: 'For how long the job that waits longest has been due; 0: none is.',
      registers,
      collect: async () => {
        const due = await oldestDueAt(database.read, clock.now())
        age.set(due === null ? 0 : (clock.millis() - Date.parse(due)) / 1000)
      },
    })
    const size: Gauge = new Gauge({
      name: 'institute_database_bytes',
      help: 'Size of the database on its disk.',
      registers,
      collect: async () => size.set(await databaseBytes(database)),
    })
    if (!lastBackup) return
    const backup: Gauge = new Gauge({
      name: 'institute_last_backup_timestamp_seconds',
      help: 'When the newest backup in the data directory was made, in seconds since 1970; 0: there is none.',
      registers,
      collect: () => backup.set(Date.parse(lastBackup() ?? new Date(0).toISOString()) / 1000),
    })
  }

  /**
   * Adds memory, CPU, event-loop lag, the log and the like. They are those of the process, so call it once per process.
   */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry })
    const lost: Counter = new Counter({
      name: 'institute_log_lines_lost_total',
      help: 'Lines of the log that could not be written: the disk was full, or nobody read the pipe.',
      registers: [this.#registry],
      collect: () => {
        lost.reset()
        lost.inc(lostLogLines())
      },
    })
  }

  all(): Promise<PrometheusMetric[]> {
    return this.#registry.getMetricsAsJSON()
  }

  /** `endpoint`: the operation's id, or `none` when no endpoint has the address. */
  request(endpoint: string, status: number, seconds: number): void {
    this.#measured.get(`${endpoint} ${status}`, () => this.#requests.labels(endpoint, String(status))).observe(seconds)
  }

  /** Wraps `outbound` so that each request counts, under its purpose and outcome. */
  watch(outbound: Outbound, purpose: string): Outbound {
    const counted = {
      delivered: this.#outbound.labels(purpose, 'delivered'),
      refused: this.#outbound.labels(purpose, 'refused'),
      unanswered: this.#outbound.labels(purpose, 'unanswered'),
    }
    const count = (result: OutboundResult): OutboundResult => {
      counted[result.ok ? 'delivered' : result.status === null ? 'unanswered' : 'refused'].inc()
      return result
    }
    return {
      post: async (request) => count(await outbound.post(request)),
      get: async (request) => count(await outbound.get(request)),
      close: () => outbound.close(),
    }
  }

  /** @param token allows clients on other machines to read GET /metrics; programs on this machine need none */
  module(token: string | undefined): Module {
    return {
      name: 'metrics',
      tags: { metrics: 'How the program is doing, for Prometheus.' },
      endpoints: [this.#endpoint(token)],
    }
  }

  #endpoint(token: string | undefined): Endpoint {
    return openRead({
      id: 'metrics.read',
      path: '//metrics',
      summary: 'What Prometheus asks for',
      description:
        'For programs on this machine that speak for nobody else, and for those that send the token of INSTITUTE_METRICS_TOKEN as a bearer credential; anybody else gets 401.',
      access: 'anyone',
      unlimited: true,
      reply: content(['text/plain']),
      fails: [Unauthorized],
      handle: async ({ request }) => {
        if (!mayRead(request, token)) throw Unauthorized()
        return { type: this.#registry.contentType, body: await this.#registry.metrics() }
      },
    })
  }
}
