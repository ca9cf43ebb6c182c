import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Taking attendance, and what becomes of marks that are not sent. */
export const attendance = {
  statuses: { present: 'present', absent: 'absent', late: 'late', excused: 'excused' },
  counts: {
    present: (count: number) => `${count} present`,
    absent: (count: number) => `${count} absent`,
    late: (count: number) => `${count} late`,
    excused: (count: number) => `${count} excused`,
  },
  of: (name: string) => `Attendance of ${name}`,
  detailsHint: 'more marks and a note',
  status: 'Attendance',
  minutes: 'Minutes late',
  minutesLate: (minutes: number) => `${minutes} min`,
  minutesWrong: 'Type whole minutes, 1440 at most.',
  note: 'Note',
  noteHint: 'The student and the family can read it.',
  keys: 'Arrow keys choose, 1 to 4 mark, Space opens the note, Enter goes on, Ctrl+Enter saves.',
  savedAt: (time: string) => `Saved ${time}`,
  unsaved: 'Not saved yet',
  unsent: 'Kept here, not sent yet',
  restored: 'You marked this before and did not save it.',
  startOver: 'Start over',
  announced: (reason: string) => `Reported: ${isolate(reason)}`,
  clearOne: 'Clear the mark',
  clearedOne: 'The mark is cleared.',
  clearAll: 'Clear all marks',
  clearAllAsk: (group: string) => `Clear all marks of ${isolate(group)}?`,
  clearFollows: 'The class counts as not marked. Who was told of an absence is told that it does not hold.',
  clearedAll: 'All marks are cleared.',
  cancelledFor: (reason: string) => `Why: ${isolate(reason)}`,
  cancelled: 'This class was cancelled. No attendance is taken.',
  notBegun: (when: string) => `This class begins on ${when}.`,
  nobody: 'Nobody was enrolled in this group when this class began.',
  othersMark: 'Whoever gives the lesson marks it, or a manager of the branch.',
  walkIn: 'walk-in, not enrolled',
  walkInHint:
    'A name, or the whole phone number. They are marked here; the front desk decides whether they are enrolled.',
  walkInNone: 'Nobody of this branch was found. The front desk adds new students.',
  add: 'Add somebody who came',
  addTitle: 'Who came?',
  addWho: 'Student',
  addHint: 'A name, number or phone. Whoever you choose is enrolled in the group.',
  addNone: 'Nobody was found. New students are added under Students.',
  addedLater: (name: string) =>
    `${isolate(name)} was enrolled after this class began, and stands on the list from the next one on.`,
  sinceThis: 'In the group since this class',
  conflict: 'Somebody else marked this class meanwhile',
  conflictText: (count: number) =>
    many(count, {
      one: 'One mark differs from yours. Choose which is right, then save.',
      other: `${count} marks differ from yours. Choose which are right, then save.`,
    }),
  yours: 'Yours',
  theirs: (time: string) => `Saved ${time}`,
  refused: (group: string, when: string) => `Your attendance of ${group} (${when}) was not taken.`,
  conflicting: (group: string, when: string) =>
    `Somebody else marked ${group} (${when}) too. Choose which marks are right.`,
  aClass: 'a class',
  open: 'Open',
  discard: 'Discard',
  discardTitle: (group: string, when: string) => `Discard your attendance of ${group} (${when})`,
  discardText: 'What the server has stays as it is.',
}
