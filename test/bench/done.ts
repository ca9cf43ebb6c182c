import type { CostedLoad } from './client.ts'
import type { Sample } from './figures.ts'
import { spending, type Spent } from './processor.ts'

/** How many times a second something was done, and its total cost. */
export interface Done extends Spent {
  rate: number
  times: number
}

export const sampleOf = (ours: Done, reference: Done): Sample => ({
  ours: ours.rate,
  reference: reference.rate,
  processor: {
    ours: ours.millis / ours.times,
    reference: reference.millis / reference.times,
    others: Math.max(ours.others, reference.others),
  },
})

export const doneIn = ({ latencies, ...load }: CostedLoad): Done => ({ ...load, times: latencies.length })

/** Measures the speed of work that another process does so many times. */
export const doneBy = async (pid: number, times: number, work: () => Promise<{ rate: number }>): Promise<Done> => {
  const { result, spent } = await spending(pid, work)
  return { rate: result.rate, times, ...spent }
}

/** What was done in several slices of time. */
export const together = (slices: readonly Done[]): Done => {
  const sum = (of: (done: Done) => number) => slices.reduce((total, done) => total + of(done), 0)
  return {
    rate: sum(({ rate }) => rate) / slices.length,
    times: sum(({ times }) => times),
    millis: sum(({ millis }) => millis),
    others: sum(({ others }) => others) / slices.length,
  }
}
