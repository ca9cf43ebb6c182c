import { compiledByIds, compiledInsert, compiledInTenant } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import { found, invalid, NotFound } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { yearOf } from '#kernel/time/zone.ts'
import { nextNumber } from '#modules/tenants/index.ts'
import { listOf, newestFirst, type ListContext } from '#runtime/records/lists.ts'
import { changeRecord, type LockedRow, type Row } from '#runtime/records/records.ts'
import { numberOf } from '../numbers.ts'
import { chequeRecord, showCheques } from './cheque.ts'
import { ChequeMoved, ChequeNotDue, OtherDeposit } from './failures.ts'
import type { ChequeRow } from './rows.ts'
import type { Deposit, NewDeposit } from './schemas.ts'

type DepositRow = Row<'cheque_deposit'>

const chequesOf = compiledByIds((db, ids) =>
  db.selectFrom('cheque').selectAll().where('deposit_id', 'in', ids).orderBy('due_on').orderBy('id'),
)

const showDeposits = async (whole: ScopedDb, rows: readonly DepositRow[]): Promise<Deposit[]> => {
  if (rows.length === 0) return []
  const cheques = Map.groupBy(
    await chequesOf(
      whole,
      rows.map(({ id }) => id),
    ),
    (cheque) => cheque.deposit_id,
  )
  const shown = []
  for (const row of rows) {
    const own = cheques.get(row.id) as ChequeRow[]
    const sum = own.reduce((all, cheque) => all + cheque.amount_minor, 0)
    shown.push({
      id: row.id,
      number: row.number,
      branchId: row.branch_id,
      bankAccount: row.bank_account,
      depositedOn: row.deposited_on,
      amount: money(sum, (own[0] as ChequeRow).currency),
      cheques: await showCheques(whole, own),
      createdAt: row.created_at,
    })
  }
  return shown
}

const depositById = compiledInTenant((db, { id }: { id: string }) =>
  db.selectFrom('cheque_deposit').selectAll().where('id', '=', id),
)

/** @throws NotFound */
export const readDeposit = async (db: ScopedDb, whole: ScopedDb, id: string): Promise<Deposit> =>
  (await showDeposits(whole, [found((await depositById(db, { id }))[0])]))[0] as Deposit

const chequesById = compiledByIds((db, ids) =>
  forNoKeyUpdate(db, db.selectFrom('cheque').selectAll().where('id', 'in', ids).orderBy('id')),
)

/** @throws ChequeNotDue, ChequeMoved, OtherDeposit */
const checkCheques = (cheques: readonly ChequeRow[]): void => {
  const [first] = cheques as [ChequeRow]
  for (const [index, cheque] of cheques.entries()) {
    const { id: chequeId, status } = cheque
    if (status === 'held') throw ChequeNotDue({ chequeId })
    if (status !== 'due') throw ChequeMoved({ chequeId, status })
    if (cheque.branch_id !== first.branch_id || cheque.currency !== first.currency) {
      const path = ['chequeIds', String(index)]
      throw OtherDeposit({ issues: [{ path, message: 'Must be of the branch and in the currency of the first.' }] })
    }
  }
}

const insertDeposit = compiledInsert((db: ScopedDb, rows: Omit<DepositRow, 'tenant_id'>[]) =>
  db.insertInto('cheque_deposit').values(rows),
)

/** Takes cheques to the bank: all of them or none. @throws NotFound, ChequeNotDue, ChequeMoved, OtherDeposit */
export const depositCheques = async (tx: Tx, { chequeIds, bankAccount }: NewDeposit): Promise<Deposit> => {
  const again = chequeIds.findIndex((id, index) => chequeIds.indexOf(id) !== index)
  if (again !== -1) throw invalid(['chequeIds', again], 'Must not name a cheque twice.')
  const locked = new Map((await chequesById(tx.db, chequeIds)).map((cheque) => [cheque.id, cheque]))
  if (locked.size < chequeIds.length) throw NotFound()
  const cheques = chequeIds.map((id) => locked.get(id) as ChequeRow)
  checkCheques(cheques)
  const year = yearOf(tx.today)
  const row = {
    id: tx.id(),
    branch_id: (cheques[0] as ChequeRow).branch_id,
    number: numberOf('D', year, await nextNumber(tx.whole, `deposit ${year}`)),
    bank_account: bankAccount,
    deposited_on: tx.today,
    by_user_id: actingUserId(tx.actor),
    created_at: tx.now,
  }
  await insertDeposit(tx.db, [row])
  for (const cheque of cheques) {
    await changeRecord(tx, chequeRecord, cheque as LockedRow<'cheque'>, { status: 'deposited', depositId: row.id })
  }
  const deposit = await readDeposit(tx.db, tx.whole, row.id)
  const { cheques: _cheques, ...shown } = deposit
  tx.audit({ entityType: 'cheque_deposit', entityId: row.id, after: shown, metadata: { chequeIds } })
  return deposit
}

const deposits = listOf({
  order: newestFirst('cheque_deposit'),
  from: (db) => db.selectFrom('cheque_deposit').selectAll('cheque_deposit'),
  show: (row) => row,
})

export const listDeposits = async (
  context: ListContext<ScopedDb> & { query: PageQuery; whole: ScopedDb },
): Promise<Page<Deposit>> => {
  const page = await deposits(context)
  return { ...page, data: await showDeposits(context.whole, page.data) }
}
