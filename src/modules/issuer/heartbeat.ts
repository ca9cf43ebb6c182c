import { plusSeconds } from '#kernel/time/clock.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import { failure, reasons } from '#kernel/values/errors.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import {
  INSTALL_KEY_HEADER,
  INSTALL_SIGNATURE_HEADER,
  readPublicKey,
  signEnvelope,
  verifyHeartbeat,
  type Envelope,
  type Heartbeat,
  type PublicKey,
  type Signer,
} from '#modules/licensing/index.ts'
import { countHit, type RateLimits } from '#ports/limits/port.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import { acknowledge, commandsAfter } from './commands.ts'
import { findInstall } from './installs.ts'
import { grantedBy, licensedTenant, type Licenses } from './licenses.ts'
import {
  clockSignals,
  followCounter,
  storeSignals,
  strangerSignals,
  versionSignals,
  worst,
  type Signal,
} from './signals.ts'
import { licenseKey } from './license-key.ts'

export const HeartbeatRefused = failure(
  'LICENSE_INVALID',
  'heartbeat_refused',
  'This heartbeat is not of an install of a licence here.',
  { details: reasons('unknown_license', 'signature_missing', 'signature_invalid') },
)

export const TooManyInstalls = failure(
  'CONFLICT',
  'too_many_installs',
  'This licence has as many installs as are kept of one; one that is not seen for 90 days makes room.',
)

/** Heartbeats a minute. */
export interface HeartbeatLimits {
  heartbeatsPerMinuteOfAddress: number
  heartbeatsPerMinuteOfLicense: number
}

export interface HeartbeatDeps {
  licenses: Licenses
  limits: RateLimits
  perMinute: HeartbeatLimits
}

type Install = Row<'license_install'>

/** A heartbeat that has passed the checks before the transaction. */
export interface Admitted {
  licenseId: string
  /** The key that has signed it; null: it is not signed. */
  signedBy: PublicKey | null
  issuer: Signer
}

/** @throws HeartbeatRefused */
const signerOfRequest = (bytes: Uint8Array, request: Pick<RequestInfo, 'header'>): PublicKey | null => {
  const key = request.header(INSTALL_KEY_HEADER)
  const signature = request.header(INSTALL_SIGNATURE_HEADER)
  if (key === undefined && signature === undefined) return null
  if (key === undefined || signature === undefined) throw HeartbeatRefused({ reason: 'signature_missing' })
  const verified = verifyHeartbeat(bytes, { key, signature })
  if (!verified.ok) throw HeartbeatRefused({ reason: 'signature_invalid' })
  return verified.value
}

/**
 * Checks a heartbeat, or what else an install signs, before anything is written, the cheapest check first: a sender that
 * knows no licence costs only one count and one look-up in an index.
 * @throws RateLimited, HeartbeatRefused, NoLicenseKey
 */
export const admitHeartbeat = async (
  { licenses, limits, perMinute }: HeartbeatDeps,
  {
    db,
    body,
    bytes,
    request,
  }: {
    db: OutsideDb
    body: Pick<Heartbeat, 'jti'>
    bytes: Uint8Array
    request: RequestInfo
  },
): Promise<Admitted> => {
  await countHit(limits, `heartbeat network:${request.network}`, perMinute.heartbeatsPerMinuteOfAddress, 60)
  const license = await db.selectFrom('license').select('id').where('jti', '=', body.jti).executeTakeFirst()
  if (!license) throw HeartbeatRefused({ reason: 'unknown_license' })
  await countHit(limits, `heartbeat license:${license.id}`, perMinute.heartbeatsPerMinuteOfLicense, 60)
  const signedBy = signerOfRequest(bytes, request)
  return { licenseId: license.id, signedBy, issuer: await licenseKey(db, licenses.vault) }
}

/** How many installs beyond the number of the licence are kept, so that the issuer can see them. */
const SPARE_INSTALLS = 20
/** After this time without a heartbeat an install counts as gone. */
const GONE_SECONDS = 90 * 24 * 3600

const gone = (now: string): string => plusSeconds(now, -GONE_SECONDS)

