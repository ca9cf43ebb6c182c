import { isolate } from '../../shared/isolate.ts'

// The phone numbers have hyphens at which no line breaks.

export const en = {
  title: 'Registration',
  student: 'Student',
  guardian: 'Parent or guardian',
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  email: 'Email',
  course: 'Course',
  undecided: 'Not decided yet',
  message: 'Message',
  optional: 'optional',
  send: 'Send registration',
  sending: 'Sending…',
  thanks: 'Thank you',
  received: (name: string) => `The registration of ${isolate(name)} has arrived. The institute will be in touch.`,
  fix: 'Please check the marked fields.',
  required: 'Please fill in this field.',
  badPhone: 'Please enter a full phone number, such as 050\u2011123\u20114567.',
  badEmail: 'Please enter an email address, such as name@example.com.',
  badField: 'Please check this field.',
  captcha: 'Please complete the security check.',
  captchaAgain: 'The security check did not succeed. Please complete it again.',
  captchaMissing: 'The security check could not be loaded. Please reload the page and try again.',
  network:
    'There is no connection. What you have filled in is still here: please check the connection and send it again.',
  origin: 'This form does not work on this website. Please contact the institute directly.',
  broken: 'This form does not work in this browser. Please update the browser, or contact the institute directly.',
  closed: 'The institute takes no registrations at present.',
  notOffered: 'This course takes no registrations at present.',
  limit: (when: string) => `Too many registrations have come in. Please try again ${when}.`,
  server: 'The registration could not be taken. Please try again in a few minutes.',
  inFront:
    'The institute’s server cannot be reached at present. What you have filled in is still here: please send it again in a few minutes.',
}

export type Texts = typeof en
