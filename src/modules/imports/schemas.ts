import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, list, orNull, pageQuery, ts, uuid } from '#kernel/values/schema.ts'
import { NOTES, REASONS } from './complaints.ts'
import { fieldsOf } from './fields.ts'
import { IMPORT_KINDS, IMPORT_MODES, IMPORT_STATUSES, KNOWN_PHONES } from './tables.ts'

const words = {
  kind: 'What the rows of the file are.',
  fileId: 'A complete file of kind `document` that holds a table.',
  mapping:
    'By the head of a column, the field that it holds; columns that are left out are not read. Without it columns are matched by their heads.',
  mode: '`by_row` keeps the good rows; `all` writes nothing when any row is refused.',
  knownPhone:
    'What becomes of a row whose guardian’s phone is known under another name: it is refused (`guardian_name_differs`), or whoever has the phone is linked. A column `knownPhone` says it for its row.',
  branchId:
    'The branch of rows that name none; null: the default one, or else the first that the caller reaches. 404 for one that they do not reach.',
  dryRun: 'Only tells what would happen.',
  status: 'How far it is.',
  fileName: 'The name of the file.',
  columns:
    'The heads of the file: of two that are the same the second is `Phone (2)`, one that is missing `(3)`. None before the file was read.',
  unknown: 'The columns that are not read.',
  rows: 'How many rows the file has below the heads.',
  checked: 'How many rows were looked at before anything is written: in a dry run, and in mode `all`.',
  created: 'How many records were added, or would be.',
  updated: 'How many were changed, or would be.',
  unchanged: 'How many were there already, as the file says.',
  refused: 'How many rows were refused.',
  errors: 'The first 100 things that are wrong.',
  told: 'The first 100 things that came to something nobody asked for.',
  preview: 'Of a dry run: the first 20 rows as they would stand.',
  row: 'The row in the file, as spreadsheet programs count; null: it is about the whole file.',
  column: 'The head of the column; null: the file has none for the field.',
  field: 'The field that is wrong or missing; null: it is about the whole row or file.',
  value: 'What stands there, its first 100 characters; null: nothing.',
  reason: 'Why.',
  finishedAt: 'When it ended, well or not; null: it has not ended.',
}

const kind = v.picklist(IMPORT_KINDS)
const mode = v.picklist(IMPORT_MODES)

const FIELDS = [...new Set(IMPORT_KINDS.flatMap((one) => fieldsOf(one).map(({ name }) => name)))]

/** Each head is one that a file may have. */
const Columns = v.pipe(
  v.record(
    v.pipe(v.string(), v.maxLength(210, 'Must have heads of at most 210 characters.')),
    named('ImportField', v.picklist(FIELDS)),
  ),
  v.maxEntries(200, 'Must have at most 200 columns.'),
)

export const NewImport = named(
  'NewImport',
  v.object({
    kind,
    fileId: uuid,
    mapping: v.optional(v.nullable(Columns)),
    mode: v.optional(mode, 'by_row'),
    knownPhone: v.optional(v.picklist(KNOWN_PHONES), 'refuse'),
    branchId: v.optional(v.nullable(uuid)),
    dryRun: v.optional(v.boolean(), false),
  }),
  words,
)
export type NewImport = v.InferOutput<typeof NewImport>

export const ImportError = named(
  'ImportError',
  v.object({
    row: orNull(count),
    column: orNull(v.string()),
    field: orNull(v.string()),
    value: orNull(v.string()),
    reason: v.picklist(REASONS),
  }),
  words,
)

const ImportNote = named(
  'ImportNote',
  v.object({
    row: count,
    column: orNull(v.string()),
    field: orNull(v.string()),
    value: orNull(v.string()),
    reason: v.picklist(NOTES),
  }),
  {
    ...words,
    row: 'The row in the file, as spreadsheet programs count.',
    reason:
      '`totals`: it was taken for a total below the list, and not read. `guardian_without_phone`: a second parent of one phone is added without it, as a further contact.',
  },
)

const ImportPreview = named(
  'ImportPreview',
  v.object({
    row: count,
    outcome: v.picklist(['created', 'updated', 'unchanged', 'refused']),
    values: v.record(v.string(), v.string()),
    before: v.record(v.string(), v.string()),
    known: list(v.string()),
  }),
  {
    row: 'The row in the file, as spreadsheet programs count.',
    outcome: 'What would become of it.',
    values:
      'By the names of fields, as text: what the record would hold, with its guardians in `guardians`; of a row that is refused, what it says.',
    before:
      'By the names of fields that would be otherwise: what the record holds now; an empty text: nothing. Of a record that would be added, none.',
    known: 'Those of `guardians` who are there already, and would be linked.',
  },
)

export const Import = named(
  'Import',
  v.object({
    id,
    kind,
    status: v.picklist(IMPORT_STATUSES),
    dryRun: v.boolean(),
    mode,
    knownPhone: v.picklist(KNOWN_PHONES),
    branchId: orNull(id),
    fileName: v.string(),
    columns: list(v.string()),
    mapping: v.record(v.string(), v.string()),
    unknown: list(v.string()),
    rows: count,
    checked: count,
    created: count,
    updated: count,
    unchanged: count,
    refused: count,
    errors: list(ImportError),
    told: list(ImportNote),
    preview: list(ImportPreview),
    createdAt: ts,
    finishedAt: orNull(ts),
  }),
  { ...words, mapping: 'The field that each column holds.' },
)
export type Import = v.InferOutput<typeof Import>

export const ImportQuery = explained(pageQuery({ kind: v.optional(kind) }), words)
