import * as v from 'valibot'
import { read } from '#kernel/endpoint.ts'
import type { Module } from '#kernel/module.ts'
import { count, currency, id, list, orNull, ts } from '#kernel/schema.ts'
import { readDashboard } from './figures.ts'

const Dashboard = v.object({
  studentsActive: count,
  studentsNewThisMonth: count,
  attendanceRate30d: orNull(v.number()),
  outstandingMinor: count,
  currency,
  overdueCount: count,
  todaySessions: list(v.object({ id, groupName: v.string(), start: ts, room: orNull(v.string()) })),
})

export const dashboardModule: Module = {
  name: 'dashboard',
  endpoints: [
    read({
      id: 'dashboard.read',
      path: '/dashboard',
      summary: 'How the institute stands today',
      description:
        'studentsNewThisMonth counts the students who were added in this month of the institute, of any status. attendanceRate30d is of the sessions of the last 30 days, today included: 100 × (present + late) / (present + late + absent), null when nothing counts. outstandingMinor is what is still to be paid on open invoices in the institute’s currency; overdueCount counts the overdue invoices of every currency. todaySessions are those that begin today and are not cancelled, by their start. Under a role for one branch, all of it is of that branch.',
      access: 'reports.read',
      reply: Dashboard,
      handle: readDashboard,
    }),
  ],
}
