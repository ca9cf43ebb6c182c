import { CLOCK_SLACK_SECONDS, plusSeconds } from '#kernel/time/clock.ts'
import { once } from '#kernel/basics/once.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { Heartbeat } from '#modules/licensing/index.ts'
import type { Row } from '#runtime/records/records.ts'
import { SEVERITIES, type Severity, type SignalKind } from './tables.ts'

/** What is unusual about heartbeats. Signals are for people to look at: nothing follows from them by itself. */

export interface Signal {
  kind: SignalKind
  severity: Severity
  detail: string
}

type Install = Row<'license_install'>

/**
 * Follows the counters of an install's heartbeats. After a restored backup the counter goes back once, and continues from
 * there. If two machines share one identity, there are two sequences of counters, and the heartbeats jump between them.
 * @returns the counters to keep, and what is unusual
 */
export const followCounter = (
  {
    heartbeat_counter: last,
    other_counter: other,
    last_nonce: nonce,
  }: Pick<Install, 'heartbeat_counter' | 'other_counter' | 'last_nonce'>,
  { counter, nonce: given }: Pick<Heartbeat, 'counter' | 'nonce'>,
): { counters: Pick<Install, 'heartbeat_counter' | 'other_counter'>; signals: Signal[] } => {
  // The same heartbeat sent again: its answer was lost.
  if (counter === last && given === nonce) {
    return { counters: { heartbeat_counter: last, other_counter: other }, signals: [] }
  }
  if (counter > last) {
    const returns = other !== null && last < other && counter > other && counter !== last + 1
    return { counters: { heartbeat_counter: counter, other_counter: returns ? last : other }, signals: [] }
  }
  const signals: Signal[] = [
    { kind: 'counter_regressed', severity: 'warning', detail: `The counter was ${last}, and then ${counter}.` },
  ]
  if (other !== null && counter > other) {
    signals.push({
      kind: 'duplicate_install',
      severity: 'critical',
      detail: `The counter alternates between two histories, now at ${last} and ${counter}.`,
    })
  }
  return { counters: { heartbeat_counter: counter, other_counter: last }, signals }
}

/** @param known the latest time that the install is known to have seen */
export const clockSignals = (clientTime: string, known: string): Signal[] => {
  if (clientTime >= known) return []
  const isSmall = clientTime >= plusSeconds(known, -CLOCK_SLACK_SECONDS)
  return [
    {
      kind: 'clock_rollback',
      severity: isSmall ? 'info' : 'warning',
      detail: `The clock says ${clientTime}, and it has been ${known} before.`,
    },
  ]
}

const byNumbers = once(() => new Intl.Collator('en', { numeric: true }))

/** `1.2.3-rc.1` is before `1.2.3`, and that is all that is known of what follows a hyphen. */
const isEarlier = (version: string, than: string): boolean => {
  const [[number = '', ...before], [other = '', ...otherBefore]] = [version.split('-'), than.split('-')]
  const order = byNumbers().compare(number, other)
  return order < 0 || (order === 0 && before.length > 0 && otherBefore.length === 0)
}

export const versionSignals = (version: string, before: string): Signal[] =>
  isEarlier(version, before)
    ? [{ kind: 'version_downgraded', severity: 'info', detail: `The version was ${before}, and then ${version}.` }]
    : []

/** For a heartbeat that another key than the install's own has signed. */
export const strangerSignals = (pinnedKeyId: string, keyId: string): Signal[] => {
  const detail = `Key ${keyId} has signed a heartbeat of the install whose key is ${pinnedKeyId}.`
  return [
    { kind: 'key_changed', severity: 'critical', detail },
    { kind: 'duplicate_install', severity: 'critical', detail },
  ]
}

/** A signal that comes again after this time counts as new. */
const QUIET_SECONDS = 7 * 24 * 3600

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity)

/**
 * Stores signals: one row for each kind and install, however often it is met.
 * @returns those that are new, or more serious than before
 */
export const storeSignals = async (
  { db, now }: SystemTx,
  installId: string,
  signals: readonly Signal[],
): Promise<Signal[]> => {
  if (signals.length === 0) return []
  const known = await db.selectFrom('license_signal').selectAll().where('license_install_id', '=', installId).execute()
  const fresh: Signal[] = []
  for (const { kind, severity, detail } of signals) {
    const row = known.find((one) => one.kind === kind)
    if (!row) {
      const times = { detected_at: now, last_detected_at: now }
      await db
        .insertInto('license_signal')
        .values({ license_install_id: installId, kind, severity, detail, ...times })
        .execute()
    }
    const isNew = !row || row.last_detected_at < plusSeconds(now, -QUIET_SECONDS) || rank(severity) > rank(row.severity)
    if (isNew) fresh.push({ kind, severity, detail })
    if (row) {
      await db
        .updateTable('license_signal')
        .set({ last_detected_at: now, ...(isNew && { severity, detail, detected_at: now }) })
        .where('license_install_id', '=', installId)
        .where('kind', '=', kind)
        .execute()
    }
  }
  return fresh
}

/** The severity of the most serious one. */
export const worst = (signals: readonly Signal[]): Severity =>
  signals.map(({ severity }) => severity).toSorted((a, b) => rank(b) - rank(a))[0] ?? 'info'
