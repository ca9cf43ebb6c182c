import type { Examples } from '#kit/examples.ts'

const OWN = 'It tells of the caller alone, whoever that is.'

export const myDayExamples: Examples = {
  'me.schedule': { branchless: OWN, make: async () => ({ query: '?from=2026-03-01&to=2026-03-31' }) },
  'me.teaching-today': { branchless: OWN, make: async () => ({}) },
  'me.family': { branchless: OWN, make: async () => ({}) },
  'me.attendance': { branchless: OWN, make: async () => ({}) },
}
