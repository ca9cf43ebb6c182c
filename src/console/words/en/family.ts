import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** A family: its guardians, its children, and how they are linked. */
export const family = {
  otherGuardians: 'Other guardians',
  guardiansOf: (names: string) => `Of ${names}`,
  messages: 'Messages',
  noMessages: 'No message has been sent to them yet.',
  states: {
    queued: 'On its way',
    sent: 'Sent',
    failed: 'Not delivered',
    skipped: 'Not sent',
  },
  attended: (share: string) => `${share} attended in 30 days`,
  addGuardian: 'Link a guardian',
  addChild: 'Link a child',
  linkTitle: (student: string) => `A guardian of ${isolate(student)}`,
  childTitle: (guardian: string) => `A child of ${isolate(guardian)}`,
  find: 'Name or phone of the guardian',
  noneFound: 'Nobody fits. Try fewer letters, or add them.',
  already: 'is linked already',
  newGuardian: 'New guardian',
  add: 'Add',
  relation: (guardian: string, student: string) => `Who ${isolate(guardian)} is to ${isolate(student)}`,
  choose: 'Choose…',
  missingRelation: 'Choose one.',
  pays: 'Pays for the student',
  first: 'Is called first',
  marksHint: 'One guardian pays and one is called first: whoever was before no longer is.',
  link: 'Link',
  linked: (guardian: string, student: string) => `${isolate(guardian)} is linked to ${isolate(student)}.`,
  changed: (guardian: string) => `Saved: ${isolate(guardian)}`,
  change: 'Change the relation',
  unlink: 'Unlink',
  unlinkTitle: (guardian: string, student: string) => `Unlink ${isolate(guardian)} from ${isolate(student)}?`,
  unlinkText: 'They will hear nothing more of the student. Both stay in the lists.',
  unlinkPayer:
    'They will hear nothing more of the student, and nobody pays for the student until another guardian is chosen. Both stay in the lists.',
  unlinked: (guardian: string, student: string) => `${isolate(guardian)} is no longer linked to ${isolate(student)}.`,
  noNextLesson: 'No lesson is planned',
  report: (from: string, to: string) => `Report, ${from} – ${to}`,
  average: (share: string) => `Average ${share}`,
  earlierReports: (count: number) => many(count, { one: '1 earlier report', other: `${count} earlier reports` }),
  waitsUntil: (when: string) => `waits until ${isolate(when)}`,
}
