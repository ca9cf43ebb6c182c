import * as v from 'valibot'
import {
  count,
  date,
  day,
  emptyable,
  emptyableProse,
  id,
  instant,
  integer,
  orNull,
  prose,
  ts,
  uuid,
} from '#kernel/schema.ts'
import { SESSION_STATUSES } from './tables.ts'

const time = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of the day as HH:MM, 00:00 to 23:59.'),
)

export const ScheduleRule = v.object({
  id,
  groupId: id,
  weekday: v.number(),
  startTime: v.string(),
  endTime: v.string(),
  validFrom: day,
  validTo: orNull(day),
})

const NewScheduleRule = v.pipe(
  v.object({
    weekday: integer(0, 6),
    startTime: time,
    endTime: time,
    validFrom: date,
    validTo: v.optional(v.nullable(date), null),
  }),
  v.forward(
    v.check(({ startTime, endTime }) => endTime > startTime, 'Must be later than startTime.'),
    ['endTime'],
  ),
  v.forward(
    v.check(({ validFrom, validTo }) => validTo === null || validTo >= validFrom, 'Must not be before validFrom.'),
    ['validTo'],
  ),
)

export const NewSchedule = v.object({
  schedules: v.pipe(v.array(NewScheduleRule), v.maxLength(100, 'Must have at most 100 rules.')),
})
export type NewSchedule = v.InferOutput<typeof NewSchedule>

export const Session = v.object({
  id,
  groupId: id,
  scheduledStart: ts,
  scheduledEnd: ts,
  status: v.picklist(SESSION_STATUSES),
  teacherStaffId: orNull(id),
  topic: orNull(v.string()),
  notes: orNull(v.string()),
  lessonId: orNull(id),
  createdAt: ts,
  updatedAt: ts,
})
export type Session = v.InferOutput<typeof Session>

export const sessionFilters = {
  from: v.optional(instant),
  to: v.optional(instant),
  status: v.optional(v.pipe(v.array(v.picklist(SESSION_STATUSES)), v.maxLength(10, 'Must name at most 10 statuses.'))),
}

const topic = emptyable(300)

export const NewSession = v.object({
  scheduledStart: instant,
  scheduledEnd: instant,
  topic: v.optional(v.nullable(topic)),
  teacherStaffId: v.optional(v.nullable(uuid)),
})

export const SessionChanges = v.object({
  status: v.optional(v.literal('cancelled', 'Can only be set to cancelled.')),
  reason: v.optional(prose(500)),
  topic: v.optional(v.nullable(topic)),
  notes: v.optional(v.nullable(emptyableProse(5000))),
  teacherStaffId: v.optional(v.nullable(uuid)),
  lessonId: v.optional(v.nullable(uuid)),
  scheduledStart: v.optional(instant),
  scheduledEnd: v.optional(instant),
})
export type SessionChanges = v.InferOutput<typeof SessionChanges>

export const GenerateSessions = v.object({ until: v.optional(date) })
export const GeneratedSessions = v.object({ created: count, total: count })
