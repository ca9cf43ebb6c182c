import * as v from 'valibot'
import { id, instant, pageQuery, ts } from '#kernel/schema.ts'

export const CONFLICT_KINDS = ['room', 'student', 'teacher'] as const
export type ConflictKind = (typeof CONFLICT_KINDS)[number]

export const ScheduleConflict = v.object({
  sessionId: id,
  otherSessionId: id,
  kind: v.picklist(CONFLICT_KINDS),
  from: ts,
  to: ts,
})
export type ScheduleConflict = v.InferOutput<typeof ScheduleConflict>

export const ScheduleConflictQuery = pageQuery({ from: v.optional(instant), to: v.optional(instant) })
export type ScheduleConflictQuery = v.InferOutput<typeof ScheduleConflictQuery>
