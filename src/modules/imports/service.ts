import * as v from 'valibot'
import { actingUserId, type Asker, type Caller } from '#kernel/who/actor.ts'
import { failure, Forbidden, found, invalid, NotFound } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { inPart } from '#kernel/values/parts.ts'
import { count } from '#kernel/values/schema.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { storedBytes } from '#modules/files/index.ts'
import { checkRoom, countRows, lockCounter } from '#modules/tenants/index.ts'
import { lockReferenced } from '#runtime/records/records.ts'
import { runJob } from './declared-jobs.ts'
import { fieldsOf } from './fields.ts'
import { KINDS } from './kinds/all.ts'
import type { Import, NewImport } from './schemas.ts'
import type { ImportRow } from './state.ts'

/** The key of an import's job, by which the sweep finds out whether it is still worked on. */
export const jobKeyOf = (id: string): string => `import/${id}`

export const toImport = (row: ImportRow): Import => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  dryRun: row.is_dry_run,
  mode: row.mode,
  knownPhone: row.known_phone,
  branchId: row.branch_id,
  fileName: row.source_name,
  columns: row.columns,
  mapping: row.mapping,
  unknown: row.columns.filter((column) => row.mapping[column] === undefined),
  rows: row.row_count,
  checked: row.checked,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  refused: row.refused,
  // Those that an earlier version kept name no field.
  errors: row.errors.map((error) => ({ ...error, field: error.field ?? null })),
  told: row.told,
  preview: row.preview,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})

const TABLES = new Set([
  'text/csv',
  'text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.ms-excel',
])

/** @throws NotFound for a file that the caller neither uploaded nor may read, VALIDATION_ERROR for one without a table */
const tableFile = async (
  { whole }: Tx,
  { caller: { grants }, asker: { actor }, id }: { caller: Pick<Caller, 'grants'>; asker: Asker; id: string },
) => {
  const file = found(await whole.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst())
  const isOwn = file.uploaded_by_user_id !== null && file.uploaded_by_user_id === actingUserId(actor)
  if (!isOwn && grants.reach('files.read') !== 'all') throw NotFound()
  if (file.kind !== 'document' || !TABLES.has(file.mime_type)) {
    throw invalid(['fileId'], 'Must be a table (CSV, TSV, XLSX, ODS or XLS) of kind document.')
  }
  return file
}

/** @throws VALIDATION_ERROR for a field that this kind does not have, and for two columns of one field */
const checkMapping = ({ kind, mapping }: NewImport): void => {
  const known = new Set(fieldsOf(kind).map(({ name }) => name))
  const taken = new Set<string>()
  for (const [column, field] of Object.entries(mapping ?? {})) {
    if (!known.has(field)) throw invalid(['mapping', column], `Must be a field of ${kind}.`)
    if (taken.has(field)) throw invalid(['mapping', column], 'Must not be the field of another column too.')
    taken.add(field)
  }
}

/** How many imports of an institute may be under way: one runs, and the others wait for it. */
const MOST_UNENDED = 8

export const TooManyImports = failure(
  'CONFLICT',
  'too_many_imports',
  'As many imports are under way as may be: ask again once one of them has ended, or remove one that has not begun.',
  {
    details: {
      schema: explained(v.object({ most: count }), { most: 'How many there may be.' }),
      example: { most: MOST_UNENDED },
    },
  },
)

/** @throws TooManyImports */
const checkWaiting = async ({ whole }: Tx): Promise<void> => {
  await lockCounter(whole, 'imports under way')
  const unended = await countRows(whole.selectFrom('import').where('finished_at', 'is', null))
  if (unended >= MOST_UNENDED) throw TooManyImports({ most: MOST_UNENDED })
}

/** Begins an import in somebody's name. @throws Forbidden, NotFound, QuotaExceeded, TooManyImports, VALIDATION_ERROR */
export const requestImport = async (
  tx: Tx,
  { caller, asker, body }: { caller: Pick<Caller, 'grants'>; asker: Asker; body: NewImport },
): Promise<Import> => {
  checkMapping(body)
  const { branchId } = body
  if (branchId) await inPart([], () => lockReferenced(tx, 'branch', branchId), { not_found: 'branchId' })
  const lacked = KINDS[body.kind]
    .needs({ has: () => false })
    .map(({ permission }) => permission)
    .filter((permission) => !caller.grants.holds(permission))
  if (lacked.length > 0) throw Forbidden({ reason: 'permission_missing', permissions: lacked })
  const file = await tableFile(tx, { caller, asker, id: body.fileId })
  await checkRoom(tx, 'maxStorageBytes', storedBytes, 0)
  await checkWaiting(tx)
  const row = await tx.whole
    .insertInto('import')
    .values({
      id: tx.id(),
      kind: body.kind,
      mode: body.mode,
      is_dry_run: body.dryRun,
      known_phone: body.knownPhone,
      branch_id: body.branchId ?? null,
      status: 'queued',
      source_name: file.original_name,
      object_name: file.object_name,
      mime_type: file.mime_type,
      given_mapping: body.mapping ?? null,
      columns: [],
      mapping: {},
      row_count: 0,
      content: null,
      pass: body.dryRun || body.mode === 'all' ? 'check' : 'write',
      position: 0,
      readers_ended: 0,
      checked: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      refused: 0,
      errors: [],
      preview: [],
      told: [],
      kept_bytes: 0,
      asker,
      requested_by_user_id: actingUserId(asker.actor),
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.enqueue(runJob, { tenantId: tx.tenant.id, importId: row.id }, { uniqueKey: jobKeyOf(row.id) })
  const shown = toImport(row)
  tx.audit({ entityType: 'import', entityId: row.id, after: shown, metadata: { fileId: body.fileId } })
  return shown
}
