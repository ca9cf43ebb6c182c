import { jobKind, type Module } from '#kernel/contract/module.ts'
import { correctionJob } from '#modules/attendance/index.ts'
import { receiptMailJob } from '#modules/billing/index.ts'
import { deskNoticeJob } from '#modules/online-payments/index.ts'
import { accountUnlinkedJob } from '#modules/people/index.ts'
import { changeProposedJob, proposalDecidedJob } from '#modules/proposed-changes/index.ts'
import { reportReturnedJob, reportsSubmittedJob } from '#modules/progress-reports/index.ts'
import { offerNoticeJob } from '#modules/waiting-lists/index.ts'
import { rolloverNoticeJob } from '#modules/rollover/index.ts'
import { closureNoticeJob } from '#modules/closures/index.ts'
import { coverNoticeJob } from '#modules/covers/index.ts'
import { groupNoticeJob, sessionNoticeJob } from '#modules/sessions/index.ts'
import { deliver, loadQueued, type DeliverDeps } from './outbox/deliver.ts'
import { digest } from './outbox/digest.ts'
import { providerEndpoints, type ProviderEndpointDeps } from './providers/endpoints.ts'
import { deviceEndpoints } from './push/endpoints.ts'
import type { DeviceDeps } from './push/devices.ts'
import { channelsOver, type ChannelDeps } from './channels/index.ts'
import { notificationEndpoints } from './endpoints.ts'
import { optOutEndpoints, type OptOutDeps } from './preferences/opt-out-endpoints.ts'
import { atOnceIn, deliverJob, digestJob, httpsNoticeJob, stuckMailsJob, updateNoticeJob } from './outbox/jobs.ts'
import { sendSlice, sendSliceJob } from './outbox/send-by-hand.ts'
import { retryStuckJob, retryStuckSlice } from './outbox/stuck.ts'
import { sweepNotifications, sweepNotificationsJob } from './outbox/sweep.ts'
import { notificationTables } from './tables.ts'
import {
  endpointDisabledJob,
  onEvents,
  joinNotifyJobs,
  leadSummaryJob,
  notify,
  notifyClosure,
  notifyCorrection,
  notifyCover,
  notifyDecidedProposal,
  notifyDisabledEndpoint,
  notifyGroup,
  notifyJob,
  notifyLeadSummary,
  notifyOffer,
  notifyPaymentProblem,
  notifyProposedChange,
  notifyReceipt,
  notifyRollover,
  notifyReturnedReport,
  notifySession,
  notifySubmittedReports,
  notifyStuckMails,
  notifyUnlinkedAccount,
  notifyHttps,
  notifyUpdate,
  type NotifyDeps,
} from './events/notify.ts'
import { NOTIFICATION_CREDENTIALS } from './credentials.ts'

export { forgetAddresses, forgetDevices, forgetPreferences, forgetTold } from './outbox/erase.ts'
export { makeVapidPair, vapidKeys, type VapidKeys } from './push/vapid.ts'
export { findUnreachedOver } from './recipients/unreached.ts'
export { channelsOver } from './channels/index.ts'
export { countStuckMails } from './outbox/count-stuck.ts'
export { countThisMonth } from './outbox/usage.ts'
export { formats } from './texts/formats.ts'
export { letterheadFor } from './outbox/letterhead.ts'
export { noticeDisabledEndpoint } from './events/notify.ts'
export { noticeHttps, noticeUpdate } from './outbox/jobs.ts'

export type NotificationsDeps = Omit<NotifyDeps & DeliverDeps & DeviceDeps & ProviderEndpointDeps, 'channels'> &
  ChannelDeps &
  OptOutDeps

/** The delivery counts its own attempts. A run that dies with its process is no attempt, so many runs are allowed. */
const DELIVERY_RUNS = 1000

