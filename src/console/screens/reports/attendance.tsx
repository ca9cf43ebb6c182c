import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Columns } from '../../parts/columns.tsx'
import { RowsTable, Totals } from '../../parts/figures.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Report, SHOWN, useReportFilters } from './frame.tsx'

type Row = Schemas['AttendanceReportRow']

const WAYS = ['group', 'student', 'weekday', 'month'] as const

/** How many fit beside each other. */
const MOST_COLUMNS = 12

export const Screen = () => {
  const { reporting: words } = useWords()
  const format = useFormat()
  const filters = useReportFilters(WAYS)
  const { by, query } = filters
  const report = useGet(
    ['/reports', 'attendance', query],
    (signal) => answer(api.GET('/reports/attendance', { params: { query: { ...query, limit: SHOWN } }, signal })),
    { keepsFormer: true },
  )
  const rate = (value: number | null): string => (value === null ? '–' : format.percent(value / 100))
  const nameOf = ({ studentName, groupName, weekday, month }: Row): string =>
    studentName ?? groupName ?? (weekday === null ? format.month(month ?? '') : format.longWeekday(weekday))
  const keyOf = ({ studentId, groupId, weekday, month }: Row) => studentId ?? groupId ?? month ?? weekday ?? ''
  return (
    <Report
      title={words.attendance}
      about={words.attendanceAbout}
      path="/reports/attendance"
      filters={filters}
      ways={WAYS.map((id) => ({ id, label: words[id] }))}
      report={report}
      empty={words.nothing}
    >
      {({ data, ...total }) => (
        <>
          <Totals
            figures={[
              { label: words.rate, number: rate(total.rate) },
              { label: words.lessons, number: format.number(total.lessons) },
              { label: words.absent, number: format.number(total.absent) },
              { label: words.late, number: format.number(total.late) },
            ]}
          />
          {by !== 'student' && data.length <= MOST_COLUMNS && (
            <Columns
              label={words.rate}
              isWorded
              series={[words.rate]}
              items={data.map((row) => ({
                id: String(keyOf(row)),
                under: `${row.weekday === null ? nameOf(row) : format.shortWeekday(row.weekday)} ${rate(row.rate)}`,
                values: [row.rate ?? 0],
              }))}
            />
          )}
          <RowsTable
            label={words.attendance}
            rows={data}
            keyOf={keyOf}
            head={words[by]}
            of={(row) =>
              row.studentId !== null ? (
                <Link href={`/students/${row.studentId}`}>{nameOf(row)}</Link>
              ) : row.groupId !== null ? (
                <Link href={`/groups/${row.groupId}`}>{nameOf(row)}</Link>
              ) : (
                nameOf(row)
              )
            }
            columns={[
              { head: words.rate, cell: (row) => rate(row.rate) },
              { head: words.lessons, cell: (row) => format.number(row.lessons) },
              { head: words.present, cell: (row) => format.number(row.present) },
              { head: words.absent, cell: (row) => format.number(row.absent) },
              { head: words.late, cell: (row) => format.number(row.late) },
              { head: words.excused, cell: (row) => format.number(row.excused) },
            ]}
          />
        </>
      )}
    </Report>
  )
}
