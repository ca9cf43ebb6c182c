import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, day, id, integer, list, orNull, pastedLines, uuid } from '#kernel/values/schema.ts'
import { REASONS } from '../complaints.ts'

const LONGEST_TEXT = 40_000
/** As many as are enrolled at once. */
export const MOST_LINES = 200

const TAKES = ['student', 'new', 'nobody'] as const
const OUTCOMES = ['enrolled', 'registered', 'already', 'choose', 'refused', 'left_out'] as const

const words = {
  text: 'The list as it was pasted: a student a line, the cells between tabs, commas or semicolons.',
  choices: 'What is to become of lines that do not say enough by themselves.',
  line: 'The number of the line in the text, from 1.',
  take: '`student`: it is the one that studentId names; `new`: somebody who is not here yet; `nobody`: the line is left out.',
  lastNameFirst: 'Whether names without a head over them begin with the last name.',
  dryRun: 'true: nothing is kept, and the reply says what would be.',
}

export const ClassList = named(
  'ClassList',
  v.object({
    text: pastedLines(LONGEST_TEXT),
    choices: v.optional(
      v.pipe(
        v.array(
          named(
            'ClassListChoice',
            v.object({
              line: integer(1, LONGEST_TEXT),
              take: v.picklist(TAKES),
              studentId: v.optional(v.nullable(uuid)),
            }),
            { ...words, studentId: 'Who it is, with `student`.' },
          ),
        ),
        v.maxLength(MOST_LINES, `Must name at most ${MOST_LINES} lines.`),
      ),
      [],
    ),
    lastNameFirst: v.optional(v.boolean(), false),
    dryRun: v.optional(v.boolean(), false),
  }),
  words,
)
export type ClassList = v.InferOutput<typeof ClassList>

const Found = named('ClassListStudent', v.object({ id, fullName: v.string(), studentNumber: v.string() }), {
  id: 'The student.',
})

const ClassListLine = named(
  'ClassListLine',
  v.object({
    line: count,
    text: v.string(),
    outcome: v.picklist(OUTCOMES),
    student: orNull(Found),
    person: orNull(
      named(
        'ClassListPerson',
        v.object({
          firstName: v.string(),
          lastName: v.string(),
          nationalId: orNull(v.string()),
          phone: orNull(v.string()),
          birthDate: orNull(day),
          guardians: list(v.string()),
        }),
        {
          nationalId: 'The identity number; null: the line has none.',
          phone: 'The phone; null: the line has none.',
          birthDate: 'The date of birth; null: the line has none.',
          guardians: 'The guardians who are linked, by name and phone.',
        },
      ),
    ),
    candidates: list(Found),
    reason: orNull(v.picklist(REASONS)),
    field: orNull(v.string()),
  }),
  {
    line: words.line,
    text: 'What stands there.',
    outcome:
      '`enrolled`: a student who is here already is enrolled; `registered`: somebody new is added and enrolled; `already`: they are in the group, or stand in the list twice; `choose`: it may be one of `candidates` or somebody new; `refused`: see `reason`; `left_out`, as was asked.',
    student: 'Who it is; null: nobody who is here already.',
    person: 'How somebody new stands; null: nobody is added.',
    candidates: 'Whom the line may mean.',
    reason: 'Why it is refused, as POST /imports says it; null: it is not.',
    field: 'The field that is wrong or missing; null: none is.',
  },
)
export type ClassListLine = v.InferOutput<typeof ClassListLine>

export const ClassListOutcome = named(
  'ClassListOutcome',
  v.object({
    dryRun: v.boolean(),
    isReady: v.boolean(),
    enrolled: count,
    registered: count,
    lines: list(ClassListLine),
  }),
  {
    dryRun: 'Whether nothing was kept.',
    isReady: 'Whether every line is clear: only then is anything made.',
    enrolled: 'How many are enrolled, those who are added too.',
    registered: 'How many are added.',
    lines: 'The lines, each once, without empty ones.',
  },
)
export type ClassListOutcome = v.InferOutput<typeof ClassListOutcome>
