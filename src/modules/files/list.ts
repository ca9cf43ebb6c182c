import { Forbidden } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { isOwnStudent } from '#modules/people/index.ts'
import { studentOfSentReport } from '#modules/progress-reports/index.ts'
import { listUnder, newestFirst, type ListContext } from '#runtime/records/lists.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import type { Signer } from './addresses.ts'
import { isClassRecord, mayReadOf, type Asking } from './class-files.ts'
import { toFile, type FileRow } from './record.ts'
import type { File } from './schemas.ts'
import { OWNERS, type OwnerTable } from './tables.ts'

interface Shown {
  signer: Signer
  now: string
}

const listOn = (table: OwnerTable) =>
  listUnder(
    { table, column: `file.${OWNERS[table]}`, whole: true },
    {
      from: (db) => db.selectFrom('file').selectAll('file'),
      order: newestFirst('file'),
      show: (row: FileRow, { signer, now }: Shown) => toFile(row, signer, now),
    },
  )

const LISTS = Object.fromEntries(
  (Object.keys(OWNERS) as OwnerTable[]).map((table) => [table, listOn(table)]),
) as Record<OwnerTable, ReturnType<typeof listOn>>

/** Whether the record is the caller’s own student, a report on that student that was sent, or a lesson or exam of theirs. */
const isOwnRecord = async (asking: Asking, type: OwnerTable, id: string): Promise<boolean> => {
  const { whole, caller } = asking
  const to = { type, id }
  if (isClassRecord(to)) return mayReadOf(asking, to)
  if (type !== 'student' && type !== 'progress_report') return false
  const studentId = type === 'student' ? id : await studentOfSentReport(whole, id)
  return studentId !== null && (await isOwnStudent(whole, caller, { studentId, sight: 'learning' }))
}

/** The files that are attached to a record, newest first. @throws NotFound for the record, Forbidden */
export const listFilesOf = async (
  context: ListContext<ScopedDb> &
    Shown &
    Asking & {
      query: PageQuery
      params: { entityType: OwnerTable; id: string }
    },
): Promise<Page<File>> => {
  const { caller, whole, params } = context
  const { entityType, id } = params
  const isOwn = await isOwnRecord(context, entityType, id)
  if (!isOwn && !caller.grants.holds('files.read')) {
    throw Forbidden({ reason: 'permission_missing', permissions: ['files.read'] })
  }
  return LISTS[entityType]({ ...context, ...(isOwn && { db: whole }), params: { id } })
}
