import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Columns } from '../../parts/columns.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Report, RowsTable, SHOWN, Totals, useReportFilters, type Column } from './frame.tsx'

type Row = Schemas['EnrollmentReportRow']

const WAYS = ['month', 'group', 'month_group'] as const

export const Screen = () => {
  const { reporting: words } = useWords()
  const format = useFormat()
  const filters = useReportFilters(WAYS)
  const { by, query } = filters
  const report = useGet(
    ['/reports', 'enrollment', query],
    (signal) => answer(api.GET('/reports/enrollment', { params: { query: { ...query, limit: SHOWN } }, signal })),
    { keepsFormer: true },
  )
  const labels = { month: words.month, group: words.group, month_group: words.monthAndGroup }
  const groupOf = ({ groupId, groupName }: Row) => <Link href={`/groups/${groupId}`}>{groupName}</Link>
  const group: Column<Row> = { head: words.group, cell: groupOf }
  const seats: Column<Row> = {
    head: words.seats,
    cell: (row) => (row.seats === null ? '–' : format.number(row.seats)),
  }
  return (
    <Report
      title={words.enrollment}
      about={words.enrollmentAbout}
      path="/reports/enrollment"
      filters={filters}
      ways={WAYS.map((id) => ({ id, label: labels[id] }))}
      report={report}
      empty={words.nothing}
    >
      {({ data, ...total }) => (
        <>
          <Totals
            figures={[
              { label: words.enrolledAfter, number: format.number(total.enrolled) },
              { label: words.joined, number: format.number(total.joined) },
              { label: words.left, number: format.number(total.left) },
            ]}
          />
          {by === 'month' && (
            <Columns
              label={words.enrollment}
              series={[words.joined, words.left]}
              items={data.map((row) => ({
                id: row.month ?? '',
                under: `${row.month?.slice(5)}/${row.month?.slice(2, 4)}`,
                values: [row.joined, row.left],
              }))}
            />
          )}
          <RowsTable
            label={words.enrollment}
            rows={data}
            keyOf={({ month, groupId }) => `${month} ${groupId}`}
            head={by === 'group' ? words.group : words.month}
            of={(row) => (row.month === null ? groupOf(row) : format.month(row.month))}
            columns={[
              ...(by === 'month_group' ? [group] : []),
              { head: words.joined, cell: (row) => format.number(row.joined) },
              { head: words.left, cell: (row) => format.number(row.left) },
              { head: words.enrolled, cell: (row) => format.number(row.enrolled) },
              ...(by === 'month' ? [] : [seats]),
            ]}
          />
        </>
      )}
    </Report>
  )
}
