import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Families whom no message reaches: the office tells them itself. */
export const calls = {
  title: 'To call',
  about: 'Families with a phone whom no message reaches. Whoever tells them marks it, so that nobody does it twice.',
  see: 'Open the list to call',
  states: { open: 'To tell', told: 'Told', not_needed: 'Not needed' },
  stateLabel: 'State',
  anyState: 'All of them',
  none: 'There is nobody to call.',
  noneFound: 'Nobody stands so.',
  ofMessage: 'Of one message',
  noPhone: 'There is no phone on their record any more.',
  call: (name: string) => `Call ${isolate(name)}`,
  whatsapp: 'WhatsApp',
  sms: 'SMS',
  copy: 'Copy the text',
  copied: 'The text is copied.',
  told: 'Told',
  toldOf: (name: string) => `${isolate(name)} is marked as told.`,
  more: (name: string) => `More about ${isolate(name)}`,
  otherwise: 'Told in another way',
  allTold: 'All of them told',
  allToldTitle: 'Was everybody on this list told?',
  allToldAbout: 'As in the parents’ group on WhatsApp. Whoever is marked already stays as they are.',
  allToldHow: 'How they were told',
  allAreTold: (count: number) =>
    many(count, { one: '1 person is marked as told.', other: `${count} people are marked as told.` }),
  onlyThis: 'All of this message',
  notNeeded: 'Nobody has to tell them',
  leftOut: (name: string) => `${isolate(name)} is off the list.`,
  again: 'Put back on the list',
  toldBy: (name: string, how: string, when: string) => `${isolate(name)}, ${how}, ${isolate(when)}`,
  leftOutBy: (name: string, when: string) => `${isolate(name)}, ${isolate(when)}`,
  ways: { call: 'by phone', whatsapp: 'over WhatsApp', sms: 'by SMS', other: 'in another way' },
  alreadyTold: (name: string, how: string, when: string) =>
    `${isolate(name)} told them already, ${how}, ${isolate(when)}.`,
  canCall: (count: number) =>
    many(count, {
      one: '1 of them has a phone and can be called',
      other: `${count} of them have a phone and can be called`,
    }),
  toCall: 'Put them on the list to call',
  cannot: (count: number) =>
    many(count, {
      one: '1 person has neither an address nor a phone',
      other: `${count} people have neither an address nor a phone`,
    }),
  onlyCall: (count: number) =>
    many(count, { one: 'Put 1 person on the list', other: `Put ${count} people on the list` }),
  onlyCallTitle: (count: number) =>
    many(count, { one: 'Put 1 person on the list to call?', other: `Put ${count} people on the list to call?` }),
  onlyCallVerb: 'Put on the list',
  listed: (count: number) =>
    many(count, { one: '1 person is on the list to call.', other: `${count} people are on the list to call.` }),
  listedTitle: 'They are on the list',
  putOn: (count: number) =>
    many(count, { one: 'Put 1 on the list to call', other: `Put ${count} on the list to call` }),
  areListed: 'Who has a phone is on the list to call.',
  noMailbox: 'No mailbox is set up: e-mails wait until there is one.',
  setUpMailbox: 'Set up a mailbox',
  allReached: (people: number) =>
    many(people, {
      one: 'A message reaches the one person concerned.',
      other: `A message reaches all ${people} people.`,
    }),
  someReached: (reached: number, people: number) =>
    reached === 0
      ? `A message reaches none of the ${people} people.`
      : `A message reaches ${reached} of ${people} people.`,
  willCall: (count: number) =>
    many(count, {
      one: '1 has a phone only and will stand on the list to call.',
      other: `${count} have a phone only and will stand on the list to call.`,
    }),
  waitingMails: (count: number) =>
    many(count, {
      one: '1 e-mail waits: no mailbox is set up.',
      other: `${count} e-mails wait: no mailbox is set up.`,
    }),
  toMake: (count: number) =>
    many(count, { one: '1 call to make to a family', other: `${count} calls to make to families` }),
}
