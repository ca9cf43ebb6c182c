import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, date, day, emptyableProse, expectedVersion, id, orNull, ts, uuid } from '#kernel/values/schema.ts'
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
    version: count,
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type ProgressReport = v.InferOutput<typeof ProgressReport>

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

export const reportFilters = {
  studentId: v.optional(uuid),
  groupId: v.optional(uuid),
  status: v.optional(v.picklist(REPORT_STATUSES)),
}
