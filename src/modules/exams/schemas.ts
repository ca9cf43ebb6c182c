import * as v from 'valibot'
import { date, day, emptyableProse, id, orNull, text, ts, uuid } from '#kernel/schema.ts'
import { EXAM_KINDS } from './tables.ts'

/** More points than any exam has; both databases keep such numbers as they are. */
const HIGHEST = 1_000_000

const points = v.pipe(
  v.number(),
  v.finite('Must be a finite number.'),
  v.minValue(0, 'Must be at least 0.'),
  v.maxValue(HIGHEST, `Must be at most ${HIGHEST}.`),
)

export const Exam = v.object({
  id,
  groupId: id,
  title: v.string(),
  kind: v.picklist(EXAM_KINDS),
  maxScore: v.number(),
  weight: v.number(),
  heldAt: orNull(day),
  publishedAt: orNull(ts),
  createdAt: ts,
  updatedAt: ts,
})
export type Exam = v.InferOutput<typeof Exam>

export const NewExam = v.object({
  title: text(200),
  kind: v.picklist(EXAM_KINDS),
  maxScore: points,
  weight: v.optional(points, 1),
  heldAt: v.optional(v.nullable(date)),
})
export type NewExam = v.InferOutput<typeof NewExam>

export const ExamChanges = v.partial(
  v.object({
    title: text(200),
    kind: v.picklist(EXAM_KINDS),
    maxScore: points,
    weight: points,
    heldAt: v.nullable(date),
  }),
)
export type ExamChanges = v.InferOutput<typeof ExamChanges>

export const ExamResult = v.object({
  id,
  examId: id,
  studentId: id,
  score: orNull(v.number()),
  isAbsent: v.boolean(),
  remarks: orNull(v.string()),
  gradedByUserId: orNull(id),
  createdAt: ts,
  updatedAt: ts,
})
export type ExamResult = v.InferOutput<typeof ExamResult>

const Score = v.pipe(
  v.object({
    studentId: uuid,
    score: v.optional(v.nullable(points), null),
    isAbsent: v.optional(v.boolean(), false),
    remarks: v.optional(v.nullable(emptyableProse(1000)), null),
  }),
  v.forward(
    v.check((result) => result.isAbsent || result.score !== null, 'Is required unless isAbsent is true.'),
    ['score'],
  ),
)
export type Score = v.InferOutput<typeof Score>

export const Scores = v.object({
  results: v.pipe(v.array(Score), v.maxLength(1000, 'Must have at most 1000 results.')),
})

export const ExamResults = v.object({ data: v.array(ExamResult) })
export type ExamResults = v.InferOutput<typeof ExamResults>

const { id: _, ...resultFields } = ExamResult.entries

/** A student of the roster, with the result where there is one. */
export const ExamRosterEntry = v.object({
  ...resultFields,
  id: orNull(id),
  studentNumber: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  createdAt: orNull(ts),
  updatedAt: orNull(ts),
})

const { createdAt: _created, updatedAt: _updated, ...examFields } = Exam.entries

/** A result with the exam that it is of. */
export const StudentExamResult = v.object({ ...ExamResult.entries, exam: v.object(examFields) })
