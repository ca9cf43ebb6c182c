import * as v from 'valibot'
import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkMember, PermissionEscalation, refuseImpersonation } from '#modules/members/index.ts'
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

const KINDS = ['student', 'guardian', 'staff'] as const
export type RecordKind = (typeof KINDS)[number]

/** A record as it was before the change. */
interface WithAccount {
  user_id: string | null
  first_name: string
  last_name: string
}

const allowed = (userId: string | null): AllowedAccount => userId as unknown as AllowedAccount

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

/** @throws PermissionEscalation, OwnAccountLink, Forbidden when impersonated */
const refuseLinking = ({ actor }: Tx, { grants }: Caller, accounts: readonly (string | null)[]): void => {
  if (grants.reach('members.manage') !== 'all') throw PermissionEscalation({ permissions: ['members.manage'] })
  refuseImpersonation(actor)
  const self = actingUserId(actor)
  if (self !== null && accounts.includes(self)) throw OwnAccountLink()
}

/**
 * The account of a new record.
 * @returns undefined: none @throws PermissionEscalation, OwnAccountLink, NotFound, Forbidden when impersonated
 */
export const accountOfNew = async (
  tx: Tx,
  caller: Caller,
  userId: string | null | undefined,
): Promise<AllowedAccount | undefined> => {
  if (userId === undefined || userId === null) return undefined
  refuseLinking(tx, caller, [userId])
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
  userId: string | null | undefined,
): Promise<AllowedAccount | undefined> => {
  if (userId === undefined || userId === record.user_id) return undefined
  refuseLinking(tx, caller, [userId, record.user_id])
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
export const mergedAccount = (
  tx: Tx,
  caller: Caller,
  kept: Pick<WithAccount, 'user_id'>,
  other: Pick<WithAccount, 'user_id'>,
): AllowedAccount | undefined => {
  refuseOwnGuardian(tx, caller, kept)
  if (other.user_id === null) return undefined
  refuseLinking(tx, caller, [other.user_id])
  return allowed(other.user_id)
}
