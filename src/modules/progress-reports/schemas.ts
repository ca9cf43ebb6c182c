import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  date,
  day,
  emptyableProse,
  expectedVersion,
  id,
  list,
  orNull,
  prose,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { Exam } from '#modules/exams/index.ts'

const REPORT_STATUSES = ['draft', 'sent'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]

const words = {
  studentId: 'The student.',
  groupId: 'The group that it is about; null: all groups of the student.',
  periodStart: 'The first day of the period.',
  periodEnd: 'The last day of the period.',
  status: 'draft: only staff see it. sent: the family does.',
  attendance: 'What the student attended in the period.',
  exams: 'The published exams of the period.',
  average: 'The average of the exams by their weight, in percent; null: none counts.',
  comment: 'What staff wrote; null: nothing.',
  submittedAt: 'When it was handed in to be read over; null: it waits for nobody.',
  remark: 'Why it was returned to whoever wrote it; null: it was not, or was handed in or sent since.',
  studentName: 'First and last name of the student.',
  groupName: 'The name of the group; null: it is over all groups of the student.',
  sentAt: 'When it was sent; null: not yet.',
  sentByUserId: 'The account of whoever sent it; null: an API key, or not sent yet.',
  title: 'The title of the exam.',
  kind: 'What kind of work it is.',
  score: 'Points; null: the student was absent.',
  maxScore: 'The most points that a result could have.',
  weight: 'How much it counts beside the other exams.',
  present: 'Sessions at which the student was present.',
  absent: 'Sessions from which the student was absent.',
  late: 'Sessions to which the student came late.',
  excused: 'Sessions for which the student was excused.',
  rate: 'Percent with one decimal: present and late, of all but the excused; null: nothing counts.',
}

const { title, kind, maxScore, weight } = Exam.entries

/** A published exam of the period with what the student scored; score null: the student was absent. */
export const ExamFigure = named(
  'ExamFigure',
  v.object({ examId: id, title, kind, score: orNull(v.number()), maxScore, weight }),
  words,
)
export type ExamFigure = v.InferOutput<typeof ExamFigure>

export const ProgressReport = named(
  'ProgressReport',
  v.object({
    id,
    studentId: id,
    groupId: orNull(id),
    periodStart: day,
    periodEnd: day,
    status: v.picklist(REPORT_STATUSES),
    attendance: named(
      'ReportAttendance',
      v.object({ present: count, absent: count, late: count, excused: count, rate: orNull(v.number()) }),
      words,
    ),
    exams: v.array(ExamFigure),
    average: orNull(v.number()),
    comment: orNull(v.string()),
    sentAt: orNull(ts),
    sentByUserId: orNull(id),
    submittedAt: orNull(ts),
    remark: orNull(v.string()),
    version: count,
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type ProgressReport = v.InferOutput<typeof ProgressReport>

export const ListedReport = named(
  'ListedProgressReport',
  v.object({ ...ProgressReport.entries, studentName: v.string(), groupName: orNull(v.string()) }),
  words,
)
export type ListedReport = v.InferOutput<typeof ListedReport>

const { attendance, exams, average } = ProgressReport.entries

/** A class over a period, and what was written of each. */
export const ClassReports = named(
  'ClassReports',
  v.object({
    groupId: id,
    periodStart: day,
    periodEnd: day,
    students: v.array(
      named(
        'StudentProgress',
        v.object({
          studentId: id,
          studentName: v.string(),
          attendance,
          exams,
          average,
          report: orNull(ProgressReport),
        }),
        {
          ...words,
          report: 'The report of this student, group and period that was made last; null: there is none yet.',
        },
      ),
    ),
  }),
  {
    ...words,
    groupId: 'The group.',
    students: 'Who was in the group on a day of the period, or has such a report; by last name, first name.',
  },
)
export type ClassReports = v.InferOutput<typeof ClassReports>

export const ClassQuery = explained(v.object({ periodStart: v.optional(date), periodEnd: v.optional(date) }), {
  periodStart:
    'The first day. A day that is left out is that of the draft of this group that was made last; where there is none, the beginning of the term and today; without terms, the day after the last report of the group ended, or the day on which the group began, within a year, or else the first of the month.',
  periodEnd: 'The last day.',
})
export type ClassQuery = v.InferOutput<typeof ClassQuery>

const comment = v.optional(v.nullable(emptyableProse(5000)))

export const NewProgressReport = named(
  'NewProgressReport',
  v.object({
    studentId: uuid,
    groupId: v.optional(v.nullable(uuid), null),
    periodStart: date,
    periodEnd: date,
    comment,
  }),
  words,
)
export type NewProgressReport = v.InferOutput<typeof NewProgressReport>

export const ProgressReportChanges = named(
  'ProgressReportChanges',
  v.object({
    groupId: v.optional(v.nullable(uuid)),
    periodStart: v.optional(date),
    periodEnd: v.optional(date),
    comment,
    version: expectedVersion,
  }),
  words,
)
export type ProgressReportChanges = v.InferOutput<typeof ProgressReportChanges>

/** How many reports one request may name. */
const MOST = 100

const ids = v.pipe(
  list(uuid),
  v.minLength(1, 'Must name a report.'),
  v.maxLength(MOST, `Must name at most ${MOST} reports.`),
)
const idsWord = 'The reports. One that is named twice counts once.'

export const ReportIds = named('ProgressReportIds', v.object({ ids }), { ids: idsWord })

const sendWords = {
  ids: idsWord,
  onPaper: 'true: the family gets it by hand, as a paper. It is sent also where no message reaches anybody of them.',
}
export const ReportSending = named('ProgressReportSending', v.object({ onPaper: v.optional(v.boolean()) }), sendWords)
export const ReportsSending = named(
  'ProgressReportsSending',
  v.object({ ids, onPaper: v.optional(v.boolean()) }),
  sendWords,
)

const doneWords = {
  done: 'Those with which it was done, in the order of the request.',
  refused: 'Those with which it was not, and why.',
}
const refusalWords = { id: 'The report.', reason: 'Why: the `details.reason` of the request for one, or `not_found`.' }

export const SENDING_REFUSALS = ['not_found', 'already_sent', 'approval_needed', 'nobody_reached'] as const
export const SUBMITTING_REFUSALS = ['not_found', 'already_sent', 'submitted'] as const

export const SentReports = named(
  'SentProgressReports',
  v.object({
    done: list(id),
    refused: list(named('ProgressReportNotSent', v.object({ id, reason: v.picklist(SENDING_REFUSALS) }), refusalWords)),
  }),
  doneWords,
)

export const SubmittedReports = named(
  'SubmittedProgressReports',
  v.object({
    done: list(id),
    refused: list(
      named('ProgressReportNotSubmitted', v.object({ id, reason: v.picklist(SUBMITTING_REFUSALS) }), refusalWords),
    ),
  }),
  doneWords,
)

export const ReportReturn = named('ProgressReportReturn', v.object({ remark: prose(1000) }), {
  remark: 'What is to be changed, for whoever wrote it. Families never read it.',
})

export const reportFilters = {
  studentId: v.optional(uuid),
  groupId: v.optional(uuid),
  status: v.optional(v.picklist(REPORT_STATUSES)),
  submitted: v.optional(v.boolean()),
}
export const reportFilterWords = { ...words, submitted: 'Whether it waits to be read over.' }
