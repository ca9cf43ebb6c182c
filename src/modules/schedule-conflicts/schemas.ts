import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { id, instant, pageQuery, ts } from '#kernel/values/schema.ts'

const words = {
  sessionId: 'The session that began first.',
  otherSessionId: 'The session that overlaps it.',
  kind: 'What both need at the same time.',
  from: 'When both have begun.',
  to: 'When the first of them ends.',
}

export const CONFLICT_KINDS = ['room', 'student', 'teacher'] as const
export type ConflictKind = (typeof CONFLICT_KINDS)[number]

export const ScheduleConflict = named(
  'ScheduleConflict',
  v.object({
    sessionId: id,
    otherSessionId: id,
    kind: v.picklist(CONFLICT_KINDS),
    from: ts,
    to: ts,
  }),
  words,
)
export type ScheduleConflict = v.InferOutput<typeof ScheduleConflict>

export const ScheduleConflictQuery = explained(pageQuery({ from: v.optional(instant), to: v.optional(instant) }), {
  from: 'Conflicts that begin at this time or later; where it is left out, since the beginning of today.',
  to: 'Conflicts that begin at this time or earlier.',
})
export type ScheduleConflictQuery = v.InferOutput<typeof ScheduleConflictQuery>
