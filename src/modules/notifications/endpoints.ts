import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { countUnread, inboxOf, listInbox, readAllEntries, readEntry } from './channels/inbox.ts'
import { listLog, NotRetryable, readLogged, retryMessage } from './outbox/log.ts'
import { changePreferences, readPreferences } from './preferences/preferences.ts'
import { PersonSentOften, RecordSentOften } from '#runtime/queue/pace.ts'
import { NobodyReached } from '#runtime/queue/reached.ts'
import {
  InboxEntry,
  InboxQuery,
  LogEntry,
  LoggedMessage,
  LogQuery,
  MonthlyUsage,
  NewPreferences,
  NewTemplate,
  Preferences,
  Read,
  RetriedStuck,
  RetryStuck,
  Stuck,
  Template,
  TemplateChanges,
  TemplateQuery,
  Unread,
  UsageQuery,
} from './schemas.ts'
import { GroupToldOften, TeachersDoNotWrite } from './outbox/group-budget.ts'
import { enqueueSend, NobodyMeant, prepareSend } from './outbox/send-by-hand.ts'
import { Call, CallQuery, FamilyReach, ReachQuery, TellAllByHand, TellByHand, ToldByHand } from './call-schemas.ts'
import { AlreadyTold, listCalls, tellAllByHand, tellByHand, untell } from './outbox/calls.ts'
import { NewMessage, Queued } from './send-schemas.ts'
import { dropMessage, dropStuck, NotStuck, readStuck, retryStuck, STUCK_DAYS } from './outbox/stuck.ts'
import { familyReach } from './recipients/reach.ts'
import { KEPT_DAYS } from './outbox/sweep.ts'
import type { NotifyDeps } from './events/notify.ts'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  listTemplates,
  TemplateTaken,
  TooManyTemplates,
} from './texts/templates.ts'
import { monthOf, readUsage } from './outbox/usage.ts'

const own = { access: 'tenant' } as const
const manage = { access: 'notifications.manage', wholeTenant: true } as const
const send = { access: 'notifications.send' } as const
/** Who may send anything sees what became of it. */
const written = { access: ['notifications.send', 'attendance.mark'] } as const

const inboxEndpoints = [
  read({
    ...own,
    id: 'me.notifications',
    path: '/me/notifications',
    summary: 'The caller’s inbox, newest first',
    description: `What is older than ${KEPT_DAYS} days is deleted. An API key has no inbox: its list is empty.`,
    query: InboxQuery,
    reply: pageOf(InboxEntry),
    handle: ({ whole, caller, cursors, query: { unreadOnly, ...page } }) =>
      listInbox({
        db: whole,
        cursors,
        query: { ...page, userId: inboxOf(caller), ...(unreadOnly && { unread: true }) },
      }),
  }),
  read({
    ...own,
    id: 'me.unread-notifications',
    path: '/me/notifications/unread-count',
    summary: 'How many notifications the caller has not read',
    reply: Unread,
    handle: ({ whole, caller }) => countUnread(whole, inboxOf(caller)),
  }),
  change({
    ...own,
    id: 'me.read-all-notifications',
    method: 'POST',
    path: '/me/notifications/read-all',
    summary: 'Mark everything in the caller’s inbox as read',
    reply: Read,
    handle: ({ tx, caller }) => readAllEntries(tx, inboxOf(caller)),
  }),
  change({
    ...own,
    id: 'me.read-notification',
    method: 'POST',
    path: '/me/notifications/{id}/read',
    summary: 'Mark a notification of the caller as read',
    description: '`updated` is 0 where it was read before.',
    reply: Read,
    handle: ({ tx, caller, params }) => readEntry(tx, inboxOf(caller), params.id),
  }),
  read({
    ...own,
    id: 'notification-preferences.read',
    path: '/notification-preferences',
    summary: 'How the caller wants to be told',
    description:
      'Every channel is listed; whoever never said is told at once. They hold for the caller’s account in this institute. The link at the end of a mail switches the channel email off.',
    reply: Preferences,
    handle: ({ whole, caller }) => readPreferences(whole, caller),
  }),
  change({
    ...own,
    id: 'notification-preferences.update',
    method: 'PUT',
    path: '/notification-preferences',
    summary: 'Choose how to be told',
    description:
      'Channels that are not named stay as they are. What waits for a digest follows: it is sent now, moved to the other digest, or left out. Over a channel that is switched off nothing more goes, also not what is tried again later. Only a signed-in user has preferences (403).',
    body: NewPreferences,
    reply: Preferences,
    handle: ({ tx, caller, body }) => changePreferences(tx, caller, body.preferences),
  }),
]

