import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Currency } from '#kernel/values/money.ts'
import {
  createInvoice,
  issueInvoice,
  MAX_INVOICE_TOTAL_MINOR,
  openCredit,
  takeBackOpening,
} from '#modules/billing/index.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { fullName } from '#modules/people/index.ts'
import { lockCounter } from '#modules/tenants/index.ts'
import { digitsOf, writeMoney } from '#shared/typed.ts'
import { RowRefused } from '../complaints.ts'
import { WORDS } from '../words/index.ts'
import { findStudent, studentKeys } from './find-student.ts'
import { oneByOne, type Kind } from './kind.ts'
import { reachedStudent } from './students.ts'

interface Stated {
  balance?: number
  currency?: Currency
  dueDate?: string
  description?: string
}

interface Key {
  studentId: string
  currency: Currency
}

const balanceOf = compiledInTenant((whole, { studentId, currency }: Key) =>
  whole
    .selectFrom('imported_balance')
    .leftJoin('invoice', 'invoice.id', 'imported_balance.invoice_id')
    .leftJoin('credit_entry', 'credit_entry.id', 'imported_balance.credit_entry_id')
    .select(['invoice.status', 'invoice.total_minor', 'credit_entry.id as entry_id', 'credit_entry.amount_minor'])
    .where('imported_balance.student_id', '=', studentId)
    .where('imported_balance.currency', '=', currency),
)

/** What the student came with before, less what is void. */
const standingOf = async (tx: Tx, key: Key): Promise<{ balance: number; entryId: string | null } | undefined> => {
  const [before] = await balanceOf(tx.whole, key)
  if (!before || before.status === 'void') return undefined
  const { entry_id: entryId, amount_minor: credit, total_minor: total } = before
  return { balance: entryId === null ? (total ?? 0) : -(credit ?? 0), entryId }
}

const keep = (
  { whole }: Tx,
  { studentId, currency }: Key,
  of: { invoice_id: string; credit_entry_id: null } | { invoice_id: null; credit_entry_id: string },
) =>
  whole
    .insertInto('imported_balance')
    .values({ student_id: studentId, currency, ...of })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'student_id', 'currency']).doUpdateSet(of))
    .execute()

/**
 * Takes back the credit with which a student came; nothing else is, for an invoice can be voided.
 * @throws RowRefused where it was used
 */
const forget = async (tx: Tx, { studentId, currency }: Key, entryId: string | null): Promise<void> => {
  if (entryId === null || !(await takeBackOpening(tx, entryId))) throw new RowRefused('balance_exists', 'balance')
  await tx.whole
    .deleteFrom('imported_balance')
    .where('student_id', '=', studentId)
    .where('currency', '=', currency)
    .execute()
}

/** A balance below nothing is credit of who pays. A file that says another one, or 0, takes such credit back. */
export const balances: Kind = {
  needs: () => [{ permission: 'invoices.write', field: null }],
  required: [['balance'], ['studentNumber', 'nationalId', 'phone', 'birthDate']],
  keys: studentKeys,
  // Imports alone make opening balances. The student is not locked: a fee run locks students in another order.
  begin: (slice) => lockCounter(slice.as('invoices.write').whole, 'opening balance'),
  apply: oneByOne(async (slice, values) => {
    const tx = slice.as('invoices.write')
    const { balance, dueDate, description } = values as Stated
    if (balance === undefined) throw new RowRefused('missing', 'balance')
    if (Math.abs(balance) > MAX_INVOICE_TOTAL_MINOR) throw new RowRefused('not_valid', 'balance')
    if (description !== undefined && description.length > 300) throw new RowRefused('too_long', 'description')
    const id = await findStudent(tx.whole, values)
    if (id === undefined) throw new RowRefused('unknown_student')
    const { id: studentId } = await reachedStudent(slice, id)
    const currency = (values['currency'] as Currency | undefined) ?? tx.tenant.currency
    const key = { studentId, currency }
    const before = await standingOf(tx, key)
    if (balance === (before?.balance ?? 0) || (balance === 0 && before?.entryId === null)) return 'unchanged'
    if (before) await forget(tx, key, before.entryId)
    if (balance === 0) return 'updated'
    const said = description ?? WORDS[tx.tenant.defaultLocale].openingBalance
    if (balance < 0) {
      const entryId = await openCredit(tx, { ...key, amountMinor: -balance, reference: said })
      await keep(tx, key, { invoice_id: null, credit_entry_id: entryId })
      return before ? 'updated' : 'created'
    }
    const line = {
      description: said,
      quantity: 1,
      unitAmountMinor: balance,
      discountMinor: 0,
      taxRatePercent: 0,
    }
    const invoice = await createInvoice(tx, {
      studentId,
      currency,
      lines: [line],
      ...(dueDate !== undefined && { dueDate }),
    })
    await issueInvoice(tx, invoice.id)
    await keep(tx, key, { invoice_id: invoice.id, credit_entry_id: null })
    return before ? 'updated' : 'created'
  }),
  stands: async (slice, values) => {
    const { whole, tenant } = slice.as('invoices.write')
    const id = await findStudent(whole, values)
    if (id === undefined) return {}
    const student = await reachedStudent(slice, id)
    const { balance = 0, currency = tenant.currency, dueDate, description } = values as Stated
    return {
      studentNumber: student.student_number,
      fullName: fullName(student),
      balance: writeMoney(balance, digitsOf(currency)),
      currency,
      dueDate,
      description: description ?? WORDS[tenant.defaultLocale].openingBalance,
    }
  },
}
