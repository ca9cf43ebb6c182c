import { parseMoney } from '../../../shared/typed.ts'

/** Points of 0 or more with at most two decimals, as people type them. @returns undefined: it is no such number */
export const pointsOf = (typed: string): number | undefined => {
  const hundredths = parseMoney(typed, 2)
  return hundredths === undefined || hundredths < 0 ? undefined : hundredths / 100
}
