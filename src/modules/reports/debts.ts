import { setImmediate as nextTurn } from 'node:timers/promises'
import { expressionBuilder } from 'kysely'
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

const readTotals = async (asked: Reading, besideOf: DebtorPage['besideOf']) => {
  const sums = await readLong(asked, debtsOf(asked).groupBy('invoice.currency'), behind(asked))
  const none: Sums = { invoices: 0, total: 0, notDue: 0, upTo30: 0, upTo60: 0, upTo90: 0, over90: 0 }
  return orderOf(asked).flatMap((currency) => {
    const own = sums.find((one) => one.currency === currency)
    return own || currency === asked.tenant.currency
      ? [shown({ ...(own ?? none), ...besideOf(currency) }, currency)]
      : []
  })
}

/** What one row is of, before it has names. */
interface Debtor extends Sums, Beside {
  currency: Currency
  payerIds: string[]
  /** Who pays for themselves. */
  ownIds: string[]
  studentIds: string[]
}

interface DebtorPage {
  debtors: Debtor[]
  /** What stands beside all rows of a currency. */
  besideOf: (currency: Currency) => Beside
  nextCursor: string | null
}

// oxlint-disable-next-line typescript/no-explicit-any -- the columns of a query within
const built = expressionBuilder<any, any>()

/** The payers of a page: the database adds up, sorts and cuts, for there may be very many. */
const readPayers = async (asked: Reading): Promise<DebtorPage> => {
  const { db, cursors, query } = asked
  const grouped = debtsOf(asked)
    .select((eb) => [
      'invoice.payer_guardian_id',
      eb.case().when('invoice.payer_guardian_id', 'is', null).then(eb.ref('invoice.student_id')).end().as('own_id'),
    ])
    .groupBy(['invoice.payer_guardian_id', 'own_id', 'invoice.currency'])
  const key = built.fn.coalesce(
    built.cast<string>('debt.payer_guardian_id', 'text'),
    built.cast<string>('debt.own_id', 'text'),
  )
  const order = orderOf(asked)
  let rank = built.case().when(built.lit(false)).then(built.lit<number>(-1))
  for (const [index, currency] of order.entries()) {
    rank = rank.when('debt.currency', '=', currency).then(built.lit<number>(index))
  }
  const place = rank.else(built.lit<number>(order.length)).end()
  let page = db
    .selectFrom(grouped.as('debt'))
    .selectAll('debt')
    .select([key.as('key'), place.as('place')] as never[])
    .orderBy(place as never)
    .orderBy('debt.total', 'desc')
    .orderBy(key as never)
    .limit(query.limit + 1)
  if (query.cursor !== undefined) {
    const [at, total, id] = cursors.decode(query.cursor) as [number, number, string]
    page = page.where(
      built.or([
        built(place, '>', at),
        built.and([
          built(place, '=', at),
          built.or([
            built('debt.total', '<', total),
            built.and([built('debt.total', '=', total), built(key, '>', id)]),
          ]),
        ]),
      ]) as never,
    )
  }
  type Row = Sums & {
    currency: Currency
    payer_guardian_id: string | null
    own_id: string | null
    key: string
    place: number
  }
  const found = (await readLong(asked, page as never, behind(asked))) as unknown as Row[]
  const rows = found.slice(0, query.limit)
  const last = found.length > query.limit ? rows.at(-1) : undefined
  const payerIds = rows.flatMap((row) => (row.payer_guardian_id === null ? [] : [row.payer_guardian_id]))
  const children =
    payerIds.length === 0
      ? []
      : await readLong(
          asked,
          openInvoices(db, query)
            .select(['invoice.payer_guardian_id', 'invoice.student_id', 'invoice.currency'])
            .distinct()
            .where('invoice.payer_guardian_id', 'in', payerIds),
          behind(asked),
        )
  const beside = await besidePayers(asked, {
    guardianIds: payerIds,
    studentIds: rows.flatMap((row) => row.own_id ?? []),
  })
  return {
    besideOf: await besideAll(asked),
    debtors: rows.map((row) => ({
      ...row,
      ...beside(row.currency, row.key),
      payerIds: row.payer_guardian_id === null ? [] : [row.payer_guardian_id],
      ownIds: row.own_id === null ? [] : [row.own_id],
      studentIds:
        row.own_id === null
          ? distinct(
              children
                .filter((one) => one.payer_guardian_id === row.payer_guardian_id && one.currency === row.currency)
                .map((one) => one.student_id),
            )
          : [row.own_id],
    })),
    nextCursor: last ? cursors.encode([last.place, last.total, last.key]) : null,
  }
}

