import { read } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { LATEST_REPORTS, readOwnFamily } from './own-family.ts'
import { FamilySummary, OwnFamily } from './schemas.ts'
import { readFamily } from './summary.ts'

export const familyEndpoints = [
  read({
    id: 'guardians.family-summary',
    path: '/guardians/{id}/family-summary',
    summary: 'Sum up a guardian’s children and what the family owes',
    description:
      'The children whom the caller reaches, first linked first: their active groups, and their attendance of the last 30 days, today included; and who else is a guardian of theirs. With invoices.read also money: a child’s balance is what is still to be paid on open invoices in the institute’s currency, financial.balance the sum over the children, and openInvoices the open invoices, of any currency, that this guardian pays, first due first: those that were issued while the guardian was the payer of record, or were moved to the guardian, whoever is the payer of record now; a child’s own are all of theirs, whoever pays. Without invoices.read every balance and financial are null; where invoices.read is held for one branch, so are the balances of children of other branches.',
    access: 'guardians.read',
    tool: {
      name: 'family_read',
      title: "Read a guardian's family",
      description:
        'Gives the children of one guardian with their groups and attendance, and what the family owes if the caller may see money.',
      params: { id: 'guardianId' },
    },
    reply: FamilySummary,
    fails: [Merged, SumTooLarge],
    handle: (asked) => orMerged(asked, ({ params, ...context }) => readFamily(context, params.id)),
  }),
  read({
    id: 'me.family',
    path: '/me/family',
    summary: 'What concerns the caller as a student, or as a guardian',
    description: `For every member: the caller’s own record as a student, and those of the students whose guardian the caller is; empty for anybody else, and for an API key. Drafts of invoices and reports, results of exams that are not published and what staff note are not in it. reports has the latest ${LATEST_REPORTS} that were sent, and none while the feature basic_reports is off. Every guardian of a student sees what is to be paid, also one who is not the payer of record.`,
    access: 'tenant',
    reply: OwnFamily,
    fails: [SumTooLarge],
    handle: readOwnFamily,
  }),
]
