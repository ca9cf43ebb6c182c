import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** A family: its guardians, its children, and how they are linked. */
export const family = {
  otherGuardians: 'Other guardians',
  guardiansOf: (names: string) => `Of ${names}`,
  invite: 'Invite to an account',
  inviteOf: (name: string) => `Invite to an account: ${isolate(name)}`,
  inviteAbout:
    'With an account of their own, families see the lessons, attendance, reports and invoices of their children.',
  inviteStudentAbout: 'With an account of their own, students see their lessons, homework, marks and video lessons.',
  inviteStudentSends: 'They get a mail with a link that works once, within 7 days.',
  inviteSends: 'Each gets a mail with a link that works once, within 7 days.',
  inviteSent: (name: string) => `The invitation to ${isolate(name)} is sent.`,
  hasAccount: 'Has an account',
  inviteFamilies: 'Invite families',
  inviteGroup: (group: string) => `Invite the families of ${isolate(group)}`,
  accountsThere: (count: number) =>
    many(count, { one: '1 guardian has an account already.', other: `${count} guardians have an account already.` }),
  accountsInvited: (count: number) =>
    many(count, { one: '1 guardian is invited already.', other: `${count} guardians are invited already.` }),
  withoutAddress: (names: string) => `Without an e-mail address: ${names}`,
  nobodyToInvite: 'There is nobody left to invite.',
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
  seesLearning: 'Sees and hears of lessons, attendance, marks and reports',
  seesMoney: 'Sees what is to be paid',
  sightHint:
    'For parents who live apart: what is switched off, this guardian neither sees nor is told. Whoever pays sees what is to be paid.',
  noLearning: 'Does not see lessons',
  noMoney: 'Does not see payments',
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
  average: (share: string) => `Average ${share}`,
  waitsUntil: (when: string) => `waits until ${isolate(when)}`,
}
