import * as v from 'valibot'
import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkMember, hasOtherManager, PermissionEscalation, refuseImpersonation } from '#modules/members/index.ts'
import { fullName } from './person.ts'
import type { AllowedAccount } from './tables.ts'

/**
 * The account behind a student, guardian or staff record. That account can read what the record is about, so linking an
 * account to a record gives it power. The column takes only an AllowedAccount, and only this file makes one.
 */

export const UserTaken = failure('CONFLICT', 'user_taken', 'This user already stands behind another such record.')
export const OwnAccountLink = failure(
  'PERMISSION_ESCALATION',
  'own_account_link',
  'Nobody gives their own account more reach, or takes it from a record: another member does that.',
)

/** What a change of the account behind a record may be refused with. */
export const accountFails = [PermissionEscalation, OwnAccountLink, UserTaken]

/** For the descriptions of the endpoints that take `userId`. */
export const ACCOUNT_RULE =
  'Setting or clearing `userId` needs members.manage for the whole institute (403 PERMISSION_ESCALATION); nobody does it with their own account, an API key not with its creator’s, and an impersonated session not at all (403). `userId` is a member of the institute (404). Whoever’s account is taken away is told.'

/** The same for the staff: an owner who manages the members alone has nobody to ask. */
export const STAFF_ACCOUNT_RULE = `${ACCOUNT_RULE} An owner may put their own account behind a record of the staff that has none, and take it off, as long as no other active member has members.manage for the whole institute.`

const KINDS = ['student', 'guardian', 'staff'] as const
export type RecordKind = (typeof KINDS)[number]

/** A record as it was before the change. */
interface WithAccount {
  user_id: string | null
  first_name: string
  last_name: string
}

const allowed = (userId: string | null): AllowedAccount => userId as unknown as AllowedAccount

/** Of a person who is erased: whoever may do that may take the account off, too. */
export const NO_ACCOUNT = allowed(null)

export const accountUnlinkedJob = declareJob(
  'people.account-unlinked',
  v.object({
    tenantId: v.string(),
    userId: v.string(),
    recordId: v.string(),
    personName: v.string(),
    noticeId: v.string(),
  }),
)

/** Enqueues a message to the owner of the account that was behind a record: it is not any more. */
export const noticeUnlinked = (tx: Tx, record: WithAccount & { id: string }): void => {
  if (record.user_id === null) return
  tx.enqueue(accountUnlinkedJob, {
    tenantId: tx.tenant.id,
    userId: record.user_id,
    recordId: record.id,
    personName: fullName(record),
    noticeId: tx.id(),
  })
}

/** Whether an owner says that they teach too, or do not any more, and nobody else could say it. */
const isOwnersOwn = async (
  { actor, whole }: Tx,
  { isOwner }: Caller,
  { kind, from, to }: Linking,
): Promise<boolean> => {
  if (kind !== 'staff' || !isOwner || actor.type !== 'user') return false
  const hasOneOnly = from === null || to === null
  return hasOneOnly && (from ?? to) === actor.userId && !(await hasOtherManager(whole, actor.userId))
}

/** The account behind a record, before and after; null: none. */
interface Linking {
  kind: RecordKind
  from: string | null
  to: string | null
}

/** @throws PermissionEscalation, OwnAccountLink, Forbidden when impersonated */
const refuseLinking = async (tx: Tx, caller: Caller, linking: Linking): Promise<void> => {
  if (caller.grants.reach('members.manage') !== 'all') throw PermissionEscalation({ permissions: ['members.manage'] })
  refuseImpersonation(tx.actor)
  const self = actingUserId(tx.actor)
  const isOwn = self !== null && (linking.from === self || linking.to === self)
  if (isOwn && !(await isOwnersOwn(tx, caller, linking))) throw OwnAccountLink()
}

/**
 * The account of a new record.
 * @returns undefined: none @throws PermissionEscalation, OwnAccountLink, NotFound, Forbidden when impersonated
 */
export const accountOfNew = async (
  tx: Tx,
  caller: Caller,
  { kind, userId }: { kind: RecordKind; userId: string | null | undefined },
): Promise<AllowedAccount | undefined> => {
  if (userId === undefined || userId === null) return undefined
  await refuseLinking(tx, caller, { kind, from: null, to: userId })
  await checkMember(tx, userId)
  return allowed(userId)
}

/**
 * The account of a record that is changed, whose row is locked. Whoever loses it is told.
 * @returns undefined: it stays @throws PermissionEscalation, OwnAccountLink, NotFound, Forbidden when impersonated
 */
export const changedAccount = async (
  tx: Tx,
  caller: Caller,
  record: WithAccount & { id: string },
  { kind, userId }: { kind: RecordKind; userId: string | null | undefined },
): Promise<AllowedAccount | undefined> => {
  if (userId === undefined || userId === record.user_id) return undefined
  await refuseLinking(tx, caller, { kind, from: record.user_id, to: userId })
  if (userId !== null) await checkMember(tx, userId)
  noticeUnlinked(tx, record)
  return allowed(userId)
}

/** The account of somebody who accepted the invitation to this record: whoever sent it held members.manage. */
export const acceptedAccount = (userId: string): AllowedAccount => allowed(userId)

/**
 * Refuses that somebody makes themself the guardian of a student, who then reads what guardians read; those who manage
 * the members read it anyway. @throws OwnAccountLink
 */
export const refuseOwnGuardian = ({ actor }: Tx, { grants }: Caller, guardian: Pick<WithAccount, 'user_id'>): void => {
  const self = actingUserId(actor)
  if (self !== null && guardian.user_id === self && grants.reach('members.manage') !== 'all') throw OwnAccountLink()
}

/**
 * The account of two records of one person that are merged: that of the other record, where this one has none.
 * @returns undefined: it stays as it is @throws PermissionEscalation, OwnAccountLink, Forbidden when impersonated
 */
export const mergedAccount = async (
  tx: Tx,
  caller: Caller,
  kind: 'student' | 'guardian',
  { kept, other }: Record<'kept' | 'other', Pick<WithAccount, 'user_id'>>,
): Promise<AllowedAccount | undefined> => {
  refuseOwnGuardian(tx, caller, kept)
  if (other.user_id === null) return undefined
  await refuseLinking(tx, caller, { kind, from: null, to: other.user_id })
  return allowed(other.user_id)
}
