import type { Schemas } from './api/schemas.ts'

/** The map of the console: which screens there are, and who may open them. It is data alone, as the server reads it too. */

interface Listed {
  /** Its address, as the routes read it. */
  path: `/${string}`
  /** One of these is needed; none: whoever is signed in. */
  needs?: readonly Schemas['Permission'][]
  /** Whether it belongs to the owners of the institute alone. */
  isForOwner?: true
  /** Whether it belongs to the vendor, who manages the platform: nobody of an institute opens it, and no other is open to them. */
  isForPlatform?: true
  /**
   * Its item in the rail, whose order is that of this list. `icon` names a drawing of `parts/icon.tsx`, `label` a word of
   * `shell.nav` in each language. `isForFamily`: it stands for whoever has the role of a guardian or of a student alone.
   */
  rail?: { icon: string; label: string; isForFamily?: true }
  /** The same for a screen of the platform: `label` names a word of `platform.nav`. */
  platformRail?: { icon: string; label: string }
  /** The screen that it is reached from, and whose item in the rail is marked while it is shown. */
  parent?: `/${string}`
}

/** Whoever may read one of these finds something. */
const FOUND = ['students.read', 'guardians.read', 'staff.read', 'groups.read'] as const

/** Whoever holds one of these has something to set up. */
const SETS_UP = [
  'settings.manage',
  'members.read',
  'branches.manage',
  'integration.manage',
  'notifications.manage',
  'audit.read',
] as const

