import type { ExpectedRun } from './bills.ts'
import type { Bill } from './facts.ts'

export interface RunReply {
  id: string
  created: number
  skipped: { studentId: string; feeScheduleId: string; reason: string }[]
  invoices: { id: string }[]
}

export const differences = (where: string, all: readonly string[]): string[] => all.map((one) => `${where}: ${one}`)

/** What is in one of two lists alone, each line as often as it is there too often. */
export const apart = (expected: readonly string[], found: readonly string[]): string[] => {
  const left = new Map<string, number>()
  for (const one of expected) left.set(one, (left.get(one) ?? 0) + 1)
  const extra = []
  for (const one of found) {
    const count = left.get(one) ?? 0
    if (count === 0) extra.push(`not expected: ${one}`)
    else left.set(one, count - 1)
  }
  const missing = [...left].flatMap(([one, count]) => Array.from({ length: count }, () => `missing: ${one}`))
  return [...missing, ...extra]
}

const billText = ({ student, branch, currency, dueDate, lines }: ExpectedRun['bills'][number] | Bill): string => {
  const texts = lines.map((line) =>
    [line.fee, line.enrollment, line.description, line.amountMinor, line.place].join(' '),
  )
  return `${student} at ${branch} in ${currency}, due ${dueDate}: ${texts.toSorted().join('; ')}`
}

/** Compares the invoices of a run, each with its lines, and whom it skipped and why. */
export const sameRun = (
  expected: ExpectedRun,
  found: { bills: readonly Bill[]; skipped: RunReply['skipped'] },
): string[] => [
  ...apart(expected.bills.map(billText), found.bills.map(billText)),
  ...apart(
    [...expected.skipped].map(([key, reason]) => `${key} ${reason}`),
    found.skipped.map(({ studentId, feeScheduleId, reason }) => `${studentId} ${feeScheduleId} ${reason}`),
  ),
]
