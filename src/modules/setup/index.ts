import { jobKind, type Module } from '#kernel/contract/module.ts'
import { forgetTokenJob } from './bootstrap.ts'
import { setupEndpoints, type SetupDeps } from './endpoints.ts'
import { setupTables } from './tables.ts'
import { SETUP_TOKEN } from './credentials.ts'

export { isSetUp } from './installation.ts'
export { BucketTakesNone, NoRoomForBackup, NothingToRestore, RestoreBusy } from './refusals.ts'
export { BACKUP_TYPES, MOST_BACKUP_BYTES } from './restore.ts'
export { Held, RESTORE_REASONS, type RestoreReason, type RestoreState, type SetupRestores } from './restores.ts'
export {
  BUCKET_REASONS,
  type BucketListing,
  type BucketReason,
  type CopiesTo,
  type TypedBucket,
  type TypedBucketReason,
} from './typed-bucket.ts'
export type { Installation } from './next-steps.ts'
export { SETUP_TOKEN, SetupToken } from './setup-token.ts'

export const setupModule = (deps: SetupDeps): Module => ({
  name: 'setup',
  tags: {
    setup: 'The first run of a server: the institute and its owner.',
  },
  tables: setupTables,
  credentials: [SETUP_TOKEN],
  endpoints: setupEndpoints(deps),
  jobs: [
    jobKind(forgetTokenJob, {
      handle: async () => {
        deps.setupToken.remove()
        deps.restores.forget()
      },
    }),
  ],
})