const distinct = (ids: readonly (string | null)[]): string[] =>
  [...new Set(ids)].filter((id): id is string => id !== null).toSorted()

const AT_ONCE = 500

interface Tie {
  student_id: string
  payer_guardian_id: string | null
}

/** Who belongs to whom: students and guardians with one name for all of a family. */
const familiesOf = async ({ whole }: Asked, debts: readonly Tie[]) => {
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

const added = (sums: readonly Sums[]): Sums => {
  const of = (name: keyof Sums) => exactSum(sums.map((one) => one[name]))
  return {
    invoices: of('invoices'),
    total: of('total'),
    notDue: of('notDue'),
    upTo30: of('upTo30'),
    upTo60: of('upTo60'),
    upTo90: of('upTo90'),
    over90: of('over90'),
  }
}

const readFamilies = async (asked: Reading): Promise<DebtorPage> => {
  const debts = await readLong(
    asked,
    debtsOf(asked)
      .select(['invoice.student_id', 'invoice.payer_guardian_id'])
      .groupBy(['invoice.student_id', 'invoice.payer_guardian_id', 'invoice.currency']),
    behind(asked),
  )
  const familyOf = await familiesOf(asked, debts)
  const order = orderOf(asked)
  const families = new Map<string, { key: string; currency: Currency; some: typeof debts; total: number }>()
  for await (const debt of inTurns(debts)) {
    const { currency, total } = debt
    const key = `${currency} ${familyOf(debt.student_id)}`
    const family = families.get(key)
    if (!family) families.set(key, { key, currency, some: [debt], total })
    else {
      family.some.push(debt)
      family.total = exactSum([family.total, total])
    }
  }
  const besideOf = await besideFamilies(asked, familyOf)
  const totals = new Map<Currency, Beside>()
  for await (const { key, currency } of inTurns(families.values())) {
    const [one, sum] = [besideOf(key), totals.get(currency)]
    totals.set(currency, {
      held: exactSum([one.held, sum?.held ?? 0]),
      credit: exactSum([one.credit, sum?.credit ?? 0]),
    })
  }
  const page = await pageOfRows(
    families.values(),
    ({ key, currency, total }) => [order.indexOf(currency), -total, key],
    asked,
  )
  return {
    besideOf: (currency) => totals.get(currency) ?? { held: 0, credit: 0 },
    debtors: page.data.map(({ key, currency, some }) => ({
      currency,
      ...added(some),
      ...besideOf(key),
      payerIds: distinct(some.map((row) => row.payer_guardian_id)),
      ownIds: distinct(some.map((row) => (row.payer_guardian_id === null ? row.student_id : null))),
      studentIds: distinct(some.map((row) => row.student_id)),
    })),
    nextCursor: page.nextCursor,
  }
}

/** @throws SumTooLarge */
export const readDebts = async (asked: Reading): Promise<DebtsReport> => {
  const { whole, tenant, now, query } = asked
  const { debtors, nextCursor, besideOf } = await (query.by === 'family' ? readFamilies(asked) : readPayers(asked))
  const guardians = await guardianNames(
    whole,
    debtors.flatMap(({ payerIds }) => payerIds),
  )
  const students = await studentNames(
    whole,
    debtors.flatMap(({ studentIds }) => studentIds),
  )
  return {
    on: localDate(now, tenant.timezone),
    totals: await readTotals(asked, besideOf),
    data: debtors.map(({ currency, payerIds, ownIds, studentIds, ...sums }) => ({
      payerName: [...payerIds.map(guardians), ...ownIds.map(students)]
        .map((name) => name ?? '')
        .toSorted()
        .join(', '),
      payerGuardianId: payerIds.length === 1 && ownIds.length === 0 ? (payerIds[0] as string) : null,
      studentId: studentIds.length === 1 ? (studentIds[0] as string) : null,
      students: studentIds.map((studentId) => ({ studentId, fullName: students(studentId) ?? '' })),
      ...shown(sums, currency),
    })),
    nextCursor,
  }
}
