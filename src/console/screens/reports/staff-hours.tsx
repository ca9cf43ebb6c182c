import { Link } from 'wouter'
import { lastOfMonth } from '../../../shared/dates.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { RowsTable, Totals } from '../../parts/figures.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Report, SHOWN, useReportFilters } from './frame.tsx'

const WAYS = ['teacher'] as const

const MINUTES = 60

export const Screen = () => {
  const { reporting: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const filters = useReportFilters(WAYS)
  const { by: _by, ...query } = filters.query
  const report = useGet(
    ['/reports', 'staff-hours', query],
    (signal) => answer(api.GET('/reports/staff-hours', { params: { query: { ...query, limit: SHOWN } }, signal })),
    { keepsFormer: true },
  )
  /** The lessons of a teacher in a month; those that nobody is named for have no list of their own. */
  const lessonsOf = ({ month, teacherStaffId }: Schemas['StaffHoursRow']): string | undefined => {
    if (teacherStaffId === null || !report.data || !can('groups.read')) return undefined
    const { from, to } = report.data
    const [first, last] = [`${month}-01`, lastOfMonth(`${month}-01`)]
    return `/reports/staff-hours/lessons?${new URLSearchParams({
      teacher: teacherStaffId,
      from: first < from ? from : first,
      to: last > to ? to : last,
      ...(query.groupId !== undefined && { group: query.groupId }),
    })}`
  }
  /** 12:45, as hours are written where they are paid. */
  const hours = (minutes: number): string =>
    `${format.number(Math.floor(minutes / MINUTES))}:${String(minutes % MINUTES).padStart(2, '0')}`
  return (
    <Report
      title={words.hours}
      about={words.hoursAbout}
      path="/reports/staff-hours"
      filters={{ ...filters, query }}
      ways={[]}
      report={report}
      empty={words.nothing}
    >
      {({ data, lessons, minutes }) => (
        <>
          <Totals
            figures={[
              { label: words.hoursCount, number: hours(minutes) },
              { label: words.lessons, number: format.number(lessons) },
            ]}
          />
          <RowsTable
            label={words.hours}
            rows={data}
            keyOf={({ month, teacherStaffId }) => `${month} ${teacherStaffId}`}
            head={words.teacher}
            of={({ teacherName }) => teacherName ?? words.nobody}
            columns={[
              { head: words.month, cell: ({ month }) => format.month(month) },
              {
                head: words.lessons,
                cell: (row) => {
                  const [to, count] = [lessonsOf(row), format.number(row.lessons)]
                  return to === undefined ? count : <Link href={to}>{count}</Link>
                },
              },
              { head: words.hoursCount, cell: (row) => hours(row.minutes) },
            ]}
          />
        </>
      )}
    </Report>
  )
}
