import { isolate } from '../../../shared/isolate.ts'

/** The places of the institute. */
export const branches = {
  title: 'Branches',
  about: 'The places where you teach. Students, groups and money belong to one of them.',
  add: 'New branch',
  change: (name: string) => `Change: ${isolate(name)}`,
  moreOf: (name: string) => `More: ${isolate(name)}`,
  name: 'Name',
  nameHint: 'As your people call it, such as the quarter or the street.',
  nameMissing: 'Type a name.',
  street: 'Street and number',
  city: 'Town',
  phone: 'Phone',
  phoneWrong: 'This is not a phone number. Type it with its area code, or with + and the country.',
  nothingKnown: 'No address and no phone yet',
  isDefault: 'Default',
  closed: 'Closed',
  makeDefault: 'Make it the default',
  defaultDone: (name: string) => `What comes without a branch comes to ${isolate(name)} from now on.`,
  close: 'Close the branch',
  reopen: 'Open again',
  reopened: (name: string) => `${isolate(name)} is open again.`,
  remove: 'Remove',
  asks: {
    close: {
      title: (name: string) => `Close the branch ${isolate(name)}?`,
      text: 'It can no longer be chosen. Its students, groups and invoices stay, and it can be opened again.',
      verb: 'Close the branch',
      done: (name: string) => `${isolate(name)} is closed.`,
    },
    remove: {
      title: (name: string) => `Remove the branch ${isolate(name)}?`,
      text: 'This works only while nothing belongs to it, and cannot be undone.',
      verb: 'Remove',
      done: (name: string) => `${isolate(name)} is removed.`,
    },
  },
  saved: (name: string) => `${isolate(name)} is saved.`,
  added: (name: string) => `${isolate(name)} is open. Choose it at the top of the page to see it alone.`,
}
