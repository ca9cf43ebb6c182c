import type { Logger } from 'pino'
import type { TelemetrySettings } from '#app/config/telemetry-settings.ts'
import type { Metrics } from '#app/process/metrics.ts'
import type { Tracing } from '#ports/tracing/port.ts'

export interface Telemetry {
  /** undefined: only metrics are asked for. */
  tracing: Tracing | undefined
  /** Begins to send the metrics of GET /metrics. */
  sendMetrics(metrics: Metrics): void
  /** Sends what was not sent yet, for some seconds at most. */
  close(): Promise<void>
}

/** Loads OpenTelemetry only where it is asked for. */
export const openTelemetry = async (
  settings: TelemetrySettings | undefined,
  log: Logger,
): Promise<Telemetry | undefined> => {
  if (!settings) return undefined
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp(settings, log)
}
