import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { Ok, pageOf, pageQuery } from '#kernel/values/schema.ts'
import { readRecord } from '#runtime/records/records.ts'
import { NewProgressReport, ProgressReport, ProgressReportChanges, reportFilters } from './schemas.ts'
import {
  AlreadySent,
  changeReport,
  createReport,
  deleteReport,
  listReports,
  reportRecord,
  sendReport,
} from './service.ts'

const flag = 'basic_reports'

export const progressReportEndpoints = [
  read({
    id: 'progress-reports.list',
    path: '/progress-reports',
    summary: 'List progress reports',
    description: 'Newest first.',
    access: 'reports.read',
    flag,
    query: pageQuery(reportFilters),
    reply: pageOf(ProgressReport),
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
      'A group in which the student never was enrolled is 422.',
    access: 'reports.write',
    flag,
    body: NewProgressReport,
    status: 201,
    reply: ProgressReport,
    fails: [NotFound],
    handle: ({ tx, body }) => createReport(tx, body),
  }),
  read({
    id: 'progress-reports.read',
    path: '/progress-reports/{id}',
    summary: 'Read a progress report',
    access: 'reports.read',
    flag,
    reply: ProgressReport,
    handle: ({ db, params }) => readRecord(db, reportRecord, params.id),
  }),
  change({
    id: 'progress-reports.update',
    method: 'PATCH',
    path: '/progress-reports/{id}',
    summary: 'Change a draft of a progress report',
    description:
      'Another group or period computes the figures anew; a comment leaves them as they are. A report that was sent is 409.',
    access: 'reports.write',
    flag,
    body: ProgressReportChanges,
    reply: ProgressReport,
    fails: [VersionConflict, AlreadySent],
    handle: ({ tx, params, body }) => changeReport(tx, params.id, body),
  }),
  change({
    id: 'progress-reports.delete',
    method: 'DELETE',
    path: '/progress-reports/{id}',
    summary: 'Delete a draft of a progress report',
    description: 'A report that was sent is 409.',
    access: 'reports.write',
    flag,
    reply: Ok,
    fails: [AlreadySent],
    handle: ({ tx, params }) => deleteReport(tx, params.id),
  }),
  change({
    id: 'progress-reports.send',
    method: 'POST',
    path: '/progress-reports/{id}/send',
    summary: 'Send a progress report',
    description: 'Once: its figures are those that were reviewed, and the report stays as it is from now on.',
    access: 'reports.write',
    flag,
    reply: ProgressReport,
    fails: [AlreadySent],
    handle: ({ tx, params }) => sendReport(tx, params.id),
  }),
]
