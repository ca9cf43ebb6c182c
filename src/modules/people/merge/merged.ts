import * as v from 'valibot'
import { ApiError, failure, NotFound } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

export const Merged = failure('NOT_FOUND', 'merged', 'This record was merged into another one of the same person.', {
  details: {
    schema: explained(v.object({ mergedInto: v.string() }), { mergedInto: 'The id of that record.' }),
    example: { mergedInto: '019cad6a-1c00-7000-8000-000000000000' },
  },
})

interface Handles {
  whole: ScopedDb
  db: ScopedDb
}

type Asked = { params: { id: string } } & (Handles | { tx: Handles })

/** Where the record of an id has gone, if the caller reaches that. */
const goneTo = async ({ params, ...given }: Asked): Promise<string | undefined> => {
  const { whole, db } = 'tx' in given ? given.tx : given
  const row = await whole
    .selectFrom('merged_record')
    .select(['student_id', 'guardian_id'])
    .where('id', '=', params.id)
    .executeTakeFirst()
  if (!row) return undefined
  const into = (row.student_id ?? row.guardian_id) as string
  const reached =
    row.student_id === null
      ? db.selectFrom('guardian').select('id').where('id', '=', into)
      : db.selectFrom('student').select('id').where('id', '=', into)
  return (await reached.executeTakeFirst())?.id
}

/** Answers a path that names a student or a guardian: of one who was merged, where they have gone. */
export const orMerged = async <Context extends Asked, Reply>(
  context: Context,
  handle: (context: Context) => Reply | Promise<Reply>,
): Promise<Reply> => {
  try {
    return await handle(context)
  } catch (error) {
    const isMissing = error instanceof ApiError && error.spec === NotFound.spec && error.details === undefined
    const mergedInto = isMissing ? await goneTo(context) : undefined
    throw mergedInto === undefined ? error : Merged({ mergedInto })
  }
}

/** Students who were named a while ago, as they are kept now: of one who was merged since, the record that stayed. Each once. */
export const keptStudents = async (whole: ScopedDb, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await whole.selectFrom('merged_record').select(['id', 'student_id']).where('id', 'in', ids).execute()
  const kept = new Map(rows.map((row) => [row.id, row.student_id]))
  return [...new Set(ids.map((id) => kept.get(id) ?? id))]
}
