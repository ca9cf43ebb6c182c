import { randomBytes } from 'node:crypto'
import PQueue from 'p-queue'
import * as v from 'valibot'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { findTenant } from '#modules/tenants/index.ts'
import { issuerClockIsAhead, issuerClockWentBack, observedBy, readAnswer, type HeartbeatAnswer } from './answer.ts'
import type { InstallDeps } from './deps.ts'
import { postSigned } from './install-key.ts'
import { MOST_COMMANDS, type EnvelopePayload, type HeartbeatInput } from './protocol.ts'
import { writeBeside, reconcile } from './reconcile.ts'
import { isDue, waitAfterAnswer, waitAfterFailure, waitToAcknowledge } from './schedule.ts'
import { freshCommands, latest, merged, withCommands } from './state.ts'
import { adopt, findLicense, stateOf, updateConversation, type LicenseRow } from './store.ts'

/** `soon`: also when none is due. */
export const heartbeatJob = declareJob('license.heartbeat', v.object({ tenantId: v.string(), soon: v.boolean() }))

const DEADLINE_MILLIS = 15_000
/** More than the longest envelope: payload, signature and what JSON puts around them. */
const ANSWER_BYTES = 256 * 1024

const NO_ISSUER = 'This program no longer knows a vendor: neither its build nor its configuration names one.'
const ISSUER_WENT_BACK = 'The vendor’s clock says an earlier time than it did before.'
const ISSUER_IS_AHEAD = 'The vendor’s clock is more than a day ahead of this server’s: one of the two is wrong.'

/** What is wrong with the issuer's time; null: nothing. */
const clockError = (serverTime: string, before: string | null, readings: readonly string[]): string | null => {
  if (issuerClockIsAhead(serverTime, readings)) return ISSUER_IS_AHEAD
  return issuerClockWentBack(serverTime, before) ? ISSUER_WENT_BACK : null
}

interface Begun {
  row: LicenseRow
  /** The one time that the heartbeat tells: a second look at the clock would seem to go back. */
  now: string
}

/**
 * Counts the heartbeat before it is sent: whatever happens then, no two have the same number.
 * @returns undefined when none is due
 */
const begin = async (tx: Tx, deps: InstallDeps, soon: boolean): Promise<Begun | undefined> => {
  const { now } = tx
  const before = await findLicense(tx.whole)
  if (!before || !(soon || isDue(before.next_heartbeat_at, now, deps))) return undefined
  const max_observed_at = latest(before.max_observed_at, now)
  const row = await tx.whole
    .updateTable('installed_license')
    .set((eb) => ({ counter: eb('counter', '+', 1), max_observed_at }))
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, now }
}

const send = async (
  { row, now }: Begun,
  { issuer, version, updater: reportUpdates, ...deps }: InstallDeps,
): Promise<HeartbeatAnswer> => {
  if (!issuer) return { error: NO_ISSUER }
  const nonce = randomBytes(24).toString('base64url')
  const updater = reportUpdates()
  const heartbeat: HeartbeatInput = {
    installId: row.install_id,
    jti: row.license.jti,
    appVersion: version,
    counter: row.counter,
    clientTime: now,
    maxObservedTime: row.max_observed_at,
    nonce,
    appliedCommandIds: row.acknowledge,
    ...(updater && { updater }),
  }
  const result = await postSigned(deps, row, {
    issuer,
    path: 'heartbeat',
    message: heartbeat,
    deadlineMillis: DEADLINE_MILLIS,
    answerBytes: ANSWER_BYTES,
  })
  return readAnswer(result, issuer.key, heartbeat)
}

interface Beat extends Begun {
  context: JobContext
  tenant: TenantInfo
}

const enqueueNext = (tx: Tx, seconds: number): string => {
  const runAt = plusSeconds(tx.now, seconds)
  tx.enqueue(heartbeatJob, { tenantId: tx.tenant.id, soon: false }, { runAt })
  return runAt
}

const logChange = ({ log }: InstallDeps, { license, last_error }: LicenseRow, error: string | null): void => {
  if (error === last_error) return
  const about = { licenseId: license.licenseId }
  if (error === null) log.info(about, 'the vendor answers the licence’s heartbeats again')
  else log.warn({ ...about, error }, 'a licence heartbeat went wrong; the institute works on')
}

const afterFailure = async (deps: InstallDeps, { context, tenant, row }: Beat, error: string): Promise<void> => {
  await context.finish(async (system) => {
    const tx = system.inTenant(tenant)
    await updateConversation(tx, {
      last_error: error,
      next_heartbeat_at: enqueueNext(tx, waitAfterFailure(deps)),
    })
  })
  logChange(deps, row, error)
}

/** The file first: what a kill leaves undone in the database, the next start takes from there. */
const afterAnswer = async (
  deps: InstallDeps,
  { context, tenant, row, now }: Beat,
  { serverTime, commands, features, quotas, nextHeartbeatSec }: EnvelopePayload,
): Promise<void> => {
  const readings = [row.max_observed_at, now]
  const error = clockError(serverTime, row.last_server_at, readings)
  const before = stateOf(row)
  const after = withCommands({ ...before, license: { ...before.license, features, quotas } }, commands)
  const maxObservedAt = error === null ? observedBy(serverTime, readings) : latest(...readings)
  writeBeside(deps, tenant, (kept) => ({ ...(kept ? merged(after, kept) : after), maxObservedAt }))
  const seen = commands.map(({ id }) => id)
  const isNews = seen.some((id) => !row.acknowledge.includes(id))
  const wait = isNews ? waitToAcknowledge(deps) : waitAfterAnswer(nextHeartbeatSec, deps)
  await context.finish(async (system) => {
    const tx = system.inTenant(tenant)
    await adopt(tx, after, {
      commands,
      conversation: {
        acknowledge: seen.slice(-MOST_COMMANDS),
        max_observed_at: maxObservedAt,
        last_server_at: error === ISSUER_IS_AHEAD ? row.last_server_at : serverTime,
        last_heartbeat_at: tx.now,
        last_error: error,
        next_heartbeat_at: enqueueNext(tx, wait),
      },
    })
  })
  logChange(deps, row, error)
  for (const { seq, kind, reason } of freshCommands(before, commands)) {
    deps.log.warn({ licenseId: before.license.licenseId, seq, kind, reason }, `the vendor’s ${kind} was applied`)
  }
}

/** Heartbeats go one after another: two on the way at once would look to the issuer like two servers. */
export const heartbeats = (deps: InstallDeps) => {
  const turns = new PQueue({ concurrency: 1 })
  const beat = async (context: JobContext, tenantId: string, soon: boolean): Promise<void> => {
    const tenant = await findTenant(context.db, tenantId)
    if (!tenant) return
    await reconcile(deps, context, tenant)
    const begun = await context.change((system) => begin(system.inTenant(tenant), deps, soon))
    if (!begun) return
    const answer = await send(begun, deps)
    if ('error' in answer) await afterFailure(deps, { context, tenant, ...begun }, answer.error)
    else await afterAnswer(deps, { context, tenant, ...begun }, answer.payload)
  }
  return async (context: JobContext<{ tenantId: string; soon: boolean }>): Promise<void> => {
    const { tenantId, soon } = context.payload
    await turns.add(() => beat(context, tenantId, soon))
  }
}
