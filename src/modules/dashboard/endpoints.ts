import { read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { FAILED_DAYS, LONGEST_UNMARKED, readAttention, UNMARKED_DAYS, type DashboardDeps } from './attention.ts'
import { listAbsent } from './absent.ts'
import { AbsentQuery, AbsentStudent } from './absent-schemas.ts'
import { Attention, AttentionQuery } from './attention-schemas.ts'
import { readDashboard } from './figures.ts'
import { Dashboard } from './schemas.ts'

export const dashboardEndpoints = (deps: DashboardDeps) => [
  read({
    id: 'dashboard.read',
    path: '/dashboard',
    summary: 'How the institute stands today',
    description:
      'studentsNewThisMonth counts the students who were added in this month of the institute, of any status. attendanceRate30d is of the sessions of the last 30 days, today included: 100 × (present + late) / (present + late + absent), null when nothing counts. outstandingMinor is what is still to be paid on open invoices in the institute’s currency; overdueCount counts the overdue invoices of every currency. todaySessions are those that begin today and are not cancelled, by their start. Under a role for one branch, all of it is of that branch.',
    access: 'reports.read',
    tool: {
      name: 'dashboard_read',
      title: 'How the institute stands today',
      description:
        "Gives the institute's figures of today (active students, attendance, what is owed) and today's sessions with their ids. Use it for questions about the whole institute, and to find the sessions of today.",
    },
    reply: Dashboard,
    fails: [SumTooLarge],
    handle: readDashboard,
  }),
  read({
    id: 'dashboard.absent',
    path: '/dashboard/absent',
    summary: 'List who was marked absent on a day, and whom to call',
    description:
      'Entries `absent` and `excused` of the lessons of the day, lesson by lesson. Who was announced to be absent and has no lesson that was marked stands in GET /absences. `contact` is null for a student of a branch for which the caller holds no guardians.read.',
    access: 'attendance.read',
    query: AbsentQuery,
    reply: pageOf(AbsentStudent),
    handle: listAbsent,
  }),
  read({
    id: 'dashboard.attention',
    path: '/dashboard/attention',
    summary: 'What needs somebody today',
    description:
      `For every member, in one request; a figure is null for those who may not see it. unmarkedSessions: those of the ${UNMARKED_DAYS} days before today that were not cancelled, have a roster and no entry, the latest ${LONGEST_UNMARKED} by name (attendance.read). invoicesDueToday and invoicesOverdue (invoices.read). walkIns: as GET /walk-ins lists them (enrollments.write). newLeads: leads whose status is new (leads.read). failedMessages: of the last ${FAILED_DAYS} days, as GET /notifications lists them (notifications.manage). setUp: of a new institute, until all is done (settings.manage, for the whole institute). callsToMake: the open ones of GET /notifications/calls (notifications.send). backup (settings.manage, for the whole institute; null in cloud mode and on Postgres, where others make them). license: as GET /license (the owner). planLimits and planEnd: of GET /plan (the owner). ` +
      'Each figure is of what the caller reaches by its permission: of one branch, or of a teacher’s groups; with `branchId` of what of it belongs to that branch, and nothing for a branch out of reach (404 for one that is not the institute’s). backup, license, planLimits and planEnd are the same for every branch. Days are those of the institute’s timezone.',
    access: 'tenant',
    query: AttentionQuery,
    reply: Attention,
    fails: [NotFound, SumTooLarge],
    handle: ({ query, ...context }) => readAttention({ ...context, branchId: query.branchId }, deps),
  }),
]
