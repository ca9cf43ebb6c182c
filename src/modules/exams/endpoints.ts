import { change, read } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { checkReached, findRow, readRecord } from '#runtime/records/records.ts'
import { enterGradebook, ResultsChanged } from './enter-gradebook.ts'
import { Gradebook, GradebookEntries, gradebookQuery } from './gradebook-schemas.ts'
import { readGradebook } from './gradebook.ts'
import { enterResults, listStudentResults, NotInGroup } from './results.ts'
import { listRoster } from './roster.ts'
import { Exam, ExamChanges, ExamResults, ExamRosterEntry, NewExam, Scores, StudentExamResult } from './schemas.ts'
import {
  AlreadyPublished,
  changeExam,
  createExam,
  deleteExam,
  ExamInUse,
  examRecord,
  listExams,
  publishExam,
  ScoresAbove,
} from './service.ts'

export const examEndpoints = [
  read({
    id: 'exams.list',
    path: '/groups/{groupId}/exams',
    summary: 'List the exams of a group',
    description: 'Newest first.',
    access: 'exams.read',
    query: pageQuery({}),
    reply: pageOf(Exam),
    handle: ({ params, ...context }) => listExams({ ...context, params: { id: params.groupId } }),
  }),
  change({
    id: 'exams.create',
    method: 'POST',
    path: '/groups/{groupId}/exams',
    summary: 'Add an exam to a group',
    description: 'maxScore and weight are numbers from 0 to 1,000,000; decimals are allowed. heldAt is a date.',
    access: 'exams.write',
    body: NewExam,
    status: 201,
    reply: Exam,
    handle: ({ tx, params, body }) => createExam(tx, params.groupId, body),
  }),
  read({
    id: 'exams.read',
    path: '/exams/{id}',
    summary: 'Read an exam',
    access: 'exams.read',
    reply: Exam,
    handle: ({ db, params }) => readRecord(db, examRecord, params.id),
  }),
  change({
    id: 'exams.update',
    method: 'PATCH',
    path: '/exams/{id}',
    summary: 'Change an exam',
    description:
      'Also after it was published. A maxScore below a score that was entered is 409, with details {maxScore, highest}. `heldAt: null` takes the date away.',
    access: 'exams.write',
    body: ExamChanges,
    reply: Exam,
    fails: [ScoresAbove],
    handle: ({ tx, params, body }) => changeExam(tx, params.id, body),
  }),
  change({
    id: 'exams.delete',
    method: 'DELETE',
    path: '/exams/{id}',
    summary: 'Delete an exam that has neither results nor files',
    access: 'exams.write',
    reply: Ok,
    fails: [ExamInUse],
    handle: ({ tx, params }) => deleteExam(tx, params.id),
  }),
  change({
    id: 'exams.publish',
    method: 'POST',
    path: '/exams/{id}/publish',
    summary: 'Publish the results of an exam',
    description: 'Once only, and for good: a second time is 409. Results can still be entered and corrected.',
    access: 'exams.write',
    reply: Exam,
    fails: [AlreadyPublished],
    handle: ({ tx, params }) => publishExam(tx, params.id),
  }),
  read({
    id: 'exams.results',
    path: '/exams/{id}/results',
    summary: 'List the roster of an exam with its results',
    description:
      'Those who were in the group on the day of the exam, its first and last day there included, and did not pause then; an exam without a date is of the day on which it was made; and whoever has a result. Newest student first. Who has no result has id, score, remarks, gradedByUserId, createdAt and updatedAt null and isAbsent false.',
    access: 'exams.read',
    query: pageQuery({}),
    reply: pageOf(ExamRosterEntry),
    handle: async (context) => listRoster(context, await findRow(context.db, examRecord, context.params.id)),
  }),
  change({
    id: 'exams.enter-results',
    method: 'PUT',
    path: '/exams/{id}/results',
    summary: 'Enter results of an exam',
    description:
      'Adds results or changes them in place, and answers those of the students who are named, in that order; other students keep what they have. A score is 0 to maxScore, and null only with isAbsent true. ' +
      'A student who is not on the roster is 422, and so is one named twice. A result that is sent as it is stays untouched, gradedByUserId and updatedAt too.',
    access: 'exams.write',
    body: Scores,
    reply: ExamResults,
    fails: [NotInGroup],
    handle: ({ tx, params, body }) => enterResults(tx, params.id, body.results),
  }),
  read({
    id: 'exams.gradebook',
    path: '/groups/{id}/gradebook',
    summary: 'Read the exams of a group beside its students',
    description:
      'A row for each student who was in the group on the day of one of the exams, has a result in one, or is enrolled now; by last name, first name. A row has a result for each exam, in their order. Averages count all of these exams, published or not.',
    access: 'exams.read',
    query: gradebookQuery,
    reply: Gradebook,
    handle: async ({ db, whole, tenant, params, query }) => {
      await checkReached(db, 'group', params.id)
      return readGradebook(whole, { groupId: params.id, count: query.exams, timezone: tenant.timezone })
    },
  }),
  change({
    id: 'exams.enter-gradebook',
    method: 'PUT',
    path: '/groups/{id}/gradebook',
    summary: 'Enter results of several exams of a group',
    description:
      'All or none; answers those of the students who are named, exam by exam, in that order. What PUT /exams/{id}/results says of a score and of a roster holds here. A result without score, absence and remarks takes away what was entered. ' +
      'With `seenAt`, a result that somebody changed since makes it 409 VERSION_CONFLICT, and nothing is written: details.results has those that are not as the request has them. A repeat of what stands already is no conflict. An exam of another group is 422.',
    access: 'exams.write',
    body: GradebookEntries,
    reply: ExamResults,
    fails: [NotInGroup, ResultsChanged],
    handle: ({ tx, params, body }) => enterGradebook(tx, params.id, body),
  }),
  read({
    id: 'exams.student-results',
    path: '/students/{id}/exam-results',
    summary: 'List the exam results of a student',
    description:
      'Newest first, each with its exam, published or not; under a role for one branch, the exams of that branch.',
    access: 'exams.read',
    tool: {
      name: 'exam_results_list',
      title: "List a student's exam results",
      description: 'Lists the exam results of one student, newest first, each with its exam, published or not.',
      params: { id: 'studentId' },
    },
    query: pageQuery({}),
    reply: pageOf(StudentExamResult),
    fails: [Merged],
    handle: (context) => orMerged(context, listStudentResults),
  }),
]
