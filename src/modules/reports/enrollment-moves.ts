import { enrollmentsOf } from './enrollment.ts'
import { groupNames, studentNames } from './names.ts'
import type { EnrollmentMoves, EnrollmentMovesQuery } from './schemas.ts'
import { pageOfRows, readLong, spanOf, type Asked } from './span.ts'

type Reading = Asked & { query: EnrollmentMovesQuery }

/** The enrollments behind a figure of the report, by its own conditions. @throws VALIDATION_ERROR */
export const readEnrollmentMoves = async (asked: Reading): Promise<EnrollmentMoves> => {
  const { whole, query } = asked
  const span = spanOf(query, asked, 11)
  const all = enrollmentsOf(asked)
  const conditions = {
    joined: () => all.where('enrollment.enrolled_at', '>=', span.start).where('enrollment.enrolled_at', '<', span.end),
    left: () => all.where('enrollment.ended_at', '>=', span.start).where('enrollment.ended_at', '<', span.end),
    enrolled: () =>
      all
        .where('enrollment.enrolled_at', '<', span.end)
        .where((eb) => eb.or([eb('enrollment.ended_at', 'is', null), eb('enrollment.ended_at', '>=', span.end)])),
  }
  const behind = whole.selectFrom('enrollment').select('enrollment.id')
  const rows = await readLong(
    asked,
    conditions[query.what]().select([
      'enrollment.id',
      'enrollment.student_id',
      'enrollment.group_id',
      'enrollment.enrolled_at',
      'enrollment.ended_at',
    ]),
    behind,
  )
  const dayOf = (row: (typeof rows)[number]): string =>
    (query.what === 'left' ? row.ended_at : row.enrolled_at) as string
  const page = await pageOfRows(rows, (row) => [dayOf(row), row.id], asked)
  const nameOf = await studentNames(
    whole,
    page.data.map((row) => row.student_id),
  )
  const groupOf = await groupNames(
    whole,
    page.data.map((row) => row.group_id),
  )
  return {
    from: span.from,
    to: span.to,
    count: rows.length,
    nextCursor: page.nextCursor,
    data: page.data.map((row) => ({
      enrollmentId: row.id,
      studentId: row.student_id,
      studentName: nameOf(row.student_id) ?? '',
      groupId: row.group_id,
      groupName: groupOf(row.group_id) ?? '',
      enrolledAt: row.enrolled_at,
      endedAt: row.ended_at,
    })),
  }
}
