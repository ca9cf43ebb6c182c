import type { ExpressionBuilder } from 'kysely'
import { inTurns } from '#kernel/basics/turns.ts'
import type { Tables } from '#kernel/contract/tables.ts'
import type { Currency } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import { openInvoices } from './open-invoices.ts'
import { readLong, type Asked } from './span.ts'
import type { DebtsReportQuery } from './schemas.ts'

/**
 * What lowers no debt yet: cheques that are held until their day, and credit that lies on no invoice. Cheques are those of
 * who pays, and what others’ are for of the invoices.
 */
export interface Beside {
  held: number
  credit: number
}

type Reading = Asked & { query: DebtsReportQuery }

/** A sum of who holds it, or of an invoice whose payer does not hold the cheque. */
interface Held {
  figure: keyof Beside
  currency: Currency
  guardian_id: string | null
  student_id: string | null
  amount: number
}

/** Some of the people, or all who owe. */
type People = { guardianIds: readonly string[]; studentIds: readonly string[] } | 'debtors'

type Holders = 'payer_account' | 'cheque'

const isOf = (asked: Reading, table: Holders, people: People) => {
  const { db, query } = asked
  return (eb: ExpressionBuilder<Tables, Holders>) => {
    const [guardian, student] = [`${table}.guardian_id`, `${table}.student_id`] as const
    if (people !== 'debtors') {
      return eb.or([
        ...(people.guardianIds.length > 0 ? [eb(guardian, 'in', people.guardianIds)] : []),
        ...(people.studentIds.length > 0 ? [eb(student, 'in', people.studentIds)] : []),
      ])
    }
    const open = openInvoices(db, query)
    return eb.or([
      eb(guardian, 'in', open.select('invoice.payer_guardian_id').where('invoice.payer_guardian_id', 'is not', null)),
      eb(student, 'in', open.select('invoice.student_id').where('invoice.payer_guardian_id', 'is', null)),
    ])
  }
}

const readCredit = async (asked: Reading, people: People | 'all'): Promise<Held[]> => {
  const { branchId } = asked.query
  let accounts = asked.db
    .selectFrom('payer_account')
    .select(['payer_account.currency', 'payer_account.guardian_id', 'payer_account.student_id'])
    .select(({ fn }) => fn.sum<number>('payer_account.credit_minor').as('amount'))
    .where('payer_account.credit_minor', '>', 0)
    .groupBy(['payer_account.currency', 'payer_account.guardian_id', 'payer_account.student_id'])
  if (branchId !== undefined) accounts = accounts.where('payer_account.branch_id', '=', branchId)
  if (people !== 'all') accounts = accounts.where(isOf(asked, 'payer_account', people) as never)
  const behind = asked.whole.selectFrom('payer_account').select('payer_account.id')
  return (await readLong(asked, accounts, behind)).map((row) => ({ ...row, figure: 'credit' }))
}

const readCheques = async (asked: Reading, people: People | 'all'): Promise<Held[]> => {
  const { branchId } = asked.query
  let cheques = asked.db
    .selectFrom('cheque')
    .select(['cheque.currency', 'cheque.guardian_id', 'cheque.student_id'])
    .select(({ fn }) => fn.sum<number>('cheque.amount_minor').as('amount'))
    .where('cheque.status', '=', 'held')
    .groupBy(['cheque.currency', 'cheque.guardian_id', 'cheque.student_id'])
  if (branchId !== undefined) cheques = cheques.where('cheque.branch_id', '=', branchId)
  if (people !== 'all') cheques = cheques.where(isOf(asked, 'cheque', people) as never)
  const behind = asked.whole.selectFrom('cheque').select('cheque.id')
  return (await readLong(asked, cheques, behind)).map((row) => ({ ...row, figure: 'held' }))
}

/** A part of a cheque for an open invoice of somebody else. */
type PartOfOther = Held & { holder_guardian_id: string | null; holder_student_id: string | null }

