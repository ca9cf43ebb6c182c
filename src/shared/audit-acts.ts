import type { AuditWords } from './audit-words.ts'

type Recorded = Readonly<Record<string, unknown>>

/** What the history knows of one act. */
export interface Entry {
  actorType: string
  actorUserId: string | null
  actorName: string | null
  action: string
  entityType: string
  entityId: string | null
  studentName: string | null
  groupName: string | null
  before: Recorded | null
  after: Recorded | null
}

export type Kind = keyof AuditWords['kinds']
type Verb = keyof AuditWords['verbs']

/** What an operation does, where that is more than to add, change or delete. Several act on records of more than one kind. */
const VERBS: Readonly<Partial<Record<string, Verb>>> = {
  'attendance.mark': 'mark',
  'auth.change-password': 'password',
  'auth.end-session': 'signOut',
  'auth.lock': 'lock',
  'auth.login': 'signIn',
  'auth.logout': 'signOut',
  'auth.logout-all': 'signOut',
  'auth.passkey': 'signIn',
  'auth.refresh': 'renew',
  'auth.reset-password': 'password',
  'auth.reuse': 'misuse',
  'auth.second-factor': 'signIn',
  'api-keys.revoke': 'revoke',
  'billing.run': 'run',
  'billing.void-run': 'void',
  'cheques.bounce': 'bounce',
  'cheques.deposit': 'deposit',
  'course-enrollments.drop': 'drop',
  'enrollments.complete': 'complete',
  'enrollments.drop': 'drop',
  'enrollments.move': 'move',
  'exams.enter-gradebook': 'results',
  'exams.enter-results': 'results',
  'exams.publish': 'publish',
  'files.upload-url': 'upload',
  'guardians.erase': 'erase',
  'guardians.merge': 'merge',
  'invitations.accept': 'accept',
  'invoices.issue': 'issue',
  'invoices.issue-many': 'issue',
  'invoices.move-payer': 'move',
  'invoices.remind': 'remind',
  'invoices.remind-many': 'remind',
  'invoices.void': 'void',
  'leads.convert': 'convert',
  'lessons.order': 'order',
  'lessons.publish': 'publish',
  'lessons.unpublish': 'unpublish',
  'license.heartbeat': 'take',
  'license.unlock': 'unlock',
  'licenses.lock': 'lock',
  'licenses.unlock': 'unlock',
  'licenses.unlock-token': 'unlock',
  'mail.test': 'test',
  'me.begin-second-factor': 'factorBegun',
  'me.confirm-second-factor': 'factorOn',
  'me.end-calendar': 'revoke',
  'me.end-grant': 'revoke',
  'me.make-calendar': 'add',
  'me.make-recovery-codes': 'codes',
  'me.remove-second-factor': 'factorOff',
  'members.end-grant': 'revoke',
  'members.end-session': 'deviceOut',
  'members.end-sessions': 'devicesOut',
  'members.invite': 'invite',
  'members.replace-roles': 'roles',
  'members.resend-invitation': 'replay',
  'members.reset-second-factor': 'factorReset',
  'notification-providers.test': 'test',
  'notifications.retry': 'replay',
  'notifications.retry-stuck': 'replay',
  'notifications.send': 'send',
  'oauth.consent': 'allow',
  'oauth.refuse': 'refuse',
  'oauth.reuse': 'misuse',
  'oauth.revoke': 'revoke',
  'payment-providers.test': 'test',
  'payments.reverse': 'takeBack',
  'plans.archive': 'close',
  'platform-domains.verify': 'test',
  'platform-jobs.drop': 'remove',
  'platform-jobs.retry': 'replay',
  'platform-queues.pause': 'pause',
  'platform-queues.resume': 'resume',
  'platform-queues.retry-failed': 'replay',
  'platform-tenants.archive': 'close',
  'platform-tenants.impersonate': 'visit',
  'platform-tenants.lock': 'lock',
  'platform-tenants.unlock': 'unlock',
  'progress-reports.send': 'send',
  'progress-reports.send-many': 'send',
  'receipts.reverse': 'takeBack',
  'receipts.send': 'send',
  'roles.end-preview': 'lookedEnough',
  'roles.preview': 'looked',
  'sections.order': 'order',
  'server.backup-address': 'download',
  'server.change-updates': 'change',
  'server.check-updates': 'test',
  'server.choose-https': 'change',
  'server.choose-lan-name': 'change',
  'server.install-update': 'renew',
  'server.make-backup': 'add',
  'server.order-certificate': 'renew',
  'server.bring-backup': 'upload',
  'server.open-backup': 'unseal',
  'server.fetch-from-bucket': 'upload',
  'server.remove-brought': 'remove',
  'server.restore-backup': 'restore',
  'server.restored': 'restore',
  'server.send-update': 'upload',
  'sessions.follow-zone': 'move',
  'setup.bootstrap': 'setUp',
  'setup.check-backup': 'test',
  'setup.fetch-from-bucket': 'upload',
  'setup.read-bucket': 'test',
  'setup.restore': 'restore',
  'setup.send-backup': 'upload',
  'setup.try-mail': 'test',
  'students.change-status': 'status',
  'subscriptions.cancel': 'drop',
  'subscriptions.renew': 'renew',
  'students.erase': 'erase',
  'students.merge': 'merge',
  'tills.close': 'close',
  'user.disable': 'disable',
  'user.enable': 'allow',
  'user.reset-password': 'passwordLink',
  'user.reset-second-factor': 'factorReset',
  'webhooks.disable': 'disable',
  'webhooks.replay': 'replay',
  'webhooks.rotate-secret': 'rotate',
  'webhooks.test': 'test',
}

/** Where an operation has a verb of its own, the kinds of records that it is said of; of others it adds, changes, deletes. */
const SAID_OF: Readonly<Partial<Record<string, readonly Kind[]>>> = {
  'leads.convert': ['student'],
  'license.heartbeat': ['license'],
  'attendance.mark': ['session'],
  'billing.run': ['billing_run'],
  'billing.void-run': ['billing_run', 'invoice'],
  'payments.reverse': ['payment', 'receipt'],
  'receipts.reverse': ['payment', 'receipt'],
  'members.invite': ['membership'],
  'setup.bootstrap': ['tenant'],
}

export const kindOf = ({ entityType, action }: Pick<Entry, 'entityType' | 'action'>): string => {
  if (entityType === 'session' && action.startsWith('auth.')) return 'login'
  // Of an invitation that was accepted, the log keeps the access that came of it.
  if (action === 'invitations.accept' && entityType === 'membership') return 'invitation'
  return action === 'platform-tenants.impersonate' ? 'owner' : entityType
}

/** What the state of an institute says of a change that several operations and jobs make. */
const verbOfState = ({ entityType, before, after }: Entry): Verb | undefined => {
  if (entityType !== 'tenant' || before === null || after === null || before['status'] === after['status'])
    return undefined
  return ({ suspended: 'lock', active: 'unlock' } as const)[String(after['status'])]
}

export const verbOf = (entry: Entry): Verb => {
  const { action, before, after, entityType } = entry
  const ofState = verbOfState(entry)
  if (ofState !== undefined) return ofState
  const verb = VERBS[action]
  const isSaid = SAID_OF[action]?.includes(kindOf(entry) as Kind) ?? true
  if (verb !== undefined && isSaid) return verb
  if (entityType === 'list' || entityType === 'export') return 'download'
  if (before === null && after !== null) return 'add'
  if (before !== null && after === null) return 'remove'
  return before !== null && after !== null ? 'change' : 'other'
}
