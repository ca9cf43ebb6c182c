import { isolateIn } from '#shared/isolate.ts'
import type { LanguageTexts } from './language-texts.ts'

export const en: LanguageTexts = {
  greeting: 'Hello {{recipientName}},',
  signature: 'Kind regards,\n{{institute}}',
  absence: { absent: 'absent', late: 'late', excused: 'absent (excused)' },
  methods: {
    cash: 'cash',
    card: 'card',
    bank_transfer: 'bank transfer',
    cheque: 'cheque',
    online: 'online',
    other: 'other means',
  },
  lessons: {
    gone: {
      one: 'One lesson does not take place: {{from}}.',
      many: 'Lessons that do not take place: {{count}}, from {{from}} to {{to}}.',
    },
    back: {
      one: 'One more lesson takes place: {{from}}.',
      many: 'Lessons that take place in addition: {{count}}, from {{from}} to {{to}}.',
    },
  },
  moreLessons: 'And {{count}} more.',
  place: {
    plain: '{{student}}: {{group}} ({{course}})',
    withLesson: '{{student}}: {{group}} ({{course}}), first lesson on {{date}} at {{time}}',
  },
  fields: {
    firstName: 'first name',
    lastName: 'last name',
    birthDate: 'date of birth',
    phone: 'phone',
    email: 'email',
    nationalId: 'ID number',
    address: 'address',
  },
  proposal: { left: 'Not changed:', remark: 'Our remark:' },
  corrected: { present: 'present', cleared: 'nothing is entered' },
  paymentProblems: {
    other_amount: 'Another amount was paid than asked. It is booked as paid.',
    other_currency: 'It was paid in another currency. Nothing is booked: record it by hand.',
    became_credit: 'The invoice was paid or cancelled meanwhile. What was left is credit of the payer.',
    not_booked: 'It was paid, and could not be booked: record it by hand.',
    refunded: 'The money was given back at the payment company: take the payment back here too.',
    disputed: 'The payer disputes the payment at their bank: see the page of the payment company.',
  },
  payByCard: 'Pay by card:',
  seeIt: 'See it here:',
  and: ' and ',
  digest: {
    subject: (institute) => `Your messages from ${isolateIn(institute, 'en')}`,
    lead: 'Here are your latest messages:',
  },
  optOut: {
    line: 'You can stop these mails at any time:',
    action: 'Stop these mails',
    ask: (institute) => ({
      title: `Stop the mails from ${isolateIn(institute, 'en')}?`,
      text: 'You will get no more mails about lessons, absences, invoices, payments, results and the like. Mails that you ask for yourself, such as a link to choose a new password, still come.',
      button: 'Stop the mails',
    }),
    stopped: (institute) => ({
      title: 'The mails have been stopped',
      text: `You will get no more mails like these from ${isolateIn(institute, 'en')}. One that is already on its way may still arrive.`,
      button: 'Undo: send me mails again',
    }),
    resumed: (institute) => ({
      title: 'The mails will come again',
      text: `You will get mails from ${isolateIn(institute, 'en')} as before.`,
      button: 'Stop the mails',
    }),
  },
  trial: {
    title: 'Test message',
    body: 'This test message has arrived, so sending works. There is nothing to do.',
  },
  events: {
    'student.absent': {
      subject: '{{studentName}}: {{status}} on {{date}}',
      mail: 'We would like to let you know that {{studentName}} was marked {{status}} for the {{groupName}} lesson ({{courseName}}) on {{date}} at {{time}}.\n\nIf this is a mistake, please contact us.\n\n{{seeIt}}',
      brief: '{{studentName}} was marked {{status}}: {{groupName}}, {{date}}, {{time}}.',
    },
    'invoice.issued': {
      subject: 'Invoice {{invoiceNumber}}',
      mail: 'Invoice {{invoiceNumber}} for {{studentName}} has been issued.\n\n{{lines}}\n\nAmount: {{total}}\nDue: {{dueDate}}\n\n{{payOnline}}\n\n{{footer}}\n\n{{seeIt}}',
      brief: 'Invoice {{invoiceNumber}} for {{studentName}}: {{total}}, due {{dueDate}}.',
    },
    'invoice.overdue': {
      subject: 'Invoice {{invoiceNumber}} is past its due date',
      mail: 'Invoice {{invoiceNumber}} for {{studentName}} was due on {{dueDate}} and has not been paid in full yet.\n\n{{lines}}\n\nStill to pay: {{balance}}\n\n{{payOnline}}\n\n{{footer}}\n\nIf you have paid in the meantime, please disregard this message.\n\n{{seeIt}}',
      brief: 'Invoice {{invoiceNumber}} for {{studentName}} was due on {{dueDate}}. Still to pay: {{balance}}.',
    },
    'invoice.reminder_requested': {
      subject: 'Reminder: invoice {{invoiceNumber}}',
      mail: 'This is a friendly reminder that invoice {{invoiceNumber}} for {{studentName}} has not been paid in full yet.\n\n{{lines}}\n\nStill to pay: {{balance}}\nDue: {{dueDate}}\n\n{{payOnline}}\n\n{{footer}}\n\nIf you have paid in the meantime, please disregard this message.\n\n{{seeIt}}',
      brief: 'Reminder: invoice {{invoiceNumber}} for {{studentName}}. Still to pay: {{balance}}, due {{dueDate}}.',
    },
    'payment.recorded': {
      subject: 'Payment received: {{amount}}',
      mail: 'Thank you. We received a payment of {{amount}} ({{method}}) on {{date}} for invoice {{invoiceNumber}} of {{studentName}}.\n\nStill to pay: {{balance}}\n\n{{seeIt}}',
      brief: 'Thank you. We received {{amount}} for invoice {{invoiceNumber}}. Still to pay: {{balance}}.',
    },
    'receipt.sent': {
      subject: 'Receipt {{receiptNumber}}',
      mail: 'Thank you. We received {{amount}} on {{date}}.\n\nThe receipt {{receiptNumber}} comes with this mail.',
      brief: 'Thank you. We received {{amount}} on {{date}}. Your receipt: {{receiptNumber}}.',
    },
    'cheque.bounced': {
      subject: 'A cheque was not paid: {{amount}}',
      mail: 'The bank did not pay cheque {{chequeNumber}} for {{amount}}, due on {{dueDate}}.\n\nReason: {{reason}}\n\nThe amount is owed again. Please contact us to settle it.',
      brief:
        'The bank did not pay cheque {{chequeNumber}} for {{amount}}, due on {{dueDate}}. Please contact us to settle it.',
    },
    'session.cancelled': {
      subject: 'Lesson cancelled: {{groupName}}, {{date}}',
      mail: 'The {{groupName}} lesson ({{courseName}}) on {{date}} at {{time}} has been cancelled.\n\nReason: {{reason}}\n\nWe apologise for the inconvenience.\n\n{{seeIt}}',
      brief: 'The {{groupName}} lesson on {{date}} at {{time}} has been cancelled. Reason: {{reason}}',
    },
    'session.added': {
      subject: 'Extra lesson: {{groupName}}, {{date}}',
      mail: 'There is an extra {{groupName}} lesson ({{courseName}}) on {{date}}, from {{time}} to {{end}}.\n\n{{seeIt}}',
      brief: 'There is an extra {{groupName}} lesson on {{date}}, from {{time}} to {{end}}.',
    },
    'session.moved': {
      subject: 'Lesson moved: {{groupName}}, {{newDate}}',
      mail: 'The {{groupName}} lesson ({{courseName}}) on {{date}} at {{time}} has been moved.\n\nIt is now on {{newDate}}, from {{newTime}} to {{newEnd}}.\n\n{{seeIt}}',
      brief:
        'The {{groupName}} lesson on {{date}} at {{time}} has been moved to {{newDate}}, from {{newTime}} to {{newEnd}}.',
    },
    'session.given': {
      subject: 'You give a lesson: {{groupName}}, {{date}}',
      mail: 'You give the {{groupName}} lesson ({{courseName}}) on {{date}}, from {{time}} to {{end}}.\n\n{{seeIt}}',
      brief: 'You give the {{groupName}} lesson on {{date}}, from {{time}} to {{end}}.',
    },
    'group.lessons_changed': {
      subject: 'Lessons of {{groupName}} have changed',
      mail: 'The lessons of {{groupName}} ({{courseName}}) have changed.\n\n{{changes}}\n\n{{seeIt}}',
      brief: 'The lessons of {{groupName}} have changed.\n{{changes}}',
    },
    'group.continues': {
      subject: 'Places in the new year',
      mail: 'We have kept these places for the new year:\n\n{{places}}\n\nPlease tell us if anything is to change.',
      brief: 'We have kept these places for the new year:\n{{places}}\nPlease tell us if anything is to change.',
    },
    'place.offered': {
      subject: 'A place for {{studentName}}: {{groupName}}',
      mail: 'A place has become free for {{studentName}} in {{groupName}} ({{courseName}}).\n\nWe keep it until {{until}}. Please tell us whether you want it.',
      brief:
        'A place has become free for {{studentName}} in {{groupName}}. We keep it until {{until}}. Please tell us whether you want it.',
    },
    'closure.announced': {
      subject: 'Closed: {{closureName}}',
      mail: 'We are closed from {{from}} to {{to}}: {{closureName}}.\n\nLessons on these days do not take place.',
      brief: 'We are closed from {{from}} to {{to}}: {{closureName}}. Lessons on these days do not take place.',
    },
    'closures.announced': {
      subject: 'Closed days',
      mail: 'We are closed on these days:\n\n{{days}}\n\nLessons on these days do not take place.',
      brief: 'We are closed on these days, and lessons do not take place:\n{{days}}',
    },
    'closure.lifted': {
      subject: 'Open after all: {{closureName}}',
      mail: 'Lessons from {{from}} to {{to}} take place after all. Please disregard our message about {{closureName}}.',
      brief:
        'Lessons from {{from}} to {{to}} take place after all. Please disregard our message about {{closureName}}.',
    },
    'cover.given': {
      subject: 'You stand in for {{teacherName}}',
      mail: 'You stand in for {{teacherName}} from {{from}} to {{to}}. Your lessons:\n\n{{lessons}}',
      brief: 'You stand in for {{teacherName}} from {{from}} to {{to}}:\n{{lessons}}',
    },
    'cover.lifted': {
      subject: 'You no longer stand in for {{teacherName}}',
      mail: 'You no longer stand in for {{teacherName}} from {{from}} to {{to}}. These lessons are no longer yours:\n\n{{lessons}}',
      brief: 'You no longer stand in for {{teacherName}} from {{from}} to {{to}}:\n{{lessons}}',
    },
    'cover.announced': {
      subject: 'A substitute teacher: {{substituteName}}',
      mail: 'The lessons of {{teacherName}} from {{from}} to {{to}} are given by {{substituteName}}. Their times stay as they are.',
      brief:
        'The lessons of {{teacherName}} from {{from}} to {{to}} are given by {{substituteName}}. Their times stay as they are.',
    },
    'attendance.corrected': {
      subject: 'Correction: {{studentName}}, {{date}}',
      mail: 'Our message about the absence of {{studentName}} from the {{groupName}} lesson ({{courseName}}) on {{date}} at {{time}} was a mistake.\n\nWhat holds now: {{correction}}\n\nWe apologise for the inconvenience.\n\n{{seeIt}}',
      brief:
        'Correction for {{studentName}}, {{groupName}}, {{date}}, {{time}}: {{correction}}. Our message about an absence was a mistake.',
    },
    'exam.published': {
      subject: 'Results: {{examTitle}}',
      mail: 'The results of {{examTitle}} ({{groupName}}) have been published for {{studentName}}.\n\nPlease contact us with any questions.\n\n{{seeIt}}',
      brief: 'The results of {{examTitle}} ({{groupName}}) have been published for {{studentName}}.',
    },
    'progress_report.sent': {
      subject: 'Progress report of {{studentName}}',
      mail: 'The progress report of {{studentName}} is ready.\n\nPeriod: {{periodStart}} to {{periodEnd}}\n\nPlease contact us with any questions.\n\n{{seeIt}}',
      brief: 'The progress report of {{studentName}} is ready ({{periodStart}} to {{periodEnd}}).',
    },
    'progress_reports.submitted': {
      subject: 'Progress reports to read over: {{count}}',
      mail: '{{teacherName}} has handed in progress reports, which wait to be read over.\n\nReports: {{count}}\nGroups: {{groups}}\n\n{{seeIt}}',
      brief: '{{teacherName}} has handed in progress reports to be read over: {{count}} ({{groups}}).',
    },
    'progress_report.returned': {
      subject: 'Progress report returned: {{studentName}}',
      mail: 'The progress report of {{studentName}} ({{periodStart}} to {{periodEnd}}) has come back to you.\n\nRemark: {{remark}}\n\n{{seeIt}}',
      brief: 'The progress report of {{studentName}} has come back to you. Remark: {{remark}}',
    },
    'details.proposed': {
      subject: 'A change to approve: {{personName}}',
      mail: '{{byName}} asks to change the details of {{personName}}.\n\nWhat: {{fields}}\n\n{{seeIt}}',
      brief: '{{byName}} asks to change the details of {{personName}}: {{fields}}.',
    },
    'details.accepted': {
      subject: 'Details updated: {{personName}}',
      mail: 'Thank you for keeping us up to date. We have changed the details of {{personName}} as you asked.\n\nChanged: {{fields}}\n\n{{left}}\n\n{{remark}}\n\n{{seeIt}}',
      brief: 'The details of {{personName}} have been changed as you asked: {{fields}}. {{left}} {{remark}}',
    },
    'details.declined': {
      subject: 'Details not changed: {{personName}}',
      mail: 'We have not changed the details of {{personName}} ({{fields}}).\n\n{{remark}}\n\nPlease contact us with any questions.\n\n{{seeIt}}',
      brief: 'The details of {{personName}} have not been changed ({{fields}}). {{remark}}',
    },
    'lead.created': {
      subject: 'A new enquiry',
      mail: 'Somebody has left their details and is waiting for an answer. The enquiry is in the list of leads:\n\n{{link}}',
      brief: 'Somebody has left their details and is waiting for an answer.',
    },
    'leads.summary': {
      subject: 'More enquiries: {{count}}',
      mail: 'More people have left their details in the last hour and are waiting for an answer.\n\nNew enquiries: {{count}}\n\nThey are in the list of leads:\n\n{{link}}',
      brief: 'More people have left their details in the last hour. New enquiries: {{count}}.',
    },
    'subscription.expiring': {
      subject: 'The subscription ends on {{date}}',
      mail: 'The subscription of {{institute}} (plan {{plan}}) ends on {{date}}.\n\nDays left: {{days}}\n\nPlease renew it in time.',
      brief: 'The subscription ends on {{date}}. Days left: {{days}}.',
    },
    'tenant.locked': {
      subject: '{{institute}} has been locked',
      mail: 'Access to {{institute}} has been locked.\n\nReason: {{reason}}\n\nPlease contact your provider.',
      brief: 'Access to {{institute}} has been locked. Reason: {{reason}}',
    },
    'webhook_endpoint.disabled': {
      subject: 'A webhook has been switched off',
      mail: 'Too many deliveries to {{host}} failed in a row, so nothing more is sent there.\n\nOnce the address answers again, the webhook can be switched on in the list of webhooks.',
      brief: 'Too many deliveries to {{host}} failed in a row, so nothing more is sent there.',
    },
    'account.unlinked': {
      subject: 'Your account is no longer linked to {{personName}}',
      mail: 'Your account at {{institute}} is no longer linked to the record of {{personName}}, so you no longer see what belongs to it.\n\nIf this is a mistake, please contact us.',
      brief:
        'Your account is no longer linked to the record of {{personName}}. If this is a mistake, please contact us.',
    },
    'online_payment.attention': {
      subject: 'Payment by card of {{invoiceNumber}}: please look',
      mail: '{{amount}} for invoice {{invoiceNumber}}. {{problem}}',
      brief: '{{amount}} for invoice {{invoiceNumber}}. {{problem}}',
    },
    'mails.stuck': {
      subject: 'Mails are not being sent',
      mail: 'The mail server does not take our mails. Waiting or given up: {{count}}, the oldest since {{date}}.\n\nWhat happened: {{reason}}\n\nMails are tried again for two days. Look at Mail in the settings; once it works, they can all be sent again there.',
      brief:
        'The mail server does not take our mails. Waiting or given up: {{count}}, the oldest since {{date}}. What happened: {{reason}} Look at Mail in the settings; once it works, they can all be sent again there.',
    },
    'update.available': {
      subject: 'There is a new version',
      mail: 'Version {{version}} of the program can be put in. What is new in it stands under Updates in the settings.',
      brief:
        'Version {{version}} of the program can be put in. What is new in it stands under Updates in the settings.',
    },
    'update.installed': {
      subject: 'A new version runs',
      mail: 'Version {{version}} of the program was put in, and runs. What is new in it stands under Updates in the settings.',
      brief:
        'Version {{version}} of the program was put in, and runs. What is new in it stands under Updates in the settings.',
    },
    'update.failed': {
      subject: 'The new version did not go in',
      mail: 'Version {{version}} of the program did not go in. The one before it goes on, with the data as it was. What happened stands under Updates in the settings.',
      brief:
        'Version {{version}} of the program did not go in. The one before it goes on, with the data as it was. What happened stands under Updates in the settings.',
    },
    'https.failed': {
      subject: 'The certificate was not renewed',
      mail: 'No new certificate comes for {{name}}. Once the present one ends, browsers warn at this address. Why stands under Other computers and phones in the settings.',
      brief:
        'No new certificate comes for {{name}}. Once the present one ends, browsers warn at this address. Why stands under Other computers and phones in the settings.',
    },
  },
}
