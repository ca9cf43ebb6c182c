import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Columns } from '../../parts/columns.tsx'
import { Download } from '../../parts/download.tsx'
import { RowsTable, Totals, type Column } from '../../parts/figures.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Month = Schemas['PlatformMonth']
type Recurring = Schemas['RecurringRevenue']
/** The figures that open the list of those whom they count. */
type Counted = 'created' | 'archived' | 'cancelled' | 'locked'

const SPANS = ['6', '12', '24'] as const
const INSTITUTES = '/platform/institutes'

/** `/platform/figures`: how the vendor does, month by month. */
export const Screen = () => {
  const { platform, platformFigures: words } = useWords()
  const { filters, set } = useFilters(['months'])
  const months = SPANS.find((span) => span === filters.months) ?? '12'
  const figures = useGet(
    ['/platform/figures', months],
    (signal) => answer(api.GET('/platform/figures', { params: { query: { months: Number(months) } }, signal })),
    { keepsFormer: true },
  )
  return (
    <Page
      title={platform.nav.figures}
      about={words.about}
      actions={
        <>
          <Download path="/platform/figures" query={{ months }} />
          <Button icon="print" onPress={() => window.print()}>
            {words.print}
          </Button>
        </>
      }
    >
      <div className="filters">
        <Segments
          label={words.span}
          isLabelUnseen
          options={SPANS.map((id) => ({ id, label: words.months(Number(id)) }))}
          value={months}
          onChange={(id) => set('months', id)}
        />
      </div>
      <div className="report">
        <Loaded query={figures}>{({ data }) => <Figures months={data} />}</Loaded>
      </div>
    </Page>
  )
}

const Figures = ({ months }: { months: readonly Month[] }) => {
  const { platformFigures: words } = useWords()
  const format = useFormat()
  const [present] = months
  if (!present) return null
  // In a chart time goes on; in the table the present month is the first.
  const inTime = months.toReversed()
  const chart = (values: (month: Month) => readonly number[]) =>
    inTime.map((one) => ({
      id: one.month,
      // The table has the years: here they have no room.
      under: one.month.slice(5),
      values: values(one),
    }))
  const currencies = [...new Set(months.flatMap(({ totals }) => totals?.map(({ currency }) => currency) ?? []))]
  const known = (figure: number | null): string => (figure === null ? '–' : format.number(figure))
  const counted = (figure: Counted): Column<Month> => ({
    head: words[figure],
    cell: (month) =>
      month[figure] === 0 ? (
        format.number(0)
      ) : (
        <Link href={`${INSTITUTES}?${figure}In=${month.month}`}>{format.number(month[figure])}</Link>
      ),
  })
  return (
    <>
      <Totals
        figures={[
          { label: words.institutes, number: format.number(present.institutes), to: INSTITUTES },
          ...(present.students === null ? [] : [{ label: words.students, number: format.number(present.students) }]),
          ...(present.totals ?? []).map((sum) => ({
            label: currencies.length > 1 ? words.recurringIn(sum.currency) : words.recurring,
            number: format.money(sum),
          })),
        ]}
      />
      <div className="compared">
        <Chart title={words.institutes} series={[words.institutes]} items={chart(({ institutes }) => [institutes])} />
        <Chart
          title={words.comeAndGo}
          series={[words.created, words.cancelled]}
          items={chart(({ created, cancelled }) => [created, cancelled])}
        />
        {currencies.map((currency) => {
          const title = currencies.length > 1 ? words.recurringIn(currency) : words.recurring
          const sumOf = ({ totals }: Month) => totals?.find((sum) => sum.currency === currency)?.amountMinor ?? 0
          return <Chart key={currency} title={title} series={[title]} items={chart((month) => [sumOf(month)])} />
        })}
        <Chart title={words.students} series={[words.students]} items={chart(({ students }) => [students ?? 0])} />
      </div>
      <RowsTable
        label={words.byMonth}
        rows={months}
        keyOf={({ month }) => month}
        head={words.month}
        of={({ month }) => format.month(month)}
        columns={[
          { head: words.institutes, cell: ({ institutes }) => format.number(institutes) },
          ...(['created', 'cancelled', 'archived', 'locked'] as const).map(counted),
          { head: words.students, cell: ({ students }) => known(students) },
          {
            head: words.recurring,
            cell: ({ totals }) => (totals === null ? '–' : totals.map((sum) => format.money(sum)).join(' · ') || '–'),
          },
        ]}
      />
      <ByPlan rows={present.recurring ?? []} />
      <p className="soft below">{words.counted}</p>
    </>
  )
}

interface ChartProps {
  title: string
  series: readonly string[]
  items: readonly { id: string; under: string; values: readonly number[] }[]
}

/** A chart below its name; without anything to compare there is none. */
const Chart = ({ title, series, items }: ChartProps) =>
  items.some(({ values }) => values.some((value) => value > 0)) && (
    <Section title={title}>
      <Columns label={title} series={series} items={items} />
    </Section>
  )

/** What each plan brings now. */
const ByPlan = ({ rows }: { rows: readonly Recurring[] }) => {
  const { platformFigures: words } = useWords()
  const format = useFormat()
  if (rows.length === 0) return null
  return (
    <Section title={words.byPlan}>
      <RowsTable
        label={words.byPlan}
        rows={rows}
        keyOf={({ planId }) => planId}
        head={words.plan}
        of={({ planId, planName }) => <Link href={`/platform/plans/${planId}`}>{planName}</Link>}
        columns={[
          { head: words.subscriptions, cell: ({ subscriptions }) => format.number(subscriptions) },
          { head: words.recurring, cell: ({ amount }) => format.money(amount) },
        ]}
      />
    </Section>
  )
}
