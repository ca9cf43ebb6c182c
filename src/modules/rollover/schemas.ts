import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, currency, date, day, id, list, orNull, title, uuid } from '#kernel/values/schema.ts'

const MOST_GROUPS = 200
const MOST_STUDENTS = 10_000

const words = {
  groupIds: 'The groups that go on: planned, active or completed ones.',
  startsOn:
    'The first day of the new groups: after the last day of each of the groups, and at most 366 days ahead or back.',
  endsOn: 'The last day of the new groups: at most 400 days after the first.',
  names: 'What new groups are called; of those that are left out, the year in the name moves on.',
  name: 'What the new group is called.',
  groupId: 'The group that goes on.',
  keepTimes: 'Whether they meet at the times that the groups had last. Default: true.',
  keepTeachers: 'Whether they have the same teachers, as far as these are still active. Default: true.',
  studentIds:
    'Only these students go on; all who can, where it is left out. Those who pause go on where they are named.',
  except: 'Who does not go on in one of the groups.',
  studentId: 'The student.',
  priceRule:
    '`keep`: who agreed on a price keeps it, and the others pay the fee of the group; `group_default`: all pay the fee of the group. Default: keep.',
  dryRun: 'Whether it is only asked what would be done. Default: false.',
  notify: 'Whether the families are told, once, in what each child has a place. Default: false.',
}

export const PRICE_RULES = ['keep', 'group_default'] as const
export const LEFT_OUT = [
  'paused',
  'withdrawn',
  'graduated',
  'already_enrolled',
  'left_before_end',
  'group_full',
  'not_chosen',
] as const

export const NewRollover = named(
  'NewRollover',
  v.object({
    groupIds: v.pipe(
      list(uuid),
      v.minLength(1, 'Must name a group.'),
      v.maxLength(MOST_GROUPS, `Must name at most ${MOST_GROUPS} groups.`),
    ),
    startsOn: date,
    endsOn: date,
    names: v.optional(
      v.pipe(
        list(named('RolloverName', v.object({ groupId: uuid, name: title(150) }), words)),
        v.maxLength(MOST_GROUPS, `Must be at most ${MOST_GROUPS}.`),
      ),
      [],
    ),
    keepTimes: v.optional(v.boolean(), true),
    keepTeachers: v.optional(v.boolean(), true),
    studentIds: v.optional(v.pipe(list(uuid), v.maxLength(MOST_STUDENTS, `Must be at most ${MOST_STUDENTS}.`))),
    except: v.optional(
      v.pipe(
        list(named('RolloverException', v.object({ groupId: uuid, studentId: uuid }), words)),
        v.maxLength(MOST_STUDENTS, `Must be at most ${MOST_STUDENTS}.`),
      ),
      [],
    ),
    priceRule: v.optional(v.picklist(PRICE_RULES), 'keep'),
    dryRun: v.optional(v.boolean(), false),
    notify: v.optional(v.boolean(), false),
  }),
  words,
)
export type NewRollover = v.InferOutput<typeof NewRollover>

const Time = named('RolloverTime', v.object({ weekday: count, startTime: v.string(), endTime: v.string() }), {
  weekday: '0 to 6; 0 is Sunday.',
  startTime: 'HH:MM in the institute’s timezone.',
  endTime: 'HH:MM.',
})

const Clash = named(
  'RolloverClash',
  v.object({
    kind: v.picklist(['teacher', 'room']),
    weekday: count,
    startTime: v.string(),
    endTime: v.string(),
    groupId: orNull(id),
    groupName: v.string(),
  }),
  {
    kind: 'What both groups would take at this time.',
    weekday: '0 to 6; 0 is Sunday.',
    startTime: 'When the new group meets.',
    endTime: 'Until when.',
    groupId: 'The other group; null: another one of the new groups.',
    groupName: 'What the other group is called.',
  },
)

const Teacher = named('RolloverTeacher', v.object({ staffId: id, name: v.string(), isKept: v.boolean() }), {
  staffId: 'The teacher of the former group.',
  name: 'The name.',
  isKept: 'Whether they teach the new one too; false for who is not active any more.',
})

const Student = named(
  'RolloverStudent',
  v.object({
    studentId: id,
    name: v.string(),
    leftOut: orNull(v.picklist(LEFT_OUT)),
    priceMinor: count,
    currency,
  }),
  {
    studentId: 'The student.',
    name: 'The name.',
    leftOut:
      'Why the student does not go on; null: they do. `paused`, unless the student is named in studentIds; `already_enrolled` in a later group of the course; `left_before_end`: their place ended before the former group did, or is going to before the new one begins; `group_full`: the others take all places; `not_chosen`: studentIds or except say so.',
    priceMinor: 'What the student would pay, in the smallest unit of the currency.',
  },
)

const RolloverGroup = named(
  'RolloverGroup',
  v.object({
    groupId: id,
    formerName: v.string(),
    newGroupId: orNull(id),
    name: v.string(),
    courseName: v.string(),
    branchId: id,
    endsOn: day,
    teacher: orNull(Teacher),
    times: list(Time),
    lessons: count,
    closedLessons: count,
    clashes: list(Clash),
    fees: list(v.string()),
    capacity: orNull(count),
    kept: count,
    students: list(Student),
  }),
  {
    groupId: 'The former group.',
    formerName: 'What it is called.',
    newGroupId: 'The new group; null: it was only asked.',
    name: 'What the new one is called.',
    courseName: 'The course of both.',
    branchId: 'The branch of both.',
    endsOn:
      'The last day of the former group: where it has none, the day before the new one begins. With it the group is completed.',
    teacher: 'Who teaches the former group; null: nobody.',
    times: 'When the new group meets, every week.',
    lessons: 'How many lessons these times give from the first to the last day, without those of closed days.',
    closedLessons: 'How many do not take place, because the branch is closed.',
    clashes: 'Groups whose weekly times take the same teacher or room at the same time.',
    fees: 'The names of the recurring fees of the former group that go on for the new one.',
    capacity: 'How many students the new group takes; null: no limit.',
    kept: 'How many students go on.',
    students: 'Who is in the former group, or was.',
  },
)
export type RolloverGroup = v.InferOutput<typeof RolloverGroup>

export const Rollover = named(
  'Rollover',
  v.object({
    dryRun: v.boolean(),
    startsOn: day,
    endsOn: day,
    isDone: v.boolean(),
    kept: count,
    quota: orNull(
      named('RolloverQuota', v.object({ limit: count, current: count }), {
        limit: 'How many planned and active groups the plan allows.',
        current: 'How many there are, without the new ones.',
      }),
    ),
    groups: list(RolloverGroup),
  }),
  {
    dryRun: 'Whether it was only asked.',
    startsOn: 'The first day of the new groups.',
    endsOn: 'Their last day.',
    isDone:
      'Whether all students are enrolled and all lessons are made. Otherwise that goes on, and is done within minutes.',
    kept: 'How many places students have in the new groups.',
    quota: 'What the plan allows; null: no limit.',
    groups: 'The groups, in the order of the request.',
  },
)
export type Rollover = v.InferOutput<typeof Rollover>
