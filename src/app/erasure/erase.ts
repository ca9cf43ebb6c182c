import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { avatarsOf, eraseFiles } from '#modules/files/index.ts'
import { forgetImported } from '#modules/imports/index.ts'
import { deleteMember, lockOwners, refuseImpersonation } from '#modules/members/index.ts'
import { forgetAddresses, forgetPreferences } from '#modules/notifications/index.ts'
import { emptyGuardian, emptyStudent, lockToErase, takeNoName } from '#modules/people/index.ts'
import type { PersonKind } from '#app/person-file/kept.ts'
import { walkPerson, type Way } from '#app/person-file/read.ts'
import { accountBehind, type Account } from './account.ts'
import { addressesAlone } from './addresses.ts'
import { standsAgainst } from './against.ts'
import { ERASING } from './erasing.ts'
import { ErasureRefused, type Erased } from './schemas.ts'
import { eraseTracesJob, hashOfAddress } from './traces.ts'

/** Queries are typed for this table, and run on any of the list. */
type AnyTable = 'enrollment'

/** As many ids as every database takes in one query. */
const IDS_AT_ONCE = 500

const inParts = async (ids: readonly string[], work: (part: string[]) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) await work(ids.slice(from, from + IDS_AT_ONCE))
}

/** The ids by which a way leads to its rows. */
const leadsFrom = ({ table: { column }, rows }: Way): string[] => [...new Set(rows.map((row) => row[column] as string))]

const deleteRows = (whole: ScopedDb, way: Way): Promise<void> =>
  inParts(leadsFrom(way), (ids) =>
    whole
      .deleteFrom(way.table.table as AnyTable)
      .where(way.table.column as 'student_id', 'in', ids)
      .execute(),
  )

const emptyRows = (whole: ScopedDb, way: Way, emptied: Readonly<Record<string, unknown>>): Promise<void> =>
  inParts(leadsFrom(way), (ids) =>
    whole
      .updateTable(way.table.table as AnyTable)
      .set(emptied as object)
      .where(way.table.column as 'student_id', 'in', ids)
      .execute(),
  )

const endAccount = async (tx: Tx, { userId, membershipId }: Account): Promise<void> => {
  await eraseFiles(tx, await avatarsOf(tx.whole, userId))
  await forgetPreferences(tx, userId)
  if (membershipId !== null) await deleteMember(tx, membershipId)
}

/** An invitation to the record that nobody has accepted. */
interface Invited {
  membershipId: string
  userId: string
  /** Of an account that was made for it, and in which nobody has signed in; null: it is somebody's already. */
  email: string | null
}

const invitedBy = async (whole: ScopedDb, ways: readonly Way[]): Promise<Invited[]> => {
  const invited: Invited[] = []
  for (const { table, rows } of ways) {
    if (table.table !== 'person_invitation') continue
    for (const row of rows) {
      const member = whole
        .selectFrom('membership')
        .innerJoin('user', 'user.id', 'membership.user_id')
        .select(['user.id', 'user.email', 'user.password_hash', 'user.email_verified'])
        .where('membership.id', '=', row['membership_id'] as string)
        .where('membership.status', '=', 'invited')
      const user = await member.executeTakeFirst()
      if (!user) continue
      const isUsed = user.password_hash !== null || user.email_verified
      const membershipId = row['membership_id'] as string
      invited.push({ membershipId, userId: user.id, email: isUsed ? null : user.email })
    }
  }
  return invited
}

/** The log and events name an invitation by its id, and say to which address it went. */
const invitationsOf = async (whole: ScopedDb, membershipIds: readonly string[]): Promise<string[]> => {
  if (membershipIds.length === 0) return []
  const invitations = whole.selectFrom('invitation').select('id').where('membership_id', 'in', membershipIds)
  return (await invitations.execute()).map(({ id }) => id)
}

const idsIn = (ways: readonly Way[], table: string): string[] =>
  ways.flatMap((way) => (way.table.table === table ? way.rows.map((row) => row['id'] as string) : []))

/** Messages are many, and no entry of the log tells what they said. */
const UNLOGGED = new Set(['notification', 'notification_call'])

