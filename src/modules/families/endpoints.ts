import { read } from '#kernel/endpoint.ts'
import { SumTooLarge } from '#kernel/sums.ts'
import { FamilySummary } from './schemas.ts'
import { readFamily } from './summary.ts'

export const familyEndpoints = [
  read({
    id: 'guardians.family-summary',
    path: '/guardians/{id}/family-summary',
    summary: 'Sum up a guardian’s children and what the family owes',
    description:
      'The children whom the caller reaches, first linked first: their active groups, and their attendance of the last 30 days, today included; and who else is a guardian of theirs. With invoices.read also money: a child’s balance is what is still to be paid on open invoices in the institute’s currency, financial.balance the sum over the children, and openInvoices the open invoices, of any currency, of the children for whom this guardian is the payer, first due first; a child’s own are all of theirs, whoever pays. Without invoices.read every balance and financial are null; where invoices.read is held for one branch, so are the balances of children of other branches.',
    access: 'guardians.read',
    reply: FamilySummary,
    fails: [SumTooLarge],
    handle: ({ params, ...context }) => readFamily(context, params.id),
  }),
]
