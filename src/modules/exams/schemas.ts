import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { date, day, emptyableProse, id, orNull, title, ts, uuid } from '#kernel/values/schema.ts'
import { EXAM_KINDS } from './tables.ts'

/** What the fields of exams and results mean. */
export const resultWords = {
  title: 'One line.',
  kind: 'What kind of work it is.',
  maxScore: 'The most points that a result can have.',
  weight: 'How much it counts beside other exams; 1 where it is left out.',
  heldAt: 'The day on which it was written; null: not set.',
  studentId: 'The student.',
  groupId: 'The group.',
  score: 'Points; null: the student was absent, or has no result yet.',
  isAbsent: 'Whether the student was absent.',
  remarks: 'What the teacher noted; null: nothing.',
  gradedByUserId: 'The account of whoever entered it; null: an API key, or nobody yet.',
  results: 'One for each student; others keep what they have.',
  data: 'The results.',
  exam: 'The exam that it is a result of.',
}

/** More points than any exam has. Both databases store such numbers exactly. */
const HIGHEST = 1_000_000

const points = v.pipe(
  v.number(),
  v.finite('Must be a finite number.'),
  v.minValue(0, 'Must be at least 0.'),
  v.maxValue(HIGHEST, `Must be at most ${HIGHEST}.`),
)

export const Exam = named(
  'Exam',
  v.object({
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
  }),
  resultWords,
)
export type Exam = v.InferOutput<typeof Exam>

export const NewExam = named(
  'NewExam',
  v.object({
    title: title(200),
    kind: v.picklist(EXAM_KINDS),
    maxScore: points,
    weight: v.optional(points, 1),
    heldAt: v.optional(v.nullable(date)),
  }),
  resultWords,
)
export type NewExam = v.InferOutput<typeof NewExam>

export const ExamChanges = named(
  'ExamChanges',
  v.partial(
    v.object({
      title: title(200),
      kind: v.picklist(EXAM_KINDS),
      maxScore: points,
      weight: points,
      heldAt: v.nullable(date),
    }),
  ),
  resultWords,
)
export type ExamChanges = v.InferOutput<typeof ExamChanges>

export const ExamResult = named(
  'ExamResult',
  v.object({
    id,
    examId: id,
    studentId: id,
    score: orNull(v.number()),
    isAbsent: v.boolean(),
    remarks: orNull(v.string()),
    gradedByUserId: orNull(id),
    createdAt: ts,
    updatedAt: ts,
  }),
  resultWords,
)
export type ExamResult = v.InferOutput<typeof ExamResult>

/** A result to be entered. */
export const scoreEntries = {
  studentId: uuid,
  score: v.optional(v.nullable(points), null),
  isAbsent: v.optional(v.boolean(), false),
  remarks: v.optional(v.nullable(emptyableProse(1000)), null),
}

/** What is said of a score that is missing. */
export const SCORE_MISSING = 'Is required unless isAbsent is true.'

const Score = named(
  'NewExamResult',
  v.pipe(
    v.object(scoreEntries),
    v.forward(
      v.check((result) => result.isAbsent || result.score !== null, SCORE_MISSING),
      ['score'],
    ),
  ),
  resultWords,
)
export type Score = v.InferOutput<typeof Score>

export const Scores = named(
  'NewExamResults',
  v.object({
    results: v.pipe(v.array(Score), v.maxLength(1000, 'Must have at most 1000 results.')),
  }),
  resultWords,
)

export const ExamResults = named('ExamResults', v.object({ data: v.array(ExamResult) }), resultWords)
export type ExamResults = v.InferOutput<typeof ExamResults>

const { id: _, ...resultFields } = ExamResult.entries

/** A student of the roster, with the result where there is one. */
export const ExamRosterEntry = named(
  'ExamRosterEntry',
  v.object({
    ...resultFields,
    id: orNull(id),
    studentNumber: v.string(),
    firstName: v.string(),
    lastName: v.string(),
    createdAt: orNull(ts),
    updatedAt: orNull(ts),
  }),
  {
    ...resultWords,
    id: 'The result; null: there is none yet.',
    createdAt: 'When the result was entered; null: not yet.',
    updatedAt: 'When the result was changed last; null: there is none yet.',
  },
)

const { createdAt: _created, updatedAt: _updated, ...examFields } = Exam.entries

/** A result with the exam that it is of. */
export const StudentExamResult = named(
  'StudentExamResult',
  v.object({
    ...ExamResult.entries,
    groupName: v.string(),
    exam: named('ExamSummary', v.object(examFields), resultWords),
  }),
  { ...resultWords, groupName: 'What the group of the exam is called.' },
)
