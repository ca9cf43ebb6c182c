import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { feeConsequences } from './rehearse.ts'
import { FeeConsequences, FeeSchedule, FeeScheduleChanges, FeeScheduleQuery, NewFeeSchedule } from './schemas.ts'
import {
  changeFeeSchedule,
  createFeeSchedule,
  deleteFeeSchedule,
  FeeScheduleInUse,
  listFeeSchedules,
  readFeeSchedule,
} from './schedules.ts'

export const feeScheduleEndpoints = [
  read({
    id: 'fee-schedules.list',
    path: '/fee-schedules',
    summary: 'List fee schedules, newest first',
    description:
      'A role for one branch reads them too, but those of another branch’s group, and writes none: they belong to the whole institute.',
    access: 'invoices.read',
    query: FeeScheduleQuery,
    reply: pageOf(FeeSchedule),
    handle: listFeeSchedules,
  }),
  change({
    id: 'fee-schedules.create',
    method: 'POST',
    path: '/fee-schedules',
    summary: 'Add a fee schedule',
    description:
      'The currency may be another than the institute’s; summaries and balances cover the institute’s alone. Billing runs charge the monthly and per_term ones: per_group the students of groupId or, without it, of all groups of courseId; per_course those who have courseId to learn on their own and did not complete it. per_course without a courseId and one with neither is charged by hand only, and so are one_off and what is paid once for a course. The first invoice of whoever is registered (POST /registrations) charges registration and per_group ones that are paid once, in the currency of the group. `chargedBy` of the reply says which of these it is. dueDay is the day of the billed month on which it is due; in a shorter month, the last one. Days before validFrom and after validTo are not charged for. With a proration, a run charges a part of a month in part, rounded half up to the smallest unit, and the line says so.',
    access: 'invoices.write',
    wholeTenant: true,
    body: NewFeeSchedule,
    status: 201,
    reply: FeeSchedule,
    fails: [NotFound],
    handle: ({ tx, body }) => createFeeSchedule(tx, body),
  }),
  change({
    id: 'fee-schedules.rehearse-new',
    method: 'POST',
    path: '/fee-schedules/rehearsal',
    summary: 'Ask what a new fee schedule would come to',
    description: 'Takes what POST /fee-schedules takes, is refused as that is, and changes nothing.',
    access: 'invoices.write',
    wholeTenant: true,
    body: NewFeeSchedule,
    reply: FeeConsequences,
    fails: [NotFound],
    handle: async ({ tx, body }) => feeConsequences(tx, (await createFeeSchedule(tx, body)).id),
  }),
  change({
    id: 'fee-schedules.rehearse',
    method: 'POST',
    path: '/fee-schedules/{id}/rehearsal',
    summary: 'Ask what would follow from a change of a fee schedule',
    description: 'Takes what PATCH /fee-schedules/{id} takes, is refused as that is, and changes nothing.',
    access: 'invoices.write',
    wholeTenant: true,
    body: FeeScheduleChanges,
    reply: FeeConsequences,
    handle: async ({ tx, params, body }) => feeConsequences(tx, (await changeFeeSchedule(tx, params.id, body)).id),
  }),
  read({
    id: 'fee-schedules.read',
    path: '/fee-schedules/{id}',
    summary: 'Read a fee schedule',
    access: 'invoices.read',
    reply: FeeSchedule,
    handle: ({ db, params }) => readFeeSchedule(db, params.id),
  }),
  change({
    id: 'fee-schedules.update',
    method: 'PATCH',
    path: '/fee-schedules/{id}',
    summary: 'Change a fee schedule',
    description: 'What was invoiced stays as it is.',
    access: 'invoices.write',
    wholeTenant: true,
    body: FeeScheduleChanges,
    reply: FeeSchedule,
    handle: ({ tx, params, body }) => changeFeeSchedule(tx, params.id, body),
  }),
  change({
    id: 'fee-schedules.delete',
    method: 'DELETE',
    path: '/fee-schedules/{id}',
    summary: 'Delete a fee schedule that no invoice line refers to',
    description: 'Lines of drafts and of void invoices count too: make such a schedule inactive instead.',
    access: 'invoices.write',
    wholeTenant: true,
    reply: Ok,
    fails: [FeeScheduleInUse],
    handle: ({ tx, params }) => deleteFeeSchedule(tx, params.id),
  }),
]
