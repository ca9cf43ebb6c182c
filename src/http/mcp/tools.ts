/**
 * The tools of //mcp: what people ask an assistant for. Each is an endpoint of the API, from whose declaration follow the
 * arguments, the result, who may call it and what it leaves in the audit log; here stand the words for the model alone.
 */
export interface ToolWords {
  /** <subject>_<verb> in snake_case, unique. It is part of the interface and does not change. */
  name: string
  /** For people, who may see it in their client. */
  title: string
  /** For the model: what it is for, where its arguments come from, and what to beware of. */
  description: string
  /** What a path parameter is called among the arguments. */
  params?: Readonly<Record<string, string>>
  /** What a change has done, as a sentence; undefined: the tool only reads. */
  done?: string
  /** It takes away or ends something. */
  destructive?: true
  /** It moves money or sends to many: it shows what it would do, and does it when a person has agreed. */
  asksBack?: true
  /** What a preview names beside: the first record has the id of the tool, each next one that of the record before. */
  concerns?: readonly Concern[]
  /** It reaches people outside the institute's own records. */
  reachesOutside?: true
}

/** A record that a preview names, as far as the caller may read it. */
export interface Concern {
  what: string
  /** The id of the endpoint that reads it. */
  read: string
  shows: readonly string[]
  /** The field with the id of the next one. */
  leadsTo?: string
}

/** Who agrees to a payment knows people, and not the ids of their invoices. */
const INVOICE_AND_STUDENT: readonly Concern[] = [
  { what: 'Invoice', read: 'invoices.read', shows: ['number', 'total', 'paid'], leadsTo: 'studentId' },
  { what: 'Student', read: 'students.read', shows: ['firstName', 'lastName', 'studentNumber'] },
]

