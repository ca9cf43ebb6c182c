import { plusSeconds } from '#kernel/time/clock.ts'
import { failure, reasons } from '#kernel/values/errors.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { signLanName, type Envelope, type LanNameRequest, type PublicKey } from '#modules/licensing/index.ts'
import type { ZoneHost } from '#ports/lan-zone/port.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import { HeartbeatRefused, type Admitted } from './heartbeat.ts'
import { findInstall } from './installs.ts'
import { licensedTenant, type Licenses } from './licenses.ts'
import { randomLabel } from './random-label.ts'

export const LanNameRefused = failure('LICENSE_INVALID', 'lan_name_refused', 'The vendor gives this server no name.', {
  details: reasons('unknown_install', 'other_key', 'clock_wrong', 'license_locked', 'license_ended', 'too_many_names'),
})

type LanName = Row<'license_lan_name'>

const DAY_SECONDS = 24 * 3600
/** A request that somebody kept is no use later than this. Clocks of offices are hours wrong, and not days. */
const CREDIBLE_SECONDS = DAY_SECONDS
/** Orders take minutes. */
const CHALLENGE_SECONDS = 3600
/** Servers ask every day: one that has not for this long may be replaced by another of its licence. */
const LEFT_SECONDS = 2 * DAY_SECONDS
/** From then on the name leads nowhere. */
const GONE_SECONDS = 90 * DAY_SECONDS

const isCredible = (clientTime: string, now: string): boolean =>
  clientTime > plusSeconds(now, -CREDIBLE_SECONDS) && clientTime < plusSeconds(now, CREDIBLE_SECONDS)

/** @throws LanNameRefused */
const checkLicense = ({ state, expires_at: expiresAt }: Row<'license'>, isArchived: boolean, now: string): void => {
  if (state === 'locked') throw LanNameRefused({ reason: 'license_locked' })
  if (isArchived || (expiresAt !== null && expiresAt <= now)) throw LanNameRefused({ reason: 'license_ended' })
}

/** The install whose pinned key has signed. @throws HeartbeatRefused, LanNameRefused */
const installOf = async (
  tx: SystemTx,
  { licenseId, signedBy }: { licenseId: string; signedBy: PublicKey | null },
  { installId }: LanNameRequest,
): Promise<Row<'license_install'>> => {
  if (signedBy === null) throw HeartbeatRefused({ reason: 'signature_missing' })
  const install = await findInstall(tx, licenseId, installId)
  // Its first heartbeat pins its key.
  if (!install || install.public_key === null) throw LanNameRefused({ reason: 'unknown_install' })
  if (install.public_key !== signedBy.text) throw LanNameRefused({ reason: 'other_key' })
  return install
}

/**
 * The name that an install without one gets: a new one, or where the licence has as many as it has servers, that of a server
 * that no longer asks. Whoever puts a server in the place of another keeps the name that is in the bookmarks of the school.
 * @throws LanNameRefused
 */
const nameFor = async (
  { db, now, id }: SystemTx,
  { id: licenseId, max_installs: most }: Row<'license'>,
): Promise<{ row: Pick<LanName, 'id' | 'label'>; isNew: boolean }> => {
  const names = await db
    .selectFrom('license_lan_name')
    .select(['id', 'label', 'asked_at'])
    .where('license_id', '=', licenseId)
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
  if (names.length < most) return { row: { id: id(), label: randomLabel() }, isNew: true }
  const [oldest] = names
  if (!oldest || oldest.asked_at > plusSeconds(now, -LEFT_SECONDS)) throw LanNameRefused({ reason: 'too_many_names' })
  return { row: oldest, isNew: false }
}

/**
 * Gives an install its name in the zone, and has it lead to the addresses that the install says. The lock of the licence's row
 * lets the requests of one licence pass one at a time.
 * @throws HeartbeatRefused, LanNameRefused
 */
export const nameInstall = async (
  tx: SystemTx,
  { licenses, zone }: { licenses: Licenses; zone: string },
  { licenseId, signedBy, issuer }: Admitted,
  body: LanNameRequest,
): Promise<Envelope> => {
  const { db, now } = tx
  const license = await lockRow(tx, licenses.record, licenseId)
  const inTenant = await licensedTenant(tx, license.tenant_id)
  const install = await installOf(tx, { licenseId, signedBy }, body)
  if (!isCredible(body.clientTime, now)) throw LanNameRefused({ reason: 'clock_wrong' })
  checkLicense(license, inTenant.tenant.status === 'archived', now)

  const known = await db
    .selectFrom('license_lan_name')
    .select(['id', 'label'])
    .where('license_install_id', '=', install.id)
    .executeTakeFirst()
  const { row, isNew } = known ? { row: known, isNew: false } : await nameFor(tx, license)
  const seen = {
    license_install_id: install.id,
    addresses: body.addresses,
    challenge: body.challenge,
    challenge_until: body.challenge === null ? null : plusSeconds(now, CHALLENGE_SECONDS),
    asked_at: now,
  }
  if (isNew) {
    await db
      .insertInto('license_lan_name')
      .values({ ...row, license_id: licenseId, created_at: now, ...seen })
      .execute()
  } else await db.updateTable('license_lan_name').set(seen).where('id', '=', row.id).execute()
  const name = `${row.label}.${zone}`
  inTenant.audit({
    entityType: 'license_install',
    entityId: install.id,
    metadata: { name, addresses: body.addresses, hasChallenge: body.challenge !== null },
  })
  return signLanName({ installId: body.installId, nonce: body.nonce, name }, body.jti, issuer)
}

/** What the zone knows of a label, for the name server of any process. */
export const findLanHost = async (db: Queries, label: string, now: string): Promise<ZoneHost | undefined> => {
  const row = await db
    .selectFrom('license_lan_name')
    .select(['addresses', 'challenge', 'challenge_until'])
    .where('label', '=', label)
    .where('asked_at', '>', plusSeconds(now, -GONE_SECONDS))
    .executeTakeFirst()
  if (!row) return undefined
  const { addresses, challenge, challenge_until: until } = row
  return { addresses, challenge: until !== null && until > now ? challenge : null }
}
