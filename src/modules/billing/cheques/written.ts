import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { day, id, Money, text } from '#kernel/values/schema.ts'
import { plainDigits } from '#shared/typed.ts'
import { CHEQUE_STATUSES } from './tables.ts'

export const chequeWords = {
  bank: 'The bank: its number, of 1 to 3 digits, or its name.',
  branch: 'The branch of the bank.',
  account: 'The account that it is drawn on.',
  number: 'The number of the cheque.',
  amount: 'What it is for.',
  amountMinor: 'What it is for, in the smallest unit of the currency.',
  dueOn: 'The day that stands on it.',
  status:
    '`held` until its day; `due`, to be taken to the bank; `deposited`, with a list; `cleared`; `bounced`; `returned` to whoever brought it; `replaced` by other cheques or other money.',
  branchId: 'The branch of the institute that holds it.',
  receiptId: 'The receipt on which it stands.',
  receiptNumber: 'The number of that receipt.',
  guardianId: 'Whose cheque it is; null: a student’s, for whom no guardian pays.',
  studentId: 'The student whose cheque it is; null: a guardian’s.',
  payerName: 'Whose cheque it is, as they are called now.',
  allocations: 'What of it is for which invoice; the rest is for what its payer owes on its day, or is credit then.',
  depositId: 'The list with which it was taken to the bank; null: it was not.',
  reason: 'Why it bounced or was given back; null: neither, or nobody said.',
  feeInvoiceId: 'The draft of the fee for a cheque that bounced; null: there is none.',
  replacedByReceiptId: 'The receipt of what it was replaced by; null: it was not.',
}

const bankField = (max: number) => v.pipe(text(max), v.transform(plainDigits))

/** What stands on every cheque beside its amount and its day. */
export const written = { bank: bankField(50), branch: bankField(20), account: bankField(30), number: bankField(20) }

export const ChequeDetails = named('ChequeDetails', v.object(written), chequeWords)
export type ChequeDetails = v.InferOutput<typeof ChequeDetails>

export const ChequeStatus = named('ChequeStatus', v.picklist(CHEQUE_STATUSES))

export const ReceiptCheque = named(
  'ReceiptCheque',
  v.object({
    id,
    bank: v.string(),
    branch: v.string(),
    account: v.string(),
    number: v.string(),
    amount: Money,
    dueOn: day,
    status: ChequeStatus,
  }),
  chequeWords,
)
