import type { Measured, Sample } from './figures.ts'
import type { Workbench } from './workbench.ts'

/** Takes one sample per round; the program and its reference run one after the other. */
export type Measure = (bench: Workbench, rounds: number) => Promise<Measured>

export const inRounds = async (rounds: number, round: (index: number) => Promise<Sample>): Promise<Measured> => {
  const samples: Sample[] = []
  for (let index = 0; index < rounds; index += 1) samples.push(await round(index))
  return { samples }
}
