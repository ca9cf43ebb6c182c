import { Link } from 'wouter'
import { dayOf } from '../../../shared/typed.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Move = Schemas['EnrollmentMovesRow']

const FIGURES = ['joined', 'left', 'enrolled'] as const

/** `/reports/enrollment/moves`: who is behind a figure of the report about enrollment. */
export const Screen = () => {
  const { reporting: words } = useWords()
  const format = useFormat()
  const { can, branchId } = useMe()
  const { filters } = useFilters(['what', 'from', 'to', 'group'])
  const what = FIGURES.find((one) => one === filters.what) ?? 'joined'
  const from = dayOf(filters.from) || format.today()
  const to = dayOf(filters.to) || from
  const query = {
    what,
    from,
    to,
    ...(filters.group && { groupId: filters.group }),
    ...(branchId !== null && { branchId }),
  }
  const moves = usePages<Move>(['/reports', 'enrollment', 'moves', query], (cursor, signal) =>
    answer(
      api.GET('/reports/enrollment/moves', {
        params: { query: { ...query, limit: 100, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  const titles = { joined: words.joined, left: words.left, enrolled: words.enrolledAfter }
  const row = ({ studentName, groupName, enrolledAt, endedAt }: Move) => (
    <span className="grow">
      <bdi className="name">{studentName}</bdi>
      <span className="about">
        <Dotted>
          <bdi>{groupName}</bdi>
          {words.since(format.date(format.dateOf(enrolledAt)))}
          {endedAt !== null && words.until(format.date(format.dateOf(endedAt)))}
        </Dotted>
      </span>
    </span>
  )
  return (
    <>
      <Back to="/reports/enrollment" label={words.enrollment} />
      <Page
        title={titles[what]}
        about={
          <Dotted>
            {filters.group !== undefined && moves.rows?.[0] && <bdi>{moves.rows[0].groupName}</bdi>}
            {format.range(from, to)}
          </Dotted>
        }
        actions={<Download path="/reports/enrollment/moves" query={query} />}
      >
        <Rows
          pages={moves}
          label={titles[what]}
          keyOf={({ enrollmentId }) => enrollmentId}
          empty={<p>{words.nothing}</p>}
        >
          {(move) =>
            can('students.read') ? (
              <Link href={`/students/${move.studentId}`} className="row">
                {row(move)}
              </Link>
            ) : (
              <div className="row">{row(move)}</div>
            )
          }
        </Rows>
      </Page>
    </>
  )
}
