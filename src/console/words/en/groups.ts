import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Groups: the list, and the page of one. */
export const groups = {
  title: 'Groups',
  search: 'Name of the group',
  status: 'Status',
  anyStatus: 'Any status',
  statuses: { planned: 'Planned', active: 'Active', completed: 'Completed', cancelled: 'Cancelled' },
  course: 'Course',
  anyCourse: 'Any course',
  teacher: 'Teacher',
  anyTeacher: 'Any teacher',
  noTeacher: 'No teacher yet',
  noTeachers: 'Teachers stand here once they have accepted their invitation: Settings, People and roles.',
  noRoom: 'No room yet',
  noLimit: 'No limit',
  noneYet: 'There are no groups yet.',
  noneFound: 'No group fits. Try fewer letters or fewer filters.',
  clear: 'Show all groups',
  seats: (taken: number, of: number) => `${taken} of ${of} places`,
  students: (count: number) => many(count, { one: '1 student', other: `${count} students` }),
  full: 'full',
  name: 'Name',
  room: 'Room',
  capacity: 'Places',
  when: 'When',
  topic: 'About',
  details: 'Details',
  noSchedule: 'No weekly times are set',
  weekly: (days: string, times: string) => `${days} ${isolate(times)}`,
  weeklyTimes: 'Weekly times',
  changeTimes: 'Change the weekly times',
  timesTitle: (group: string) => `Weekly times of ${isolate(group)}`,
  days: 'Days',
  addTime: 'Another time',
  removeTime: 'Remove this time',
  timesFrom: 'From which day',
  chooseDays: 'Choose at least one day.',
  overlap: 'This overlaps with another of the times.',
  foresees: (count: number, until: string) =>
    many(count, { one: `1 lesson until ${until}`, other: `${count} lessons until ${until}` }),
  adds: (count: number) => many(count, { one: '1 lesson is added', other: `${count} lessons are added` }),
  takesAway: (count: number) =>
    many(count, { one: '1 lesson is taken away', other: `${count} lessons are taken away` }),
  nothingChanges: 'No lesson changes.',
  keeps: 'Lessons that were held, cancelled or added by hand stay.',
  moreLessons: (count: number) => many(count, { one: 'and 1 more', other: `and ${count} more` }),
  noClash: 'Teacher and room are free at all these times.',
  savedTimes: (group: string) => `The weekly times of ${isolate(group)} are saved.`,
  followsTitle: (group: string) => `What follows for ${isolate(group)}`,
  follows: {
    removed: (count: number) =>
      many(count, { one: '1 lesson is taken away', other: `${count} lessons are taken away` }),
    cancelled: (count: number) =>
      many(count, { one: '1 lesson is cancelled', other: `${count} lessons are cancelled` }),
    restored: (count: number) =>
      many(count, {
        one: '1 cancelled lesson takes place again',
        other: `${count} cancelled lessons take place again`,
      }),
    created: (count: number) => many(count, { one: '1 lesson is added', other: `${count} lessons are added` }),
    completedEnrollments: (count: number) =>
      many(count, { one: '1 student completes the group', other: `${count} students complete the group` }),
  },
  followsTold: 'Families and the teacher get one message about lessons that are still to come.',
  firstDay: 'First day',
  lastDay: 'Last day',
  notSet: 'not set',
  fee: 'Fee',
  noFee: 'no fee',
  roster: 'Students',
  noRoster: 'Nobody is in this group yet.',
  enrolMany: 'Enrol students',
  enrolTitle: (group: string) => `Enrol students in ${isolate(group)}`,
  enrolFind: 'Name, number or phone of a student',
  paste: 'Or paste a list',
  pasteHint: 'A student in each line: the name, the number or the phone. Rows of a table are understood too.',
  lookUp: 'Look them up',
  which: (line: string) => `Who is ${isolate(line)}?`,
  choose: 'Choose',
  turned: 'The last name stands first',
  tryNew: (count: number) =>
    many(count, {
      one: 'See what would be made of 1 new student',
      other: `See what would be made of ${count} new students`,
    }),
  wouldBeMade: 'Who would be registered',
  wrongLine: 'This cannot be stored as it is. Nobody is registered until all is right.',
  knownLine: (names: string) => `Somebody like this is there already: ${isolate(names)}`,
  registerNew: (count: number) =>
    many(count, { one: 'Register 1 new student', other: `Register ${count} new students` }),
  unknown: (count: number) => many(count, { one: '1 line fits no student:', other: `${count} lines fit no student:` }),
  chosen: 'Who is enrolled',
  takeOff: (name: string) => `Take ${isolate(name)} off the list`,
  notEnough: (free: number) =>
    free === 0
      ? 'There is no free place. Give the group more places first.'
      : many(free, {
          one: 'There is only 1 free place. Who comes after it is not enrolled.',
          other: `There are only ${free} free places. Who comes after them is not enrolled.`,
        }),
  enrolVerb: (count: number) => many(count, { one: 'Enrol 1 student', other: `Enrol ${count} students` }),
  enrolledMany: (count: number, group: string) =>
    `${many(count, { one: '1 student is', other: `${count} students are` })} in ${isolate(group)} now.`,
  refusedMany: (count: number) =>
    many(count, { one: '1 student was not enrolled:', other: `${count} students were not enrolled:` }),
  print: 'Print the list',
  signature: 'Notes',
  tellAll: 'Tell the students, their guardians and the teacher',
  tellTeacher: 'Tell the teacher',
  addLesson: 'Add a lesson',
  addLessonTitle: (group: string) => `Add a lesson of ${isolate(group)}`,
  addedLesson: (group: string, when: string) => `${isolate(group)} has a lesson at ${isolate(when)}.`,
  coming: 'Coming lessons',
  past: 'Past lessons',
  noComing: 'No lesson is planned in the next four weeks.',
  noPast: 'No lesson in the last four weeks.',
  unmarked: 'Attendance was not taken',
  marked: (marked: number, of: number) => `${marked} of ${of} marked`,
  cancelled: 'Cancelled',
  running: 'Now',
  lastAttendance: 'Attendance of the last lessons',
  came: (came: number, counted: number) => `Attended: ${came} of ${counted}`,
  call: (name: string) => `Call ${isolate(name)}`,
}
