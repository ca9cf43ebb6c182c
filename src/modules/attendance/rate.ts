export interface AttendanceCounts {
  present: number
  late: number
  absent: number
}

/**
 * 100 × (present + late) / (present + late + absent) to one decimal, a half upwards; null when nothing counts. Excused
 * absences are left out.
 */
export function attendanceRate({ present, late, absent }: AttendanceCounts): number | null {
  const attended = present + late
  const counted = attended + absent
  if (counted === 0) return null
  // In whole tenths of a percent, rounded in integers: a float such as 6.25 × 10 may lie on either side of its half.
  return Math.floor((2000 * attended + counted) / (2 * counted)) / 10
}
