import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** By which mailbox mails go out. */
export const mail = {
  title: 'Mail',
  about: 'Invitations, links for a new password, invoices and messages are sent from the mailbox that you name here.',
  now: 'As it is',
  none: 'Mail is not set up yet: no invitation is sent, and no message to a family. Name a mailbox below.',
  from: 'Mails come from',
  through: 'They go out through',
  fixed: 'The mail server is named where the program is started, and is changed there.',
  sendTest: 'Send me a test mail',
  sent: (email: string) =>
    `The mail server took the test mail to ${isolate(email)}. Look whether it arrives, also among unwanted mail.`,
  passwordUnused: 'It asked for no sign-in: the user name and the password were not used, and may be wrong.',
  said: 'The mail server said:',
  stuck: (waiting: number, failed: number, since: string) =>
    `The mail server did not take all mails. Waiting for the next attempt: ${waiting}. Given up: ${failed}. The oldest is of ${isolate(since)}.`,
  stuckReason: 'What happened:',
  sendAgain: 'Send all again',
  sentAgain: 'All of them go out again now.',
  kept: (count: number, since: string) =>
    many(count, {
      one: `1 mail waits: there was no mailbox when it was written, on ${isolate(since)}. Send it, or drop it where it is no news any more.`,
      other: `${count} mails wait: there was no mailbox when they were written, the oldest on ${isolate(since)}. Send them, or drop them where they are no news any more.`,
    }),
  keptFirst: 'Name a mailbox below first.',
  sendKept: 'Send them',
  drop: 'Drop them',
  dropTitle: (count: number) => many(count, { one: 'Drop 1 mail?', other: `Drop ${count} mails?` }),
  dropText: 'Nobody gets them. The log of messages says so.',
  dropped: 'They are not sent.',
  set: 'Name a mailbox',
  change: 'Another mailbox, or a new password',
  provider: 'Whose mailbox is it?',
  choose: 'Choose who provides the mailbox',
  providers: {
    gmail: 'Gmail or Google Workspace',
    microsoft: 'Microsoft 365 (Outlook)',
    yahoo: 'Yahoo',
    zoho: 'Zoho',
    own: 'Another, or our own server',
  },
  address: 'E-mail address of the mailbox',
  addressWrong: 'Type a whole e-mail address.',
  host: 'Mail server',
  hostHint: 'Such as smtp.example.org. Your provider can tell you its name, encryption and port.',
  hostMissing: 'Type the name of the mail server.',
  encryption: 'Encryption',
  port: 'Port',
  portWrong: 'Type a number from 1 to 65535.',
  user: 'User name',
  userHint: 'Nearly always the whole e-mail address. Leave it empty where the server asks for none.',
  password: 'Password of the mailbox',
  passwordKept: 'Leave it empty to keep the one that you gave before.',
  passwordMissing: 'Type the password: the one that is kept belongs to another server or user.',
  passwords: {
    gmail:
      'Google wants an app password here, 16 letters, and not the password of the account. Turn on 2-Step Verification in the Google account, then make one at myaccount.google.com/apppasswords.',
    microsoft:
      'The administrator of your Microsoft 365 has to allow “Authenticated SMTP” for this mailbox first. A personal address at outlook.com or hotmail.com cannot be used.',
    yahoo:
      'Yahoo wants an app password here, and not the password of the account. Make one in the account, under Security.',
    zoho: 'With two-factor sign-in an app-specific password, which Zoho makes under Security. If Zoho names another server to you, choose “Another”.',
  },
  sender: 'Address that mails come from',
  senderHint: 'The mail server has to allow it.',
  tryAndKeep: 'Send me a test mail, and save',
  keepAnyway: 'Save all the same',
  saved: 'The mailbox is saved. Mails are sent from it from now on.',
  faults: {
    unknown_host: 'There is no server of this name. Check the name of the mail server.',
    unreachable:
      'Nothing answers there. Check the mail server, the port, and whether this server reaches the internet.',
    timeout: 'The mail server takes too long to answer. Check the port and the encryption.',
    encryption: 'No encrypted connection comes about. Check the port and the encryption.',
    sign_in: 'The mail server does not accept the user name or the password.',
    refused: 'The mail server refuses this mail. Check the address that mails come from, and your own.',
    other: 'The test mail was not sent.',
  },
}
