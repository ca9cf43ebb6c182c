import type { Logger } from 'pino'
import type { Telemetry, TelemetrySettings } from './telemetry.ts'

/** Loads OpenTelemetry only where it is asked for. */
export const openTelemetry = async (
  settings: TelemetrySettings | undefined,
  log: Logger,
): Promise<Telemetry | undefined> => {
  if (!settings) return undefined
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp(settings, log)
}
