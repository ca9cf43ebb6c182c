import type { MetricObjectWithValues, MetricValueWithName } from 'prom-client'
import type { Tracing } from '../port.ts'

/** What the standard variables of OpenTelemetry ask for. */
export interface TelemetrySettings {
  traces: boolean
  metrics: boolean
  /** How often metrics are sent. */
  metricMillis: number
}

/** A metric with its values: of a histogram one for each bound, and the sum and the count. */
export type PrometheusMetric = MetricObjectWithValues<MetricValueWithName<string>>

/** All that GET /metrics says, as values. */
export interface MetricSource {
  all(): Promise<PrometheusMetric[]>
}

export interface Telemetry {
  /** undefined: only metrics are asked for. */
  tracing: Tracing | undefined
  /** Begins to send the metrics of GET /metrics. */
  sendMetrics(metrics: MetricSource): void
  /** Sends what was not sent yet, for some seconds at most. */
  close(): Promise<void>
}
