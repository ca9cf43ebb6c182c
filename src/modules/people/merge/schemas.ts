import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, list, orNull, uuid } from '#kernel/values/schema.ts'
import { Guardian } from '../guardians/schemas.ts'
import { StudentDetail } from '../students/schemas.ts'

const words = {
  otherId: 'The other record of the same person, which is merged into the one of the path.',
  dryRun: 'true: nothing is changed, and the reply says what would move and what stands against it.',
  moves: 'What hangs on the other record and moves, by the kind of record.',
  against: 'What stands against it: both records have what there is once for a person. Empty where it was done.',
}

export const Merge = named('Merge', v.object({ otherId: uuid, dryRun: v.optional(v.boolean(), false) }), words)
export type Merge = v.InferOutput<typeof Merge>

export const MergeCount = named('MergeCount', v.object({ what: v.string(), count }), {
  what: 'The kind of record: `enrollment`, `invoice`, `exam_result`, `account` and so on.',
  count: 'How many.',
})

const outcome = { dryRun: v.boolean(), moves: list(MergeCount), against: list(MergeCount) }

export const StudentMerge = named('StudentMerge', v.object({ ...outcome, student: orNull(StudentDetail) }), {
  ...words,
  dryRun: 'Whether nothing was changed.',
  student: 'The student who stays; null: of a dry run.',
})
export type StudentMerge = v.InferOutput<typeof StudentMerge>

export const GuardianMerge = named('GuardianMerge', v.object({ ...outcome, guardian: orNull(Guardian) }), {
  ...words,
  dryRun: 'Whether nothing was changed.',
  guardian: 'The guardian who stays; null: of a dry run.',
})
export type GuardianMerge = v.InferOutput<typeof GuardianMerge>
