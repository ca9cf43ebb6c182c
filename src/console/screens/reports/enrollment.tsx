import { Link } from 'wouter'
import { lastOfMonth } from '../../../shared/dates.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Columns } from '../../parts/columns.tsx'
import { type Column, RowsTable, Totals } from '../../parts/figures.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Report, SHOWN, useReportFilters } from './frame.tsx'

type Row = Schemas['EnrollmentReportRow']
type Move = 'joined' | 'left' | 'enrolled'

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
  const { from = '', to = '' } = report.data ?? {}
  /** Who is behind a figure of a row, or of the whole report. */
  const listOf = (what: Move, row?: Row): string => {
    const [first, last] = row?.month ? [`${row.month}-01`, lastOfMonth(`${row.month}-01`)] : [from, to]
    const said = {
      what,
      from: first < from ? from : first,
      to: last > to ? to : last,
      ...((row?.groupId ?? query.groupId) && { group: row?.groupId ?? query.groupId ?? '' }),
    }
    return `/reports/enrollment/moves?${new URLSearchParams(said)}`
  }
  const move = (head: string, what: Move): Column<Row> => ({
    head,
    cell: (row) =>
      row[what] === 0 ? format.number(0) : <Link href={listOf(what, row)}>{format.number(row[what])}</Link>,
  })
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
              { label: words.enrolledAfter, number: format.number(total.enrolled), to: listOf('enrolled') },
              { label: words.joined, number: format.number(total.joined), to: listOf('joined') },
              { label: words.left, number: format.number(total.left), to: listOf('left') },
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
              move(words.joined, 'joined'),
              move(words.left, 'left'),
              move(words.enrolled, 'enrolled'),
              ...(by === 'month' ? [] : [seats]),
            ]}
          />
        </>
      )}
    </Report>
  )
}
