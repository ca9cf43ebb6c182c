import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** What is kept of a family, and what they propose to change of it. */
export const proposals = {
  own: 'Our details',
  ownAbout: 'What the institute has on record about you. Is something not right? Tell the office what to change.',
  details: 'Details',
  none: 'The school keeps nothing of you yet.',
  note: 'A word to the office',
  propose: 'Ask for a change',
  proposeOf: (name: string) => `Ask for a change: ${isolate(name)}`,
  proposeFor: (name: string) => `Change the details of ${isolate(name)}`,
  follows: 'The office looks at it, and you hear what became of it. Until then nothing changes.',
  send: 'Send',
  sent: 'Sent. The office looks at it.',
  nothing: 'Nothing is different from what is kept.',
  waiting: 'The office has this to look at:',
  takeBack: 'Take it back',
  takenBack: 'Taken back. Nothing changes.',
  accepted: (fields: string) => `Changed as you asked: ${fields}`,
  left: (fields: string) => `Not changed: ${fields}`,
  declined: (fields: string) => `The office did not change this: ${fields}`,
  remark: (remark: string) => `The office writes: ${isolate(remark)}`,
  address: 'Address',
  phoneMissing: 'Type a phone number.',
  title: 'Changes that families ask for',
  about: 'Nothing is changed before you accept it.',
  nobody: 'No family waits for a change.',
  by: (name: string) => `From ${isolate(name)}`,
  byRelation: (name: string, relation: string) => `From ${isolate(name)} (${relation})`,
  was: 'Kept now',
  proposed: 'Asked for',
  changedSince: 'Changed here since',
  accept: 'Accept',
  acceptSome: (count: number) => many(count, { one: 'Accept 1 of them', other: `Accept ${count} of them` }),
  acceptOf: (name: string) => `Accept for ${isolate(name)}`,
  decline: 'Decline',
  declineOf: (name: string) => `Decline for ${isolate(name)}`,
  declineTitle: (name: string) => `Leave the details of ${isolate(name)} as they are?`,
  declineFollows: 'The family reads what you write here.',
  takenOver: (name: string) => `The details of ${isolate(name)} are changed, and the family hears of it.`,
  leftAlone: (name: string) => `The details of ${isolate(name)} stay, and the family hears why.`,
  changedMeanwhile: 'This has changed since you looked. Here it is as it is now: look at it again.',
  need: (count: number) =>
    many(count, {
      one: '1 family asks to change their details',
      other: `${count} families ask to change their details`,
    }),
}