/** By the id of the endpoint. */
export const TOOLS: Readonly<Record<string, ToolWords>> = {
  search: {
    name: 'records_search',
    title: 'Search everything',
    description:
      'Searches people, groups, courses and invoices by a few words, such as a name, a phone number or an invoice number, and gives the ids that other tools take. Begin here when you know a name and need an id.',
  },
  'dashboard.read': {
    name: 'dashboard_read',
    title: 'How the institute stands today',
    description:
      "Gives the institute's figures of today (active students, attendance, what is owed) and today's sessions with their ids. Use it for questions about the whole institute, and to find the sessions of today.",
  },
  'students.list': {
    name: 'students_find',
    title: 'Find students',
    description:
      'Lists students, newest first, ten at a time. Narrow it with q (words of the name, number, phone or email), status, branchId, groupId or tag. Gives the studentId that other tools take.',
  },
  'students.read': {
    name: 'student_read',
    title: 'Read a student',
    description: 'Gives all that is recorded of one student: contact, address, birth date, status, tags and notes.',
    params: { id: 'studentId' },
  },
  'guardians.list': {
    name: 'guardians_find',
    title: 'Find guardians',
    description:
      'Lists the parents and other guardians of students, newest first, ten at a time. Narrow it with q (words of the name, phone or email). Gives the guardianId for family_read.',
  },
  'guardians.family-summary': {
    name: 'family_read',
    title: "Read a guardian's family",
    description:
      'Gives the children of one guardian with their groups and attendance, and what the family owes if the caller may see money.',
    params: { id: 'guardianId' },
  },
  'groups.list': {
    name: 'groups_find',
    title: 'Find groups',
    description:
      'Lists groups (classes), newest first, ten at a time. Narrow it with q, courseId, branchId, teacherStaffId or status. Gives the groupId that other tools take.',
  },
  'groups.enrollments': {
    name: 'roster_list',
    title: 'List who is in a group',
    description:
      'Lists the students of one group with their enrollments, last enrolled first. Use status active for those who are in it now. Gives the enrollmentId for enrollment_drop.',
    params: { id: 'groupId' },
  },
  'sessions.list': {
    name: 'sessions_list',
    title: 'List the sessions of a group',
    description:
      'Lists the sessions (lessons) of one group by time. from and to are instants with an offset, such as 2026-03-02T00:00:00+02:00. Gives the sessionId for attendance_read and attendance_mark.',
    params: { id: 'groupId' },
  },
  'me.teaching-today': {
    name: 'teaching_read',
    title: 'What I teach today',
    description:
      'Gives the sessions that the person you act for teaches today, and earlier ones whose attendance is not marked yet. It is empty for somebody who does not teach.',
  },
  'me.schedule': {
    name: 'schedule_read',
    title: 'My schedule',
    description:
      'Gives the sessions that concern the person you act for, as teacher, student or guardian, from one date to another, both included.',
  },
  'attendance.roster': {
    name: 'attendance_read',
    title: 'Read the attendance of a session',
    description: 'Lists the students of one session with their attendance; whoever is not marked yet has no status.',
    params: { id: 'sessionId' },
  },
  'attendance.mark': {
    name: 'attendance_mark',
    title: 'Mark attendance',
    description:
      'Marks students of one session present, absent, late or excused. Name only the students whom you were told about: the others keep what they have. Guardians may be told of an absence.',
    params: { id: 'sessionId' },
    done: 'The attendance is marked. This is the whole roster now.',
  },
  'invoices.statement': {
    name: 'statement_read',
    title: "Read a student's statement of account",
    description:
      'Gives what one student was charged and paid between two dates, with the balance before and after. A positive balance is owed to the institute.',
    params: { id: 'studentId' },
  },
  'invoices.list': {
    name: 'invoices_find',
    title: 'Find invoices and who owes',
    description:
      'Lists invoices, newest first, ten at a time. Use overdue true to find who has not paid in time. Gives the invoiceId that other tools take.',
  },
  'invoices.of-student': {
    name: 'student_invoices_list',
    title: "List a student's invoices",
    description: 'Lists the invoices of one student, newest first, ten at a time, with their invoiceId and balance.',
    params: { id: 'studentId' },
  },
  'invoices.create': {
    name: 'invoice_draft',
    title: 'Draft an invoice',
    description:
      'Makes a draft invoice for one student. Amounts are whole numbers in the smallest unit of the currency: 45000 is 450.00. A draft is not owed before invoice_issue.',
    done: 'A draft invoice is made. It is not owed before it is issued.',
  },
  'invoices.issue': {
    name: 'invoice_issue',
    title: 'Issue an invoice',
    description:
      'Issues a draft invoice: from then on it is owed, and it cannot be changed any more. It asks a person first.',
    params: { id: 'invoiceId' },
    done: 'The invoice is issued.',
    asksBack: true,
    concerns: INVOICE_AND_STUDENT,
  },
  'payments.record': {
    name: 'payment_record',
    title: 'Record a payment',
    description:
      'Records a payment that the institute has received on one open invoice. amountMinor is a whole number in the smallest unit of the currency: 20000 of ILS is 200.00. It takes no money from anybody. It asks a person first.',
    params: { id: 'invoiceId' },
    done: 'The payment is recorded.',
    asksBack: true,
    concerns: INVOICE_AND_STUDENT,
  },
  'enrollments.of-student': {
    name: 'student_enrollments_list',
    title: "List a student's enrollments",
    description: 'Lists the groups in which one student is or was, newest first, with the enrollmentId of each.',
    params: { id: 'studentId' },
  },
  'enrollments.create': {
    name: 'enrollment_create',
    title: 'Enroll a student',
    description:
      "Puts one student into one group. Without priceMinor the group's fee applies. Give studentId and groupId as you found them; never guess one.",
    done: 'The student is enrolled.',
  },
  'enrollments.drop': {
    name: 'enrollment_drop',
    title: 'Take a student out of a group',
    description: 'Ends one enrollment: the student leaves the group. It stays in the records as dropped.',
    params: { id: 'enrollmentId' },
    done: 'The student has left the group.',
    destructive: true,
  },
  'exams.student-results': {
    name: 'exam_results_list',
    title: "List a student's exam results",
    description: 'Lists the exam results of one student, newest first, each with its exam, published or not.',
    params: { id: 'studentId' },
  },
  'leads.list': {
    name: 'leads_find',
    title: 'Find leads',
    description:
      'Lists leads (people who asked about a course and are no students yet), newest first, ten at a time. Narrow it with q, status, courseId or assignedToUserId.',
  },
  'leads.convert': {
    name: 'lead_convert',
    title: 'Make a student of a lead',
    description: 'Makes an active student of one lead, with the guardian who was given. It cannot be taken back.',
    params: { id: 'leadId' },
    done: 'The lead is an active student now.',
  },
  'notifications.send': {
    name: 'notification_send',
    title: 'Send a message to people',
    description:
      'Sends a message to named students, members or a whole group. For a text of your own use templateKey message, with data {"title": …, "message": …}. It says first how many people would get it and who would not, and asks a person.',
    done: 'The messages are on their way.',
    asksBack: true,
    reachesOutside: true,
  },
}
