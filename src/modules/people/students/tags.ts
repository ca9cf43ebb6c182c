import { compiledInsert, compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

interface TagRow {
  student_id: string
  tag: string
  created_at: string
}

const insertTags = compiledInsert((whole: ScopedDb, rows: TagRow[]) => whole.insertInto('student_tag').values(rows))
const deleteTags = compiledInTenant((whole, { studentId }: { studentId: string }) =>
  whole.deleteFrom('student_tag').where('student_id', '=', studentId),
)

interface Tagged {
  id: string
  tags: readonly string[]
  created_at: string
}

/** Adds new students' rows to the index of tags. */
export const indexTags = async ({ whole }: Tx, students: readonly Tagged[]): Promise<void> => {
  const rows = students.flatMap(({ id, tags, created_at }) => tags.map((tag) => ({ student_id: id, tag, created_at })))
  if (rows.length > 0) await insertTags(whole, rows)
}

/** Replaces a student's rows in the index of tags. */
export const replaceTags = async (tx: Tx, student: Omit<Tagged, 'tags'>, tags: readonly string[]): Promise<void> => {
  await deleteTags(tx.whole, { studentId: student.id })
  await indexTags(tx, [{ ...student, tags }])
}