const readParts = async (asked: Reading, people: Exclude<People, 'debtors'> | 'all'): Promise<PartOfOther[]> => {
  let parts = openInvoices(asked.db, asked.query)
    .innerJoin('cheque_part', 'cheque_part.invoice_id', 'invoice.id')
    .innerJoin('cheque', 'cheque.id', 'cheque_part.cheque_id')
    .select(({ eb, fn, ref }) => [
      'cheque.currency',
      'invoice.payer_guardian_id',
      eb.case().when('invoice.payer_guardian_id', 'is', null).then(ref('invoice.student_id')).end().as('own_id'),
      'cheque.guardian_id',
      'cheque.student_id',
      fn.sum<number>('cheque_part.amount_minor').as('amount'),
    ])
    .where('cheque.status', '=', 'held')
    .where(({ eb, or, and, ref }) =>
      or([
        and([
          eb('invoice.payer_guardian_id', 'is not', null),
          or([eb('cheque.guardian_id', 'is', null), eb('cheque.guardian_id', '!=', ref('invoice.payer_guardian_id'))]),
        ]),
        and([
          eb('invoice.payer_guardian_id', 'is', null),
          or([eb('cheque.student_id', 'is', null), eb('cheque.student_id', '!=', ref('invoice.student_id'))]),
        ]),
      ]),
    )
    .groupBy(['cheque.currency', 'invoice.payer_guardian_id', 'own_id', 'cheque.guardian_id', 'cheque.student_id'])
  if (people !== 'all') {
    const { guardianIds, studentIds } = people
    parts = parts.where(({ eb, or, and }) =>
      or([
        ...(guardianIds.length > 0 ? [eb('invoice.payer_guardian_id', 'in', guardianIds)] : []),
        ...(studentIds.length > 0
          ? [and([eb('invoice.payer_guardian_id', 'is', null), eb('invoice.student_id', 'in', studentIds)])]
          : []),
      ]),
    )
  }
  const behind = asked.whole.selectFrom('cheque').select('cheque.id').where('cheque.status', '=', 'held')
  return (await readLong(asked, parts, behind)).map((row) => ({
    figure: 'held',
    currency: row.currency,
    guardian_id: row.payer_guardian_id,
    student_id: row.own_id,
    holder_guardian_id: row.guardian_id,
    holder_student_id: row.student_id,
    amount: row.amount,
  }))
}

const none = (): Beside => ({ held: 0, credit: 0 })

const addTo = (sums: Map<string, Beside>, key: string, { figure, amount }: Held): void => {
  const sum = sums.get(key) ?? none()
  sum[figure] = exactSum([sum[figure], amount])
  sums.set(key, sum)
}

/** By currency and who pays, as `ILS <id>`. @throws SumTooLarge */
export const besidePayers = async (
  asked: Reading,
  people: Exclude<People, 'debtors'>,
): Promise<(key: string) => Beside> => {
  const sums = new Map<string, Beside>()
  if (people.guardianIds.length + people.studentIds.length > 0) {
    for (const row of [
      ...(await readCredit(asked, people)),
      ...(await readCheques(asked, people)),
      ...(await readParts(asked, people)),
    ]) {
      addTo(sums, `${row.currency} ${row.guardian_id ?? row.student_id}`, row)
    }
  }
  return (key) => sums.get(key) ?? none()
}

/** What stands beside all payers who owe, by currency. @throws SumTooLarge */
export const besideAll = async (asked: Reading): Promise<(currency: Currency) => Beside> => {
  const sums = new Map<string, Beside>()
  const rows = [
    ...(await readCredit(asked, 'debtors')),
    ...(await readCheques(asked, 'debtors')),
    ...(await readParts(asked, 'all')),
  ]
  for await (const row of inTurns(rows)) addTo(sums, row.currency, row)
  return (currency) => sums.get(currency) ?? none()
}

/**
 * By currency and family. @param familyOf the name of somebody’s family; their own id: they are in none that owes
 * @throws SumTooLarge
 */
export const besideFamilies = async (
  asked: Reading,
  familyOf: (id: string) => string,
): Promise<(key: string) => Beside> => {
  const sums = new Map<string, Beside>()
  const own = [...(await readCredit(asked, 'all')), ...(await readCheques(asked, 'all'))]
  for await (const row of inTurns(own)) {
    addTo(sums, `${row.currency} ${familyOf(row.guardian_id ?? (row.student_id as string))}`, row)
  }
  for await (const row of inTurns(await readParts(asked, 'all'))) {
    const family = familyOf(row.guardian_id ?? (row.student_id as string))
    // What the family holds itself is counted in full already.
    if (family === familyOf(row.holder_guardian_id ?? (row.holder_student_id as string))) continue
    addTo(sums, `${row.currency} ${family}`, row)
  }
  return (key) => sums.get(key) ?? none()
}