/** Makes room for one more install where the licence has as many as are kept. @throws TooManyInstalls */
const makeRoom = async (
  { db, now }: SystemTx,
  inTenant: Tx,
  { id, max_installs: most }: Row<'license'>,
): Promise<void> => {
  const { count } = await db
    .selectFrom('license_install')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('license_id', '=', id)
    .executeTakeFirstOrThrow()
  if (count < most + SPARE_INSTALLS) return
  const oldest = await db
    .selectFrom('license_install')
    .selectAll()
    .where('license_id', '=', id)
    .where('last_seen_at', '<', gone(now))
    .orderBy('last_seen_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) throw TooManyInstalls()
  await db.deleteFrom('license_install').where('id', '=', oldest.id).execute()
  const { id: entityId, install_id: installId, last_seen_at: lastSeenAt } = oldest
  inTenant.audit({ entityType: 'license_install', entityId, before: { installId, lastSeenAt } })
}

/** The signal for an install beyond the number of the licence: as many came before it and are not gone. */
const tooManySignals = async (
  { db, now }: SystemTx,
  { id, max_installs: most }: Row<'license'>,
  install: Install,
): Promise<Signal[]> => {
  const { count } = await db
    .selectFrom('license_install')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('license_id', '=', id)
    .where('last_seen_at', '>=', gone(now))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('first_seen_at', 'id'), '<', tuple(install.first_seen_at, install.id)),
    )
    .executeTakeFirstOrThrow()
  if (count < most) return []
  const detail = `The licence is for ${most}, and ${count} came before this one.`
  return [{ kind: 'too_many_installs', severity: 'warning', detail }]
}

const updaterOf = ({ updater }: Heartbeat) =>
  updater && {
    update_channel: updater.channel,
    updater_last_check_at: updater.lastCheckAt,
    updater_last_result: updater.lastResult,
    updater_last_reason: updater.lastReason,
    updater_target_version: updater.targetVersion,
  }
type UpdaterColumns = NonNullable<ReturnType<typeof updaterOf>>

const NO_UPDATER: UpdaterColumns = {
  update_channel: null,
  updater_last_check_at: null,
  updater_last_result: null,
  updater_last_reason: null,
  updater_target_version: null,
}

/** Records install.update_failed, once for each failure: heartbeats repeat the last result until there is another. */
const tellFailedUpdate = (inTenant: Tx, licenseId: string, body: Heartbeat, before: UpdaterColumns): void => {
  const now = updaterOf(body)
  if (now?.updater_last_result !== 'failed') return
  if (Object.entries(now).every(([column, value]) => before[column as keyof UpdaterColumns] === value)) return
  inTenant.emit('install.update_failed', {
    licenseId,
    installId: body.installId,
    channel: now.update_channel,
    appVersion: body.appVersion,
    targetVersion: now.updater_target_version,
    reason: now.updater_last_reason,
    result: now.updater_last_result,
  })
}

const HOUR_SECONDS = 3600
/** A locked institute that has paid should not wait half a day for its unlock. */
const NEXT_SECONDS = { active: 6 * HOUR_SECONDS, locked: HOUR_SECONDS / 4 }

/** Answers with the commands after a sequence number, and what the licence grants now. */
const answer = async (
  tx: SystemTx,
  { issuer, license }: { issuer: Signer; license: Row<'license'> },
  { body, after }: { body: Heartbeat; after: number },
): Promise<Envelope> => {
  const { features, quotas } = await grantedBy(tx.db, license.plan_id)
  const commands = await commandsAfter(tx.db, license.id, after)
  return signEnvelope(
    {
      installId: body.installId,
      nonce: body.nonce,
      serverTime: tx.now,
      state: license.state,
      commands: commands.map(({ id, seq, kind, reason, issued_at: issuedAt }) => ({ id, seq, kind, reason, issuedAt })),
      features,
      quotas,
      nextHeartbeatSec: NEXT_SECONDS[license.state],
    },
    body.jti,
    issuer,
  )
}

/** Stores signals, and tells the institute's subscribers of those that are new. */
const raise = async (
  tx: SystemTx,
  inTenant: Tx,
  { id, license_id: licenseId, install_id: installId }: Install,
  signals: readonly Signal[],
): Promise<void> => {
  const fresh = await storeSignals(tx, id, signals)
  if (fresh.length === 0) return
  inTenant.emit('license.signal', {
    licenseId,
    installId,
    kinds: fresh.map(({ kind }) => kind),
    severity: worst(fresh),
  })
}

/**
 * Takes in a heartbeat that another key than the install's own has signed. It may be a copy of the install, which is to get
 * its commands too, so it is answered; but it speaks for itself: nothing that it says is stored about the install.
 */
