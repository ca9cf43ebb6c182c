import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, day, id, list, Money, orNull, ts, uuid } from '#kernel/values/schema.ts'
import { LicenseStatus } from '#modules/licensing/index.ts'
import { PlanLimitUse } from '#modules/plan-use/index.ts'
import { PlanEnd } from '#modules/plans/index.ts'
import { UnmarkedSession } from '#modules/my-day/index.ts'

export const AttentionQuery = explained(v.object({ branchId: v.optional(uuid) }), {
  branchId: 'Only what is of this branch.',
})

const InvoicesToLookAt = named('InvoicesToLookAt', v.object({ count, balance: Money }), {
  count: 'How many there are, in every currency.',
  balance: 'What is still to be paid of those in the institute’s currency.',
})

const ChequesToLookAt = named('ChequesToLookAt', v.object({ count, amount: Money }), {
  count: 'How many there are, in every currency.',
  amount: 'What those in the institute’s currency come to.',
})

export const Attention = named(
  'Attention',
  v.object({
    date: day,
    unmarkedSessions: orNull(
      named('UnmarkedSessions', v.object({ count, latest: list(UnmarkedSession) }), {
        count: 'How many there are.',
        latest: 'The latest of them, latest first.',
      }),
    ),
    invoicesDueToday: orNull(InvoicesToLookAt),
    invoicesOverdue: orNull(InvoicesToLookAt),
    chequesDue: orNull(ChequesToLookAt),
    chequesComing: orNull(ChequesToLookAt),
    chequesBounced: orNull(ChequesToLookAt),
    walkIns: orNull(count),
    proposedChanges: orNull(count),
    newLeads: orNull(count),
    freePlaces: orNull(
      list(
        named('FreePlace', v.object({ groupId: id, groupName: v.string(), free: count, waiting: count }), {
          groupId: 'The group.',
          groupName: 'What it is called.',
          free: 'How many places are free and not offered to anybody.',
          waiting: 'How many wait for one and have not been offered any.',
        }),
      ),
    ),
    failedMessages: orNull(count),
    callsToMake: orNull(count),
    backup: orNull(
      named(
        'LastBackup',
        v.object({
          state: v.picklist(['ok', 'warning', 'wrong']),
          nightly: v.boolean(),
          lastGoodAt: orNull(ts),
          offServer: v.picklist(['none', 'ok', 'failed']),
        }),
        {
          state:
            'As `institute doctor` judges it: `warning` after 36 hours without one or a try that failed, `wrong` after 7 days.',
          nightly: 'Whether one is made every night.',
          lastGoodAt: 'When the newest was made; null: there is none.',
          offServer: 'What became of the newest nightly one elsewhere; `none`: nothing was asked for, or made since.',
        },
      ),
    ),
    license: orNull(LicenseStatus),
    planLimits: orNull(list(PlanLimitUse)),
    planEnd: orNull(PlanEnd),
    setUp: orNull(
      named(
        'SetUpSteps',
        v.object({
          branches: v.boolean(),
          people: v.boolean(),
          course: v.boolean(),
          group: v.boolean(),
          fees: v.boolean(),
        }),
        {
          branches: 'Whether the first branch got its details, or there is another one.',
          people: 'Whether somebody beside the first owner has an account or is invited.',
          course: 'Whether there is a course.',
          group: 'Whether there is a group.',
          fees: 'Whether there is a fee schedule or an invoice.',
        },
      ),
    ),
  }),
  {
    date: 'Today, in the institute’s timezone.',
    unmarkedSessions: 'Sessions of past days without an entry; null: not for this caller.',
    invoicesDueToday:
      'Open invoices that are due today, and not covered by cheques that are held; null: not for this caller.',
    invoicesOverdue: 'Overdue invoices; null: not for this caller.',
    chequesDue: 'Cheques whose day has come, to be taken to the bank; null: not for this caller.',
    chequesComing:
      'Cheques that are held, and whose day is one of the next seven, today among them; null: not for this caller.',
    chequesBounced: 'Cheques that bounced and were not replaced; null: not for this caller.',
    walkIns: 'Who came to a session without being enrolled, and of whom nobody has decided; null: not for this caller.',
    proposedChanges: 'What families propose to change in what is kept of them; null: not for this caller.',
    newLeads: 'Leads that nobody has worked on; null: not for this caller.',
    freePlaces: 'Groups with a free place that can be offered to who waits for it; null: not for this caller.',
    callsToMake:
      'Families whom no message reaches, and whom somebody of the office still has to tell; null: not for this caller.',
    failedMessages: 'Messages of the last days that could not be delivered; null: not for this caller.',
    backup: 'The newest backup; null: not for this caller, or this program makes none.',
    setUp: 'Which steps of a new institute are done; null: all of them, or not for this caller.',
    license: 'The licence of this server; null: not for this caller.',
    planLimits:
      'What everyday work uses up of the plan, and is near its limit or at it: students, groups, files, messages; null: not for this caller.',
    planEnd:
      'The end of the subscription, from 14 days before it on; null: it is far, a trial or cancelled, or not for this caller.',
  },
)
