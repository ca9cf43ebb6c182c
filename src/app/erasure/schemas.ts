import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, list, orNull, ts } from '#kernel/values/schema.ts'
import { AGAINST } from './against.ts'
import { GOES, STAYS } from './erasing.ts'

const PAPERS = ['invoice', 'receipt', 'credit_note', 'refund'] as const

const counted = { what: 'The kind of record.', count: 'How many.' }

const ErasureAgainst = named('ErasureAgainst', v.object({ reason: v.picklist(AGAINST), count }), {
  reason:
    'What is to be seen to first. Of a student: `active` (neither withdrawn nor graduated), `enrolled` in groups, `waiting` on waiting lists, `in_course` (a video course). Of a guardian: `payer` of record, or the `only_guardian`, of students who have not left. Of both: invoices that are a `draft` or a `debt`, a `credit`, a `cheque` whose money is still to come, an `online_payment` that is open or needs the desk.',
  count: 'Of how many records.',
})

export const Erasure = named(
  'Erasure',
  v.object({
    name: v.string(),
    erasedAt: orNull(ts),
    against: list(ErasureAgainst),
    goes: list(named('ErasureGoes', v.object({ what: v.picklist(GOES), count }), counted)),
    stays: list(named('ErasureStays', v.object({ what: v.picklist(STAYS), count }), counted)),
    papers: list(named('ErasurePapers', v.object({ what: v.picklist(PAPERS), count }), counted)),
    account: v.picklist(['none', 'erased', 'taken_off']),
  }),
  {
    name: 'The name, which must be gone afterwards.',
    erasedAt: 'When the person was erased; null: they were not.',
    against: 'What stands in the way; empty: the person can be erased.',
    goes: 'What is deleted beside the details of the record.',
    stays: 'What stays for the figures, without a name and without what was noted.',
    papers: 'The papers that name the person, and stay as they were handed out because tax law asks for them.',
    account:
      '`erased`: nobody else uses the account, which is emptied and cannot sign in any more. `taken_off`: it is also somebody’s of the staff, or behind another record, and only taken off this one.',
  },
)
export type Erasure = v.InferOutput<typeof Erasure>

export const Erased = named('Erased', v.object({ id, erasedAt: ts }), {
  id: 'The record.',
  erasedAt: 'When it was erased.',
})
export type Erased = v.InferOutput<typeof Erased>

export const ErasureRefused = failure(
  'CONFLICT',
  'erasure_refused',
  'Something stands in the way of erasing this person; details.against says what is to be seen to first.',
  {
    details: {
      schema: explained(v.object({ against: v.array(ErasureAgainst) }), { against: 'What stands in the way.' }),
      example: { against: [{ reason: 'debt', count: 2 }] },
    },
  },
)
export type Papers = Erasure['papers']
