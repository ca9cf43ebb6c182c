import { forNoKeyUpdate } from '#db/dialect.ts'
import { readBounded } from '#db/queries/long-reads.ts'
import { actingUserId, type Caller, type TenantInfo } from '#kernel/who/actor.ts'
import { failure, found, invalid } from '#kernel/values/errors.ts'
import { CURRENCIES, money, type Currency } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { inBatches } from '#runtime/change/batches.ts'
import type { Row } from '#runtime/records/records.ts'
import { PAYMENT_METHODS, type CountedCheques, type CountedTill } from '../tables.ts'
import type { CloseTill, OpenTill, TillClose } from './schemas.ts'

export const NothingToClose = failure(
  'CONFLICT',
  'nothing_to_close',
  'Nothing was taken since the till was closed last, or somebody just closed it.',
)
export const TillChanged = failure(
  'CONFLICT',
  'till_changed',
  'Something else lies in the till than what was counted: look at it again.',
)

type Method = CountedTill['method']

/** What somebody took and nobody counted yet, oldest first. */
const openEntries = (whole: ScopedDb, userId: string) =>
  whole
    .selectFrom('till_entry')
    .select(['id', 'branch_id', 'method', 'currency', 'amount_minor', 'cheque_id', 'created_at'])
    .where('till_entry.user_id', '=', userId)
    .where('till_entry.close_id', 'is', null)
    .orderBy('till_entry.created_at')
    .orderBy('till_entry.id')

type OpenEntry = Awaited<ReturnType<ReturnType<typeof openEntries>['execute']>>[number]

/** Every method and currency, in the order in which they are shown. */
const KINDS: readonly { method: Method; currency: Currency }[] = PAYMENT_METHODS.flatMap((method) =>
  CURRENCIES.map((currency) => ({ method, currency })),
)

/** What was paid, by method and currency: a cheque that is held was not. */
const sumsOf = (entries: readonly OpenEntry[]) =>
  KINDS.flatMap(({ method, currency }) => {
    const some = entries.filter(
      (entry) => entry.cheque_id === null && entry.method === method && entry.currency === currency,
    )
    const expectedMinor = exactSum(some.map((entry) => entry.amount_minor))
    return some.length === 0 ? [] : [{ method, currency, expectedMinor, entries: some.length }]
  })

/** The cheques that are held: how many papers, and what they come to. */
const heldOf = (entries: readonly OpenEntry[]): Omit<CountedCheques, 'counted'>[] =>
  CURRENCIES.flatMap((currency) => {
    const some = entries.filter((entry) => entry.cheque_id !== null && entry.currency === currency)
    const count = some.reduce((sum, { amount_minor: amount }) => sum + Math.sign(amount), 0)
    const amountMinor = exactSum(some.map((entry) => entry.amount_minor))
    return some.length === 0 ? [] : [{ currency, count, amountMinor }]
  })

const lastCloseOf = async (whole: ScopedDb, userId: string): Promise<string | null> => {
  const last = await whole
    .selectFrom('till_close')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.created_at ?? null
}

/** Whose till it is: that of the member, or of who made the key. @throws NotFound for a caller who is nobody */
export const tillOwner = ({ actor }: Pick<Caller, 'actor'>): string => found(actingUserId(actor) ?? undefined)

/** What lies in the caller’s till now. @throws NotFound, SumTooLarge */
export const readOpenTill = async ({ whole, caller }: { whole: ScopedDb; caller: Caller }): Promise<OpenTill> => {
  const userId = tillOwner(caller)
  const entries = await readBounded(openEntries(whole, userId), 'till_entry.id')
  return {
    since: entries[0]?.created_at ?? null,
    lastClosedAt: await lastCloseOf(whole, userId),
    entries: entries.length,
    lines: sumsOf(entries).map(({ method, currency, expectedMinor, entries: number }) => ({
      method,
      expected: money(expectedMinor, currency),
      entries: number,
    })),
    held: heldOf(entries).map(({ currency, count, amountMinor }) => ({
      count,
      total: money(amountMinor, currency),
    })),
  }
}

/** How many of the cheques that are held were counted. @throws VALIDATION_ERROR where a currency is named twice */
const countedCheques = (
  { countedCheques: counted = [] }: CloseTill,
  entries: readonly OpenEntry[],
  { currency: usual }: Pick<TenantInfo, 'currency'>,
): CountedCheques[] => {
  const given = counted.map(({ currency = usual, count }) => ({ currency, count }))
  const again = given.findIndex(({ currency }, at) => given.findIndex((one) => one.currency === currency) !== at)
  if (again !== -1) throw invalid(['countedCheques', String(again), 'currency'], 'Must not be named twice.')
  const held = heldOf(entries)
  return CURRENCIES.flatMap((currency) => {
    const said = given.find((one) => one.currency === currency)
    const lying = held.find((one) => one.currency === currency)
    if (!said && !lying) return []
    return [{ currency, count: 0, amountMinor: 0, ...lying, counted: said?.count ?? null }]
  })
}

