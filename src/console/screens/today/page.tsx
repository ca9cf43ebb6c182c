import { useMe } from '../../shell/me.tsx'
import { Office } from './office.tsx'
import { OwnSchedule } from './own-schedule.tsx'
import { TeacherDay } from './teacher-day.tsx'

/** What nobody has who only teaches. */
const OFFICE = [
  'students.write',
  'guardians.write',
  'groups.write',
  'enrollments.write',
  'invoices.read',
  'reports.read',
  'leads.read',
  'settings.manage',
] as const

/** `/` and `/today`: the day as it concerns whoever is signed in. */
export const Screen = () => {
  const { can } = useMe()
  if (can(...OFFICE)) return <Office />
  if (can('attendance.mark', 'groups.read')) return <TeacherDay />
  return <OwnSchedule />
}
