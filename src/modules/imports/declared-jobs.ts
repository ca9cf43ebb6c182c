import * as v from 'valibot'
import { declareJob, noPayload } from '#kernel/contract/job.ts'

const uuid = v.pipe(v.string(), v.uuid())

export const runJob = declareJob('imports.run', v.object({ tenantId: uuid, importId: uuid }))
export const sweepJob = declareJob('imports.sweep', noPayload)
