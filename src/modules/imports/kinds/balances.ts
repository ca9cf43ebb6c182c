import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Currency } from '#kernel/values/money.ts'
import { createInvoice, issueInvoice, MAX_INVOICE_TOTAL_MINOR } from '#modules/billing/index.ts'
import { fullName } from '#modules/people/index.ts'
import { lockCounter } from '#modules/tenants/index.ts'
import { digitsOf, writeMoney } from '#shared/typed.ts'
import { RowRefused } from '../complaints.ts'
import { WORDS } from '../words/index.ts'
import { findStudent, studentKeys } from './find-student.ts'
import type { Kind } from './kind.ts'
import { reachedStudent } from './students.ts'

interface Stated {
  balance?: number
  currency?: Currency
  dueDate?: string
  description?: string
}

const balanceOf = compiledInTenant((whole, { studentId, currency }: { studentId: string; currency: Currency }) =>
  whole
    .selectFrom('imported_balance')
    .innerJoin('invoice', 'invoice.id', 'imported_balance.invoice_id')
    .select(['invoice.status', 'invoice.total_minor'])
    .where('imported_balance.student_id', '=', studentId)
    .where('imported_balance.currency', '=', currency),
)

export const balances: Kind = {
  needs: () => [{ permission: 'invoices.write', field: null }],
  required: [['balance'], ['studentNumber', 'nationalId', 'phone', 'birthDate']],
  keys: studentKeys,
  // Imports alone make opening balances. The student is not locked: a fee run locks students in another order.
  begin: (slice) => lockCounter(slice.as('invoices.write').whole, 'opening balance'),
  apply: async (slice, values) => {
    const tx = slice.as('invoices.write')
    const { balance, dueDate, description } = values as Stated
    if (balance === undefined) throw new RowRefused('missing', 'balance')
    if (balance < 0) throw new RowRefused('negative_amount', 'balance')
    if (balance > MAX_INVOICE_TOTAL_MINOR) throw new RowRefused('not_valid', 'balance')
    if (description !== undefined && description.length > 300) throw new RowRefused('too_long', 'description')
    const id = await findStudent(tx.whole, values)
    if (id === undefined) throw new RowRefused('unknown_student')
    const { id: studentId } = await reachedStudent(slice, id)
    if (balance === 0) return 'unchanged'
    const currency = (values['currency'] as Currency | undefined) ?? tx.tenant.currency
    const [before] = await balanceOf(tx.whole, { studentId, currency })
    if (before && before.status !== 'void') {
      if (before.total_minor === balance) return 'unchanged'
      throw new RowRefused('balance_exists', 'balance')
    }
    const line = {
      description: description ?? WORDS[tx.tenant.defaultLocale].openingBalance,
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
    await tx.whole
      .insertInto('imported_balance')
      .values({ student_id: studentId, currency, invoice_id: invoice.id })
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'student_id', 'currency']).doUpdateSet({ invoice_id: invoice.id }),
      )
      .execute()
    return 'created'
  },
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
