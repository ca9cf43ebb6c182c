import { parseMoney } from '../../../shared/typed.ts'

/** A percentage with at most two decimals, as people type it. @returns undefined: it is none */
export const percentOf = (typed: string): number | undefined => {
  const hundredths = parseMoney(typed.replaceAll(/[%٪]/g, '').trim(), 2)
  return hundredths === undefined ? undefined : hundredths / 100
}
