import type { MergedPair, PersonColumn } from '#kernel/contract/person-columns.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

const SIGHTS = ['sees_learning', 'sees_money'] as const

/** Of two links that become one, the stricter one says what the guardian sees; whoever pays sees the money. */
const joinSight = async (
  { whole }: Tx,
  { id, otherId }: MergedPair,
  [of, to]: readonly ['student_id', 'guardian_id'] | readonly ['guardian_id', 'student_id'],
): Promise<void> => {
  for (const sight of SIGHTS) {
    await whole
      .updateTable('guardian_link')
      .set({ [sight]: false })
      .where(of, '=', id)
      .where(to, 'in', whole.selectFrom('guardian_link').select(to).where(of, '=', otherId).where(sight, '=', false))
      .execute()
  }
  await whole
    .updateTable('guardian_link')
    .set({ sees_money: true })
    .where(of, '=', id)
    .where('is_payer', '=', true)
    .execute()
}

/** A student keeps one primary contact and one payer: the marks of the record that stays come first. */
const settleMarks = async (tx: Tx, pair: MergedPair): Promise<void> => {
  const { whole } = tx
  const { id, otherId } = pair
  for (const mark of ['is_primary', 'is_payer'] as const) {
    const held = whole.selectFrom('guardian_link').select('id').where('student_id', '=', id).where(mark, '=', true)
    if (!(await held.executeTakeFirst())) continue
    await whole
      .updateTable('guardian_link')
      .set({ [mark]: false })
      .where('student_id', '=', otherId)
      .execute()
  }
  await joinSight(tx, pair, ['student_id', 'guardian_id'])
}

/** Of two links to one student that become one, the marks of both stay. */
const joinMarks = async (tx: Tx, pair: MergedPair): Promise<void> => {
  const { whole } = tx
  const { id, otherId } = pair
  for (const mark of ['is_primary', 'is_payer'] as const) {
    const marked = await whole
      .selectFrom('guardian_link')
      .select('student_id')
      .where('guardian_id', '=', otherId)
      .where(mark, '=', true)
      .where('student_id', 'in', whole.selectFrom('guardian_link').select('student_id').where('guardian_id', '=', id))
      .execute()
    const studentIds = marked.map(({ student_id: studentId }) => studentId)
    if (studentIds.length === 0) continue
    const links = whole.updateTable('guardian_link').where('student_id', 'in', studentIds)
    await links
      .set({ [mark]: false })
      .where('guardian_id', '=', otherId)
      .execute()
    await links
      .set({ [mark]: true })
      .where('guardian_id', '=', id)
      .execute()
  }
  await joinSight(tx, pair, ['guardian_id', 'student_id'])
}

/** Who is active is not paused by a pause of the other record that has no end. */
const settlePauses = async ({ whole }: Tx, { id, otherId }: MergedPair): Promise<void> => {
  const kept = await whole.selectFrom('student').select('status').where('id', '=', id).executeTakeFirst()
  if (kept?.status !== 'active') return
  await whole.deleteFrom('student_pause').where('student_id', '=', otherId).where('paused_to', 'is', null).execute()
}

/** Where the tables of people name people. Tags are taken from the record itself. */
export const personsOfPeople: readonly PersonColumn[] = [
  {
    of: 'student',
    table: 'guardian_link',
    column: 'student_id',
    once: [['guardian_id']],
    twice: 'dropped',
    settle: settleMarks,
  },
  {
    of: 'guardian',
    table: 'guardian_link',
    column: 'guardian_id',
    once: [['student_id']],
    twice: 'dropped',
    settle: joinMarks,
  },
  { of: 'student', table: 'student_pause', column: 'student_id', settle: settlePauses },
  ...(['student', 'guardian'] as const).flatMap((of) =>
    ['person_invitation', 'merged_record'].map((table) => ({ of, table, column: `${of}_id` })),
  ),
]
