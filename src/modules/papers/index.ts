import type { Module } from '#kernel/contract/module.ts'
import { paperEndpoints } from './endpoints.ts'
import type { PaperDeps } from './frame.ts'

export { PAPERS, paperNamed, type PaperKind, type PaperOptions } from './named.ts'
export { mailedPaper } from './mailed.ts'

/** What an institute hands out: records as PDF. */
export const papersModule = (deps: PaperDeps): Module => ({
  name: 'papers',
  reads: {
    billing: ['credit_note', 'invoice', 'invoice_line', 'receipt', 'refund'],
    courses: ['course'],
    groups: ['group'],
    identity: ['user'],
    people: ['guardian', 'guardian_link', 'staff', 'student'],
  },
  endpoints: paperEndpoints(deps),
})