/** Tells people what concerns them, over the channels of the institute. */
export const notificationsModule = (given: NotificationsDeps): Module => {
  const deps = { ...given, channels: channelsOver(given) }
  return {
    name: 'notifications',
    tags: {
      'notification-preferences': 'How the caller wants to be told.',
      'notification-providers': 'What messages are sent over.',
      'notification-templates': 'The texts of messages.',
      notifications: 'Messages to people, and what became of them.',
    },
    tables: notificationTables,
    persons: (['student', 'guardian'] as const).flatMap((of) => [
      // Both got the same message.
      {
        of,
        table: 'notification' as const,
        column: 'recipient_id',
        once: [['source_id', 'channel']],
        twice: 'dropped' as const,
      },
      {
        of,
        table: 'notification_call' as const,
        column: 'recipient_id',
        once: [['source_id']],
        twice: 'dropped' as const,
      },
    ]),
    credentials: NOTIFICATION_CREDENTIALS,
    reads: {
      attendance: ['attendance'],
      billing: ['cheque', 'invoice', 'invoice_line', 'payment', 'receipt_payment'],
      closures: ['closure'],
      courses: ['course'],
      exams: ['exam'],
      groups: ['enrollment', 'group'],
      identity: ['auth_session', 'user'],
      imports: ['imported_balance'],
      leads: ['lead'],
      members: ['membership', 'role', 'role_assignment'],
      'online-payments': ['online_payment'],
      people: ['guardian', 'guardian_link', 'staff', 'student'],
      'progress-reports': ['progress_report'],
      'proposed-changes': ['proposed_change'],
      rollover: ['group_continuation'],
      sessions: ['session'],
      tenants: ['tenant'],
      webhooks: ['webhook_endpoint'],
    },
    endpoints: [
      ...notificationEndpoints(deps),
      ...deviceEndpoints(deps),
      ...providerEndpoints(deps),
      ...optOutEndpoints(deps),
    ],
    jobs: [
      jobKind(notifyJob, { handle: notify(deps), join: joinNotifyJobs }),
      jobKind(endpointDisabledJob, { handle: notifyDisabledEndpoint(deps) }),
      jobKind(accountUnlinkedJob, { handle: notifyUnlinkedAccount(deps) }),
      jobKind(deskNoticeJob, { handle: notifyPaymentProblem(deps) }),
      jobKind(receiptMailJob, { handle: notifyReceipt(deps) }),
      jobKind(sessionNoticeJob, { handle: notifySession(deps) }),
      jobKind(closureNoticeJob, { handle: notifyClosure(deps) }),
      jobKind(coverNoticeJob, { handle: notifyCover(deps) }),
      jobKind(offerNoticeJob, { handle: notifyOffer(deps) }),
      jobKind(rolloverNoticeJob, { handle: notifyRollover(deps) }),
      jobKind(reportsSubmittedJob, { handle: notifySubmittedReports(deps) }),
      jobKind(reportReturnedJob, { handle: notifyReturnedReport(deps) }),
      jobKind(changeProposedJob, { handle: notifyProposedChange(deps) }),
      jobKind(proposalDecidedJob, { handle: notifyDecidedProposal(deps) }),
      jobKind(correctionJob, { handle: notifyCorrection(deps) }),
      jobKind(groupNoticeJob, { handle: notifyGroup(deps) }),
      jobKind(leadSummaryJob, { handle: notifyLeadSummary(deps) }),
      jobKind(stuckMailsJob, { handle: notifyStuckMails(deps) }),
      jobKind(httpsNoticeJob, { handle: notifyHttps(deps) }),
      jobKind(updateNoticeJob, { handle: notifyUpdate(deps) }),
      jobKind(retryStuckJob, { handle: retryStuckSlice }),
      jobKind(sendSliceJob, { handle: sendSlice(deps) }),
      jobKind(deliverJob, {
        load: loadQueued,
        handle: deliver(deps),
        maxAttempts: DELIVERY_RUNS,
        atOnceInLane: atOnceIn,
        relaxed: true,
        endsTogether: true,
      }),
      jobKind(digestJob, { handle: digest }),
      jobKind(sweepNotificationsJob, { handle: sweepNotifications }),
    ],
    cronJobs: [{ cron: '17 * * * *', job: sweepNotificationsJob }],
    eventSubscribers: [onEvents],
    close: () => given.mailServers.close(),
  }
}
