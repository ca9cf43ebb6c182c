import type { TelemetrySettings } from '#ports/tracing/otlp/telemetry.ts'
import { WrongSetting } from './read-config.ts'

const MINUTE_MILLIS = 60_000

type Env = Readonly<Record<string, string | undefined>>

const PROTOCOL = 'http/protobuf'

const isOn = (env: Env, signal: 'TRACES' | 'METRICS'): boolean => {
  const exporter = env[`OTEL_${signal}_EXPORTER`] ?? 'otlp'
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  if (endpoint.trim() === '' || exporter === 'none') return false
  if (exporter !== 'otlp') {
    throw new WrongSetting(`OTEL_${signal}_EXPORTER must be otlp or none: this program sends by OTLP alone.`)
  }
  const key = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`
  const named = env[key] === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : key
  const protocol = env[named] ?? PROTOCOL
  if (protocol !== PROTOCOL) {
    throw new WrongSetting(
      `${named} must be ${PROTOCOL}, not ${protocol}: collectors take it at port 4318, such as http://localhost:4318.`,
    )
  }
  return true
}

/**
 * Reads the standard variables (opentelemetry.io, "Environment Variable Specification"). Address, headers, certificates,
 * sampler and batches are read by the packages.
 * @returns undefined: nothing is asked for
 * @throws WrongSetting
 */
export const readTelemetrySettings = (env: Env = process.env): TelemetrySettings | undefined => {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const interval = Number(env.OTEL_METRIC_EXPORT_INTERVAL)
  const settings = {
    traces: isOn(env, 'TRACES'),
    metrics: isOn(env, 'METRICS'),
    metricMillis: interval > 0 ? interval : MINUTE_MILLIS,
  }
  return settings.traces || settings.metrics ? settings : undefined
}
