import { Link } from 'wouter'
import { lastOfMonth } from '../../../shared/dates.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Columns } from '../../parts/columns.tsx'
import { RowsTable, Totals } from '../../parts/figures.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Report, SHOWN, useReportFilters } from './frame.tsx'

type Row = Schemas['IncomeReportRow']

const WAYS = ['month', 'branch', 'course', 'method'] as const

export const Screen = () => {
  const { reporting: words, payment } = useWords()
  const format = useFormat()
  const filters = useReportFilters(WAYS)
  const { by, query } = filters
  const report = useGet(
    ['/reports', 'income', query],
    (signal) => answer(api.GET('/reports/income', { params: { query: { ...query, limit: SHOWN } }, signal })),
    { keepsFormer: true },
  )
  const { from = '', to = '' } = report.data ?? {}
  /** The days of a row's month that lie within the report. */
  const daysOf = ({ month }: Row) => {
    const [first, last] = [`${month}-01`, lastOfMonth(`${month}-01`)]
    return [first < from ? from : first, last > to ? to : last] as const
  }
  /** The list of what is behind a sum of a row; undefined: no list has it alone. */
  const listOf = (figure: 'billed' | 'credited' | 'collected', row: Row): string | undefined => {
    if (row[figure].amountMinor === 0) return undefined
    // What is of several courses, or of none, has no name to be listed by.
    if (by === 'course' && row.courseId === null) return undefined
    const [first, last] = daysOf(row)
    const of = {
      branch: by === 'branch' ? row.branchId : null,
      course: row.courseId,
      group: query.groupId ?? null,
      method: row.method,
    }
    const days = figure === 'billed' ? { issuedFrom: first, issuedTo: last } : { from: first, to: last }
    const said = Object.entries({ ...of, ...days }).filter((entry): entry is [string, string] => entry[1] !== null)
    const path = { billed: '/invoices', credited: '/credit-notes', collected: '/reports/income/collected' }[figure]
    if (figure === 'collected') said.push(['currency', row.collected.currency])
    return `${path}?${new URLSearchParams(said)}`
  }
  /** What is behind what was collected in all of the report. */
  const ledgerOf = (currency: string): string => {
    const said = { from, to, currency, ...(query.groupId && { group: query.groupId }) }
    return `/reports/income/collected?${new URLSearchParams(said)}`
  }
  const sum = (figure: 'billed' | 'credited' | 'collected') => ({
    head: words[figure],
    cell: (row: Row) => {
      const [list, amount] = [listOf(figure, row), format.money(row[figure])]
      return list === undefined ? amount : <Link href={list}>{amount}</Link>
    },
  })
  const nameOf = ({ branchName, courseName, method }: Row): string => {
    if (by === 'branch') return branchName ?? ''
    if (by === 'course') return courseName ?? words.several
    return method === null ? words.notByMethod : payment.methods[method]
  }
  return (
    <Report
      title={words.income}
      about={words.incomeAbout}
      path="/reports/income"
      filters={filters}
      ways={WAYS.map((id) => ({ id, label: words[id] }))}
      report={report}
      empty={words.nothing}
    >
      {({ data, totals }) => (
        <>
          {totals.map(({ billed, credited, collected }) => (
            <Totals
              key={billed.currency}
              figures={[
                { label: words.billed, number: format.money(billed) },
                { label: words.credited, number: format.money(credited) },
                {
                  label: words.collected,
                  number: format.money(collected),
                  to: ledgerOf(collected.currency),
                },
              ]}
            />
          ))}
          {by === 'month' && (
            <Columns
              label={words.income}
              series={[words.billed, words.collected]}
              items={data
                .filter((row) => row.billed.currency === totals[0]?.billed.currency)
                .map((row) => ({
                  id: row.month,
                  under: `${row.month.slice(5)}/${row.month.slice(2, 4)}`,
                  values: [row.billed.amountMinor, row.collected.amountMinor],
                }))}
            />
          )}
          <RowsTable
            label={words.income}
            rows={data}
            keyOf={(row) => `${row.month} ${row.billed.currency} ${row.branchId} ${row.courseId} ${row.method}`}
            head={words.month}
            of={(row) => format.month(row.month)}
            columns={[
              ...(by === 'month' ? [] : [{ head: words[by], cell: nameOf }]),
              ...(['billed', 'credited', 'collected'] as const).map(sum),
            ]}
          />
        </>
      )}
    </Report>
  )
}
