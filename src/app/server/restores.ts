import { statSync } from 'node:fs'
import * as v from 'valibot'
import { countUpTo } from '#db/queries/long-reads.ts'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { count, orNull, secret, ts } from '#kernel/values/schema.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import { MOST_COUNTED } from '#shared/since-backup.ts'
import { confirmingFails } from '#modules/identity/index.ts'
import { RESTORE_REASONS, RestoreBusy } from '#modules/setup/index.ts'
import type { Restoring } from '#app/backup/restoring.ts'
import type { BackupDeps } from './backups.ts'
import type { Brought } from './brought.ts'
import type { Looks, Seen } from './looks.ts'
import { RestoredByPostgres } from './restored-by-postgres.ts'

const UNKNOWN = 'null: its version knew none'

const words = {
  sizeBytes: 'The size of its file.',
  isReading: 'Whether it is being read, every byte of it: ask again in a moment.',
  held: 'What it holds; null: it is being read, or cannot be restored here.',
  reason:
    'Why it cannot be restored here; null: it can, or it is being read. not_a_backup, damaged: what the file is; newer: a later version made it; postgres_dump: pg_restore brings it into a Postgres; needs_key, wrong_key: it is encrypted; no_master_key: it does not hold the master key of its secrets, nor do the settings; disk_full: there is no room for what it holds; interrupted: the program was ended meanwhile; failed: see `detail`.',
  detail: 'The same in English, for whoever looks after the server; empty: there is no more to say.',
  since: 'What was done here since it was made, and a restore would take back; null: it is not known when that was.',
  institute: 'The name of the institute; null: none, or more than one.',
  createdAt: 'When it was made: as of then it holds everything.',
  version: 'The version of the program that made it.',
  students: `How many students it holds; ${UNKNOWN}; of \`since\`: how many were added.`,
  guardians: `How many guardians it holds; ${UNKNOWN}.`,
  staff: `How many people it holds who work in the institute; ${UNKNOWN}.`,
  invoices: `How many invoices it holds; ${UNKNOWN}; of \`since\`: how many were made.`,
  payments: `How many payments it holds; ${UNKNOWN}; of \`since\`: how many were taken.`,
  files: 'How many uploaded files it holds.',
  lastChangeAt: 'When somebody last changed anything; null: nobody has yet.',
  changes: `How many changes people made, of whatever kind. ${MOST_COUNTED} of anything: so many, or more.`,
  canRestore: 'Whether this server can: not where its database is in Postgres.',
  step: 'none: nothing was asked for since the program started; checking: every byte is read, and everything goes on; restoring: what is here is kept, and the backup put in its place; failed: nothing was changed; done: the institute is that of the backup.',
  backup: 'The name of the backup that was put in place; null: none was.',
  asOf: 'When that was made; null: none was put in place.',
  keptAs: 'The name of the backup that holds what was here before; null: none was put in place.',
  password: 'The caller’s own password.',
  key: 'The text of the file with the key, where the backup is encrypted.',
}

const BackupHeld = named(
  'BackupHeld',
  v.object({
    institute: orNull(v.string()),
    createdAt: ts,
    version: v.string(),
    students: orNull(count),
    guardians: orNull(count),
    staff: orNull(count),
    invoices: orNull(count),
    payments: orNull(count),
    files: count,
    lastChangeAt: orNull(ts),
  }),
  words,
)

const SinceBackup = named(
  'SinceBackup',
  v.object({ changes: count, students: count, invoices: count, payments: count }),
  words,
)

const BackupContents = named(
  'BackupContents',
  v.object({
    sizeBytes: count,
    isReading: v.boolean(),
    held: orNull(BackupHeld),
    reason: orNull(v.picklist(RESTORE_REASONS)),
    detail: v.string(),
    since: orNull(SinceBackup),
  }),
  words,
)

const ServerRestore = named(
  'ServerRestore',
  v.object({
    canRestore: v.boolean(),
    step: v.picklist(['none', 'checking', 'restoring', 'failed', 'done']),
    reason: orNull(v.picklist(RESTORE_REASONS)),
    detail: v.string(),
    backup: orNull(v.string()),
    asOf: orNull(ts),
    keptAs: orNull(v.string()),
  }),
  words,
)

const BackupRestore = named(
  'BackupRestore',
  v.object({ password: secret(1), key: v.optional(v.pipe(v.string(), v.maxLength(2000))) }),
  words,
)

/** What was done since, as far as that is counted. */
const countSince = async (whole: ScopedDb, at: string): Promise<v.InferOutput<typeof SinceBackup>> => {
  const students = whole.selectFrom('student').select('student.id').where('student.created_at', '>', at)
  const invoices = whole.selectFrom('invoice').select('invoice.id').where('invoice.created_at', '>', at)
  const payments = whole.selectFrom('payment').select('payment.id').where('payment.created_at', '>', at)
  const entries = whole
    .selectFrom('audit_entry')
    .select('audit_entry.id')
    .where('audit_entry.created_at', '>', at)
    .where('audit_entry.actor_type', '<>', 'system')
  return {
    changes: await countUpTo(whole, entries, MOST_COUNTED),
    students: await countUpTo(whole, students, MOST_COUNTED),
    invoices: await countUpTo(whole, invoices, MOST_COUNTED),
    payments: await countUpTo(whole, payments, MOST_COUNTED),
  }
}

