import type { Module } from '#kernel/contract/module.ts'
import { attendanceEndpoints } from './endpoints.ts'
import { attendanceTables } from './tables.ts'

export { attendanceRate } from './rate.ts'
export { correctionJob, type Correction } from './corrections.ts'
export { countRosters } from './counts.ts'
export { readGrid } from './grid.ts'
export { countRecent, recentSpan } from './recent.ts'
export { isAnyOnRoster } from './on-roster.ts'
export { enrolledAtStart } from './roster.ts'
export { gridQuery, RosterEntry, rosterCounts, rosterWords, StudentAttendance } from './schemas.ts'
export { attendanceEntries } from './summary.ts'
export { countWalkIns } from './walk-ins.ts'
export { ATTENDANCE_STATUSES, type AttendanceStatus } from './tables.ts'

export const attendanceModule: Module = {
  name: 'attendance',
  tags: {
    attendance: 'Who came, who did not, and who was late.',
  },
  events: ['attendance.marked', 'student.absent'],
  tables: attendanceTables,
  persons: [{ of: 'student', table: 'attendance', column: 'student_id', once: [['session_id']], twice: 'refused' }],
  reads: { groups: ['enrollment', 'group'], people: ['student', 'student_pause'], sessions: ['session'] },
  endpoints: attendanceEndpoints,
}
