import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { PersonErased } from '#modules/people/index.ts'
import { NobodyReached, type FindUnreached } from '#runtime/queue/reached.ts'
import { checkReached, readRecord } from '#runtime/records/records.ts'
import { readClassReports } from './of-class.ts'
import {
  ClassQuery,
  ClassReports,
  ListedReport,
  NewProgressReport,
  ProgressReport,
  ProgressReportChanges,
  reportFilters,
  reportFilterWords,
  ReportIds,
  ReportSending,
  ReportsSending,
  ReportReturn,
  SentReports,
  SubmittedReports,
} from './schemas.ts'
import { NotSubmitted, returnReport, sendReport, sendReports, submitReports } from './sending.ts'
import {
  AlreadySent,
  changeReport,
  createReport,
  deleteReport,
  listReports,
  reportRecord,
  Submitted,
} from './service.ts'

/** A teacher’s own groups are those in which they enter the results of exams, which reports tell of. */
const common = { flag: 'basic_reports', taughtToo: 'exams.write' } as const
const TEACHERS = 'A teacher without reports.write writes of own groups only: without groupId it is 403.'
const APPROVAL =
  'Where the setting reportsApproval is on, a teacher without reports.write cannot (403, details.reason approval_needed).'

export const progressReportEndpoints = (findUnreached: FindUnreached) => [
  read({
    id: 'progress-reports.list',
    path: '/progress-reports',
    summary: 'List progress reports',
    description: 'Newest first.',
    access: 'reports.read',
    ...common,
    query: explained(pageQuery(reportFilters), reportFilterWords),
    reply: pageOf(ListedReport),
    handle: listReports,
  }),
  change({
    id: 'progress-reports.create',
    method: 'POST',
    path: '/progress-reports',
    summary: 'Draft a progress report',
    description:
      'The figures are computed now, of one group of the student or, without groupId, of all of them, from periodStart to periodEnd, both inclusive. ' +
      'attendance counts the entries of the sessions that began in the period; rate = 100 × (present + late) / (present + late + absent), null when nothing counts. ' +
      'exams are the published ones of the period in which the student has a result, by date; one without heldAt counts on the day of its publication, and score is null where the student was absent. ' +
      'average is the mean of 100 × score / maxScore, weighted, to one decimal; exams that the student missed, or of no points, do not count; null when none counts. ' +
      `A group in which the student never was enrolled is 422. ${TEACHERS}`,
    access: 'reports.write',
    ...common,
    body: NewProgressReport,
    status: 201,
    reply: ProgressReport,
    fails: [NotFound, PersonErased],
    handle: ({ tx, caller, body }) => createReport(tx, caller, body),
  }),
  read({
    id: 'progress-reports.read',
    path: '/progress-reports/{id}',
    summary: 'Read a progress report',
    access: 'reports.read',
    ...common,
    reply: ProgressReport,
    handle: ({ db, params }) => readRecord(db, reportRecord, params.id),
  }),
  change({
    id: 'progress-reports.update',
    method: 'PATCH',
    path: '/progress-reports/{id}',
    summary: 'Change a draft of a progress report',
    description: `Another group or period computes the figures anew; a comment leaves them as they are. A report that was sent is 409, and so is one that a teacher handed in, for the teacher. ${TEACHERS}`,
    access: 'reports.write',
    ...common,
    body: ProgressReportChanges,
    reply: ProgressReport,
    fails: [VersionConflict, AlreadySent, Submitted],
    handle: ({ tx, caller, params, body }) => changeReport(tx, caller, params.id, body),
  }),
  change({
    id: 'progress-reports.delete',
    method: 'DELETE',
    path: '/progress-reports/{id}',
    summary: 'Delete a draft of a progress report',
    description: 'A report that was sent is 409, and so is one that a teacher handed in, for the teacher.',
    access: 'reports.write',
    ...common,
    reply: Ok,
    fails: [AlreadySent, Submitted],
    handle: ({ tx, caller, params }) => deleteReport(tx, caller, params.id),
  }),
  change({
    id: 'progress-reports.send',
    method: 'POST',
    path: '/progress-reports/{id}/send',
    summary: 'Send a progress report',
    description: `Once: its figures are those that were reviewed, and the report stays as it is from now on. Where no message reaches the student or a guardian, it stays a draft: 409, which names one of them and says why; with onPaper it is sent all the same. ${APPROVAL}`,
    access: 'reports.write',
    ...common,
    body: ReportSending,
    bodyOptional: true,
    reply: ProgressReport,
    fails: [AlreadySent, NobodyReached],
    handle: ({ tx, caller, params, body }) => sendReport(tx, caller, params.id, { findUnreached, ...body }),
  }),
  change({
    id: 'progress-reports.send-many',
    method: 'POST',
    path: '/progress-reports/send',
    summary: 'Send several progress reports',
    description: `Each as by itself: the reply says of which it was done, and why not of the others. ${APPROVAL}`,
    access: 'reports.write',
    ...common,
    body: ReportsSending,
    reply: SentReports,
    handle: ({ tx, caller, body: { ids, ...body } }) => sendReports(tx, caller, ids, { findUnreached, ...body }),
  }),
  change({
    id: 'progress-reports.submit',
    method: 'POST',
    path: '/progress-reports/submit',
    summary: 'Hand in drafts of progress reports to be read over',
    description:
      'Where the setting reportsApproval is on: holders of reports.write find them by `submitted`, and send or return them. Until then the teacher can neither change nor delete them. They are told of all of them in one message. Each as by itself: the reply says of which it was done, and why not of the others.',
    access: 'reports.write',
    ...common,
    body: ReportIds,
    reply: SubmittedReports,
    handle: ({ tx, body }) => submitReports(tx, body.ids),
  }),
  change({
    id: 'progress-reports.return',
    method: 'POST',
    path: '/progress-reports/{id}/return',
    summary: 'Return a progress report that was handed in, with a remark',
    description:
      'It is a draft of its teacher again, and whoever handed it in is told. The remark stays on it until it is handed in anew.',
    access: 'reports.write',
    flag: 'basic_reports',
    body: ReportReturn,
    reply: ProgressReport,
    fails: [AlreadySent, NotSubmitted],
    handle: ({ tx, params, body }) => returnReport(tx, params.id, body.remark),
  }),
  read({
    id: 'progress-reports.of-class',
    path: '/groups/{id}/progress-reports',
    summary: 'Read the figures of a class beside the progress reports on it',
    description:
      'The figures are those of now, as POST /progress-reports computes them for this group; a report keeps those with which it was drafted.',
    access: 'reports.read',
    ...common,
    query: ClassQuery,
    reply: ClassReports,
    handle: async ({ db, params, query, ...asked }) => {
      await checkReached(db, 'group', params.id)
      return readClassReports(asked, params.id, query)
    },
  }),
]
