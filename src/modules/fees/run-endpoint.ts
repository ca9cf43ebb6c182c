import type { Logger } from 'pino'
import { change } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { OtherStatus } from '#kernel/values/other-status.ts'
import { runBilling } from './run.ts'
import { BillingRun, NewBillingRun } from './schemas.ts'

export const billingRunEndpoint = (log: Logger) =>
  change({
    id: 'billing.run',
    method: 'POST',
    path: '/billing/runs',
    summary: 'Bill the fees of a month',
    description:
      'Makes at most one draft per student and currency, with a line per fee schedule that is active, monthly or per_term, and of a group or a course; `feeScheduleIds` narrows them, and those that are not of this kind bill nobody. A student is billed once per fee schedule and month, or term: the term of a month is the latest of the settings that has begun by its last day. What a run billed stays billed, also when its invoice is changed or void; bill it again by hand. ' +
      'per_group charges the fee schedule’s amount, or the enrollment’s own price, in its currency, where that was given; a student in several groups of a course is charged once, by the first enrollment. Only what holds when it is a student’s turn counts: current enrollments, prices and schedules. The invoice is issued today and due on the earliest dueDay of its lines in the billed month, never before today; a line without one is due as the setting invoiceDueDays says. ' +
      'Under a role for one branch, and with branchId, the students of that branch are billed. `created` counts the invoices. `skipped` says who is not billed: already_billed by a run, invoiced_by_hand with an issue date in this month or term, no_term has begun, invoice_too_large, sums_full (more than the institute’s sums can hold). ' +
      'The run works in many small transactions and answers when all are done. If the server stops on the way, it goes on by itself when it is back, and a repeat of the request with the same Idempotency-Key answers with all invoices of the same run. With dryRun the reply is what the run would make, with id and number null and status 200.',
    access: 'invoices.write',
    body: NewBillingRun,
    status: 201,
    otherStatuses: [200],
    reply: BillingRun,
    fails: [NotFound],
    prepare: (context) => runBilling(context, log),
    handle: async ({ tx, prepared }) => {
      const { id, month, dryRun, created, skipped } = prepared
      const after = { id, month, dryRun, created, skipped: skipped.length }
      tx.audit({ entityType: 'billing_run', entityId: id, after })
      return dryRun ? new OtherStatus(200, prepared) : prepared
    },
  })
