import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { email, id, list, orNull, ts, uuid } from '#kernel/values/schema.ts'

const words = {
  status: 'invited: the invitation is not accepted yet. disabled: the member cannot come in.',
  joinedAt: 'When the invitation was accepted; null: not yet.',
  expiresAt: 'Until when the link works.',
  userId: 'The account of the member.',
  hasSecondFactor:
    'Whether they sign in with more than a password, in every institute: with an app that shows codes, or a passkey. false while they are only invited.',
  branchId: 'The branch for which alone the role holds; null: the whole institute.',
}

export const Member = named(
  'Member',
  v.object({
    membershipId: id,
    userId: id,
    email: v.string(),
    fullName: v.string(),
    status: v.picklist(['invited', 'active', 'disabled']),
    joinedAt: orNull(ts),
    createdAt: ts,
    hasSecondFactor: v.boolean(),
    roles: list(
      named(
        'MemberRole',
        v.object({ roleId: id, roleName: v.string(), roleKey: orNull(v.string()), branchId: orNull(id) }),
        words,
      ),
    ),
  }),
  words,
)
export type Member = v.InferOutput<typeof Member>

export const NewMember = named(
  'NewMember',
  v.object({
    email,
    roleId: uuid,
    branchId: v.optional(uuid),
    branchIds: v.optional(
      v.pipe(list(uuid), v.minLength(1, 'Must name a branch.'), v.maxLength(100, 'Must name at most 100 branches.')),
    ),
    joinsStaff: v.optional(v.boolean(), false),
  }),
  {
    ...words,
    branchIds: 'The branches for which alone the role holds, with that of branchId; neither: the whole institute.',
    joinsStaff:
      'Whether accepting the invitation adds a staff record with the name of the account, which stands behind it: groups can then be taught by them. It needs staff.write too.',
  },
)

export const Invitation = named(
  'Invitation',
  v.object({ id, email: v.string(), expiresAt: ts, link: orNull(v.string()) }),
  {
    ...words,
    link: 'What its mail would lead to, to be handed over: on a server of the institute’s own that has no mailbox yet. It is shown this once. null: a mail takes it.',
  },
)
export type Invitation = v.InferOutput<typeof Invitation>

export const MemberChanges = named('MemberChanges', v.object({ status: v.picklist(['active', 'disabled']) }), words)

export const MemberRoles = named(
  'MemberRoles',
  v.object({
    roles: v.pipe(
      v.array(named('NewMemberRole', v.object({ roleId: uuid, branchId: v.optional(v.nullable(uuid)) }), words)),
      v.minLength(1, 'Must name at least one role.'),
      v.maxLength(100, 'Must name at most 100 roles.'),
    ),
  }),
  words,
)
