import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
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
  timeOfDay,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { CANCELLED_BY, SESSION_STATUSES } from './tables.ts'

/** What is said of a cancelled session. */
export const cancelledWords = {
  cancelReason: 'Why it is cancelled; null: it is not, or nobody said.',
  cancelledBy:
    '`hand`: somebody cancelled it; `group`: it is outside the dates of its group, or the group is completed or cancelled; `closure`: the institute is closed; null: it is not cancelled.',
  closureId: 'The closed days that cancelled it; null: none did.',
}

/** What is said of a session to its students and their families too. */
export const lessonWords = {
  topic: 'What it is about; null: nothing is said.',
  homework: 'What is to be done at home; null: nothing.',
}

const words = {
  groupId: 'The group.',
  weekday: '0 to 6, 0 being Sunday.',
  startTime: 'HH:MM, in the institute’s timezone.',
  endTime: 'HH:MM, in the institute’s timezone.',
  validFrom: 'The first day, included.',
  validTo: 'The last day, included; null: there is none.',
  schedules: 'All rules of the group; the rules before are gone.',
  status: 'How the session stands.',
  reason: 'Why it is cancelled.',
  ...cancelledWords,
  ...lessonWords,
  notes: 'What staff noted; null: nothing.',
  teacherStaffId: 'Who gives it in place of the group’s own teacher, or gave it; null: the group’s own teacher.',
  until: 'The last day, in the institute’s timezone; in eight weeks where it is left out.',
  created: 'How many sessions are new.',
  total: 'How many the schedule asks for.',
}

export const ScheduleRule = named(
  'ScheduleRule',
  v.object({
    id,
    groupId: id,
    weekday: count,
    startTime: v.string(),
    endTime: v.string(),
    validFrom: day,
    validTo: orNull(day),
  }),
  words,
)

const NewScheduleRule = named(
  'NewScheduleRule',
  v.pipe(
    v.object({
      weekday: integer(0, 6),
      startTime: timeOfDay,
      endTime: timeOfDay,
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
  ),
  words,
)

export const NewSchedule = named(
  'NewSchedule',
  v.object({
    schedules: v.pipe(v.array(NewScheduleRule), v.maxLength(100, 'Must have at most 100 rules.')),
  }),
  words,
)
export type NewSchedule = v.InferOutput<typeof NewSchedule>

const homeworkWords = {
  text: 'What is to be done.',
  dueOn: 'By which day; null: none is named.',
}

/** As families read it. */
export const homework = orNull(named('Homework', v.object({ text: v.string(), dueOn: orNull(day) }), homeworkWords))

export const Session = named(
  'Session',
  v.object({
    id,
    groupId: id,
    scheduledStart: ts,
    scheduledEnd: ts,
    status: v.picklist(SESSION_STATUSES),
    teacherStaffId: orNull(id),
    topic: orNull(v.string()),
    homework,
    notes: orNull(v.string()),
    lessonId: orNull(id),
    cancelReason: orNull(v.string()),
    cancelledBy: orNull(v.picklist(CANCELLED_BY)),
    closureId: orNull(id),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Session = v.InferOutput<typeof Session>

/** One status, or several by repeating the parameter. */
export const statusFilter = v.optional(
  v.pipe(v.array(v.picklist(SESSION_STATUSES)), v.maxLength(10, 'Must name at most 10 statuses.')),
)

export const sessionFilters = {
  from: v.optional(instant),
  to: v.optional(instant),
  status: statusFilter,
}

const topic = emptyable(300)

const written = {
  topic: v.optional(v.nullable(topic)),
  homework: v.optional(
    v.nullable(
      named('NewHomework', v.object({ text: prose(2000), dueOn: v.optional(v.nullable(date), null) }), homeworkWords),
    ),
  ),
  notes: v.optional(v.nullable(emptyableProse(5000))),
  teacherStaffId: v.optional(v.nullable(uuid)),
  lessonId: v.optional(v.nullable(uuid)),
}

export const NewSession = named(
  'NewSession',
  v.object({
    scheduledStart: instant,
    scheduledEnd: instant,
    ...written,
    notify: v.optional(v.boolean()),
  }),
  { ...words, notify: 'Whether the students, their guardians and the teacher are told of it. Default: false.' },
)

export const SessionChanges = named(
  'SessionChanges',
  v.object({
    status: v.optional(v.literal('cancelled', 'Can only be set to cancelled.')),
    reason: v.optional(prose(500)),
    ...written,
    scheduledStart: v.optional(instant),
    scheduledEnd: v.optional(instant),
  }),
  words,
)
export type SessionChanges = v.InferOutput<typeof SessionChanges>

export const GenerateSessions = named('SessionGeneration', v.object({ until: v.optional(date) }), words)
export const GeneratedSessions = named('GeneratedSessions', v.object({ created: count, total: count }), words)
