import { forKeyShare } from '#db/dialect.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { failure } from '#kernel/values/errors.ts'
import { ROWS_AT_ONCE } from '#runtime/change/batches.ts'

/** Of a person who was erased there is a record without a name, to which their books go on referring. */

export const PersonErased = failure(
  'CONFLICT',
  'person_erased',
  'This person was erased: nothing of what is left of their record is changed, and nothing is added to it.',
)

/** @throws PersonErased */
export const refuseErased = ({ erased_at: erasedAt }: { erased_at: string | null }): void => {
  if (erasedAt !== null) throw PersonErased()
}

/** Those of some people who were erased. None of the others is erased until the transaction ends. */
export const erasedAmong = async (
  { db }: Pick<Tx, 'db'>,
  table: 'student' | 'guardian',
  ids: readonly string[],
): Promise<Set<string>> => {
  const erased = new Set<string>()
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const some = ids.slice(from, from + ROWS_AT_ONCE)
    const people =
      table === 'student'
        ? forKeyShare(db, db.selectFrom('student').select(['id', 'erased_at']).where('id', 'in', some))
        : forKeyShare(db, db.selectFrom('guardian').select(['id', 'erased_at']).where('id', 'in', some))
    for (const row of await people.execute()) if (row.erased_at !== null) erased.add(row.id)
  }
  return erased
}

interface Noted {
  studentId: string
}

/**
 * Marks without what was noted beside those of students who were erased: a sheet that a teacher saves, perhaps hours later,
 * names the whole group.
 */
export const withoutNotesOfErased = async <Mark extends Noted>(
  tx: Tx,
  field: keyof Mark,
  marks: readonly Mark[],
): Promise<Mark[]> => {
  const noted = marks.filter((mark) => mark[field] !== null).map(({ studentId }) => studentId)
  const erased = await erasedAmong(tx, 'student', noted)
  return marks.map((mark) => (erased.has(mark.studentId) ? { ...mark, [field]: null } : mark))
}