const templateEndpoints = [
  read({
    ...manage,
    id: 'notification-templates.list',
    path: '/notification-templates',
    summary: 'List the texts of messages',
    description:
      'The institute’s own, and the platform’s where it has none of its own; ordered by key, channel and locale. The mail of an invitation is not among them: it is always the same.',
    query: TemplateQuery,
    reply: pageOf(Template),
    handle: listTemplates,
  }),
  change({
    ...manage,
    id: 'notification-templates.create',
    method: 'POST',
    path: '/notification-templates',
    summary: 'Write a text of the institute’s own',
    description:
      'In place of the platform’s for this key, channel and locale, or under a key of its own for messages that are sent by hand. One for each (409), 1,000 at the most (409). Without a subject it has the platform’s, else the institute’s name. A variable that the key does not have is 422, which names those that it has; texts under a key of their own take {{data.name}} from the request that sends them. Switched off (isActive false), those whose text it is are not told.',
    body: NewTemplate,
    status: 201,
    reply: Template,
    fails: [TemplateTaken, TooManyTemplates],
    handle: ({ tx, body }) => createTemplate(tx, body),
  }),
  change({
    ...manage,
    id: 'notification-templates.update',
    method: 'PATCH',
    path: '/notification-templates/{id}',
    summary: 'Change a text of the institute’s own',
    description: 'A text of the platform’s is 404: write one of the institute’s own in its place.',
    body: TemplateChanges,
    reply: Template,
    handle: ({ tx, params, body }) => changeTemplate(tx, params.id, body),
  }),
  change({
    ...manage,
    id: 'notification-templates.delete',
    method: 'DELETE',
    path: '/notification-templates/{id}',
    summary: 'Delete a text of the institute’s own',
    description: 'The platform’s applies again, where there is one. A text of the platform’s is 404.',
    reply: Ok,
    handle: ({ tx, params }) => deleteTemplate(tx, params.id),
  }),
]

