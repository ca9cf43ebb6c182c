import { openChange, openRead } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { TenantArchived, TenantNotFound } from '#modules/tenants/index.ts'
import { readRecord } from '#runtime/records/records.ts'
import { archivePlan, changePlan, createPlan, listPlans, PlanArchived, PlanCodeTaken, planRecord } from './plans.ts'
import {
  NewPlan,
  NewSubscription,
  Plan,
  PlanChanges,
  Renewal,
  Subscription,
  SubscriptionChanges,
  SubscriptionQuery,
} from './schemas.ts'
import {
  AlreadySubscribed,
  cancelSubscription,
  changeSubscription,
  listSubscriptions,
  renewSubscription,
  startSubscription,
  SubscriptionCancelled,
  SubscriptionMoveRefused,
} from './subscriptions.ts'

const access = 'platform'

export const planEndpoints = [
  openRead({
    id: 'plans.list',
    path: '/platform/plans',
    summary: 'List plans, newest first',
    description: 'Archived ones included.',
    access,
    query: pageQuery({}),
    reply: pageOf(Plan),
    handle: listPlans,
  }),
  openChange({
    id: 'plans.create',
    method: 'POST',
    path: '/platform/plans',
    summary: 'Add a plan',
    description:
      'The code has 1 to 50 characters: small letters (capitals become small), digits and, not at its ends, dots, underscores and hyphens; another plan’s code is 409. `features` and `quotas` name what the plan says something of: a feature that is left out or null follows its default, a quota that is left out or null is unlimited.',
    access,
    body: NewPlan,
    status: 201,
    reply: Plan,
    fails: [PlanCodeTaken],
    handle: ({ tx, body }) => createPlan(tx, body),
  }),
  openRead({
    id: 'plans.read',
    path: '/platform/plans/{id}',
    summary: 'Read a plan',
    access,
    reply: Plan,
    handle: ({ db, params }) => readRecord(db, planRecord, params.id),
  }),
  openChange({
    id: 'plans.update',
    method: 'PATCH',
    path: '/platform/plans/{id}',
    summary: 'Change a plan for every institute that has it',
    description:
      'Fields, features and quotas that are left out stay; a null feature follows its default again, a null quota is unlimited again. Changed features and quotas hold at once for every institute with the plan. Where there is more than a new quota allows, nothing is taken away: only additions are refused. An archived plan can be changed, for those who have it.',
    access,
    body: PlanChanges,
    reply: Plan,
    fails: [PlanCodeTaken],
    handle: ({ tx, params, body }) => changePlan(tx, params.id, body),
  }),
  openChange({
    id: 'plans.archive',
    method: 'POST',
    path: '/platform/plans/{id}/archive',
    summary: 'Archive a plan',
    description:
      'It takes no new subscriptions (409), and goes on for the institutes that have it. Archiving is final; an archived plan stays as it is.',
    access,
    reply: Plan,
    handle: ({ tx, params }) => archivePlan(tx, params.id),
  }),
]

export const subscriptionEndpoints = [
  openRead({
    id: 'subscriptions.list',
    path: '/platform/subscriptions',
    summary: 'List subscriptions, newest first',
    description:
      'Of all institutes, cancelled and replaced ones included. `expiringWithinDays` leaves those whose period ends from now on until so many days later; the filters narrow together.',
    access,
    query: SubscriptionQuery,
    reply: pageOf(Subscription),
    handle: listSubscriptions,
  }),
  openChange({
    id: 'subscriptions.create',
    method: 'POST',
    path: '/platform/tenants/{id}/subscription',
    summary: 'Give an institute a plan',
    description:
      'The subscription is active unless the body says trialing or past_due; its period begins now and ends in the future (422). The plan’s features and quotas hold from now on. An institute has one subscription that is not cancelled: another is 409, and so is an archived plan or institute. A cancelled subscription is replaced: writes that ended with it go on, and an automatic lock is lifted.',
    access,
    body: NewSubscription,
    status: 201,
    reply: Subscription,
    fails: [TenantNotFound, NotFound, AlreadySubscribed, PlanArchived, TenantArchived],
    handle: ({ tx, params, body }) => startSubscription(tx, params.id, body),
  }),
  openChange({
    id: 'subscriptions.update',
    method: 'PATCH',
    path: '/platform/subscriptions/{id}',
    summary: 'Change a subscription',
    description:
      'Another plan holds at once; an archived one is 409, unless the subscription has it already. Moves of the status: trialing to active or past_due, active to past_due, past_due to active; any other is 409 with details {subscriptionStatus, allowedStatuses}: `expired` follows from the time, and cancelling and renewing have endpoints of their own. currentPeriodEnd lies after currentPeriodStart (422); one that has passed lets the subscription expire within the hour, and an expired one whose new end is still to come is active again, and an automatic lock is lifted as by renewing. Notices of the end begin anew with it. A cancelled subscription does not change (409).',
    access,
    body: SubscriptionChanges,
    reply: Subscription,
    fails: [SubscriptionCancelled, SubscriptionMoveRefused, PlanArchived],
    handle: ({ tx, params, body }) => changeSubscription(tx, params.id, body),
  }),
  openChange({
    id: 'subscriptions.renew',
    method: 'POST',
    path: '/platform/subscriptions/{id}/renew',
    summary: 'Renew a subscription',
    description:
      'It is active until currentPeriodEnd, which lies in the future and after the present one (422). Before its end the period becomes longer; after it, a new one begins now. Notices of the end begin anew. An institute that was locked automatically because of this subscription is unlocked; one that somebody locked by hand stays locked. A cancelled subscription (409) is followed by a new one instead. An archived institute is 409.',
    access,
    body: Renewal,
    reply: Subscription,
    fails: [SubscriptionCancelled, TenantArchived],
    handle: ({ tx, params, body }) => renewSubscription(tx, params.id, body.currentPeriodEnd),
  }),
  openChange({
    id: 'subscriptions.cancel',
    method: 'POST',
    path: '/platform/subscriptions/{id}/cancel',
    summary: 'Cancel a subscription for good',
    description:
      'Until the end of its period the institute works as before; from then on, at once where the period has ended, it can be read, and changes are 402 PAYMENT_REQUIRED. There are no more notices and no automatic lock. Cancelling again changes nothing. (A subscription that just expires, without being cancelled, is a warning: nothing is switched off.)',
    access,
    reply: Subscription,
    handle: ({ tx, params }) => cancelSubscription(tx, params.id),
  }),
]
