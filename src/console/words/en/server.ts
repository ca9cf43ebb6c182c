import { isolate } from '../../../shared/isolate.ts'
import { clocks } from './clocks.ts'

/** Whether all is well with the server, and its licence. */
export const server = {
  title: 'The server',
  lookedAt: (moment: string) => `Looked at ${isolate(moment)}`,
  lookAgain: 'Look again',
  details: 'For whoever looks after the server:',
  states: { ok: 'In order', warning: 'Needs a check', wrong: 'Not in order' },
  clocks,
  abouts: {
    disk: {
      title: 'Room on the disk',
      well: 'There is enough.',
      unwell: 'There is little left. Remove what nobody needs from this computer, or have a larger disk put in.',
    },
    clock: {
      title: 'Clock',
      well: 'It is right.',
      unwell: 'It is wrong or was set back. Have it set by the network: times of lessons and payments depend on it.',
    },
    mail: {
      title: 'Mail',
      well: 'The mail server answers.',
      unwell: 'Mails do not go out as they should. Look at “Mail” in the settings, and send yourself a test.',
    },
    queue: {
      title: 'Work in the background',
      well: 'Nothing is waiting.',
      unwell: 'Something was given up after several tries, such as a message. Look at the messages that failed.',
    },
    bucket: {
      title: 'The store of files',
      well: 'It takes, gives and removes files.',
      unwell: 'It does not work as it should. Files may neither come in nor be shown.',
    },
    files: {
      title: 'Uploaded files',
      well: 'All of them are there.',
      unwell: 'Some are missing on the disk. They may be in a backup.',
    },
    backups: {
      title: 'Backups',
      well: 'The newest one is as new as it should be.',
      unwell: 'There is none yet, or the newest is too old. Make one under “Backups”.',
    },
    address: {
      title: 'Address of the server',
      well: 'Links in mails lead here, and nobody can listen on the way.',
      unwell:
        'Links in mails lead to another place than here, open on this computer alone, or passwords can be read on their way. Set the right address under “The institute”, and have an https address set up.',
    },
    proxy: {
      title: 'Proxy in front of the server',
      well: 'It says who asks.',
      unwell:
        'Callers may be able to pass for any address, so limits on wrong passwords protect less. Whoever looks after the proxy adds the line that stands below.',
    },
    vendor: {
      title: 'Vendor of the licence',
      well: 'In order.',
      unwell: 'The vendor could not be reached, or the licence has ended. Everything goes on working.',
    },
  },
  /** People are sent to another address than the server's. */
  moved: (url: string, here: string) =>
    `People are sent to ${isolate(url)}, which is not this server's any more. You are here at ${isolate(here)}.`,
  alone: (url: string, here: string) =>
    `Links in mails begin with ${isolate(url)}, which opens on the server's own computer alone. You are here at ${isolate(here)}.`,
  movedFixed: 'Its configuration names it (INSTITUTE_BASE_URL): whoever looks after the server changes it there.',
  setAddress: 'Set the address',
  setTitle: (address: string) => `Send people to ${isolate(address)}`,
  setText:
    'Links in mails, calendars, the line on your website and assistants begin with this address from now on. Calendars, the website and assistants that have the former one need the new one.',
  setUnsent:
    'Attendance that a teacher could not send yet stays in their browser at the former address. It is sent when they open that address again while it leads here.',
  setDone: (address: string) => `People are sent to ${isolate(address)} from now on.`,
  license: 'Licence',
  licenses: {
    unlicensed: 'There is no licence. Everything works, and nothing is sent to anybody.',
    active: 'There is a licence, and everything works.',
    locked: 'The institute is locked by its licence.',
  },
  plan: (plan: string) => `Plan: ${plan}.`,
  toLicense: 'Put in a licence',
}
