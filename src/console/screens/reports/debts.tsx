import { Link } from 'wouter'
import { addDays } from '../../../shared/dates.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Columns } from '../../parts/columns.tsx'
import { RowsTable, Totals } from '../../parts/figures.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Report, SHOWN, useReportFilters } from './frame.tsx'

type Row = Schemas['DebtsReportRow']

const WAYS = ['payer', 'family'] as const
const AGES = ['notDue', 'upTo30', 'upTo60', 'upTo90', 'over90'] as const
/** What lowers no debt yet. */
const BESIDE = ['held', 'credit'] as const

const isAge = (name: string): name is (typeof AGES)[number] => (AGES as readonly string[]).includes(name)

/** Where the invoices behind a row are: with the payer, or with the student. */
const addressOf = ({ payerGuardianId, studentId, students }: Row): string => {
  if (payerGuardianId !== null) return `/guardians/${payerGuardianId}`
  return `/students/${studentId ?? students[0]?.studentId ?? ''}`
}

/** The account of who pays, or of the whole family. */
const accountOf = (row: Row, by: (typeof WAYS)[number]): string => {
  const account = `${addressOf(row)}/account?${new URLSearchParams({ currency: row.total.currency })}`
  return by === 'family' ? `${account}&scope=family` : account
}

/** The first and the last day on which the invoices of an age were due, in days ago; undefined: any before or after. */
const DUE = {
  notDue: [0, undefined],
  upTo30: [30, 1],
  upTo60: [60, 31],
  upTo90: [90, 61],
  over90: [undefined, 91],
} as const

/** The invoices of an age; undefined: of all. Also those that a held cheque keeps from being overdue. */
const listOf = (age: (typeof AGES)[number] | undefined, on: string): string => {
  const [from, to] = (age === undefined ? [] : DUE[age]).map((ago) =>
    ago === undefined ? undefined : addDays(on, -ago),
  )
  return `/invoices?${new URLSearchParams({ status: 'unpaid', ...(from && { from }), ...(to && { to }), sort: 'due' })}`
}

/** Whether somebody else pays than the student alone. */
const isOfOthers = ({ students, payerName }: Row): boolean =>
  students.length !== 1 || students[0]?.fullName !== payerName

export const Screen = () => {
  const { reporting: words } = useWords()
  const format = useFormat()
  const filters = useReportFilters(WAYS)
  const { by, query } = filters
  const { from: _from, to: _to, ...asked } = query
  const report = useGet(
    ['/reports', 'debts', asked],
    (signal) => answer(api.GET('/reports/debts', { params: { query: { ...asked, limit: SHOWN } }, signal })),
    { keepsFormer: true },
  )
  const { on } = report.data ?? {}
  // The invoices of a group alone stand in no list.
  const list = (name?: (typeof AGES)[number]) =>
    on === undefined || asked.groupId !== undefined ? undefined : listOf(name, on)
  const sum = (name: (typeof AGES)[number] | (typeof BESIDE)[number]) => ({
    head: words[name],
    cell: (row: Row) => {
      if (row[name].amountMinor === 0) return ''
      const [to, student] = [isAge(name) ? list(name) : undefined, row.students[0]]
      const amount = format.money(row[name])
      const isOfOne = to !== undefined && student !== undefined && row.students.length === 1
      if (isOfOne) return <Link href={`${to}&student=${student.studentId}`}>{amount}</Link>
      // No list is of the invoices of several: their account has them all.
      return asked.groupId === undefined ? <Link href={accountOf(row, by)}>{amount}</Link> : amount
    },
  })
  return (
    <Report
      title={words.debts}
      about={words.debtsAbout}
      path="/reports/debts"
      filters={{ ...filters, query: asked }}
      ways={WAYS.map((id) => ({ id, label: words[id] }))}
      report={report}
      empty={words.noDebts}
      hasTime={false}
    >
      {({ data, totals }) => (
        <>
          {totals.map((total) => (
            <Totals
              key={total.total.currency}
              figures={[
                { label: words.sum, number: format.money(total.total) },
                { label: words.invoices, number: format.number(total.invoices), to: list() },
                ...AGES.filter((name) => total[name].amountMinor > 0).map((name) => ({
                  label: words[name],
                  number: format.money(total[name]),
                  to: list(name),
                })),
                ...BESIDE.filter((name) => total[name].amountMinor > 0).map((name) => ({
                  label: words[name],
                  number: format.money(total[name]),
                })),
              ]}
            />
          ))}
          {totals[0] && (
            <Columns
              label={words.debts}
              isWorded
              series={[words.sum]}
              items={AGES.map((name) => ({
                id: name,
                under: `${words[name]} ${format.money((totals[0] as (typeof totals)[number])[name])}`,
                values: [(totals[0] as (typeof totals)[number])[name].amountMinor],
              }))}
            />
          )}
          <RowsTable
            label={words.debts}
            rows={data}
            keyOf={(row) =>
              `${row.total.currency} ${row.payerGuardianId} ${row.students.map((one) => one.studentId).join()}`
            }
            head={words[by]}
            of={(row) => (
              <>
                <Link href={by === 'family' ? accountOf(row, by) : addressOf(row)}>
                  <bdi>{row.payerName}</bdi>
                </Link>
                {isOfOthers(row) && (
                  <span className="about">{format.list(row.students.map(({ fullName }) => fullName))}</span>
                )}
              </>
            )}
            columns={[
              { head: words.sum, cell: (row) => <b>{format.money(row.total)}</b> },
              ...[...AGES, ...BESIDE].map(sum),
            ]}
          />
        </>
      )}
    </Report>
  )
}