/** Of two that fit an address, the first is shown. */
const LISTED = [
  { path: '/', parent: '/today' },
  { path: '/today', rail: { icon: 'today', label: 'today' } },
  { path: '/children', rail: { icon: 'people', label: 'children', isForFamily: true } },
  { path: '/children/:id', parent: '/children' },
  { path: '/children/:id/marks', parent: '/children' },
  { path: '/children/:id/money', parent: '/children' },
  { path: '/children/:id/courses', parent: '/children' },
  { path: '/children/:id/courses/:courseId', parent: '/children' },
  { path: '/children/:id/courses/:courseId/:lessonId', parent: '/children' },
  { path: '/details', parent: '/children' },
  { path: '/today/unmarked', needs: ['attendance.read'], parent: '/today' },
  { path: '/sessions/:id', needs: ['attendance.read'], parent: '/today' },
  { path: '/pay', needs: ['payments.record'], rail: { icon: 'money', label: 'pay' } },
  { path: '/pay/students/:id', needs: ['payments.record'], parent: '/pay' },
  { path: '/pay/guardians/:id', needs: ['payments.record'], parent: '/pay' },
  { path: '/till', needs: ['payments.record'], parent: '/pay' },
  { path: '/students', needs: ['students.read'], rail: { icon: 'people', label: 'students' } },
  { path: '/students/:id', needs: ['students.read'], parent: '/students' },
  { path: '/guardians', needs: ['guardians.read'], parent: '/students' },
  { path: '/guardians/:id', needs: ['guardians.read'], parent: '/students' },
  { path: '/students/:id/account', needs: ['invoices.read'], parent: '/students' },
  { path: '/guardians/:id/account', needs: ['invoices.read'], parent: '/students' },
  { path: '/students/:id/erase', isForOwner: true, parent: '/students' },
  { path: '/guardians/:id/erase', isForOwner: true, parent: '/students' },
  { path: '/proposals', needs: ['students.write', 'guardians.write'], parent: '/students' },
  { path: '/register', needs: ['students.write'], parent: '/students' },
  { path: '/import', needs: ['students.write'], parent: '/students' },
  { path: '/groups', needs: ['groups.read'], rail: { icon: 'groups', label: 'groups' } },
  { path: '/groups/new', needs: ['groups.write'], parent: '/groups' },
  { path: '/groups/rollover', needs: ['groups.write'], parent: '/groups' },
  { path: '/groups/:id', needs: ['groups.read'], parent: '/groups' },
  { path: '/groups/:id/gradebook', needs: ['exams.read'], parent: '/groups' },
  { path: '/groups/:id/gradebook/:examId', needs: ['exams.read'], parent: '/groups' },
  { path: '/groups/:id/progress-reports', needs: ['reports.write', 'exams.write'], parent: '/groups' },
  { path: '/progress-reports', needs: ['reports.read', 'exams.write'], parent: '/groups' },
  { path: '/progress-reports/:id', needs: ['reports.read', 'exams.write'], parent: '/progress-reports' },
  { path: '/courses', needs: ['courses.read'], parent: '/groups' },
  { path: '/courses/new', needs: ['courses.write'], parent: '/courses' },
  { path: '/courses/categories', needs: ['courses.read'], parent: '/courses' },
  { path: '/courses/:id', needs: ['courses.read'], parent: '/courses' },
  { path: '/courses/:id/curriculum', needs: ['curriculum.read'], parent: '/courses' },
  { path: '/courses/:id/students', needs: ['curriculum.read', 'enrollments.read'], parent: '/courses' },
  { path: '/lessons/:id', needs: ['curriculum.read'], parent: '/courses' },
  { path: '/week', needs: ['groups.read'], rail: { icon: 'week', label: 'week' } },
  { path: '/closures', needs: ['groups.read'], parent: '/week' },
  { path: '/invoices', needs: ['invoices.read'], rail: { icon: 'note', label: 'money' } },
  { path: '/invoices/new', needs: ['invoices.write'], parent: '/invoices' },
  { path: '/invoices/run', needs: ['invoices.write'], parent: '/invoices' },
  { path: '/invoices/runs', needs: ['invoices.read'], parent: '/invoices' },
  { path: '/invoices/:id', needs: ['invoices.read'], parent: '/invoices' },
  { path: '/invoices/:id/edit', needs: ['invoices.write'], parent: '/invoices' },
  { path: '/discounts', needs: ['invoices.read'], parent: '/invoices' },
  { path: '/receipts', needs: ['invoices.read'], parent: '/invoices' },
  { path: '/receipts/:id', needs: ['invoices.read'], parent: '/receipts' },
  { path: '/credit-notes', needs: ['invoices.read'], parent: '/invoices' },
  { path: '/refunds', needs: ['invoices.read'], parent: '/invoices' },
  { path: '/cheques', needs: ['invoices.read'], parent: '/invoices' },
  { path: '/leads', needs: ['leads.read'], rail: { icon: 'phone', label: 'leads' } },
  { path: '/leads/:id', needs: ['leads.read'], parent: '/leads' },
  { path: '/messages', needs: ['notifications.send', 'attendance.mark'], rail: { icon: 'mail', label: 'messages' } },
  { path: '/messages/new', needs: ['notifications.send', 'attendance.mark'], parent: '/messages' },
  { path: '/messages/calls', needs: ['notifications.send'], parent: '/messages' },
  { path: '/messages/:id', needs: ['notifications.send', 'attendance.mark'], parent: '/messages' },
  { path: '/reports', needs: ['reports.read'], rail: { icon: 'chart', label: 'reports' } },
  { path: '/reports/attendance', needs: ['reports.read'], parent: '/reports' },
  { path: '/reports/income', needs: ['reports.read'], parent: '/reports' },
  { path: '/reports/income/collected', needs: ['reports.read'], parent: '/reports/income' },
  { path: '/reports/debts', needs: ['reports.read'], parent: '/reports' },
  { path: '/reports/enrollment', needs: ['reports.read'], parent: '/reports' },
  { path: '/reports/enrollment/moves', needs: ['reports.read'], parent: '/reports/enrollment' },
  { path: '/reports/staff-hours', needs: ['reports.read'], parent: '/reports' },
  { path: '/reports/staff-hours/lessons', needs: ['groups.read'], parent: '/reports/staff-hours' },
  { path: '/settings', needs: SETS_UP, rail: { icon: 'settings', label: 'settings' } },
  { path: '/settings/institute', needs: ['settings.manage'], parent: '/settings' },
  { path: '/settings/branches', needs: ['branches.manage'], parent: '/settings' },
  { path: '/settings/people', needs: ['members.read'], parent: '/settings' },
  { path: '/settings/people/signed-in', needs: ['members.manage'], parent: '/settings/people' },
  { path: '/settings/roles', needs: ['members.read'], parent: '/settings/people' },
  { path: '/settings/roles/new', needs: ['roles.manage'], parent: '/settings/roles' },
  { path: '/settings/roles/compare', needs: ['members.read'], parent: '/settings/roles' },
  { path: '/settings/roles/:id', needs: ['members.read'], parent: '/settings/roles' },
  { path: '/settings/website', needs: ['integration.manage'], parent: '/settings' },
  { path: '/settings/keys', needs: ['integration.manage'], parent: '/settings' },
  { path: '/settings/keys/new', needs: ['integration.manage'], parent: '/settings/keys' },
  { path: '/settings/webhooks', needs: ['integration.manage'], parent: '/settings' },
  { path: '/settings/webhooks/new', needs: ['integration.manage'], parent: '/settings/webhooks' },
  { path: '/settings/webhooks/:id', needs: ['integration.manage'], parent: '/settings/webhooks' },
  { path: '/settings/history', needs: ['audit.read'], parent: '/settings' },
  { path: '/settings/features', isForOwner: true, parent: '/settings' },
  { path: '/settings/plan', isForOwner: true, parent: '/settings' },
  { path: '/settings/messages', needs: ['notifications.manage'], parent: '/settings' },
  { path: '/settings/messages/text', needs: ['notifications.manage'], parent: '/settings/messages' },
  { path: '/settings/mail', isForOwner: true, parent: '/settings' },
  { path: '/settings/card', isForOwner: true, parent: '/settings' },
  { path: '/settings/backups', isForOwner: true, parent: '/settings' },
  { path: '/settings/backups/move', isForOwner: true, parent: '/settings/backups' },
  { path: '/settings/updates', isForOwner: true, parent: '/settings' },
  { path: '/settings/server', isForOwner: true, parent: '/settings' },
  { path: '/settings/network', isForOwner: true, parent: '/settings' },
  { path: '/platform/institutes', isForPlatform: true, platformRail: { icon: 'groups', label: 'institutes' } },
  { path: '/platform/institutes/new', isForPlatform: true, parent: '/platform/institutes' },
  { path: '/platform/institutes/:id', isForPlatform: true, parent: '/platform/institutes' },
  { path: '/platform/figures', isForPlatform: true, platformRail: { icon: 'chart', label: 'figures' } },
  { path: '/platform/renewals', isForPlatform: true, platformRail: { icon: 'week', label: 'renewals' } },
  { path: '/platform/licenses', isForPlatform: true, platformRail: { icon: 'lock', label: 'licenses' } },
  { path: '/platform/licenses/:id', isForPlatform: true, parent: '/platform/licenses' },
  { path: '/platform/plans', isForPlatform: true, platformRail: { icon: 'note', label: 'plans' } },
  { path: '/platform/plans/new', isForPlatform: true, parent: '/platform/plans' },
  { path: '/platform/plans/:id', isForPlatform: true, parent: '/platform/plans' },
  { path: '/platform/jobs', isForPlatform: true, platformRail: { icon: 'clock', label: 'jobs' } },
  { path: '/platform/users', isForPlatform: true, platformRail: { icon: 'people', label: 'users' } },
  { path: '/platform/history', isForPlatform: true, platformRail: { icon: 'today', label: 'history' } },
  { path: '/find', needs: FOUND },
  { path: '/inbox' },
  { path: '/open', parent: '/inbox' },
  { path: '/account' },
] as const satisfies readonly Listed[]

type One = (typeof LISTED)[number]

export type Path = One['path']

export interface Screen extends Listed {
  path: Path
  rail?: Extract<One, { rail: unknown }>['rail']
  platformRail?: Extract<One, { platformRail: unknown }>['platformRail']
  parent?: Path
}

export const SCREENS: readonly Screen[] = LISTED

/** Where somebody is who has not signed in. */
export const SIGNED_OUT = ['/sign-in', '/forgot-password'] as const

/** What pages are made of, for those who work on the console: only a checkout has it. */
export const GALLERY = '/parts'
