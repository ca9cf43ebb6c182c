import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, currency, id, list, orNull, ts } from '#kernel/values/schema.ts'

export const Dashboard = named(
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
