import * as v from 'valibot'
import { read } from '#kernel/endpoint.ts'
import { named } from '#kernel/named.ts'
import type { Module } from '#kernel/module.ts'
import { SumTooLarge } from '#kernel/sums.ts'
import { count, currency, id, list, orNull, ts } from '#kernel/schema.ts'
import { readDashboard } from './figures.ts'

const Dashboard = named(
  'Dashboard',
  v.object({
    studentsActive: count,
    studentsNewThisMonth: count,
    attendanceRate30d: orNull(v.number()),
    outstandingMinor: count,
    currency,
    overdueCount: count,
    todaySessions: list(
      named('TodaySession', v.object({ id, groupName: v.string(), start: ts, room: orNull(v.string()) }), {
        groupName: 'What the group is called.',
        start: 'When it begins.',
      }),
    ),
  }),
  {
    studentsActive: 'How many students are active.',
    studentsNewThisMonth: 'How many students were added this month.',
    attendanceRate30d: '100 × (present + late) / (present + late + absent) of the last 30 days; null: nothing counts.',
    outstandingMinor: 'What is still to be paid of all invoices in the institute’s currency, in its smallest unit.',
    overdueCount: 'How many invoices are overdue.',
    todaySessions: 'The sessions that begin today and are not cancelled, by their start.',
  },
)

export const dashboardModule: Module = {
  name: 'dashboard',
  tags: { dashboard: 'How the institute stands today.' },
  endpoints: [
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
  ],
}
