import { jobKind, type Module } from '#kernel/contract/module.ts'
import { erasureEndpoints } from './endpoints.ts'
import { eraseTraces, eraseTracesJob } from './traces.ts'

/** A person is taken out of all that an institute keeps, but for its books. */
export const erasureModule: Module = {
  name: 'erasure',
  endpoints: erasureEndpoints,
  // Of each institute one at a time: it reads all that was logged.
  jobs: [jobKind(eraseTracesJob, { handle: eraseTraces, atOnce: 1 })],
}
