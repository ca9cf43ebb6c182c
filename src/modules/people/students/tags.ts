import type { Tx } from '#kernel/unit-of-work.ts'

/** Replaces a student's rows in the index of tags. */
export const indexTags = async (
  { whole }: Tx,
  student: { id: string; created_at: string },
  tags: readonly string[],
): Promise<void> => {
  await whole.deleteFrom('student_tag').where('student_id', '=', student.id).execute()
  if (tags.length === 0) return
  await whole
    .insertInto('student_tag')
    .values(tags.map((tag) => ({ student_id: student.id, tag, created_at: student.created_at })))
    .execute()
}