const messageEndpoints = (deps: NotifyDeps) => [
  change({
    id: 'notifications.send',
    method: 'POST',
    path: '/notifications/send',
    summary: 'Send a message to people',
    description:
      'At most 10,000 records are named. studentIds are the students themselves, groupId is the active students of a group and their guardians; an audience is looked up when it is sent; everybody is told once on each channel, also who is meant several times. Somebody whom the caller does not reach is 404; members who are not active any more are skipped. ' +
      'For holders of notifications.send; who owes is for those who may read invoices too, and who was absent for those who may read attendance (403). Without it, teachers write to the families of the groups that they teach or substitute in, all of them or those of who was absent, and nobody else (403; another group is 404): as often a day as the setting teacherMessagesPerDay says of each group, whoever of its teachers writes; beyond that it is 429 with Retry-After (`group_told_often`, which says when it is open again). ' +
      'The key `message` sends what `data` has as `title` and `message`; a text of the institute’s own takes its {{data.name}} from there; a missing value is 422. ' +
      'With `dryRun` nothing is sent (200): the reply says how many people it is for, over which channels and in which languages, whom it does not reach and why, what each of them would read, in how many parts text messages go, and what it is of the plan. ' +
      'A channel that the institute does not have is 403 FEATURE_DISABLED; one that is not set up, people without an address, and those who switched it off are skipped. Messages beyond the plan’s quota are skipped when they are written, as the log tells. So are those beyond 30 an hour or 100 a day that are sent by hand to one inbox or telephone; where nobody else is left to be told, it is 429 with Retry-After (`person_sent_often`). Where an audience means nobody, it is 409 (`nobody_meant`). Where it reaches nobody of all who are named, nothing is sent: 409 (`nobody_reached`), which names the first of them and says why.',
    ...written,
    tool: {
      name: 'notification_send',
      title: 'Send a message to people',
      description:
        'Sends a message to named students, members or a whole group. For a text of your own use templateKey message, with data {"title": …, "message": …}. It says first how many people would get it and who would not, and asks a person.',
      done: 'The messages are on their way.',
      asksBack: true,
      reachesOutside: true,
    },
    body: NewMessage,
    status: 202,
    otherStatuses: [200],
    reply: Queued,
    fails: [NotFound, NobodyMeant, NobodyReached, PersonSentOften, GroupToldOften, TeachersDoNotWrite],
    prepare: ({ body, whole, tenant, caller, now, reachedBy, begin }) =>
      prepareSend({ whole, tenant, caller, now, reachedBy }, body, { ...deps, begin }),
    handle: async ({ tx, body, prepared }) => {
      const queued = await enqueueSend(tx, prepared)
      return body.dryRun ? new Rehearsed(queued) : queued
    },
  }),
  read({
    ...written,
    id: 'notifications.list',
    path: '/notifications',
    summary: 'The log of messages, newest first',
    description: `Whom the institute told of what, over which channel, and what became of it. A caller of one branch sees what concerns that branch. Teachers without notifications.send see what they sent themselves, without addresses and reasons. A message is handed over at least once: where the connection or this server ended before the answer was stored, nobody knows whether it was taken, and it is handed over again, with the same id: in the Message-ID of a mail, in a push message and its topic, in the Idempotency-Key for an \`https\` provider. Twilio and Meta take no such id. In the app it stands once. Where the mail server is at fault (it cannot be reached, refuses the sign-in, the sender or the encryption, answers 4xx, or does not relay), a mail is tried again after 1, 5, 24 and 30 minutes, 1 and 2 hours, and then every 4 hours, until two days are over: longer than a webhook, because an office’s mail server is often mended only after a weekend. Texts and push messages are tried as often as webhooks. A recipient or a content that the server refuses for good (5xx) is not tried again. GET /notifications/stuck counts what waits. What is older than ${KEPT_DAYS} days is deleted.`,
    query: LogQuery,
    reply: pageOf(LogEntry),
    handle: listLog,
  }),
  read({
    ...manage,
    id: 'notifications.usage',
    path: '/notifications/usage',
    summary: 'How many messages a month has, against the plan',
    description:
      'This month without `month`. A message counts when it is queued, a digest as one; what failed or was skipped in the end does not count, nor does what stays in the app. What the office hears of leads does not count either: strangers cause it. At most five leads an hour are told one by one; of the others there is one summary an hour.',
    query: UsageQuery,
    reply: MonthlyUsage,
    handle: ({ whole, tenant, now, query }) => readUsage(whole, query.month ?? monthOf(now, tenant), tenant),
  }),
  read({
    ...send,
    wholeTenant: true,
    id: 'notifications.stuck',
    path: '/notifications/stuck',
    summary: 'What did not go out because of the mail server or a provider',
    description: `Messages of the last ${STUCK_DAYS} days, by channel, that wait for their next attempt or were given up after the last one; and mails of any age that were written while there was no mailbox, which wait until somebody has them sent or dropped. What the other side refused for good is not among them: GET /notifications?status=failed says why.`,
    reply: Stuck,
    handle: async ({ whole, now }) => ({ channels: await readStuck(whole, now) }),
  }),
  read({
    ...written,
    id: 'notifications.read',
    path: '/notifications/{id}',
    summary: 'Read a message of the log, with what became of each attempt',
    reply: LoggedMessage,
    handle: ({ params, ...context }) => readLogged(context, params.id),
  }),
  change({
    ...send,
    wholeTenant: true,
    id: 'notifications.retry-stuck',
    method: 'POST',
    path: '/notifications/stuck/retry',
    summary: 'Send everything again that did not go out because of the mail server or a provider',
    description: `All that GET /notifications/stuck counts for the channel goes out again from now on, a hundred at a time, to the addresses that it was written for, and for email the institute’s invitations too. What is due within a minute goes by itself; what is asked for twice goes once. Each has all its attempts again; those that were given up count against the plan’s quota once more, as far as it allows. Nothing is older than ${STUCK_DAYS} days, but for mails that were kept without a mailbox.`,
    body: RetryStuck,
    status: 202,
    reply: RetriedStuck,
    handle: ({ tx, body }) => retryStuck(tx, body.channel),
  }),
  change({
    ...send,
    wholeTenant: true,
    id: 'notifications.drop-stuck',
    method: 'POST',
    path: '/notifications/stuck/drop',
    summary: 'Give up everything that did not go out because of the mail server or a provider',
    description:
      'All that GET /notifications/stuck counts for the channel is skipped, as the log says, and does not count against the plan. One that is just being sent may still arrive. Invitations stay as they are.',
    body: RetryStuck,
    reply: RetriedStuck,
    handle: ({ tx, body }) => dropStuck(tx, body.channel),
  }),
  change({
    ...send,
    id: 'notifications.drop',
    method: 'POST',
    path: '/notifications/{id}/drop',
    summary: 'Give up one message that did not go out because of the mail server or a provider',
    description:
      'One of those that POST /notifications/stuck/drop gives up: it waits for its next attempt or for a mailbox, or was given up after the last one (409 `message_not_stuck` otherwise). It is skipped, as the log says, does not count against the plan, and can be sent again (POST /notifications/{id}/retry). One that is just being sent may still arrive.',
    reply: LogEntry,
    fails: [NotStuck],
    handle: ({ tx, params }) => dropMessage(tx, params.id),
  }),
  change({
    ...send,
    id: 'notifications.retry',
    method: 'POST',
    path: '/notifications/{id}/retry',
    summary: 'Send a message again that did not arrive',
    description:
      'To the address that the recipient has now. Only what failed, or was written and skipped, can be sent again (409, which says why), and only where it reaches somebody now (409 `nobody_reached`). It counts against the plan’s quota once more. One message goes 3 times an hour and 6 times a day at the most, and 30 an hour and 100 a day go to one address by hand: beyond that 429 with Retry-After (`record_sent_often`, `person_sent_often`).',
    reply: LogEntry,
    fails: [NotRetryable, NobodyReached, QuotaExceeded, RecordSentOften, PersonSentOften],
    handle: ({ tx, params }) => retryMessage(tx, params.id, deps.channels),
  }),
]

