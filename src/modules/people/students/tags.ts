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

/** Adds a new student's rows to the index of tags. */
export const indexTags = async (
  { whole }: Tx,
  student: { id: string; created_at: string },
  tags: readonly string[],
): Promise<void> => {
  if (tags.length === 0) return
  await insertTags(
    whole,
    tags.map((tag) => ({ student_id: student.id, tag, created_at: student.created_at })),
  )
}

/** Replaces a student's rows in the index of tags. */
export const replaceTags = async (...[tx, student, tags]: Parameters<typeof indexTags>): Promise<void> => {
  await deleteTags(tx.whole, { studentId: student.id })
  await indexTags(tx, student, tags)
}
