import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, instant, integer, list, orNull, ts, uuid } from '#kernel/values/schema.ts'
import { Exam, resultWords, SCORE_MISSING, scoreEntries } from './schemas.ts'

/** Columns of a sheet that people still find their way in. */
const MOST_EXAMS = 100
/** A class of a hundred with fifty exams. */
const MOST_CELLS = 5000

export const gradebookQuery = explained(v.object({ exams: v.optional(integer(1, MOST_EXAMS), 30) }), {
  exams: `How many exams, the ones made last; at most ${MOST_EXAMS}, 30 where it is left out.`,
})

export const Cell = named(
  'GradebookResult',
  v.object({
    score: orNull(v.number()),
    isAbsent: v.boolean(),
    remarks: orNull(v.string()),
    updatedAt: orNull(ts),
  }),
  { ...resultWords, updatedAt: 'When it was entered or changed last; null: nothing is entered yet.' },
)
export type Cell = v.InferOutput<typeof Cell>

const Row = named(
  'GradebookStudent',
  v.object({
    studentId: id,
    studentNumber: v.string(),
    fullName: v.string(),
    average: orNull(v.number()),
    results: list(orNull(Cell)),
  }),
  {
    ...resultWords,
    average: 'Of these exams by their weight, in percent to one decimal; null: none counts.',
    results: 'One for each exam, in their order; null: the student was not in the group on its day.',
  },
)

const Column = named(
  'GradebookExam',
  v.object({ ...Exam.entries, entered: count, missing: count, average: orNull(v.number()) }),
  {
    ...resultWords,
    entered: 'How many results are entered.',
    missing: 'Of how many students who were in the group on its day nothing is entered.',
    average: 'The mean score of those who were not absent, to one decimal; null: there is none.',
  },
)

export const Gradebook = named('Gradebook', v.object({ groupId: id, exams: list(Column), students: list(Row) }), {
  ...resultWords,
  exams: 'By their day, the first first.',
  students: 'By last name, first name.',
})
export type Gradebook = v.InferOutput<typeof Gradebook>

const NewCell = named(
  'GradebookEntry',
  v.pipe(
    v.object({ ...scoreEntries, seenAt: v.optional(v.nullable(instant)) }),
    v.forward(
      v.check(({ score, isAbsent, remarks }) => isAbsent || score !== null || remarks === null, SCORE_MISSING),
      ['score'],
    ),
  ),
  {
    ...resultWords,
    score:
      'Points; null with isAbsent true: the student was absent. Null without it, and without remarks, takes the result away.',
    seenAt:
      'updatedAt of the result that the caller has seen, null where there was none: a result that somebody changed since is refused. Left out, the last write wins.',
  },
)
export type NewCell = v.InferOutput<typeof NewCell>

export const GradebookEntries = named(
  'GradebookEntries',
  v.object({
    exams: v.pipe(
      v.array(
        named(
          'GradebookExamEntries',
          v.object({
            examId: uuid,
            results: v.pipe(v.array(NewCell), v.maxLength(1000, 'Must have at most 1000 results.')),
          }),
          { ...resultWords, results: 'One for each student; others keep what they have.' },
        ),
      ),
      v.maxLength(MOST_EXAMS, `Must name at most ${MOST_EXAMS} exams.`),
      v.check(
        (exams) => exams.reduce((sum, { results }) => sum + results.length, 0) <= MOST_CELLS,
        `Must have at most ${MOST_CELLS} results in all.`,
      ),
    ),
  }),
  { ...resultWords, exams: 'The exams, each once, with the results to be entered.' },
)
export type GradebookEntries = v.InferOutput<typeof GradebookEntries>
