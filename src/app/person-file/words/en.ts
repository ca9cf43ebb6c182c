/** The words of the page that says what an institute keeps of a person. */
export const en = {
  title: (name: string): string => `Everything kept of ${name}`,
  /** @param institute its name; `day` is written as the reader writes dates */
  about: (institute: string, day: string): string =>
    `${institute} keeps this, as of ${day}. data.json has the same and more for programs; the uploaded files are in the folder “files”. Passwords are not in it, nor what is kept of others.`,
  fileName: 'data',
  titles: {
    student: 'The student',
    guardian: 'The guardian',
    guardian_link: 'Family',
    student_pause: 'Pauses',
    enrollment: 'Groups',
    waiting_entry: 'Waiting lists',
    attendance: 'Attendance',
    announced_absence: 'Announced absences',
    exam_result: 'Exam results',
    progress_report: 'Progress reports',
    course_enrollment: 'Video courses',
    invoice: 'Invoices',
    invoice_line: 'What was billed',
    payment: 'Payments',
    credit_note: 'Credit notes',
    payer_account: 'Credit',
    credit_entry: 'Movements of the credit',
    refund: 'Refunds',
    cheque: 'Cheques',
    discount: 'Discounts',
    receipt: 'Receipts',
    online_payment: 'Card payments',
    lead: 'Enquiries',
    file: 'Files',
    proposed_change: 'Changes the family asked for',
    notification: 'Messages',
    notification_call: 'Calls',
    merged_record: 'Records merged into this one',
    user: 'Account',
    audit_entry: 'What was changed, and when',
  },
}

export type PersonFileWords = typeof en
