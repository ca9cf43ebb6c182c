import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { TableRules } from '#kernel/contract/tables.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { content } from '#kernel/values/media.ts'
import { objectKey } from '#modules/files/index.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import type { FileStore } from '#ports/files/port.ts'
import { pathOfFile } from '#app/export/names.ts'
import { archiveOf, type StoredEntry } from './archive.ts'
import type { PersonKind } from './kept.ts'
import { personPage } from './page.ts'
import { readPersonData, type PersonData, type Row } from './read.ts'
import { WORDS } from './words/index.ts'

export interface PersonFileDeps {
  files: FileStore
  /** The rules of all tables; read when a file is made, because modules are still being combined before. */
  rules: () => TableRules
}

const ARCHIVE_TYPE = 'application/zip'

type StoredRow = Parameters<typeof objectKey>[0] & { id: string; original_name: string; size_bytes: number }

/** The files whose bytes are there, and the ids of the others. */
const storedOf = async (
  store: FileStore,
  rows: readonly Row[],
): Promise<{ stored: StoredEntry[]; missing: string[] }> => {
  const stored: StoredEntry[] = []
  const missing: string[] = []
  for (const row of rows as unknown as readonly StoredRow[]) {
    const key = objectKey(row)
    if ((await store.size(key)) === row.size_bytes) {
      stored.push({ path: pathOfFile(row.id, row.original_name), key, size: row.size_bytes })
    } else missing.push(row.id)
  }
  return { stored, missing }
}

/** The rows by table: those to which several ways lead stand together, each once. */
const byTable = ({ kept }: PersonData): Record<string, Row[]> => {
  const tables: Record<string, Row[]> = {}
  for (const { table, rows } of kept) {
    const before = (tables[table.table] ??= [])
    before.push(...rows.filter(({ id }) => id === undefined || !before.some((row) => row['id'] === id)))
  }
  return tables
}

const NOTE =
  'A ZIP: `data.html` says what is kept in the language of Accept-Language or of the institute, for whoever opens it; `data.json` has every row with all its columns, for programs, as an object of arrays by table; `files/` has the uploaded files under their ids and names. All that the institute keeps of the person is in it, also what staff noted and nobody else reads, the messages that were written to them, their account without its secrets, and what the audit log has of their record. Of others there are only the names of those whom they belong to as a family. What only says who of the staff did something, and from where, is left out. `missingFiles` of `data.json` has the ids of files whose bytes are gone. For the owner, as the export is; the audit log says who took it away.'

export const personFileEndpoints = ({ files, rules }: PersonFileDeps): readonly Endpoint[] => {
  const dataOf = (kind: PersonKind, description: string) =>
    read({
      id: `${kind}s.data`,
      path: `/${kind}s/{id}/data` as const,
      summary: `Get everything that is kept of a ${kind}`,
      description,
      access: 'owner',
      reply: content([ARCHIVE_TYPE]),
      fails: [NotFound, Merged],
      handle: (asked) =>
        orMerged(asked, async ({ whole, params, request, tenant, now }) => {
          const data = await readPersonData(whole, { kind, id: params.id, rules: rules() })
          const locale = request.locale(tenant.defaultLocale)
          const { stored, missing } = await storedOf(files, data.files)
          const about = { institute: tenant.name, id: params.id, createdAt: now, missingFiles: missing }
          const json = JSON.stringify({ format: 1, ...about, tables: byTable(data) }, null, 2)
          const page = personPage(data, { locale, zone: tenant.timezone, institute: tenant.name, now })
          return {
            type: ARCHIVE_TYPE,
            body: await archiveOf(files, { texts: { 'data.html': page, 'data.json': `${json}\n` }, stored, now }),
            download: `${WORDS[locale].fileName}-${data.name}-${now.slice(0, 10)}.zip`,
          }
        }),
    })
  return [
    dataOf(
      'student',
      `${NOTE} Of invoices it has what was billed for the student; the papers, which name who pays, are in the file of that guardian.`,
    ),
    dataOf(
      'guardian',
      `${NOTE} Of money it has the invoices and receipts that this guardian pays or paid, with the papers as they were handed out.`,
    ),
  ]
}
