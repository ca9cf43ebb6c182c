import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

const students = (count: number) => many(count, { one: '1 student', other: `${count} students` })

/** The timetable of a week, and what is done with one lesson of it. */
export const week = {
  title: 'Week',
  previous: 'The week before',
  next: 'The week after',
  today: 'Today',
  days: 'Days of the week',
  lessons: (count: number) => many(count, { one: '1 lesson', other: `${count} lessons` }),
  ownLessons: 'My lessons',
  anyTeacher: 'All teachers',
  anyRoom: 'All rooms',
  anyGroup: 'All groups',
  room: 'Room',
  group: 'Group',
  noLessonsDay: 'No lessons on this day.',
  noLessons: 'No lessons in this week.',
  showAll: 'Show all lessons',
  notAll: (count: number) =>
    `The first ${count} lessons of the week are shown. Choose a teacher or a room to see the rest.`,
  clashes: (count: number) => many(count, { one: '1 clash', other: `${count} clashes` }),
  clash: 'clash',
  clashWith: {
    teacher: (group: string, times: string) => `The same teacher as ${isolate(group)}, ${isolate(times)}`,
    room: (group: string, times: string) => `The same room as ${isolate(group)}, ${isolate(times)}`,
    student: (group: string, times: string) => `Students who are also in ${isolate(group)}, ${isolate(times)}`,
  },
  often: (count: number, first: string) =>
    `${many(count, { one: 'once', other: `${count} times` })}, first on ${isolate(first)}`,
  anotherLesson: 'another lesson',
  cancelled: 'cancelled',
  notMarked: 'not marked',
  now: 'now',
  continued: 'since the day before',
  noTeacher: 'No teacher yet',
  openGroup: 'Open the group',
  students,
  move: 'Move',
  moveTitle: (group: string) => `Move a lesson of ${isolate(group)}`,
  date: 'Date',
  starts: 'Begins',
  ends: 'Ends',
  endFirst: 'The end has to be later than the beginning.',
  missing: 'Say when.',
  moves: (count: number) =>
    many(count, { one: 'This moves 1 lesson of 1 student.', other: `This moves 1 lesson of ${count} students.` }),
  movesTold: 'They, their guardians and the teacher will be told.',
  isPast: 'This time is over already.',
  free: 'Teacher and room are free then.',
  moveIt: 'Move the lesson',
  moved: (group: string, when: string) => `${isolate(group)} is at ${isolate(when)} now.`,
  back: 'Back',
  cancel: 'Cancel the lesson',
  cancelTitle: (group: string) => `Cancel a lesson of ${isolate(group)}`,
  reason: 'Reason',
  reasonHint: 'Everybody who is told reads it.',
  missingReason: 'Say why, so that nobody has to ask.',
  tells: (count: number) =>
    many(count, {
      one: 'The student, the guardians and the teacher will be told.',
      other: `${count} students, their guardians and the teacher will be told.`,
    }),
  tellsTeacher: 'Nobody is in the group: only the teacher will be told.',
  cancelLasts: 'A cancelled lesson stays cancelled. Another one can be added later.',
  wasCancelled: (group: string) => `The lesson of ${isolate(group)} is cancelled.`,
  substitute: 'Substitute teacher',
  correctTeacher: 'Who gave it',
  substituteTitle: (group: string) => `Who gives the lesson of ${isolate(group)}?`,
  correctTitle: (group: string) => `Who gave the lesson of ${isolate(group)}?`,
  ownTeacher: 'The teacher of the group',
  ofYourBranches:
    'The teachers of the branches that you see are listed. Whoever manages the whole institute can give the lesson to others.',
  teacherFree: 'Nothing else at this time.',
  substituted: (name: string, group: string) => `${isolate(name)} gives the lesson of ${isolate(group)}.`,
  ownAgain: (group: string) => `The lesson of ${isolate(group)} is given by its own teacher.`,
  cover: {
    title: 'Who stands in',
    plan: 'A teacher is away',
    absent: 'Who is away',
    substitute: 'Who stands in',
    substituteOn: (day: string) => `Who stands in on ${isolate(day)}`,
    standsIn: (substitute: string, teacher: string) => `${isolate(substitute)} stands in for ${isolate(teacher)}`,
    teacherMissing: 'Say who is away.',
    dayMissing: 'Say from when.',
    substituteMissing: 'Say who stands in.',
    sameTeacher: 'Somebody else has to stand in.',
    tooLong: (days: number) => `At most ${days} days at once.`,
    noLessons: 'No lesson of these days is still to come. What is planned there later gets the substitute too.',
    clash: (group: string, times: string) => `Gives ${isolate(group)} then, ${isolate(times)}`,
    absentToo: 'Is away that day too',
    reason: 'Why',
    reasonHint: 'For the office alone.',
    tellFamilies: 'Tell the families',
    follows:
      'Whoever stands in gets one message with the lessons. Lessons that clash stay unticked unless you tick them.',
    planIt: 'Give the lessons',
    planned: (count: number) =>
      count === 0
        ? 'The substitute is noted for these days.'
        : many(count, { one: '1 lesson has a substitute now.', other: `${count} lessons have a substitute now.` }),
    undone: (teacher: string) => `The lessons are given by ${isolate(teacher)} again.`,
  },
}
