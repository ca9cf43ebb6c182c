import { setImmediate as nextTurn } from 'node:timers/promises'
import { inTurns } from '#kernel/basics/turns.ts'
import { addDays, localDate } from '#kernel/time/zone.ts'
import { CURRENCIES, money, type Currency } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import { OPEN } from '#modules/billing/index.ts'
import { besideAll, besideFamilies, besidePayers, type Beside } from './beside-debts.ts'
import { openInvoices } from './open-invoices.ts'
import { guardianNames, studentNames } from './names.ts'
import { pageOfRows, readLong, type Asked } from './span.ts'
import type { DebtsReport, DebtsReportQuery } from './schemas.ts'

/** How old a debt is: not due, then by the days since it was. */
const AGES = ['notDue', 'upTo30', 'upTo60', 'upTo90', 'over90'] as const
type Ages = Record<(typeof AGES)[number], number>

type Reading = Asked & { query: DebtsReportQuery }

const behind = ({ whole }: Pick<Asked, 'whole'>) =>
  whole.selectFrom('invoice').select('invoice.id').where('invoice.status', 'in', OPEN)

/** Open invoices with their sums, to be grouped. */
const debtsOf = ({ db, tenant, now, query }: Reading) => {
  const today = localDate(now, tenant.timezone)
  const [month, two, three] = [30, 60, 90].map((days) => addDays(today, -days)) as [string, string, string]
  return openInvoices(db, query).select((eb) => {
    const balance = eb('invoice.total_minor', '-', eb.ref('invoice.paid_minor'))
    const sum = (from: string | undefined, before: string | undefined) => {
      const conditions = [
        ...(from === undefined ? [] : [eb('invoice.due_date', '>=', from)]),
        ...(before === undefined ? [] : [eb('invoice.due_date', '<', before)]),
      ]
      return eb.fn.coalesce(eb.fn.sum<number>(balance).filterWhere(eb.and(conditions)), eb.lit<number>(0))
    }
    return [
      'invoice.currency',
      eb.fn.countAll<number>().as('invoices'),
      eb.fn.sum<number>(balance).as('total'),
      sum(today, undefined).as('notDue'),
      sum(month, today).as('upTo30'),
      sum(two, month).as('upTo60'),
      sum(three, two).as('upTo90'),
      sum(undefined, three).as('over90'),
    ]
  })
}

interface Sums extends Ages {
  invoices: number
  total: number
}

const shown = (sums: Sums & Beside, currency: Currency) => ({
  invoices: sums.invoices,
  total: money(sums.total, currency),
  notDue: money(sums.notDue, currency),
  upTo30: money(sums.upTo30, currency),
  upTo60: money(sums.upTo60, currency),
  upTo90: money(sums.upTo90, currency),
  over90: money(sums.over90, currency),
  held: money(sums.held, currency),
  credit: money(sums.credit, currency),
})

/** The currencies in the order of the report: the institute’s first. */
const orderOf = ({ tenant }: Asked): Currency[] => [
  tenant.currency,
  ...CURRENCIES.filter((one) => one !== tenant.currency),
]

/** What the invoices of one student owe that one payer pays, in one currency. */
type Debt = Sums & { currency: Currency; student_id: string; payer_guardian_id: string | null }

const readDebtsOf = (asked: Reading): Promise<Debt[]> =>
  readLong(
    asked,
    debtsOf(asked)
      .select(['invoice.student_id', 'invoice.payer_guardian_id'])
      .groupBy(['invoice.student_id', 'invoice.payer_guardian_id', 'invoice.currency']),
    behind(asked),
  )

const NONE: Sums = { invoices: 0, total: 0, notDue: 0, upTo30: 0, upTo60: 0, upTo90: 0, over90: 0 }

const addTo = (sums: Sums, debt: Sums): void => {
  for (const figure of Object.keys(NONE) as (keyof Sums)[]) sums[figure] = exactSum([sums[figure], debt[figure]])
}

/** What one row is of, before it has names. */
interface Debtor {
  key: string
  currency: Currency
  sums: Sums
  payerIds: Set<string>
  /** Who pays for themselves. */
  ownIds: Set<string>
  studentIds: Set<string>
}

/** By who is named `nameOf` a debt, and by currency. @throws SumTooLarge */
const gather = async (debts: readonly Debt[], nameOf: (debt: Debt) => string) => {
  const debtors = new Map<string, Debtor>()
  const totals = new Map<Currency, Sums>()
  for await (const debt of inTurns(debts)) {
    const { currency, student_id: studentId, payer_guardian_id: payerId } = debt
    const key = `${currency} ${nameOf(debt)}`
    const debtor: Debtor = debtors.get(key) ?? {
      key,
      currency,
      sums: { ...NONE },
      payerIds: new Set(),
      ownIds: new Set(),
      studentIds: new Set(),
    }
    debtors.set(key, debtor)
    addTo(debtor.sums, debt)
    debtor.studentIds.add(studentId)
    if (payerId === null) debtor.ownIds.add(studentId)
    else debtor.payerIds.add(payerId)
    const total = totals.get(currency) ?? { ...NONE }
    totals.set(currency, total)
    addTo(total, debt)
  }
  return { debtors, totals }
}

