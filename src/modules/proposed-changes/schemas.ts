import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { id, list, orNull, pageQuery, prose, text, ts, uuid } from '#kernel/values/schema.ts'
import { GuardianLink } from '#modules/people/index.ts'
import { FIELDS, PersonDetails, ProposedDetails } from './fields.ts'
import { PROPOSAL_STATUSES } from './tables.ts'

const fields = v.picklist(FIELDS, 'Must be one of the fields.')

const words = {
  studentId: 'The student whom it is about; null: a guardian.',
  guardianId: 'The guardian whom it is about; null: a student.',
  status: 'How it stands.',
  note: 'What the family says to it; null: nothing.',
  remark: 'What the institute says to it; null: nothing.',
  acceptedFields: 'What was taken over; empty until then.',
  decidedAt: 'When the institute decided; null: it has not.',
}

const outcome = {
  id,
  status: v.picklist(PROPOSAL_STATUSES),
  fields: list(fields),
  proposed: PersonDetails,
  note: orNull(v.string()),
  acceptedFields: list(fields),
  remark: orNull(v.string()),
  createdAt: ts,
  decidedAt: orNull(ts),
}

const outcomeWords = {
  ...words,
  fields: 'What is to change.',
  proposed: 'The record with all of these changes.',
}

export const OwnProposal = named('OwnProposal', v.object(outcome), outcomeWords)
export type OwnProposal = v.InferOutput<typeof OwnProposal>

const about = { studentId: orNull(id), guardianId: orNull(id), fullName: v.string() }

export const OwnDetails = named(
  'OwnDetails',
  v.object({
    records: list(
      named(
        'OwnRecord',
        v.object({
          ...about,
          isOwn: v.boolean(),
          details: PersonDetails,
          fields: list(fields),
          proposal: orNull(OwnProposal),
        }),
        {
          ...words,
          isOwn: 'Whether it is about the caller, and not about a child of theirs.',
          details: 'What the institute keeps.',
          fields: 'What the caller may propose to change; empty: nothing.',
          proposal: 'The latest that the caller proposed and did not withdraw; null: nothing.',
        },
      ),
    ),
  }),
  { records: 'The caller as a guardian and as a student, then the caller’s children by their first and last names.' },
)
export type OwnDetails = v.InferOutput<typeof OwnDetails>

export const NewProposal = named(
  'NewProposal',
  v.object({
    studentId: v.optional(uuid),
    guardianId: v.optional(uuid),
    changes: ProposedDetails,
    note: v.optional(prose(500)),
  }),
  {
    studentId: 'The student whom it is about: the caller, or a child of theirs.',
    guardianId: 'The caller’s own record as a guardian. Exactly one of the two ids is sent.',
    changes: 'What is to change. A field that is left out, or is sent as it stands, stays; null clears it.',
    note: 'A word to the institute.',
  },
)
export type NewProposal = v.InferOutput<typeof NewProposal>

export const ProposedChange = named(
  'ProposedChange',
  v.object({
    ...about,
    ...outcome,
    byUserId: id,
    byName: v.string(),
    relationship: orNull(GuardianLink.entries.relationship),
    stands: PersonDetails,
    changedSince: list(fields),
    seen: v.string(),
  }),
  {
    ...outcomeWords,
    byUserId: 'The account of whoever proposed it.',
    byName: 'Who proposed it.',
    relationship:
      'What they are to the student; null: they propose it of themself, or are no guardian of the student now.',
    stands: 'What is kept now.',
    changedSince: 'Fields of it that somebody else has changed since it was proposed.',
    seen: 'Sent with the decision: says that what is decided is what was looked at.',
  },
)
export type ProposedChange = v.InferOutput<typeof ProposedChange>

export const ProposalQuery = explained(
  pageQuery({ status: v.optional(v.picklist(PROPOSAL_STATUSES), 'open'), branchId: v.optional(uuid) }),
  {
    status: 'Only those that stand so; open ones where it is left out.',
    branchId: 'Only of students of this branch, and of their guardians.',
  },
)
export type ProposalQuery = v.InferOutput<typeof ProposalQuery>

const seen = text(100)
const seenWords = {
  seen: '`seen` of the proposal as it was looked at.',
  remark: 'What the family is told with it.',
}

export const Acceptance = named(
  'Acceptance',
  v.object({
    seen,
    fields: v.optional(
      v.pipe(
        v.array(fields),
        v.minLength(1, 'Must name at least one field.'),
        v.maxLength(FIELDS.length, `Must name at most ${FIELDS.length} fields.`),
      ),
    ),
    remark: v.optional(prose(500)),
  }),
  { ...seenWords, fields: 'What is taken over; left out, all of it.' },
)
export type Acceptance = v.InferOutput<typeof Acceptance>

export const Refusal = named('ProposalRefusal', v.object({ seen, remark: prose(500) }), seenWords)
export type Refusal = v.InferOutput<typeof Refusal>
