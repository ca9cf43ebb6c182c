import { indexIn } from '#db/queries/periods.ts'
import { monthsOf, pageOfRows, readLong, spanOf, type Asked, type Span } from './span.ts'
import type { EnrollmentReport, EnrollmentReportQuery } from './schemas.ts'
import { inTurns } from '#kernel/basics/turns.ts'

type Reading = Asked & { query: EnrollmentReportQuery }
type Row = EnrollmentReport['data'][number]

interface Counted {
  db: Asked['db']
  query: Pick<EnrollmentReportQuery, 'branchId' | 'groupId' | 'courseId'>
}

/** Those that were in force at all: who changed their mind before their first day never joined. */
export const enrollmentsOf = ({ db, query: { branchId, groupId, courseId } }: Counted) => {
  let enrollments = db
    .selectFrom('enrollment')
    .innerJoin('group', 'group.id', 'enrollment.group_id')
    .where((eb) =>
      eb.or([eb('enrollment.ended_at', 'is', null), eb('enrollment.ended_at', '>=', eb.ref('enrollment.enrolled_at'))]),
    )
  if (branchId !== undefined) enrollments = enrollments.where('group.branch_id', '=', branchId)
  if (groupId !== undefined) enrollments = enrollments.where('group.id', '=', groupId)
  if (courseId !== undefined) enrollments = enrollments.where('group.course_id', '=', courseId)
  return enrollments
}

const countsOf = (asked: Counted) => enrollmentsOf(asked).select(({ fn }) => fn.countAll<number>().as('count'))

/** A count of one month, counted from 0, and of one group; null: of all. */
interface Count {
  group: { id: string; name: string; seats: number | null } | null
  month: number
  count: number
}

/** Who joined and left in each month, and who was there when the first began. @param ends of the months */
const readMoves = async (asked: Reading, span: Span, ends: readonly string[]) => {
  const behind = asked.whole.selectFrom('enrollment').select('enrollment.id')
  const isOfGroups = asked.query.by !== 'month'
  const counted = async (
    month: ReturnType<typeof indexIn>,
    some: (enrollments: ReturnType<typeof countsOf>) => ReturnType<typeof countsOf>,
  ): Promise<Count[]> => {
    const enrollments = some(countsOf(asked)).select(month.as('month')).groupBy('month')
    if (!isOfGroups) return (await readLong(asked, enrollments, behind)).map((row) => ({ ...row, group: null }))
    const ofGroups = enrollments
      .select(({ fn }) => [
        'enrollment.group_id',
        fn.min('group.name').as('name'),
        fn.min('group.capacity').as('capacity'),
      ])
      .groupBy('enrollment.group_id')
    const counts: Count[] = []
    for await (const row of inTurns(await readLong(asked, ofGroups, behind))) {
      const { group_id: id, name, capacity: seats, month: at, count } = row
      counts.push({ group: { id, name, seats }, month: at, count })
    }
    return counts
  }
  const inMonth = (column: 'enrollment.enrolled_at' | 'enrollment.ended_at') =>
    counted(indexIn(column, ends), (enrollments) =>
      enrollments.where(column, '>=', span.start).where(column, '<', span.end),
    )
  const before = await counted(indexIn('enrollment.enrolled_at', [span.start]), (enrollments) =>
    enrollments
      .where('enrollment.enrolled_at', '<', span.start)
      .where((eb) => eb.or([eb('enrollment.ended_at', 'is', null), eb('enrollment.ended_at', '>=', span.start)])),
  )
  return { before, joined: await inMonth('enrollment.enrolled_at'), left: await inMonth('enrollment.ended_at') }
}

/** What happened in a group, or in all of them. */
interface Moves {
  group: Count['group']
  before: number
  joined: number[]
  left: number[]
}

const movesByGroup = async (
  counts: Awaited<ReturnType<typeof readMoves>>,
  months: number,
): Promise<ReadonlyMap<string, Moves>> => {
  const all = new Map<string, Moves>()
  const of = (group: Count['group']): Moves => {
    const id = group?.id ?? ''
    const known = all.get(id)
    if (known) return known
    const none = () => Array.from({ length: months }, () => 0)
    const moves = { group, before: 0, joined: none(), left: none() }
    all.set(id, moves)
    return moves
  }
  for await (const { group, count } of inTurns(counts.before)) of(group).before = count
  for await (const { group, month, count } of inTurns(counts.joined)) of(group).joined[month] = count
  for await (const { group, month, count } of inTurns(counts.left)) of(group).left[month] = count
  return all
}

/** @throws VALIDATION_ERROR */
export const readEnrollment = async (asked: Reading): Promise<EnrollmentReport> => {
  const { tenant, query } = asked
  const { by } = query
  const span = spanOf(query, asked, 11)
  const months = monthsOf(span, tenant.timezone)
  // A row of a group is of all the time.
  const shown = by === 'group' ? months.slice(-1) : months
  const counts = await readMoves(
    asked,
    span,
    shown.map(({ end }) => end),
  )
  const all = await movesByGroup(counts, shown.length)
  function* rows(): Generator<Row> {
    for (const { group, before, joined, left } of all.values()) {
      let enrolled = before
      for (const [index, { month }] of shown.entries()) {
        const [come, gone] = [joined[index] ?? 0, left[index] ?? 0]
        enrolled += come - gone
        if (come + gone + enrolled === 0) continue
        yield {
          month: by === 'group' ? null : month,
          groupId: group?.id ?? null,
          groupName: group?.name ?? null,
          joined: come,
          left: gone,
          enrolled,
          seats: group?.seats ?? null,
        }
      }
    }
  }
  const sumOf = (some: readonly Count[]) => some.reduce((sum, { count }) => sum + count, 0)
  const [before, joined, left] = [sumOf(counts.before), sumOf(counts.joined), sumOf(counts.left)]
  return {
    from: span.from,
    to: span.to,
    joined,
    left,
    enrolled: before + joined - left,
    ...(await pageOfRows(rows(), (row) => [row.month ?? '', row.groupName ?? '', row.groupId ?? ''], asked)),
  }
}
