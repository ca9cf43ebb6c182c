import * as v from 'valibot'
import { count, date, day, emptyableProse, expectedVersion, id, orNull, ts, uuid } from '#kernel/schema.ts'
import { Exam } from '#modules/exams/index.ts'
import { REPORT_STATUSES } from './tables.ts'

const { title, kind, maxScore, weight } = Exam.entries

/** A published exam of the period with what the student scored; score null: the student was absent. */
export const ExamFigure = v.object({ examId: id, title, kind, score: orNull(v.number()), maxScore, weight })
export type ExamFigure = v.InferOutput<typeof ExamFigure>

export const ProgressReport = v.object({
  id,
  studentId: id,
  groupId: orNull(id),
  periodStart: day,
  periodEnd: day,
  status: v.picklist(REPORT_STATUSES),
  attendance: v.object({ present: count, absent: count, late: count, excused: count, rate: orNull(v.number()) }),
  exams: v.array(ExamFigure),
  average: orNull(v.number()),
  comment: orNull(v.string()),
  sentAt: orNull(ts),
  sentByUserId: orNull(id),
  version: count,
  createdAt: ts,
  updatedAt: ts,
})
export type ProgressReport = v.InferOutput<typeof ProgressReport>

const comment = v.optional(v.nullable(emptyableProse(5000)))

export const NewProgressReport = v.object({
  studentId: uuid,
  groupId: v.optional(v.nullable(uuid), null),
  periodStart: date,
  periodEnd: date,
  comment,
})
export type NewProgressReport = v.InferOutput<typeof NewProgressReport>

export const ProgressReportChanges = v.object({
  groupId: v.optional(v.nullable(uuid)),
  periodStart: v.optional(date),
  periodEnd: v.optional(date),
  comment,
  version: expectedVersion,
})
export type ProgressReportChanges = v.InferOutput<typeof ProgressReportChanges>

export const reportFilters = {
  studentId: v.optional(uuid),
  groupId: v.optional(uuid),
  status: v.optional(v.picklist(REPORT_STATUSES)),
}
