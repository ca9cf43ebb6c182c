import { plusSeconds } from '#kernel/time/clock.ts'
import { shows } from '#kernel/values/fields.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { MOST_COMMANDS, signUnlockToken } from '#modules/licensing/index.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import { licenseKey } from './license-key.ts'
import { licensedTenant, type Licenses } from './licenses.ts'
import { LicenseCommand } from './schemas.ts'

type Command = Pick<Row<'license_command'>, 'kind' | 'reason'>

const showCommand = shows(LicenseCommand)

const STATE_AFTER = { lock: 'locked', unlock: 'active' } as const

const lockBy = ({ kind, reason }: Command, now: string) =>
  kind === 'lock' ? { locked_at: now, locked_reason: reason } : { locked_at: null, locked_reason: null }

/**
 * Queues a command: every install of the licence gets it with its next heartbeat. The lock of the licence's row gives
 * each command its own place in their order.
 * @throws NotFound
 */
const issue = async (
  tx: SystemTx,
  { record }: Licenses,
  licenseId: string,
  { kind, reason }: Command,
): Promise<Row<'license_command'>> => {
  const license = await lockRow(tx, record, licenseId)
  const state = STATE_AFTER[kind]
  const seq = license.last_seq + 1
  const row = { id: tx.id(), license_id: licenseId, seq, kind, reason, issued_at: tx.now, acknowledged_at: null }
  await tx.db
    .updateTable('license')
    .set({ last_seq: seq, state, ...lockBy({ kind, reason }, tx.now), updated_at: tx.now })
    .where('id', '=', licenseId)
    .execute()
  await tx.db.insertInto('license_command').values(row).execute()
  const inTenant = await licensedTenant(tx, license.tenant_id)
  inTenant.audit({
    entityType: 'license',
    entityId: licenseId,
    before: { state: license.state },
    after: { state, command: { id: row.id, seq, kind, reason } },
  })
  return row
}

/** @throws NotFound */
export const issueCommand = async (
  tx: SystemTx,
  licenses: Licenses,
  licenseId: string,
  command: Command,
): Promise<LicenseCommand> => showCommand(await issue(tx, licenses, licenseId, command))

const UNLOCK_TOKEN_SECONDS = 7 * 24 * 3600

/**
 * Queues an unlock, and makes a token by which an install without a network does the same: whichever reaches it first
 * unlocks it, and the other changes nothing.
 * @throws NotFound, NoLicenseKey
 */
export const issueUnlockToken = async (
  tx: SystemTx,
  licenses: Licenses,
  licenseId: string,
): Promise<{ token: string; expiresAt: string }> => {
  const { id, seq } = await issue(tx, licenses, licenseId, { kind: 'unlock', reason: null })
  const iat = Math.floor(Date.parse(tx.now) / 1000)
  const exp = iat + UNLOCK_TOKEN_SECONDS
  const token = signUnlockToken(
    { jti: id, licenseId, seq, iat, exp, reason: null },
    await licenseKey(tx.db, licenses.vault),
  )
  return { token, expiresAt: plusSeconds(new Date(iat * 1000).toISOString(), UNLOCK_TOKEN_SECONDS) }
}

/**
 * The commands after this sequence number, in order. If there are too many, only the newest: the last one decides, and
 * acknowledging a command acknowledges all before it.
 */
export const commandsAfter = async (
  db: OutsideDb,
  licenseId: string,
  seq: number,
): Promise<Row<'license_command'>[]> => {
  const newest = await db
    .selectFrom('license_command')
    .selectAll()
    .where('license_id', '=', licenseId)
    .where('seq', '>', seq)
    .orderBy('seq', 'desc')
    .limit(MOST_COMMANDS)
    .execute()
  return newest.toReversed()
}

/**
 * Notes what an install has seen. Ids of other licences' commands are ignored.
 * @param acknowledged the highest sequence number that the install had seen before
 * @returns the highest that it has seen now
 */
export const acknowledge = async (
  { db, now }: SystemTx,
  licenseId: string,
  ids: readonly string[],
  acknowledged: number,
): Promise<number> => {
  if (ids.length === 0) return acknowledged
  const newest = await db
    .selectFrom('license_command')
    .select('seq')
    .where('license_id', '=', licenseId)
    .where('id', 'in', ids)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest || newest.seq <= acknowledged) return acknowledged
  await db
    .updateTable('license_command')
    .set({ acknowledged_at: now })
    .where('license_id', '=', licenseId)
    .where('seq', '<=', newest.seq)
    .where('acknowledged_at', 'is', null)
    .execute()
  return newest.seq
}