const receiveFromStranger = async (
  tx: SystemTx,
  inTenant: Tx,
  install: Install,
  { pinned, key }: { pinned: string; key: PublicKey },
): Promise<void> => {
  const pinnedId = readPublicKey(pinned)?.keyId ?? pinned
  await raise(tx, inTenant, install, strangerSignals(pinnedId, key.keyId))
  inTenant.audit({ entityType: 'license_install', entityId: install.id, metadata: { keyId: key.keyId, pinnedId } })
}

/** What the install’s row stores of a heartbeat. @returns also the signals, for what is unusual about it */
const seenBy = async (
  tx: SystemTx,
  { licenseId, signedBy }: Admitted,
  body: Heartbeat,
  before: Install | undefined,
): Promise<{ seen: Omit<Install, 'id' | 'license_id' | 'install_id' | 'first_seen_at'>; signals: Signal[] }> => {
  const { counters, signals } = before
    ? followCounter(before, body)
    : { counters: { heartbeat_counter: body.counter, other_counter: null }, signals: [] }
  const { clientTime, maxObservedTime } = body
  const observed = [clientTime, maxObservedTime, before?.max_observed_at].reduce<string>(
    (latest, time) => (time && time > latest ? time : latest),
    '',
  )
  const { update_channel, updater_last_check_at, updater_last_result, updater_last_reason, updater_target_version } =
    updaterOf(body) ?? before ?? NO_UPDATER
  return {
    seen: {
      ...counters,
      app_version: body.appVersion,
      last_nonce: body.nonce,
      public_key: signedBy?.text ?? before?.public_key ?? null,
      // A reading of the far future would make every later one a step back.
      max_observed_at: observed < tx.now ? observed : tx.now,
      acknowledged_seq: await acknowledge(tx, licenseId, body.appliedCommandIds, before?.acknowledged_seq ?? 0),
      update_channel,
      updater_last_check_at,
      updater_last_result,
      updater_last_reason,
      updater_target_version,
      last_seen_at: tx.now,
      last_witness_at: signedBy ? tx.now : (before?.last_witness_at ?? null),
    },
    signals: [
      ...signals,
      ...clockSignals(clientTime, observed),
      ...(before ? versionSignals(body.appVersion, before.app_version) : []),
    ],
  }
}

/**
 * Takes in a heartbeat and answers it. The lock of the licence's row lets heartbeats of one licence pass one at a time.
 * @throws HeartbeatRefused, TooManyInstalls
 */
export const receiveHeartbeat = async (
  tx: SystemTx,
  licenses: Licenses,
  admitted: Admitted,
  body: Heartbeat,
): Promise<Envelope> => {
  const { licenseId, signedBy, issuer } = admitted
  const license = await lockRow(tx, licenses.record, licenseId)
  const inTenant = await licensedTenant(tx, license.tenant_id)
  const before = await findInstall(tx, licenseId, body.installId)
  // An install that may have lost its state, or never had one, gets the newest command again.
  const newest = license.last_seq - 1
  const send = (after: number) => answer(tx, { issuer, license }, { body, after })

  if (before && before.public_key !== null) {
    if (signedBy === null) throw HeartbeatRefused({ reason: 'signature_missing' })
    if (signedBy.text !== before.public_key) {
      await receiveFromStranger(tx, inTenant, before, { pinned: before.public_key, key: signedBy })
      return send(Math.min(before.acknowledged_seq, newest))
    }
  }
  const { seen, signals } = await seenBy(tx, admitted, body, before)
  let install: Install
  if (before) {
    install = { ...before, ...seen }
    await tx.db.updateTable('license_install').set(seen).where('id', '=', before.id).execute()
  } else {
    await makeRoom(tx, inTenant, license)
    install = {
      ...seen,
      id: tx.id(),
      license_id: licenseId,
      install_id: body.installId,
      first_seen_at: tx.now,
    }
    await tx.db.insertInto('license_install').values(install).execute()
  }
  await raise(tx, inTenant, install, [...signals, ...(await tooManySignals(tx, license, install))])
  tellFailedUpdate(inTenant, licenseId, body, before ?? NO_UPDATER)
  inTenant.audit({
    entityType: 'license_install',
    entityId: install.id,
    metadata: {
      appVersion: body.appVersion,
      counter: body.counter,
      appliedCommandIds: body.appliedCommandIds,
      keyId: signedBy?.keyId ?? null,
    },
  })
  const countsBack = before !== undefined && body.counter < before.heartbeat_counter
  return send(countsBack ? Math.min(seen.acknowledged_seq, newest) : seen.acknowledged_seq)
}