/** What was counted of each method and currency. @throws VALIDATION_ERROR where one is named twice, or missing */
const countedLines = (
  { counted }: CloseTill,
  entries: readonly OpenEntry[],
  { currency: usual }: Pick<TenantInfo, 'currency'>,
): CountedTill[] => {
  const expected = sumsOf(entries)
  const given = counted.map(({ method, currency = usual, amountMinor }) => ({ method, currency, amountMinor }))
  const isOf = (one: { method: Method; currency: Currency }) => (other: { method: Method; currency: Currency }) =>
    one.method === other.method && one.currency === other.currency
  const again = given.findIndex((one, index) => given.findIndex(isOf(one)) !== index)
  if (again !== -1) throw invalid(['counted', String(again), 'method'], 'Must not be named twice in one currency.')
  const missing = expected.find((one) => !given.some(isOf(one)))
  if (missing) throw invalid(['counted'], `Must say what was counted of ${missing.method} in ${missing.currency}.`)
  return KINDS.flatMap((kind) => {
    const one = given.find(isOf(kind))
    const line = expected.find(isOf(kind))
    if (!one) return []
    return [
      {
        ...kind,
        expectedMinor: line?.expectedMinor ?? 0,
        countedMinor: one.amountMinor,
        entries: line?.entries ?? 0,
      },
    ]
  })
}

export const showClose = (row: Row<'till_close'>): TillClose => ({
  id: row.id,
  userId: row.user_id,
  userName: row.user_name,
  branchId: row.branch_id,
  since: row.since,
  closedAt: row.created_at,
  hasDifference:
    row.lines.some((line) => line.countedMinor !== line.expectedMinor) ||
    (row.cheques ?? []).some(({ count, counted }) => counted !== null && counted !== count),
  lines: row.lines.map(({ method, currency, expectedMinor, countedMinor, entries }) => ({
    method,
    expected: money(expectedMinor, currency),
    counted: money(countedMinor, currency),
    difference: money(countedMinor - expectedMinor, currency),
    entries,
  })),
  held: (row.cheques ?? []).map(({ currency, count, amountMinor, counted }) => ({
    count,
    total: money(amountMinor, currency),
    counted,
  })),
  note: row.note,
})

/**
 * Counts what lies in the caller's till. Its entries are locked: of two closes at once the second one finds them counted,
 * and what is recorded meanwhile lies in the till that follows.
 * @throws NotFound, NothingToClose, TillChanged, VALIDATION_ERROR, SumTooLarge
 */
export const closeTill = async (tx: Tx, caller: Caller, body: CloseTill): Promise<TillClose> => {
  const { db, whole, tenant, now } = tx
  const userId = tillOwner(caller)
  const entries = await forNoKeyUpdate(whole, openEntries(whole, userId)).execute()
  const [first] = entries
  if (!first) throw NothingToClose()
  if (body.entries !== undefined && body.entries !== entries.length) throw TillChanged()
  const lines = countedLines(body, entries, tenant)
  const user = await db.selectFrom('user').select('full_name').where('id', '=', userId).executeTakeFirst()
  const isOfOneBranch = entries.every((entry) => entry.branch_id === first.branch_id)
  const row: Row<'till_close'> = {
    id: tx.id(),
    tenant_id: tenant.id,
    user_id: userId,
    user_name: user?.full_name ?? '',
    branch_id: isOfOneBranch ? first.branch_id : null,
    lines,
    cheques: countedCheques(body, entries, tenant),
    note: body.note ?? null,
    since: first.created_at,
    created_at: now,
  }
  const { tenant_id: _tenant, ...values } = row
  await whole.insertInto('till_close').values(values).execute()
  await inBatches(entries, (batch) =>
    whole
      .updateTable('till_entry')
      .set({ close_id: row.id })
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute(),
  )
  const shown = showClose(row)
  tx.audit({ entityType: 'till_close', entityId: row.id, after: shown })
  return shown
}

/** What the caller may see of closes: all within reach who read reports, others their own. */
export interface ClosesSeen {
  db: ScopedDb
  whole: ScopedDb
  caller: Caller
  reachedBy(permission: 'reports.read'): Promise<ScopedDb | undefined>
}

/** The close with this id, where the caller may see it. */
export const findCloseRow = async (
  { whole, caller, reachedBy }: Omit<ClosesSeen, 'db'>,
  id: string,
): Promise<Row<'till_close'> | undefined> => {
  const find = (db: ScopedDb) => db.selectFrom('till_close').selectAll().where('id', '=', id)
  const own = await find(whole).where('user_id', '=', tillOwner(caller)).executeTakeFirst()
  if (own) return own
  const reports = await reachedBy('reports.read')
  return reports && find(reports).executeTakeFirst()
}

/** @throws NotFound */
export const readCloseRow = async (seen: Omit<ClosesSeen, 'db'>, id: string): Promise<Row<'till_close'>> =>
  found(await findCloseRow(seen, id))
