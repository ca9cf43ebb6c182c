import type { Logger } from 'pino'
import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { Reason } from '#modules/billing/index.ts'
import { requestHashOf } from '#runtime/change/request-hash.ts'
import { runBilling } from './run.ts'
import { listRuns } from './runs.ts'
import { BillingRun, BillingRunQuery, BillingRunSummary, NewBillingRun, VoidedRun } from './schemas.ts'
import { noteVoidedRun, RunGoesOn, voidRun } from './void-run.ts'

export const billingRunEndpoints = (log: Logger) => [
  read({
    id: 'billing.runs',
    path: '/billing/runs',
    summary: 'List billing runs, newest first',
    description: 'Under a role for one branch, those that billed its students, with these invoices alone.',
    access: 'invoices.read',
    query: BillingRunQuery,
    reply: pageOf(BillingRunSummary),
    handle: listRuns,
  }),
  change({
    id: 'billing.run',
    method: 'POST',
    path: '/billing/runs',
    summary: 'Bill the fees of a month',
    description:
      'Makes at most one draft per student and currency, with a line per fee schedule that is active, monthly or per_term, and of a group or a course; `feeScheduleIds` narrows them, and those that are not of this kind bill nobody, which `uncharged` says. A student is billed once per fee schedule and month, or term: the term of a month is the latest of the settings that has begun by its last day. What a run billed stays billed while its invoice is not void and has the line: after that another run bills it anew. ' +
      'A student is charged for a month, or a term up to the end of the month, in which the enrollment and its group were in force for a day at least: from enrolledAt until it ended and from startsOn to endsOn, all included, in a group that is not cancelled, and not while the student pauses. One that was cancelled meanwhile was in force until the day before, where it is known when that was. Who left since is charged for the time before, on an invoice of the branch of the group; everybody else on one of the branch that they are in. ' +
      'per_group charges the fee schedule’s amount, or the enrollment’s own price, in its currency, where that was given; with `price` enrollment it is always the enrollment’s. A student in several groups of a course is charged once, by the latest enrollment in force. Discounts that stand and the setting siblingDiscounts are taken off the line, which names them: see POST /discounts. A sibling’s place is worked out over all branches and fee schedules, whatever the run bills, and who was billed for the month keeps theirs. The invoice is issued today and due on the earliest dueDay of its lines in the billed month, never before today; a line without one is due as the setting invoiceDueDays says. ' +
      'Under a role for one branch, and with branchId, the invoices of that branch are made. `created` counts the invoices. `skipped` says who is not billed, of those who are enrolled or were at most 366 days before the month: paused, group_cancelled, group_over, group_not_begun, enrolled_later or left_before, all of the time; already_billed by a run, invoiced_by_hand with an issue date in this month or term, by its feeScheduleId or, without one, by a line for the enrollment (as the first invoice of whoever is registered has) that comes to the same, no_price (it comes to 0, also after discounts), no_term has begun, invoice_too_large, sums_full (more than the institute’s sums can hold). may_be_billed: a line without a fee schedule that is of this time (it names the month, else by its issue date or the first day of its enrollment) and is for the group, names the fee, the group or the course, comes to the same or says nothing but the month, or a line of a fee of the group that is not active any more. Nobody can be sure that it is the same: `mayBe` shows it, and the student is billed where `billAnyway` says so. `uncharged` names the fee schedules that have to do with nobody, so that none is left out without a word: at_registration (charged once when somebody is registered), by_hand, not_in_month (validFrom and validTo), nobody is enrolled in their groups or has their course, and, of those that were named, inactive. With a branch, those of its groups and of whole courses. ' +
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
      // The page of a month's run begins with one of these.
      if (dryRun) return new Rehearsed(prepared)
      tx.audit({ entityType: 'billing_run', entityId: id, after: { id, month, created, skipped: skipped.length } })
      return prepared
    },
  }),
  change({
    id: 'billing.void-run',
    method: 'POST',
    path: '/billing/runs/{id}/void',
    summary: 'Void the drafts of a billing run',
    description:
      'Those that were issued since stay as they are, and are named in `kept`. What was void can be billed anew by another run. The work is done in many small transactions. If the server stops on the way, what is done stays done: a repeat with the same Idempotency-Key does the others, and answers for all. Under a role for one branch, it is about the invoices of that branch.',
    access: 'invoices.write',
    body: Reason,
    reply: VoidedRun,
    fails: [RunGoesOn],
    prepare: ({ params, body, caller, request, ...context }) =>
      voidRun({
        ...context,
        ...params,
        ...body,
        requestHash: requestHashOf(caller, request, 'void-run', params, body),
      }),
    handle: async ({ tx, body, prepared }) => noteVoidedRun(tx, body.reason, prepared),
  }),
]
