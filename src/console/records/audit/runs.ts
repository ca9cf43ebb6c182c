import type { Entry } from './acts.ts'

export interface Line {
  entry: Entry
  /** How many entries in a row it stands for. */
  count: number
}

/**
 * The entries as lines of a page. Every open browser renews its sign-in each quarter of an hour: such entries that follow
 * on each other are one line, the newest of them, or nothing else would be found between them.
 */
export const withoutRuns = (entries: readonly Entry[]): Line[] => {
  const lines: Line[] = []
  for (const entry of entries) {
    const last = lines.at(-1)
    const goesOn = entry.action === 'auth.refresh' && last?.entry.action === entry.action
    if (goesOn) last.count += 1
    else lines.push({ entry, count: 1 })
  }
  return lines
}
