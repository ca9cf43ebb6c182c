import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Conditions } from '#runtime/records/lists.ts'

/** What all lines of an invoice may have in common. */
export type InCommon = 'group' | 'course'

/**
 * The one group, or the one course, of all lines of an invoice; null: it is of several, or of none. For queries that read
 * `invoice`, or a table that stands as it.
 */
export const oneOfLines = (db: Pick<ScopedDb, 'selectFrom'>, of: InCommon) =>
  db
    .selectFrom('invoice_line')
    .leftJoin('enrollment', 'enrollment.id', 'invoice_line.enrollment_id')
    .leftJoin('group', 'group.id', 'enrollment.group_id')
    .leftJoin('course_enrollment', 'course_enrollment.id', 'invoice_line.course_enrollment_id')
    .whereRef('invoice_line.invoice_id', '=', 'invoice.id' as never)
    .select((eb) => {
      const id = of === 'group' ? eb.ref('group.id') : eb.fn.coalesce('group.course_id', 'course_enrollment.course_id')
      const isOne = eb.and([eb(eb.fn.count(id).distinct(), '=', eb.lit(1)), eb(eb.fn.count(id), '=', eb.fn.countAll())])
      return eb
        .case()
        .when(isOne)
        .then(eb.fn.min(eb.cast<string>(id, 'text')))
        .end()
        .as('id')
    })

/*
 * Those with a line of the group, or the course, are found by that line, and then looked at whole.
 */

const ofGroup = (eb: Conditions, id: string) =>
  eb.and([
    eb(
      'invoice.id',
      'in',
      eb
        .selectFrom('invoice_line')
        .innerJoin('enrollment', 'enrollment.id', 'invoice_line.enrollment_id')
        .select('invoice_line.invoice_id')
        .where('enrollment.group_id', '=', id),
    ),
    eb(oneOfLines(eb, 'group'), '=', id as never),
  ])

const ofCourse = (eb: Conditions, id: string) =>
  eb.and([
    eb(
      'invoice.id',
      'in',
      eb
        .selectFrom('invoice_line')
        .select('invoice_line.invoice_id')
        .where(
          'invoice_line.enrollment_id',
          'in',
          eb
            .selectFrom('enrollment')
            .select('enrollment.id')
            .where(
              'enrollment.group_id',
              'in',
              eb.selectFrom('group').select('group.id').where('group.course_id', '=', id),
            ),
        )
        .union(
          eb
            .selectFrom('invoice_line')
            .select('invoice_line.invoice_id')
            .where(
              'invoice_line.course_enrollment_id',
              'in',
              eb
                .selectFrom('course_enrollment')
                .select('course_enrollment.id')
                .where('course_enrollment.course_id', '=', id),
            ),
        ),
    ),
    eb(oneOfLines(eb, 'course'), '=', id as never),
  ])

/** Filters of lists of what invoices are for, as the report about income counts them: all lines are of the one. */
export const linesOfOne = { groupId: ofGroup, courseId: ofCourse } as const
