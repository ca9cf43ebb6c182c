import type { InferOutput } from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import { money, type Money } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { fullName } from '#modules/people/index.ts'
import { readInvoiceFooter } from '#modules/settings/index.ts'
import { gather, withNames, type Of } from './account.ts'
import type { AccountEntry, AccountStatementQuery } from './schemas.ts'

/** What a paper says of an account in a period. */
export interface AccountStatement {
  opening: Money
  /** Oldest first. */
  entries: AccountEntry[]
  closing: Money
  /** What is open now and what lies in credit now; null: the period ended before. */
  now: { owed: Money; credit: Money } | null
  /** The names of the students whose invoices these are, and of those who pay. */
  students: string[]
  payers: string[]
  footer: string | null
}

const studentNames = async (whole: ScopedDb, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = whole.selectFrom('student').select(['first_name', 'last_name']).where('id', 'in', ids)
  return (await rows.orderBy('created_at').orderBy('id').execute()).map(fullName)
}

const guardianNames = async (whole: ScopedDb, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = whole.selectFrom('guardian').select(['first_name', 'last_name']).where('id', 'in', ids)
  return (await rows.orderBy('created_at').orderBy('id').execute()).map(fullName)
}

/**
 * The account of a payer, or of their family, from `from` to `to`, both inclusive. @throws NotFound, SumTooLarge,
 * VALIDATION_ERROR for a period that ends before it begins
 */
export const readAccountStatement = async (
  { db, whole, tenant }: { db: ScopedDb; whole: ScopedDb; tenant: TenantInfo },
  of: Of,
  query: Pick<InferOutput<typeof AccountStatementQuery>, 'scope' | 'currency' | 'from' | 'to'>,
): Promise<AccountStatement> => {
  const { from, to } = query
  if (from !== undefined && to !== undefined && to < from) throw invalid(['to'], 'Must not be earlier than from.')
  const { currency, people, sums, balanced } = await gather({ db, whole, tenant, query }, of)
  const all = balanced.map(({ entry }) => entry)
  const zero = money(0, currency)
  const before = from === undefined ? [] : all.filter(({ date }) => date < from)
  const until = to === undefined ? all : all.filter(({ date }) => date <= to)
  const entries = await withNames(whole, until.slice(before.length))
  const ofEntries = new Set(entries.flatMap(({ studentId }) => studentId ?? []))
  return {
    opening: before.at(-1)?.balance ?? zero,
    entries,
    closing: until.at(-1)?.balance ?? zero,
    now: until.length === all.length ? { owed: sums.owed, credit: sums.credit } : null,
    students: await studentNames(whole, [...new Set([...people.studentIds, ...ofEntries])]),
    payers: await guardianNames(whole, people.guardianIds),
    footer: await readInvoiceFooter(db),
  }
}