const AT_ONCE = 500

/** Who belongs to whom: students and guardians with one name for all of a family. */
const familiesOf = async ({ whole }: Asked, debts: readonly Debt[]) => {
  const parents = new Map<string, string>()
  const rootOf = (id: string): string => {
    let root = id
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) root = next
    return root
  }
  const join = (one: string, other: string): void => {
    const [first, second] = [rootOf(one), rootOf(other)].toSorted() as [string, string]
    if (first !== second) parents.set(second, first)
  }
  for await (const { student_id: studentId, payer_guardian_id: guardianId } of inTurns(debts)) {
    if (guardianId !== null) join(studentId, guardianId)
  }
  const students = [...new Set(debts.map((row) => row.student_id))]
  for (let start = 0; start < students.length; start += AT_ONCE) {
    const links = await whole
      .selectFrom('guardian_link')
      .select(['student_id', 'guardian_id'])
      .where('student_id', 'in', students.slice(start, start + AT_ONCE))
      .execute()
    for (const link of links) join(link.student_id, link.guardian_id)
    await nextTurn()
  }
  return rootOf
}

/** What stands beside one row, and beside all of a currency. */
interface BesideDebts {
  ofRow: (debtor: Debtor) => Beside
  ofAll: (currency: Currency) => Beside
}

const besideOfPayers = async (asked: Reading, page: readonly Debtor[]): Promise<BesideDebts> => {
  const ofKey = await besidePayers(asked, {
    guardianIds: page.flatMap(({ payerIds }) => [...payerIds]),
    studentIds: page.flatMap(({ ownIds }) => [...ownIds]),
  })
  return { ofRow: ({ key }) => ofKey(key), ofAll: await besideAll(asked) }
}

const besideOfFamilies = async (
  asked: Reading,
  debtors: ReadonlyMap<string, Debtor>,
  familyOf: (id: string) => string,
): Promise<BesideDebts> => {
  const ofKey = await besideFamilies(asked, familyOf)
  const totals = new Map<Currency, Beside>()
  for await (const { key, currency } of inTurns(debtors.values())) {
    const [one, sum] = [ofKey(key), totals.get(currency)]
    totals.set(currency, {
      held: exactSum([one.held, sum?.held ?? 0]),
      credit: exactSum([one.credit, sum?.credit ?? 0]),
    })
  }
  return { ofRow: ({ key }) => ofKey(key), ofAll: (currency) => totals.get(currency) ?? { held: 0, credit: 0 } }
}

/** @throws SumTooLarge */
export const readDebts = async (asked: Reading): Promise<DebtsReport> => {
  const { whole, tenant, now, query } = asked
  const debts = await readDebtsOf(asked)
  const familyOf = query.by === 'family' ? await familiesOf(asked, debts) : undefined
  const { debtors, totals } = await gather(debts, (debt) =>
    familyOf ? familyOf(debt.student_id) : (debt.payer_guardian_id ?? debt.student_id),
  )
  const order = orderOf(asked)
  const page = await pageOfRows(
    debtors.values(),
    ({ key, currency, sums }) => [order.indexOf(currency), -sums.total, key],
    asked,
  )
  const beside = familyOf ? await besideOfFamilies(asked, debtors, familyOf) : await besideOfPayers(asked, page.data)
  const guardians = await guardianNames(
    whole,
    page.data.flatMap(({ payerIds }) => [...payerIds]),
  )
  const students = await studentNames(
    whole,
    page.data.flatMap(({ studentIds }) => [...studentIds]),
  )
  return {
    on: localDate(now, tenant.timezone),
    totals: order.flatMap((currency) => {
      const sums = totals.get(currency)
      return sums || currency === tenant.currency
        ? [shown({ ...(sums ?? NONE), ...beside.ofAll(currency) }, currency)]
        : []
    }),
    data: page.data.map((debtor) => {
      const [payerIds, ownIds, studentIds] = [debtor.payerIds, debtor.ownIds, debtor.studentIds].map((ids) =>
        [...ids].toSorted(),
      ) as [string[], string[], string[]]
      return {
        payerName: [...payerIds.map(guardians), ...ownIds.map(students)]
          .map((name) => name ?? '')
          .toSorted()
          .join(', '),
        payerGuardianId: payerIds.length === 1 && ownIds.length === 0 ? (payerIds[0] as string) : null,
        studentId: studentIds.length === 1 ? (studentIds[0] as string) : null,
        students: studentIds.map((studentId) => ({ studentId, fullName: students(studentId) ?? '' })),
        ...shown({ ...debtor.sums, ...beside.ofRow(debtor) }, debtor.currency),
      }
    }),
    nextCursor: page.nextCursor,
  }
}
