import * as v from 'valibot'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { upload } from '#kernel/values/media.ts'
import { named } from '#kernel/values/named.ts'
import { secret } from '#kernel/values/schema.ts'
import { BACKUP_TYPES, MOST_BACKUP_BYTES, NoRoomForBackup, RestoreBusy } from '#modules/setup/index.ts'
import type { Restoring } from '#app/backup/restoring.ts'
import type { Config } from '#app/config/config.ts'
import { Backups, type ShowBackups } from './backups.ts'
import type { Brought } from './brought.ts'
import { BucketBackups, type FromBucket } from './from-bucket.ts'
import type { Looks } from './looks.ts'
import { RestoredByPostgres } from './restored-by-postgres.ts'

const BackupKey = named('BackupKey', v.object({ key: secret(1, 2000) }), {
  key: 'The text of the file with the key, or its last line.',
})

const LIMITS = [{ per: 'caller', requests: 30, seconds: 60 }] as const

interface BringDeps {
  config: Config
  restoring: Restoring
  brought: Brought
  looks: Looks
  fromBucket: FromBucket
  show: ShowBackups
}

/** A backup from elsewhere, for the owner of a self-hosted server: it is sent here, opened, and removed. */
export const bringEndpoints = ({
  config,
  restoring,
  brought,
  looks,
  fromBucket,
  show,
}: BringDeps): readonly Endpoint[] => {
  const common = { access: 'owner', closed: config.mode === 'cloud' ? NotFound : undefined, limits: LIMITS } as const
  const assertSqlite = (): void => {
    if (!restoring.canRestore) throw RestoredByPostgres()
  }

  return [
    change({
      ...common,
      id: 'server.bring-backup',
      method: 'PUT',
      path: '/server/backups/brought',
      summary: 'Send the file of a backup from elsewhere',
      description:
        'Nothing of the institute is changed by it: it is listed among the others (kind `brought`), and what it holds is read and restored as theirs is. There is one at a time: the former is removed, and so is this one once it is restored, and after a day. A file that breaks off leaves nothing behind. It is as large as `mostBytes` of GET /server/backups at the most. In cloud mode 404.',
      body: upload({ types: BACKUP_TYPES, maxBytes: MOST_BACKUP_BYTES }),
      reply: Backups,
      fails: [NotFound, RestoredByPostgres, RestoreBusy, NoRoomForBackup],
      prepare: async ({ body, tenant }) => {
        assertSqlite()
        await brought.take(body.stream, body.length)
        return show(tenant.timezone)
      },
      handle: async ({ tx, prepared }) => {
        const name = prepared.kept.find(({ kind }) => kind === 'brought')?.name
        tx.audit({ entityType: 'backup', entityId: null, metadata: { name } })
        return prepared
      },
    }),
    change({
      ...common,
      id: 'server.open-backup',
      method: 'POST',
      path: '/server/backups/{name}/open',
      summary: 'Open a backup that was brought here encrypted, with its key',
      description:
        'The key is that of the server that made it; it is kept nowhere. Answers at once: ask GET /server/backups/{name}/contents until `isReading` is false. Its `reason` is then wrong_key, or what the backup is found to be. In cloud mode 404.',
      params: { name: v.string() },
      body: BackupKey,
      status: 202,
      reply: Backups,
      fails: [NotFound, RestoredByPostgres, RestoreBusy],
      prepare: async ({ tenant, params: { name }, body: { key } }) => {
        assertSqlite()
        const file = brought.fileOf(name)
        if (file === undefined) throw NotFound()
        looks.open(file, key)
        return show(tenant.timezone)
      },
      handle: async ({ tx, params: { name }, prepared }) => {
        tx.audit({ entityType: 'backup', entityId: null, metadata: { name } })
        return prepared
      },
    }),
    read({
      ...common,
      id: 'server.read-bucket',
      path: '/server/backups/bucket',
      summary: 'The copies of backups in the bucket of the settings',
      description: 'The bucket is asked each time. In cloud mode, and where INSTITUTE_BACKUP_TO names no bucket, 404.',
      reply: BucketBackups,
      fails: [NotFound, RestoredByPostgres],
      handle: async () => {
        assertSqlite()
        const { kept, failure } = await fromBucket.list()
        return {
          kept: kept.map(({ name, createdAt, bytes }) => ({ name, createdAt, sizeBytes: bytes })),
          reason: failure?.reason ?? null,
          detail: failure?.detail ?? '',
        }
      },
    }),
    change({
      ...common,
      id: 'server.fetch-from-bucket',
      method: 'POST',
      path: '/server/backups/bucket/{name}/fetch',
      summary: 'Fetch a copy of a backup out of the bucket of the settings',
      description:
        'It comes as it lies there, encrypted, and is then as one whose file was sent: opened with its key, looked at, restored. Answers at once: ask GET /server/backups until `fetched` of `bucket` is null; its `reason` says why it did not come. In cloud mode, and where there is no such copy, 404.',
      params: { name: v.string() },
      status: 202,
      reply: Backups,
      fails: [NotFound, RestoredByPostgres, RestoreBusy, NoRoomForBackup],
      prepare: async ({ tenant, params: { name } }) => {
        assertSqlite()
        await fromBucket.begin(name)
        return show(tenant.timezone)
      },
      handle: async ({ tx, params: { name }, prepared }) => {
        tx.audit({ entityType: 'backup', entityId: null, metadata: { name } })
        return prepared
      },
    }),
    change({
      ...common,
      id: 'server.remove-brought',
      method: 'DELETE',
      path: '/server/backups/brought',
      summary: 'Remove the backup that was brought here',
      description: 'Those that this server made stay. In cloud mode 404.',
      reply: Backups,
      fails: [NotFound, RestoreBusy],
      prepare: async ({ tenant }) => {
        brought.remove()
        return show(tenant.timezone)
      },
      handle: async ({ tx, prepared }) => {
        tx.audit({ entityType: 'backup', entityId: null })
        return prepared
      },
    }),
  ]
}
