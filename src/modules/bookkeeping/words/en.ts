/** What the journal and the files for the tax authority say. */
export const en = {
  heads: {
    date: 'Date',
    kind: 'What',
    number: 'Number',
    account: 'Account',
    accountName: 'Name of the account',
    debit: 'Debit',
    credit: 'Credit',
    branch: 'Branch',
  },
  kinds: {
    opening: 'Balance brought forward',
    invoice: 'Invoice',
    void: 'Invoice cancelled',
    moved: 'Invoice moved to another payer',
    credit_note: 'Credit note',
    receipt: 'Receipt',
    reversal: 'Receipt reversed',
    refund: 'Refund',
    credit: 'Credit used',
    opened: 'Opening balance',
  },
  accounts: {
    cash: 'Cash',
    cheque: 'Cheques',
    bank_transfer: 'Bank transfers',
    card: 'Cards',
    online: 'Paid online',
    other: 'Other payments',
    opening: 'Opening balances',
    tax: 'VAT on sales',
    income: 'Other income',
  },
  groups: { payer: 'Families', money: 'Cash and banks', opening: 'Opening balances', tax: 'Taxes', income: 'Income' },
  /** @param course its name */
  incomeOf: (course: string) => `Income: ${course}`,
  unit: 'unit',
  /** Of somebody whose record is gone. */
  unknown: 'Unknown',
  fileName: { journal: 'journal', uniform: 'uniform-file' },
  readMe: {
    title: 'Files in the uniform structure of the Israel Tax Authority (version 1.31)',
    notCertified:
      'Not certified: the program is not registered with the authority. Show the files to your accountant, and try them in the authority’s simulator, before you rely on them.',
    business: 'Business',
    taxNumber: 'Tax number',
    period: 'Period',
    path: 'Copy the folder OPENFRMT to the root of a drive. The files lie in',
    records: 'Records',
    documents: 'Documents',
    leftOut: (count: number) => `Invoices in other currencies, which are not in the files: ${count}`,
    letters: 'Arabic names are written in Hebrew letters: the files know no others.',
  },
  documents: {
    invoice: 'Invoices (300)',
    creditNote: 'Credit notes (300, negative)',
    receipt: 'Receipts (400)',
    refund: 'Refunds (410)',
  },
}

export type BookkeepingWords = typeof en
