import { read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { ownMoney } from '#modules/billing/index.ts'
import { OwnCourseDetail } from '#modules/curriculum/index.ts'
import { isPaidOnline } from '#modules/online-payments/index.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { LATEST_REPORTS, readOwnFamily } from './own-family.ts'
import { readCourseOfOwn, readOwnStudent } from './own-student.ts'
import { OwnFamily, OwnStudent, OwnStudentMoney } from './own-schemas.ts'
import { FamilySummary } from './schemas.ts'
import { readFamily } from './summary.ts'

export const familyEndpoints = [
  read({
    id: 'guardians.family-summary',
    path: '/guardians/{id}/family-summary',
    summary: 'Sum up a guardian’s children and what the family owes',
    description:
      'The children whom the caller reaches, first linked first: their active groups, and their attendance of the last 30 days, today included; and who else is a guardian of theirs. With invoices.read also money: a child’s balance is what is still to be paid on open invoices in the institute’s currency, financial.balance the sum over the children, and openInvoices the open invoices, of any currency, that this guardian pays, first due first: those that were issued while the guardian was the payer of record, or were moved to the guardian, whoever is the payer of record now; a child’s own are all of theirs, whoever pays. Without invoices.read every balance and financial are null; where invoices.read is held for one branch, so are the balances of children of other branches.',
    access: 'guardians.read',
    tool: {
      name: 'family_read',
      title: "Read a guardian's family",
      description:
        'Gives the children of one guardian with their groups and attendance, and what the family owes if the caller may see money.',
      params: { id: 'guardianId' },
    },
    reply: FamilySummary,
    fails: [Merged, SumTooLarge],
    handle: (asked) => orMerged(asked, ({ params, ...context }) => readFamily(context, params.id)),
  }),
  read({
    id: 'me.family',
    path: '/me/family',
    summary: 'What concerns the caller as a student, or as a guardian',
    description: `For every member: the caller’s own record as a student, and those of the students whose guardian the caller is; empty for anybody else, and for an API key. Drafts of invoices and reports, results of exams that are not published and what staff note are not in it. reports has the latest ${LATEST_REPORTS} that were sent, and none while the feature basic_reports is off. Every guardian of a student sees what is to be paid, also one who is not the payer of record, except where the office said that they do not (\`seesMoney\` of the link); with \`seesLearning\` false nothing of lessons, attendance and reports is in it, and with both the student is not.`,
    access: 'tenant',
    reply: OwnFamily,
    fails: [SumTooLarge],
    handle: readOwnFamily,
  }),
  read({
    id: 'me.student',
    path: '/me/students/{id}',
    summary: 'What a family may know of one student',
    description:
      'For the student, and for each guardian of theirs; anybody else is 404. Results of exams that are not published, drafts of reports and what staff note are not in it. With `seesLearning` false all of its lists are empty; `courses` is also while the feature courses_video is off.',
    access: 'tenant',
    reply: OwnStudent,
    fails: [NotFound],
    handle: ({ params, ...asked }) => readOwnStudent(asked, params.id),
  }),
  read({
    id: 'me.student-course',
    path: '/me/students/{id}/courses/{courseId}',
    summary: 'A video course of one student, with its lessons',
    description:
      'What GET /me/courses/{courseId} has, for the student and for each guardian who sees the lessons (`seesLearning` of the link); anybody else is 404, and so is a course that the student was not given, or not any more. That a lesson is done only the student reports (POST /me/lessons/{id}/complete).',
    access: 'tenant',
    flag: 'courses_video',
    reply: OwnCourseDetail,
    fails: [NotFound],
    handle: ({ params, ...asked }) => readCourseOfOwn(asked, params.id, params.courseId),
  }),
  read({
    id: 'me.student-money',
    path: '/me/students/{id}/money',
    summary: 'What is to be paid and was paid for one student',
    description:
      'For the student, and for each guardian who sees it (`seesMoney` of the link); anybody else is 404. Drafts and void invoices are not in it. The papers are those of GET /invoices/{id}/pdf, /receipts/{id}/pdf and /students/{id}/statement/pdf.',
    access: 'tenant',
    reply: OwnStudentMoney,
    fails: [NotFound, SumTooLarge],
    handle: async ({ params, ...asked }) => ({
      ...(await ownMoney(asked, params.id)),
      isPaidOnline: await isPaidOnline(asked.whole),
    }),
  }),
]
