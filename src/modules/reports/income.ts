import { CURRENCIES, money, type Currency } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import { readSums, type Sum } from './income-queries.ts'
import { branchNames, courseNames, groupNames } from './names.ts'
import { monthsOf, pageOfRows, spanOf, type Asked } from './span.ts'
import type { IncomeReport, IncomeReportQuery } from './schemas.ts'

/** What a row of the report is about, besides its month and currency. */
const partOf = (by: IncomeReportQuery['by'], sum: Sum): string | null => {
  switch (by) {
    case 'branch':
      return sum.branch_id
    case 'course':
      return sum.course_id
    case 'method':
      return sum.method
    default:
      return null
  }
}

const OF_NOTHING = { branchId: null, branchName: null, courseId: null, courseName: null, method: null }

const figures = (sums: readonly Sum[], currency: Currency) => {
  const of = (figure: Sum['figure']) =>
    money(exactSum(sums.filter((sum) => sum.figure === figure).map(({ amount }) => amount)), currency)
  return { billed: of('billed'), credited: of('credited'), collected: of('collected') }
}

/** Whether the caller reaches the branch, the group and the course of which the report is to be. */
const isReached = async ({ db, query }: Asked & { query: IncomeReportQuery }): Promise<boolean> => {
  const { branchId = null, groupId = null, courseId = null } = query
  const names = [
    (await branchNames(db, [branchId]))(branchId),
    (await groupNames(db, [groupId]))(groupId),
    (await courseNames(db, [courseId]))(courseId),
  ]
  return !names.includes('')
}

/** @throws SumTooLarge, VALIDATION_ERROR */
export const readIncome = async (asked: Asked & { query: IncomeReportQuery }): Promise<IncomeReport> => {
  const { whole, tenant, query } = asked
  const { by } = query
  const span = spanOf(query, asked, 11)
  const months = monthsOf(span, tenant.timezone)
  const sums = await readSums(asked, span, {
    days: months.map(({ next }) => next),
    instants: months.map(({ end }) => end),
  })
  const order = [tenant.currency, ...CURRENCIES.filter((one) => one !== tenant.currency)]
  const branches = await branchNames(whole, by === 'branch' ? sums.map((sum) => sum.branch_id) : [])
  const courses = await courseNames(whole, by === 'course' ? sums.map((sum) => sum.course_id) : [])
  const rows = [...Map.groupBy(sums, (sum) => `${sum.currency} ${sum.month} ${partOf(by, sum) ?? ''}`)].map(
    ([key, some]) => {
      const [first] = some as [Sum, ...Sum[]]
      const part = partOf(by, first)
      return {
        key,
        row: {
          month: months[first.month]?.month ?? '',
          branchId: by === 'branch' ? part : null,
          branchName: by === 'branch' ? branches(part) : null,
          courseId: by === 'course' ? part : null,
          courseName: by === 'course' ? courses(part) : null,
          method: by === 'method' ? (part as IncomeReport['data'][number]['method']) : null,
          ...figures(some, first.currency),
        },
      }
    },
  )
  // A month in which nothing happened is told, too: without it the others would seem to follow each other.
  const hasAllMonths = by === 'month' && (await isReached(asked))
  for (const [index, { month }] of hasAllMonths ? months.entries() : []) {
    const key = `${tenant.currency} ${index} `
    if (rows.some((row) => row.key === key)) continue
    rows.push({ key, row: { ...OF_NOTHING, month, ...figures([], tenant.currency) } })
  }
  const page = await pageOfRows(
    rows,
    ({ key, row }) => [
      order.indexOf(row.billed.currency),
      row.month,
      row.branchName ?? row.courseName ?? row.method ?? '',
      key,
    ],
    asked,
  )
  return {
    from: span.from,
    to: span.to,
    totals: order.flatMap((currency) => {
      const some = sums.filter((sum) => sum.currency === currency)
      return some.length === 0 && currency !== tenant.currency ? [] : [figures(some, currency)]
    }),
    data: page.data.map(({ row }) => row),
    nextCursor: page.nextCursor,
  }
}
