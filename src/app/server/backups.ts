import { createReadStream, existsSync, statSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { change, openRead, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { plusSeconds, type Clock } from '#kernel/time/clock.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { content } from '#kernel/values/media.ts'
import { explained, named } from '#kernel/values/named.ts'
import { count, integer, list, orNull, secret, ts } from '#kernel/values/schema.ts'
import { AddressRefused } from '#modules/files/index.ts'
import { confirmingFails, type ConfirmPassword } from '#modules/identity/index.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { lookAtBackups, type BackupSummary, type Unreadable } from '#app/backup/backup-summary.ts'
import { kindOfFile } from '#app/backup/lay.ts'
import { nextNight } from '#app/backup/nightly.ts'
import { backupState } from '#app/backup/state.ts'
import type { Config } from '#app/config/config.ts'
import { isNightly } from '#app/data-dir/backup-names.ts'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { makeFolders } from '#app/data-dir/make-folders.ts'
import type { BackupsNow } from './backups-now.ts'
import type { Brought } from './brought.ts'
import { BACKUP_ADDRESS } from './credentials.ts'
import { BucketState, type FromBucket } from './from-bucket.ts'

const words = {
  canMake: 'Whether this program makes backups: not of a database in Postgres, which pg_dump keeps.',
  nextNightlyAt: 'When the next one is made by itself; null: none is.',
  isMaking: 'Whether one is being made now.',
  failedAt: 'When one was begun that somebody asked for and that failed; null: none, or one was made since.',
  state: 'ok; warning: somebody should look; wrong: the newest is too old to rely on.',
  offServer: 'What became of the newest nightly one elsewhere; none: nothing was asked for.',
  kept: 'Those that there are, the newest first.',
  name: 'The name of its file.',
  kind: 'Why it was made: at night, before an upgrade, before another was put in its place, or because somebody asked for it; brought: somebody brought it here from elsewhere, and it does not stay.',
  sizeBytes: 'The size of its file.',
  students: 'How many students it holds; null: it does not say.',
  files: 'How many uploaded files it holds; null: it cannot be read.',
  isWhole: 'Whether it can be read: its beginning, not all of it, is looked at.',
  isEncrypted: 'Whether it is encrypted, so that only its key tells what it holds.',
  bucket: 'The bucket of the settings with copies of the nightly ones; null: they name none.',
  mostBytes: 'The largest file of a backup that can be brought here: the disk has room for it, and for what it holds.',
  password: 'The caller’s own password.',
  url: 'Where it can be downloaded, for five minutes, without any other credential.',
  expires: 'Until when the address is good, in milliseconds since 1970.',
  signature: 'By which the server knows the address as its own.',
}

const KeptBackup = named(
  'KeptBackup',
  v.object({
    name: v.string(),
    kind: v.picklist(['nightly', 'before_upgrade', 'before_restore', 'asked', 'brought']),
    createdAt: ts,
    sizeBytes: count,
    students: orNull(count),
    files: orNull(count),
    isWhole: v.boolean(),
    isEncrypted: v.boolean(),
  }),
  words,
)

export const Backups = named(
  'Backups',
  v.object({
    canMake: v.boolean(),
    nextNightlyAt: orNull(ts),
    isMaking: v.boolean(),
    failedAt: orNull(ts),
    state: v.picklist(['ok', 'warning', 'wrong']),
    offServer: v.picklist(['none', 'ok', 'failed']),
    mostBytes: count,
    bucket: orNull(BucketState),
    kept: list(KeptBackup),
  }),
  words,
)

const BackupAddress = named('BackupAddress', v.object({ url: v.string(), expiresAt: ts }), words)

/** What the names of backups begin with that were kept before something. */
const KEPT_BEFORE = [
  ['before-upgrade-', 'before_upgrade'],
  ['before-restore-', 'before_restore'],
] as const

const kindOf = (name: string) =>
  isNightly(name) ? 'nightly' : (KEPT_BEFORE.find(([beginning]) => name.startsWith(beginning))?.[1] ?? 'asked')

const toKept = (seen: BackupSummary | Unreadable, brought: Brought): v.InferOutput<typeof KeptBackup> => {
  const name = path.basename(seen.file)
  const kind = path.dirname(seen.file) === brought.folder ? 'brought' : kindOf(name)
  const shown = { name, kind, sizeBytes: seen.bytes } as const
  if ('why' in seen) {
    const createdAt = statSync(seen.file).mtime.toISOString()
    const isEncrypted = kindOfFile(seen.file) === 'sealed'
    return { ...shown, createdAt, students: null, files: null, isWhole: false, isEncrypted }
  }
  return {
    ...shown,
    createdAt: seen.createdAt,
    students: seen.students,
    files: seen.files,
    isWhole: true,
    isEncrypted: false,
  }
}

const DOWNLOAD_SECONDS = 5 * 60
const PURPOSE = 'backup-address'

/** What there is. @param zone that of the institute, by which its nights are */
export type ShowBackups = (zone: string) => Promise<v.InferOutput<typeof Backups>>

export const showBackups = ({ config, clock, now, brought, fromBucket }: ShowDeps): ShowBackups => {
  const canMake = config.databaseUrl === undefined
  return async (zone) => {
    // Before what is kept: once it is fetched, it is among them.
    const bucket = fromBucket.state()
    const folder = path.join(config.dataDir, BACKUPS)
    makeFolders(folder)
    const { nightly, offServer, problem } = backupState(config, clock)
    // What was brought here is what somebody is at.
    const places = existsSync(brought.folder) ? [brought.folder, folder] : [folder]
    const kept: (BackupSummary | Unreadable)[] = []
    if (canMake) for (const place of places) kept.push(...(await lookAtBackups(place)))
    return {
      canMake,
      nextNightlyAt: nightly ? nextNight(clock.now(), zone) : null,
      isMaking: now.isMaking,
      failedAt: now.failedAt,
      state: problem?.state ?? 'ok',
      offServer,
      mostBytes: brought.mostBytes,
      bucket,
      kept: kept.map((seen) => toKept(seen, brought)),
    }
  }
}

interface ShowDeps {
  config: Config
  clock: Clock
  now: BackupsNow
  brought: Brought
  fromBucket: FromBucket
}

export interface BackupDeps extends Pick<ShowDeps, 'config' | 'clock' | 'now'> {
  vault: Vault
  confirm: ConfirmPassword
  show: ShowBackups
}

/** The backups of the data directory, for the owner of a self-hosted server. */
export const backupEndpoints = ({ config, vault, confirm, now, show }: BackupDeps): readonly Endpoint[] => {
  const common = { access: 'owner', closed: config.mode === 'cloud' ? NotFound : undefined } as const
  const tag = (name: string, expires: number): string => JSON.stringify([name, expires])

  return [
    read({
      ...common,
      id: 'server.read-backups',
      path: '/server/backups',
      summary: 'The backups that there are, and when the next one is made',
      description: 'In cloud mode 404.',
      reply: Backups,
      fails: [NotFound],
      handle: ({ tenant }) => show(tenant.timezone),
    }),
    change({
      ...common,
      id: 'server.make-backup',
      method: 'POST',
      path: '/server/backups',
      summary: 'Make a backup now',
      description:
        'Begins it, unless one is being made, and answers at once: ask GET /server/backups until `isMaking` is false. It is kept until somebody removes it on the server. Where `canMake` is false it fails. In cloud mode 404.',
      status: 202,
      reply: Backups,
      fails: [NotFound],
      prepare: async ({ tenant }) => {
        now.begin()
        return show(tenant.timezone)
      },
      handle: async ({ tx, prepared }) => {
        tx.audit({ entityType: 'backup', entityId: null })
        return prepared
      },
    }),
    change({
      ...common,
      id: 'server.backup-address',
      method: 'POST',
      path: '/server/backups/{name}/download',
      summary: 'Ask for an address to download a backup',
      description:
        'A backup holds everything, the keys of the server and the hashes of passwords too: the caller’s password is asked for once more. Five wrong ones within 15 minutes close this to the session that sent them for 15 minutes (423); signing in is not affected. In cloud mode 404.',
      params: { name: v.string() },
      body: named('BackupDownload', v.object({ password: secret(1) }), words),
      reply: BackupAddress,
      credential: BACKUP_ADDRESS,
      fails: [NotFound, ...confirmingFails],
      prepare: async ({ caller, db, begin, params, body }) => {
        await confirm({ caller, db, begin }, body.password)
        if (now.fileOf(params.name) === undefined) throw NotFound()
      },
      handle: async ({ tx, params: { name } }) => {
        const expiresAt = plusSeconds(tx.now, DOWNLOAD_SECONDS)
        const expires = Date.parse(expiresAt)
        const query = new URLSearchParams({
          expires: String(expires),
          signature: vault.tag(PURPOSE, tag(name, expires)),
        })
        tx.audit({ entityType: 'backup', entityId: null, metadata: { name } })
        return { url: `/api/v1/server/backups/${encodeURIComponent(name)}/file?${query.toString()}`, expiresAt }
      },
    }),
    openRead({
      id: 'server.fetch-backup',
      path: '/server/backups/{name}/file',
      summary: 'Download a backup',
      description:
        'The address is made by POST /server/backups/{name}/download, with its query. 403 FORBIDDEN with details.reason `signature` for another one, and `expired` once its time is over. A part can be asked for (Range).',
      access: 'anyone',
      params: { name: v.string() },
      query: explained(v.object({ expires: integer(0), signature: v.pipe(v.string(), v.maxLength(100)) }), words),
      reply: content(['application/gzip']),
      fails: [NotFound, AddressRefused],
      handle: async ({ params: { name }, query: { expires, signature }, now: instant }) => {
        if (!vault.hasTag(PURPOSE, tag(name, expires), signature)) throw AddressRefused({ reason: 'signature' })
        if (Date.parse(instant) >= expires) throw AddressRefused({ reason: 'expired' })
        const file = now.fileOf(name)
        if (file === undefined) throw NotFound()
        const { size, mtimeMs } = statSync(file)
        return {
          type: 'application/gzip',
          etag: `"${size}-${Math.round(mtimeMs)}"`,
          download: name,
          body: { size, open: (range) => createReadStream(file, range) },
        }
      },
    }),
  ]
}
