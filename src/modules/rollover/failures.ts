import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { explained, named } from '#kernel/values/named.ts'
import { list } from '#kernel/values/schema.ts'

const EXAMPLE = { id: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'Mathematics 2026/27' }

const words = {
  id: 'The former group.',
  name: 'What it is called.',
  endsOn: 'Its last day.',
  newGroupId: 'The group as which it goes on already.',
  newName: 'What that one is called.',
}
const group = { id: v.string(), name: v.string() }

export const GroupsCancelled = failure('CONFLICT', 'groups_cancelled', 'A group that was cancelled does not go on.', {
  details: {
    schema: explained(v.object({ groups: list(named('CancelledGroup', v.object(group), words)) }), {
      groups: 'The groups that were cancelled.',
    }),
    example: { groups: [EXAMPLE] },
  },
})

export const BeginsBeforeEnd = failure(
  'CONFLICT',
  'begins_before_end',
  'The new groups would begin before a former one has ended: begin later, or change the last day of that group.',
  {
    details: {
      schema: explained(
        v.object({ groups: list(named('UnfinishedGroup', v.object({ ...group, endsOn: v.string() }), words)) }),
        { groups: 'The groups that are not over by then, with their last days.' },
      ),
      example: { groups: [{ ...EXAMPLE, endsOn: '2027-06-30' }] },
    },
  },
)

export const AlreadyRolledOver = failure(
  'CONFLICT',
  'already_rolled_over',
  'A group goes on already in these days: open the new group instead.',
  {
    details: {
      schema: explained(
        v.object({
          groups: list(
            named('ContinuedGroup', v.object({ ...group, newGroupId: v.string(), newName: v.string() }), words),
          ),
        }),
        { groups: 'The groups that go on already, and as which ones.' },
      ),
      example: {
        groups: [{ ...EXAMPLE, newGroupId: '01890a5d-ac96-774b-bcce-b302099a8058', newName: 'Mathematics 2027/28' }],
      },
    },
  },
)