const callEndpoints = ({ channels }: NotifyDeps) => [
  read({
    id: 'notifications.reach',
    path: '/notifications/reach',
    summary: 'How many families a message reaches now',
    description:
      'Of whoever is in a group: the guardians who may know of the lessons, and students who have none; by account, email address and phone, over the channels that work now. It is to be known before something is announced to all of them, such as closed days. Who switched messages off is counted all the same. A caller of one branch sees its families.',
    access: ['notifications.send', 'groups.write'],
    query: ReachQuery,
    reply: FamilyReach,
    handle: ({ db, tenant, query }) => familyReach({ db, tenant, channels }, query.branchId),
  }),
  read({
    ...send,
    id: 'notifications.calls',
    path: '/notifications/calls',
    summary: 'List whom the office tells itself, newest first',
    description: `Students and guardians whom a message reaches over no channel that works now, and who have a phone: with the text in their language, to call them or to write to them from a telephone of the office. They stand here for whatever follows from an event (an absence, a lesson that moved, closed days, an invoice), but for payments, receipts and progress reports; for what is sent by hand where it asks so (\`toCall\`). Who wants no messages does not, nor a student one of whose guardians is meant too. A caller of one branch sees what concerns that branch. What nobody told before it happened is deleted then, everything else after ${KEPT_DAYS} days.`,
    query: CallQuery,
    reply: pageOf(Call),
    handle: listCalls,
  }),
  change({
    ...send,
    id: 'notifications.tell',
    method: 'POST',
    path: '/notifications/calls/{id}/told',
    summary: 'Keep that somebody was told by hand',
    description:
      'By the caller, whose name is kept. Where somebody else did it before, it is 409, which says who, how and when: two people do not tell them twice.',
    body: TellByHand,
    reply: Call,
    fails: [AlreadyTold],
    handle: ({ tx, caller, params, body }) => tellByHand(tx, caller, params.id, body.how),
  }),
  change({
    ...send,
    id: 'notifications.tellAll',
    method: 'POST',
    path: '/notifications/calls/told',
    summary: 'Keep that everybody of one message was told by hand',
    description:
      'As when it was written into the group that the parents of a class have on their phones: all who stand on the list by one message, or one event, and whom the caller sees there, are told by the caller. Who was told by somebody before stays as that person left it. 404 where nobody whom the caller sees stands or stood there by it.',
    body: TellAllByHand,
    reply: ToldByHand,
    fails: [NotFound],
    handle: async ({ tx, caller, body }) => ({ told: await tellAllByHand(tx, caller, body.sourceId, body.how) }),
  }),
  change({
    ...send,
    id: 'notifications.untell',
    method: 'DELETE',
    path: '/notifications/calls/{id}/told',
    summary: 'Take back that somebody was told by hand',
    description: 'They are to be told after all.',
    reply: Call,
    handle: ({ tx, params }) => untell(tx, params.id),
  }),
]

export const notificationEndpoints = (deps: NotifyDeps) => [
  ...inboxEndpoints,
  ...templateEndpoints,
  ...callEndpoints(deps),
  ...messageEndpoints(deps),
]
