import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { secret, text } from '#kernel/values/schema.ts'
import { byToken, TRIALS } from './admit.ts'
import { NoRoomForBackup, RestoreBusy } from './refusals.ts'
import { RestoreState, type SetupRestores } from './restores.ts'
import { BucketListing, TypedBucket } from './typed-bucket.ts'

const words = 'The key of the bucket is used for this request, and kept nowhere.'

/** @param admit refuses whoever may not restore here */
export const setupBucketEndpoints = (
  restores: SetupRestores,
  admit: (token: string | undefined, db: OutsideDb) => Promise<void>,
): readonly Endpoint[] => [
  openChange({
    ...byToken,
    id: 'setup.read-bucket',
    method: 'POST',
    path: '//setup/restore/bucket',
    summary: 'Look which copies of backups lie in a bucket',
    description: `The newest first. \`reason\` says why they are not known. ${words}`,
    limits: TRIALS,
    body: v.object({ setupToken: secret(1), store: TypedBucket }),
    reply: BucketListing,
    prepare: async ({ body, db }) => {
      await admit(body.setupToken, db)
      return restores.list(body.store)
    },
    handle: async ({ tx, prepared }) => {
      tx.audit({ entityType: 'backup', entityId: null, metadata: { reason: prepared.reason } })
      return prepared
    },
  }),
  openChange({
    ...byToken,
    id: 'setup.fetch-from-bucket',
    method: 'POST',
    path: '//setup/restore/bucket/fetch',
    summary: 'Fetch a copy of a backup out of a bucket',
    description: `In the place of a file that was sent before. Answers at once: ask GET /setup/restore until \`step\` is uploaded or failed. A connection that is cut goes on where it stopped. 404 where there is no such copy. ${words}`,
    limits: TRIALS,
    body: v.object({ setupToken: secret(1), store: TypedBucket, copy: text(300) }),
    status: 202,
    reply: RestoreState,
    fails: [NotFound, ...byToken.fails, RestoreBusy, NoRoomForBackup],
    prepare: async ({ body, db }) => {
      await admit(body.setupToken, db)
      await restores.fetch(body.store, body.copy)
    },
    handle: async ({ tx, body }) => {
      tx.audit({ entityType: 'backup', entityId: null, metadata: { name: body.copy } })
      return restores.state()
    },
  }),
]
