import { read } from '#kernel/endpoint.ts'
import { SumTooLarge } from '#kernel/sums.ts'
import { readDashboard } from './figures.ts'
import { Dashboard } from './schemas.ts'

export const dashboardEndpoints = [
  read({
    id: 'dashboard.read',
    path: '/dashboard',
    summary: 'How the institute stands today',
    description:
      'studentsNewThisMonth counts the students who were added in this month of the institute, of any status. attendanceRate30d is of the sessions of the last 30 days, today included: 100 × (present + late) / (present + late + absent), null when nothing counts. outstandingMinor is what is still to be paid on open invoices in the institute’s currency; overdueCount counts the overdue invoices of every currency. todaySessions are those that begin today and are not cancelled, by their start. Under a role for one branch, all of it is of that branch.',
    access: 'reports.read',
    reply: Dashboard,
    fails: [SumTooLarge],
    handle: readDashboard,
  }),
]
