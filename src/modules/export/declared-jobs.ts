import * as v from 'valibot'
import { declareJob, noPayload } from '#kernel/contract/job.ts'

const uuid = v.pipe(v.string(), v.uuid())
const OneExport = v.object({ tenantId: uuid, exportId: uuid })

export const makeJob = declareJob('export.make', OneExport)
/** Removes the archive of an export that is gone. */
export const discardJob = declareJob('export.discard', OneExport)
export const sweepJob = declareJob('export.sweep', noPayload)
