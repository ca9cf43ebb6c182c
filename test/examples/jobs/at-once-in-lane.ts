import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import { jobKind } from '#kernel/contract/module.ts'

/** The printers that are printing, one entry a page, as they were at the beginning of each page: for the test. */
export const printing: string[] = []
export const seen: string[][] = []

export const printJob = declareJob('example.print', v.object({ tenantId: v.string(), printer: v.string() }))

/** Enqueue it with `{ lane: laneOf(…) }`. A slow printer then holds up neither other printers nor other institutes. */
export const laneOf = (tenantId: string, printer: string): string => laneIn(tenantId, 'printer', printer)

/** `atOnceInLane` is `atOnce` for each lane. It is asked about the lanes of all kinds: undefined for those of others. */
export const print = jobKind(printJob, {
  atOnceInLane: (lane) => (lane.includes(':printer:') ? 1 : undefined),
  handle: async ({ payload: { printer } }) => {
    printing.push(printer)
    seen.push([...printing])
    await setImmediate() // The work.
    printing.splice(printing.indexOf(printer), 1)
  },
})