const heldIn = ({ held }: Seen): v.InferOutput<typeof BackupHeld> | null => {
  if (!held) return null
  const { institute, createdAt, version, students, guardians, staff, invoices, payments, files, lastChangeAt } = held
  return { institute, createdAt, version, students, guardians, staff, invoices, payments, files, lastChangeAt }
}

const restoreState = (restoring: Restoring): v.InferOutput<typeof ServerRestore> => {
  const { step, failure: why, done } = restoring.progress()
  return {
    canRestore: restoring.canRestore,
    step,
    reason: why?.reason ?? null,
    detail: why?.detail ?? '',
    backup: done?.backup ?? null,
    asOf: done?.createdAt ?? null,
    keptAs: done?.kept ?? null,
  }
}

interface RestoreDeps extends Pick<BackupDeps, 'config' | 'confirm' | 'now'> {
  restoring: Restoring
  looks: Looks
  brought: Brought
}

/** What a backup holds, kept or brought here, and how it takes the place of what is here, for the owner of a self-hosted server. */
export const restoreEndpoints = ({
  config,
  confirm,
  now,
  restoring,
  looks,
  brought,
}: RestoreDeps): readonly Endpoint[] => {
  const common = { access: 'owner', closed: config.mode === 'cloud' ? NotFound : undefined } as const

  /** @throws RestoredByPostgres, NotFound */
  const fileOf = (name: string): string => {
    if (!restoring.canRestore) throw RestoredByPostgres()
    const file = now.fileOf(name) ?? brought.fileOf(name)
    if (file === undefined) throw NotFound()
    return file
  }

  return [
    read({
      ...common,
      id: 'server.read-backup',
      path: '/server/backups/{name}/contents',
      summary: 'What a backup holds, and what a restore of it would take back',
      description:
        'Every byte of it is read, in a process of its own: ask again until `isReading` is false. Nothing is changed. In cloud mode 404.',
      params: { name: v.string() },
      limits: [{ per: 'caller', requests: 120, seconds: 60 }],
      reply: BackupContents,
      fails: [NotFound, RestoredByPostgres],
      handle: async ({ params: { name }, whole }) => {
        const file = fileOf(name)
        const seen = looks.at(file)
        return {
          sizeBytes: statSync(file).size,
          isReading: !seen,
          held: seen ? heldIn(seen) : null,
          reason: seen?.reason ?? null,
          detail: seen?.detail ?? '',
          since: seen?.held ? await countSince(whole, seen.held.createdAt) : null,
        }
      },
    }),
    read({
      ...common,
      id: 'server.read-restore',
      path: '/server/restore',
      summary: 'How far a restore has come, and what became of it',
      description: 'In cloud mode 404.',
      reply: ServerRestore,
      fails: [NotFound],
      handle: async () => restoreState(restoring),
    }),
    change({
      ...common,
      id: 'server.restore-backup',
      method: 'POST',
      path: '/server/backups/{name}/restore',
      summary: 'Put a backup in the place of everything that is here',
      description:
        'Whatever was done since it was made is taken back, and stays in a backup of its own (kind `before_restore`), by which one can go back. Answers at once: the backup is checked, then nobody is served while what is here is kept and replaced (503 with Retry-After), then the program starts on the backup. Ask GET /server/restore. Where anything fails, and after a kill at any moment, either what was there stands, whole, or the backup does. Afterwards everybody signs in anew, with the password of that day, and assistants are let in anew; what was ended since, such as an account or a key, is as it was. The server keeps its own settings, its certificate and the state of its licence. Messages that were waiting then and went out since do not go out again; what falls due by its date, such as an overdue invoice, may be told once more. The caller’s password is asked for: five wrong ones within 15 minutes close this to the session that sent them for 15 minutes (423). In cloud mode 404.',
      params: { name: v.string() },
      body: BackupRestore,
      status: 202,
      reply: ServerRestore,
      fails: [NotFound, RestoredByPostgres, RestoreBusy, ...confirmingFails],
      prepare: async ({ caller, db, begin, params: { name }, body: { password, key } }) => {
        const file = fileOf(name)
        await confirm({ caller, db, begin }, password)
        restoring.replace(file, key, { backup: name, askedBy: actingUserId(caller.actor) ?? '' })
      },
      handle: async ({ tx, params: { name } }) => {
        tx.audit({ entityType: 'backup', entityId: null, metadata: { name } })
        return restoreState(restoring)
      },
    }),
  ]
}
