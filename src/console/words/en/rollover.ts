import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

const groups = (count: number) => many(count, { one: '1 group', other: `${count} groups` })
const places = (count: number) => many(count, { one: '1 place', other: `${count} places` })

/** Groups that go on in a new year. */
export const rollover = {
  title: 'New school year',
  about: 'Groups go on with their times, teachers and students. The former ones are completed after their last day.',
  goOnGroup: 'Into the new year',
  groups: 'Which groups',
  all: (count: number) => many(count, { one: 'The one here', other: `All ${count} here` }),
  noGroups: 'No group fits these filters.',
  noEnd: 'no last day',
  until: (day: string) => `until ${isolate(day)}`,
  year: 'The new year',
  firstDay: 'First day',
  lastDay: 'Last day',
  endFirst: 'The last day is before the first.',
  keepTimes: 'At the times that they had last',
  keepTeachers: 'With the same teachers',
  price: 'What students pay',
  prices: { keep: 'What was agreed', group_default: 'The fee of the group' },
  plan: 'What will be done',
  sum: (count: number, kept: number) => `${groups(count)}, ${places(kept)} for students who go on`,
  newName: (former: string) => `Name of the new group after ${isolate(former)}`,
  ends: (day: string) => `ends on ${isolate(day)}`,
  lessons: (count: number) => many(count, { one: '1 lesson', other: `${count} lessons` }),
  goOn: (kept: number) => many(kept, { one: '1 student goes on', other: `${kept} students go on` }),
  goOnOf: (kept: number, capacity: number) => `${kept} of ${capacity} places taken`,
  leftOut: (count: number) => many(count, { one: '· 1 does not go on', other: `· ${count} do not go on` }),
  showStudents: 'Show the students',
  hideStudents: 'Hide the students',
  studentsOf: (group: string) => `Students of ${isolate(group)}`,
  reasons: {
    paused: 'pauses: tick to take along',
    withdrawn: 'has left the institute',
    graduated: 'has graduated',
    already_enrolled: 'has a place in a later group of the course',
    left_before_end: 'has no place that lasts to the end of this group, or until the new one begins',
    group_full: 'no place is left',
  },
  withoutTeacher: (name: string) => `${isolate(name)} does not teach the new group`,
  clash: {
    teacher: (when: string, group: string) => `${isolate(when)}: the teacher has ${isolate(group)} too`,
    room: (when: string, group: string) => `${isolate(when)}: ${isolate(group)} has the room too`,
  },
  closed: (count: number) =>
    many(count, { one: '1 lesson falls on a closed day', other: `${count} lessons fall on closed days` }),
  fees: (names: string) => `Fees that go on: ${isolate(names)}`,
  noRoom: (free: number) =>
    free <= 0
      ? 'The plan of the institute has no room for another group.'
      : many(free, {
          one: 'The plan of the institute has room for 1 more group only.',
          other: `The plan of the institute has room for ${free} more groups only.`,
        }),
  takeOut: (count: number) => many(count, { one: 'Take it out', other: `Take these ${count} out` }),
  open: (count: number) => (count === 0 ? 'Open the groups' : `Open ${groups(count)}`),
  ask: (count: number, kept: number) => `Open ${groups(count)} with ${places(kept)} for students?`,
  follows: (day: string) =>
    `Students are enrolled from ${isolate(day)}. The former groups stay as they are until their last day.`,
  notify: 'Tell the families: one message each, with the places of all their children',
  made: (count: number) => many(count, { one: '1 group goes on', other: `${count} groups go on` }),
  allDone: 'All students are enrolled, and the lessons are made.',
  goesOn: 'The groups are there. Their students and lessons follow within minutes, also when this page is closed.',
}
