import { isolate } from '../../../src/shared/isolate.ts'
import { first } from '../../../src/console/words/en/first.ts'
import { refusals } from '../../../src/console/words/en/refusals.ts'

/** What an assistant asks for, and who decides. */
export const authorize = {
  another: 'Sign in as somebody else',
  signInTitle: 'An assistant wants to come in',
  signInLead:
    'A program asks to act for you in your institute. Please sign in: after that you see who asks and what for, and decide.',
  title: (client: string) => `${isolate(client)} asks to act for you`,
  account: (email: string) => `You are signed in as ${isolate(email)}.`,
  unverified:
    'Nobody has checked this name: the program chose it itself. Go on only if you have just started this yourself.',
  client: 'Assistant',
  verified: 'Described by',
  returns: 'After that you return to',
  returnsHere: 'a program on this device',
  returnsProgram: (scheme: string) => `the program on this device that opens “${isolate(scheme)}” links`,
  institute: 'Institute',
  choose: 'In which institute?',
  notAllowed: 'Here you may not use an assistant.',
  can: 'What the assistant will be able to do, for you and in your name',
  canPeople: 'Find students and their families, and read their details',
  canGroups: 'See groups, timetables and lessons',
  canEnrol: 'Enrol students in groups, and end enrolments',
  canAttendance: 'See attendance and mark it',
  canAttendanceSeen: 'See attendance',
  canExams: 'See exam results',
  canMoney: 'See invoices, payments and who owes what',
  canInvoices: 'Draft invoices and issue them',
  canPayments: 'Record payments',
  canLeads: 'See enquiries and make students of them',
  canLeadsSeen: 'See enquiries',
  canMessages: 'Send messages to families and staff',
  canFigures: 'See the figures of the institute',
  canOwn: 'See your own schedule',
  cannot: 'What it cannot do',
  cannotAccount: 'See your password, or change your account',
  cannotRights: 'Invite people, or change roles, settings or keys',
  cannotMore: 'More than you may do yourself. If you lose a right, so does it, at once',
  leaves: 'What the assistant reads here goes to whoever runs it.',
  end: 'You can end this at any time in the app of your institute, and so can whoever manages its members.',
  approve: 'Allow',
  refuse: 'Refuse',
  sending: 'One moment…',
  back: 'Go back without it',
  nowhereTitle: 'No assistant can be let in',
  nowhereText:
    'Either assistants are switched off in your institute, or your role does not include them. Whoever manages the institute can change both.',
  faultyTitle: 'The assistant asked in a wrong way',
  faultyText:
    'Its request is not complete, or not for this server, so nothing was allowed. Please tell whoever makes the assistant.',
  invalidTitle: 'This request cannot be trusted',
  invalidClient:
    'The server does not know the program that asks, or could not read its description. Please start again in the assistant; if that does not help, remove the connection there and add it anew.',
  invalidRedirect:
    'The answer would go to an address that the program never named to this server, or that is not safe to open. Nothing was allowed. Please close this page.',
  invalidIncomplete: 'The address of this page is not complete. Please start again in the assistant.',
  doneTitle: 'Done',
  doneText: 'Please go on in the assistant. You can close this page now.',
}

/** All that this page says. */
export const words = { ...first, refusals, authorize }
