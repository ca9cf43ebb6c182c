import { actingUserId, type Asker, type Caller } from '#kernel/actor.ts'
import { Forbidden, found, invalid, NotFound } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'
import { runJob } from './declared-jobs.ts'
import { fieldsOf } from './fields.ts'
import { KINDS } from './kinds/all.ts'
import type { Import, NewImport } from './schemas.ts'
import { findImport, type ImportRow } from './state.ts'

/** The key of an import's job, by which the sweep finds out whether it is still worked on. */
export const jobKeyOf = (id: string): string => `import/${id}`

export const toImport = (row: ImportRow): Import => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  dryRun: row.is_dry_run,
  mode: row.mode,
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
  errors: row.errors,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})

const TABLES = new Set(['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'])

/** @throws NotFound for a file that the caller neither uploaded nor may read, VALIDATION_ERROR for one without a table */
const tableFile = async (
  { whole }: Tx,
  { caller: { grants }, asker: { actor }, id }: { caller: Pick<Caller, 'grants'>; asker: Asker; id: string },
) => {
  const file = found(await whole.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst())
  const isOwn = file.uploaded_by_user_id !== null && file.uploaded_by_user_id === actingUserId(actor)
  if (!isOwn && grants.reach('files.read') !== 'all') throw NotFound()
  if (file.kind !== 'document' || !TABLES.has(file.mime_type)) {
    throw invalid(['fileId'], 'Must be a CSV or XLSX file of kind document.')
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

/** Begins an import in somebody's name. @throws Forbidden, NotFound, VALIDATION_ERROR */
export const requestImport = async (
  tx: Tx,
  { caller, asker, body }: { caller: Pick<Caller, 'grants'>; asker: Asker; body: NewImport },
): Promise<Import> => {
  checkMapping(body)
  const lacked = KINDS[body.kind]
    .needs({ has: () => false })
    .map(({ permission }) => permission)
    .filter((permission) => !caller.grants.holds(permission))
  if (lacked.length > 0) throw Forbidden({ reason: 'permission_missing', permissions: lacked })
  const file = await tableFile(tx, { caller, asker, id: body.fileId })
  const row = await tx.whole
    .insertInto('import')
    .values({
      id: tx.id(),
      kind: body.kind,
      mode: body.mode,
      is_dry_run: body.dryRun,
      status: 'queued',
      source_name: file.original_name,
      object_name: file.object_name,
      mime_type: file.mime_type,
      given_mapping: body.mapping ?? null,
      columns: [],
      mapping: {},
      row_count: 0,
      pass: body.dryRun || body.mode === 'all' ? 'check' : 'write',
      position: 0,
      readers_ended: 0,
      checked: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      refused: 0,
      errors: [],
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

/** Who may look at all imports: they hold rows of any branch. */
const seesAll = ({ grants }: Caller): boolean => grants.reach('students.write') === 'all'

const columns = (whole: ScopedDb) => whole.selectFrom('import').selectAll('import')

const filters = { kind: 'import.kind' } as const

const all = listOf({ filters, from: columns, order: newestFirst('import'), show: toImport })

const ofOne = listOf({
  filters: { ...filters, askedBy: 'import.requested_by_user_id' },
  from: columns,
  order: newestFirst('import'),
  show: toImport,
})

interface Asked {
  whole: ScopedDb
  caller: Caller
}

/** Newest first: those of the institute, or, for a caller of some branches, their own. */
export const listImports = (context: Asked & Parameters<typeof all>[0]) => {
  const { caller, whole, cursors, query } = context
  if (seesAll(caller)) return all({ db: whole, cursors, query })
  return ofOne({ db: whole, cursors, query: { ...query, askedBy: actingUserId(caller.actor) ?? caller.id } })
}

/** @throws NotFound */
export const reachedImport = async ({ whole, caller }: Asked, id: string): Promise<ImportRow> => {
  const row = found(await findImport(whole, id))
  if (!seesAll(caller) && row.requested_by_user_id !== actingUserId(caller.actor)) throw NotFound()
  return row
}
