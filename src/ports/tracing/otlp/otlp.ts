import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode, hrTime, parseTraceParent, type ExportResult } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader, type MetricProducer } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'
import { version } from '#executable/version.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { Attributes, SpanOptions, Tracing } from '../port.ts'
import { metricDataOf } from './metric-data.ts'
import type { MetricSource, Telemetry, TelemetrySettings } from './telemetry.ts'

const SCOPE = 'institute'
const CLOSE_MILLIS = 3000
const MOST_TIMEOUT_MILLIS = 30_000
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

const attributesOf = (attributes: Attributes): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before what the program says of itself. */
const resourceOf = (): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({ 'service.name': SCOPE, 'service.version': version, 'service.instance.id': newId() }),
    )
    .merge(detectResources({ detectors: [envDetector] }))

interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void
}

/** A collector that is away is said once, and so is its return: what could not be sent is given up. */
const watched = <Batch, E extends Exporter<Batch>>(exporter: E, what: string, log: Logger): E => {
  const send = exporter.export.bind(exporter)
  let isAway = false
  exporter.export = (batch: Batch, done: (result: ExportResult) => void): void =>
    send(batch, (result) => {
      const fails = result.code === ExportResultCode.FAILED
      if (fails && !isAway) {
        log.warn({ why: result.error?.message }, `the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take ${what}`)
      }
      if (!fails && isAway) log.info(`the collector takes ${what} again`)
      isAway = fails
      done(result)
    })
  return exporter
}

const tracingOf = (provider: BasicTracerProvider): Tracing => {
  const tracer = provider.getTracer(SCOPE, version)
  const contexts = new AsyncLocalStorageContextManager().enable()
  const parentOf = (traceparent: string | undefined): Context => {
    const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
    return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : contexts.active()
  }
  return {
    span: (name, { kind, attributes, parent }: SpanOptions, work) => {
      const context = parentOf(parent)
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: attributesOf(attributes) }, context)
      const fail = (message: string): void => void span.setStatus({ code: SpanStatusCode.ERROR, message })
      const told = {
        rename: (better: string) => void span.updateName(better),
        set: (more: Attributes) => void span.setAttributes(attributesOf(more)),
        fail,
      }
      return contexts.with(trace.setSpan(context, span), async () => {
        try {
          return await work(told)
        } catch (error) {
          // Not the message, which may name a person.
          fail((error as Error).name)
          throw error
        } finally {
          span.end()
        }
      })
    },
  }
}

const producerOf = (metrics: MetricSource): MetricProducer => {
  const startTime = hrTime()
  return {
    collect: async () => {
      const times = { startTime, endTime: hrTime() }
      const found = (await metrics.all()).map((metric) => metricDataOf(metric, times))
      const scopeMetrics = [{ scope: { name: SCOPE, version }, metrics: found.filter((one) => one !== undefined) }]
      return { resourceMetrics: { resource: defaultResource(), scopeMetrics }, errors: [] }
    },
  }
}

export const openOtlp = (settings: TelemetrySettings, log: Logger): Telemetry => {
  const resource = resourceOf()
  const provider = settings.traces
    ? new BasicTracerProvider({
        resource,
        spanProcessors: [new BatchSpanProcessor(watched(new OTLPTraceExporter(), 'traces', log))],
      })
    : undefined
  let meters: MeterProvider | undefined
  return {
    tracing: provider && tracingOf(provider),
    sendMetrics: (metrics) => {
      if (!settings.metrics) return
      const reader = new PeriodicExportingMetricReader({
        exporter: watched(new OTLPMetricExporter(), 'metrics', log),
        metricProducers: [producerOf(metrics)],
        exportIntervalMillis: settings.metricMillis,
        exportTimeoutMillis: Math.min(settings.metricMillis, MOST_TIMEOUT_MILLIS),
      })
      meters = new MeterProvider({ resource, readers: [reader] })
    },
    close: async () => {
      const closed = Promise.allSettled([provider?.shutdown(), meters?.shutdown()])
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MILLIS).unref())])
    },
  }
}
