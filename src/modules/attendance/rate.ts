export interface AttendanceCounts {
  present: number
  late: number
  absent: number
}

/**
 * 100 × (present + late) / (present + late + absent), rounded half up to one decimal; null when nothing counts. Excused
 * absences do not count.
 */
export function attendanceRate({ present, late, absent }: AttendanceCounts): number | null {
  const attended = present + late
  const counted = attended + absent
  if (counted === 0) return null
  // Computes whole tenths of a percent in integers: with floats a half may be rounded down.
  return Math.floor((2000 * attended + counted) / (2 * counted)) / 10
}