/** The records whose entries in the log tell of the person alone. */
const ownIds = (kind: PersonKind, ways: readonly Way[]): string[] =>
  ways.flatMap(({ table, rows }) => {
    const erasing = ERASING[kind][table.table]
    const isOwn = erasing === 'deleted' || typeof erasing === 'object'
    if (!isOwn || UNLOGGED.has(table.table) || table.column === 'by_guardian_id') return []
    // A file was an upload at first, whose name stands in the log.
    return rows.flatMap(({ id, upload_name: uploadId }) => [id, uploadId].filter((one) => typeof one === 'string'))
  })

const accountEmail = async (whole: ScopedDb, account: Account | undefined): Promise<string | null> => {
  if (!account?.isAlone) return null
  const user = whole.selectFrom('user').select('email').where('id', '=', account.userId)
  return (await user.executeTakeFirst())?.email ?? null
}

/**
 * Erases a person: one transaction takes them out of all that is found by their record. What is found by reading logs, the
 * account, and the bytes of files follow in jobs of the same transaction.
 * @throws NotFound, ErasureRefused, Forbidden when impersonated
 */
export const erasePerson = async (tx: Tx, kind: PersonKind, id: string): Promise<Erased> => {
  refuseImpersonation(tx.actor)
  const { whole } = tx
  // Before any other, as whoever removes members does.
  await lockOwners(tx)
  const row = await lockToErase(tx, kind, id)
  if (row.erased_at !== null) return { id, erasedAt: row.erased_at }
  const against = await standsAgainst(whole, kind, id)
  if (against.length > 0) throw ErasureRefused({ against })

  const { ways } = await walkPerson(whole, { kind, id })
  const account = await accountBehind(whole, kind, row)
  const isReached = ({ table }: Way): boolean => table.of !== 'account' || account?.isAlone === true
  const reached = ways.filter(isReached)
  const written = await addressesAlone(whole, kind, row)
  const invited = await invitedBy(whole, ways)
  const emails = [written.email, await accountEmail(whole, account), ...invited.map(({ email }) => email)].filter(
    (email) => email !== null,
  )

  const files = reached.flatMap(({ table, rows }) => (table.table === 'file' ? rows : []))
  await eraseFiles(tx, files as unknown as Parameters<typeof eraseFiles>[1])
  // What belongs to a row stands behind it in the list.
  for (const way of reached.toReversed()) {
    const erasing = ERASING[kind][way.table.table]
    if (way.rows.length === 0 || way.table.table === 'file') continue
    if (erasing === 'deleted') await deleteRows(whole, way)
    else if (typeof erasing === 'object' && Object.keys(erasing.emptied).length > 0) {
      await emptyRows(whole, way, erasing.emptied)
    }
  }
  await forgetImported(whole, { ...row, email: written.email })
  await forgetAddresses(tx, [...emails, ...(written.phone === null ? [] : [written.phone])])
  const endedIds = invited.map(({ membershipId }) => membershipId)
  if (account?.isAlone && account.membershipId !== null) endedIds.push(account.membershipId)
  const ended = [...endedIds, ...(await invitationsOf(whole, endedIds))]
  for (const { membershipId } of invited) await deleteMember(tx, membershipId)
  if (account?.isAlone) await endAccount(tx, account)

  const name = await takeNoName(tx)
  if (kind === 'student') await emptyStudent(tx, row as Parameters<typeof emptyStudent>[1], name)
  else await emptyGuardian(tx, row as Parameters<typeof emptyGuardian>[1], name)

  tx.audit({ entityType: kind, entityId: id })
  tx.enqueue(eraseTracesJob, {
    tenantId: tx.tenant.id,
    ids: [id, ...idsIn(ways, 'merged_record'), ...ended],
    ownIds: ownIds(kind, reached),
    userIds: [
      ...(account?.isAlone ? [account.userId] : []),
      ...invited.flatMap(({ userId, email }) => (email === null ? [] : [userId])),
    ],
    name: `${name.first_name} ${name.last_name}`,
    // Of an account that goes on, mails still come.
    mails: account?.isAlone === false ? [] : emails.map(hashOfAddress),
  })
  return { id, erasedAt: tx.now }
}
