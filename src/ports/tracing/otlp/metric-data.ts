import { ValueType, type HrTime } from '@opentelemetry/api'
import { AggregationTemporality, DataPointType, type Histogram, type MetricData } from '@opentelemetry/sdk-metrics'
import type { PrometheusMetric } from './telemetry.ts'

type Labels = Readonly<Record<string, string>>
type Values = PrometheusMetric['values']

const labelsOf = ({ labels }: Values[number]): Labels =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

interface Series {
  labels: Labels
  /** How many were at most so large, by the bound. */
  upTo: Map<number, number>
  sum: number
  count: number
}

/** The series of a histogram: each has a value for each bound, and one for the sum and the count. */
const seriesOf = ({ name, values }: PrometheusMetric): Series[] => {
  const found = new Map<string, Series>()
  for (const value of values) {
    const { le, ...labels } = labelsOf(value)
    const key = JSON.stringify(labels)
    const series = found.get(key) ?? { labels, upTo: new Map<number, number>(), sum: 0, count: 0 }
    found.set(key, series)
    if (value.metricName === `${name}_sum`) series.sum = value.value
    else if (value.metricName === `${name}_count`) series.count = value.value
    else if (le !== undefined && le !== '+Inf') series.upTo.set(Number(le), value.value)
  }
  return [...found.values()]
}

/** Prometheus counts what is at most so large, OpenTelemetry what lies between two bounds. */
const histogramOf = ({ upTo, sum, count }: Series): Histogram => {
  const boundaries = [...upTo.keys()].toSorted((a, b) => a - b)
  const below = boundaries.map((bound) => upTo.get(bound) ?? 0)
  const counts = [...below, count].map((so, at) => so - (below[at - 1] ?? 0))
  return { buckets: { boundaries, counts }, sum, count }
}

/**
 * A metric of Prometheus in the form of OpenTelemetry, under the same name.
 * @param startTime since when it counts
 * @returns undefined for a kind that this program has not
 */
export const metricDataOf = (
  metric: PrometheusMetric,
  { startTime, endTime }: { startTime: HrTime; endTime: HrTime },
): MetricData | undefined => {
  const descriptor = { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE }
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const points = () =>
    metric.values.map((value) => ({ startTime, endTime, attributes: labelsOf(value), value: value.value }))
  // prom-client declares the kinds as numbers and gives them as words.
  switch (String(metric.type)) {
    case 'counter':
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }
    case 'histogram': {
      const dataPoints = seriesOf(metric).map((series) => ({
        startTime,
        endTime,
        attributes: series.labels,
        value: histogramOf(series),
      }))
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }
    }
    default:
      return undefined
  }
}
