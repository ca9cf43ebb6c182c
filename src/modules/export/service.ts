import type { Selectable } from 'kysely'
import { plusSeconds } from '#kernel/time/clock.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { homeOf, type Download, type Signer } from '#modules/files/index.ts'
import { keyOf, type FileStore, type StoredKey } from '#ports/files/port.ts'
import { discardJob, makeJob } from './declared-jobs.ts'
import type { Export } from './schemas.ts'

export type ExportRow = Selectable<Tables['export']>

/** How long an export is kept after it ended. Then its archive is removed, because it holds everybody's records. */
const KEPT_SECONDS = 24 * 3600

export const archiveKey = ({
  tenant_id: institute,
  id,
  place,
}: Pick<ExportRow, 'tenant_id' | 'id' | 'place'>): StoredKey => keyOf(place, 'exports', institute, id)

const ARCHIVE_TYPE = 'application/zip'

const archiveName = (slug: string, { created_at: at }: Pick<ExportRow, 'created_at'>): string =>
  `${slug}-${at.slice(0, 10)}.zip`

export const keptSince = (now: string): string => plusSeconds(now, -KEPT_SECONDS)

const isUnderWay = ({ status }: Pick<ExportRow, 'status'>): boolean => status === 'queued' || status === 'running'

/** The export of the institute that the handle belongs to. */
export const findExport = (whole: ScopedDb): Promise<ExportRow | undefined> =>
  whole.selectFrom('export').selectAll().executeTakeFirst()

/** An export as the audit log shows it. */
const describe = (row: ExportRow): Omit<Export, 'downloadUrl' | 'downloadUrlExpiresAt' | 'keptUntil'> => ({
  id: row.id,
  status: row.status,
  progress: row.percent,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  error: row.error,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})

/** @param slug of the institute, for the name of the archive */
export const toExport = (row: ExportRow, { signer, slug }: { signer: Signer; slug: string }, now: string): Export => {
  const archive = { key: archiveKey(row), name: archiveName(slug, row), type: ARCHIVE_TYPE }
  const address = row.status === 'done' ? signer.download(archive, now) : undefined
  return {
    ...describe(row),
    keptUntil: row.finished_at && plusSeconds(row.finished_at, KEPT_SECONDS),
    downloadUrl: address?.url ?? null,
    downloadUrlExpiresAt: address?.expiresAt ?? null,
  }
}

interface Wanted {
  fresh: boolean
  /** The export whose archive is gone from the storage, after a restore for example. */
  lost: string | undefined
}

/**
 * Returns the export of the institute, or begins one. The unique index on the institute decides between requests that
 * come at once: all of them get the same export.
 */
export const requestExport = async (tx: Tx, { fresh, lost }: Wanted): Promise<ExportRow> => {
  const before = await findExport(tx.whole)
  if (before) {
    const isKept = (before.finished_at ?? tx.now) > keptSince(tx.now) && before.id !== lost
    if (isUnderWay(before) || (isKept && !fresh)) return before
    await removeExport(tx, before.id)
  }
  const id = tx.id()
  await tx.whole
    .insertInto('export')
    .values({
      id,
      status: 'queued',
      percent: 0,
      requested_by_user_id: actingUserId(tx.actor),
      created_at: tx.now,
      updated_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx.whole.selectFrom('export').selectAll().executeTakeFirstOrThrow()
  if (row.id === id) {
    tx.enqueue(makeJob, { tenantId: tx.tenant.id, exportId: id }, { uniqueKey: jobKeyOf(id) })
    tx.audit({ entityType: 'export', entityId: id, after: describe(row) })
  }
  return row
}

/** The key of an export's job, by which the sweep finds out whether the export is still being made. */
export const jobKeyOf = (id: string): string => `export/${id}`

/** Removes an export that has ended; a job removes its archive after the commit. */
export const removeExport = async (tx: Tx, id: string): Promise<void> => {
  const { numDeletedRows } = await tx.whole
    .deleteFrom('export')
    .where('id', '=', id)
    .where('status', 'in', ['done', 'failed'])
    .executeTakeFirst()
  if (numDeletedRows > 0n) tx.enqueue(discardJob, { tenantId: tx.tenant.id, exportId: id })
}

/** @returns where the archive goes; undefined: the export has ended already, or is gone */
export const startRun = async (tx: Tx, id: string, files: FileStore): Promise<StoredKey | undefined> => {
  const place = await homeOf(tx.whole, files)
  const { numUpdatedRows } = await tx.whole
    .updateTable('export')
    .set({ status: 'running', percent: 0, place, updated_at: tx.now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0n ? archiveKey({ tenant_id: tx.tenant.id, id, place }) : undefined
}

export const storeProgress = async (tx: Tx, id: string, percent: number): Promise<void> => {
  await tx.whole
    .updateTable('export')
    .set({ percent, updated_at: tx.now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
}

export type End = { status: 'done'; sizeBytes: number; sha256: string } | { status: 'failed'; error: string }

export const endRun = async (tx: Tx, id: string, end: End): Promise<void> => {
  await tx.whole
    .updateTable('export')
    .set({
      status: end.status,
      ...(end.status === 'done'
        ? { percent: 100, size_bytes: end.sizeBytes, sha256: end.sha256 }
        : { error: end.error }),
      finished_at: tx.now,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

/** The archive with this id, for whoever has a signed address of it. */
export const exportedArchive = async (whole: ScopedDb, id: string): Promise<Download | undefined> => {
  const row = await whole
    .selectFrom('export')
    .innerJoin('tenant', 'tenant.id', 'export.tenant_id')
    .select([
      'export.id',
      'export.tenant_id',
      'export.place',
      'export.size_bytes',
      'export.sha256',
      'export.created_at',
      'tenant.slug',
    ])
    .where('export.id', '=', id)
    .where('export.status', '=', 'done')
    .executeTakeFirst()
  if (!row || row.size_bytes === null || row.sha256 === null) return undefined
  return {
    key: archiveKey(row),
    name: archiveName(row.slug, row),
    type: ARCHIVE_TYPE,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
  }
}
