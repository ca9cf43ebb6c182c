import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { upload } from '#kernel/values/media.ts'
import { secret } from '#kernel/values/schema.ts'
import { admitting, byToken, TRIALS, type AdmittingDeps } from './admit.ts'
import { setupBucketEndpoints } from './bucket.ts'
import { BucketTakesNone, NoRoomForBackup, NothingToRestore, RestoreBusy } from './refusals.ts'
import { RestoreState, type SetupRestores } from './restores.ts'
import { CopiesTo } from './typed-bucket.ts'

/** An encrypted one has no type of its own. */
export const BACKUP_TYPES = ['application/octet-stream', 'application/gzip']
/** No file that a server could keep is larger; what is free on the disk says the rest. */
export const MOST_BACKUP_BYTES = 2 ** 44

export interface SetupRestoreDeps extends AdmittingDeps {
  restores: SetupRestores
}

/** The wizard’s second way: a backup of another server, for a caller with the setup token, until the institute is set up. */
export const setupRestoreEndpoints = ({ restores, ...deps }: SetupRestoreDeps): readonly Endpoint[] => {
  const admit = admitting(deps)
  const admitChange: typeof admit = async (token, db) => {
    await admit(token, db)
    if (!restores.canRestore) throw NotFound()
  }
  return [
    openRead({
      ...byToken,
      id: 'setup.read-restore',
      path: '//setup/restore',
      summary: 'How far a restore has come',
      description:
        'The setup token stands in the header X-Setup-Token. 404 once there is an institute: that of the backup.',
      reply: RestoreState,
      handle: async ({ request, db }) => {
        await admit(request.header('x-setup-token'), db)
        return restores.state()
      },
    }),
    openChange({
      ...byToken,
      id: 'setup.send-backup',
      method: 'PUT',
      path: '//setup/restore/file',
      summary: 'Send the file of a backup',
      description:
        'The setup token stands in the header X-Setup-Token. A file before it is removed, and one that breaks off leaves nothing behind.',
      limits: TRIALS,
      body: upload({ types: BACKUP_TYPES, maxBytes: MOST_BACKUP_BYTES }),
      reply: RestoreState,
      fails: [...byToken.fails, RestoreBusy, NoRoomForBackup],
      prepare: async ({ request, db, body }) => {
        await admitChange(request.header('x-setup-token'), db)
        await restores.take(body.stream, body.length)
      },
      handle: async ({ tx }) => {
        tx.audit({ entityType: 'backup', entityId: null })
        return restores.state()
      },
    }),
    ...setupBucketEndpoints(restores, admitChange),
    openChange({
      ...byToken,
      id: 'setup.check-backup',
      method: 'POST',
      path: '//setup/restore/check',
      summary: 'Look what the backup holds, and check every byte of it',
      description: 'Answers at once: ask GET /setup/restore until `step` is ready or failed.',
      limits: TRIALS,
      body: v.object({ setupToken: secret(1), key: v.optional(v.pipe(v.string(), v.maxLength(2000))) }),
      status: 202,
      reply: RestoreState,
      fails: [...byToken.fails, RestoreBusy, NothingToRestore],
      prepare: async ({ body, db }) => {
        await admitChange(body.setupToken, db)
        restores.check(body.key)
      },
      handle: async ({ tx }) => {
        tx.audit({ entityType: 'backup', entityId: null })
        return restores.state()
      },
    }),
    openChange({
      ...byToken,
      id: 'setup.restore',
      method: 'POST',
      path: '//setup/restore',
      summary: 'Put the institute of the backup on this server',
      description:
        'Answers at once, and is away for a moment then: ask GET /setup/status until `needsSetup` is false, and GET /setup/restore why it is not. Whoever could sign in to the institute of the backup can sign in here. `copiesTo`: the bucket that gets a copy of each night’s backup from then on, where the settings name no place for them.',
      limits: TRIALS,
      body: v.object({ setupToken: secret(1), copiesTo: v.optional(CopiesTo) }),
      status: 202,
      reply: RestoreState,
      fails: [...byToken.fails, NothingToRestore, BucketTakesNone],
      prepare: async ({ body, db }) => {
        await admitChange(body.setupToken, db)
        await restores.begin(body.copiesTo)
      },
      handle: async ({ tx }) => {
        tx.audit({ entityType: 'backup', entityId: null })
        return restores.state()
      },
    }),
  ]
}
