/** One round: what this program did, and its reference at the same time. */
export interface Sample {
  ours: number
  /** undefined: the row has a unit of its own instead of a ratio. */
  reference?: number
  processor?: Processor
}

/** The processor time of one round. */
interface Processor {
  /** Milliseconds of processor time per operation. */
  ours: number
  reference: number
  /** The share of the machine that other programs used, in the half of the round in which they used more. */
  others: number
}

/** When other programs use more than this share, the machine counts as shared: then rates mean little. */
const SHARED = 0.1

/** The measurements of a row. */
export interface Measured {
  samples: readonly Sample[]
  /** Lines below the row: the figures from which the samples were chosen. */
  below?: readonly string[]
}

export interface Row {
  /** The name for --rows. */
  name: string
  what: string
  against: string
  /** The unit of `ours` and `reference`. */
  unit: string
  /** Whether `ours / reference`, or `ours` without a reference, must be at least or at most the floor. */
  better: 'higher' | 'lower'
  /** The work waits for the disk, which costs no processor time: rates decide even on a shared machine. */
  waitsForDisk?: true
  floor: number
  goal: number
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
    : (sorted[Math.floor(middle)] as number)
}

/** The value below which 99 of 100 lie. */
export const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN

const figureOf = ({ ours, reference }: Sample): number => (reference === undefined ? ours : ours / reference)

const written = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2)

/** Operations per processor time: ours divided by the reference's. */
const thriftOf = ({ ours, reference }: Processor): number => reference / ours

const percent = (part: number): string => `${Math.round(part * 100)} %`

interface Outcome {
  cells: string[]
  passed: boolean
}

const outcomeOf = (row: Row, samples: readonly Sample[]): Outcome => {
  const processors = samples.flatMap(({ processor }) => processor ?? [])
  const others = processors.length > 0 ? median(processors.map((one) => one.others)) : 0
  const byProcessor = others > SHARED && !row.waitsForDisk
  // One ratio per round, so that a machine whose speed changes affects both sides alike.
  const figures = byProcessor ? processors.map(thriftOf) : samples.map(figureOf)
  const figure = median(figures)
  const reaches = (mark: number) => (row.better === 'higher' ? figure >= mark : figure <= mark)
  const isRatio = samples.every(({ reference }) => reference !== undefined)
  const sign = row.better === 'lower' && isRatio ? '×' : ''
  const measuredOnes = samples.flatMap(({ reference }) => reference ?? [])
  return {
    passed: reaches(row.floor),
    cells: [
      row.name,
      row.what,
      `${row.floor}${sign}`,
      `${row.goal}${sign}`,
      `${written(figure)}${sign}`,
      reaches(row.goal) ? 'goal' : reaches(row.floor) ? 'pass' : 'MISSED',
      `${written(Math.min(...figures))}-${written(Math.max(...figures))}`,
      isRatio
        ? `${written(median(samples.map(({ ours }) => ours)))} against ${written(median(measuredOnes))} ${row.unit} (${row.against})`
        : row.unit,
      ...(processors.length > 0
        ? [
            `${median(processors.map(({ ours }) => ours)).toFixed(3)} against ${median(processors.map(({ reference }) => reference)).toFixed(3)} ms` +
              (others > SHARED ? `; others had ${percent(others)}${byProcessor ? ', so this decides' : ''}` : ''),
          ]
        : []),
    ],
  }
}

const HEADINGS = ['row', 'work', 'floor', 'goal', 'figure', '', 'rounds', 'medians', 'processor time of one']

/** The table of the results. @returns whether every row reached its floor */
export const tableOf = (measured: ReadonlyMap<Row, Measured>): { text: string; passed: boolean } => {
  const outcomes = [...measured].map(([row, { samples, below = [] }]) => ({ ...outcomeOf(row, samples), below }))
  const lines = [HEADINGS, ...outcomes.map(({ cells }) => cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return {
    text: [
      lineOf(HEADINGS),
      ...outcomes.flatMap(({ cells, below }) => [lineOf(cells), ...below.map((line) => `  ${line}`)]),
    ].join('\n'),
    passed: outcomes.every(({ passed }) => passed),
  }
}
