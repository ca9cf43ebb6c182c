import type { Examples } from '#kit/examples.ts'
import { newCredit } from './billing.ts'

const query = '?from=2026-01-01&to=2026-12-31'

export const bookkeepingExamples: Examples = {
  'bookkeeping.journal': async (world) => {
    await newCredit(world)
    return { query }
  },
  'bookkeeping.uniform-file': async (world) => {
    await world.owner.patch('/settings', { papers: { taxNumber: '512345674' } })
    await newCredit(world)
    return { query }
  },
}
