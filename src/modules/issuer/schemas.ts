import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, instant, integer, list, orNull, pageQuery, prose, ts, uuid } from '#kernel/values/schema.ts'
import { COMMAND_KINDS, LICENSE_STATES, UPDATE_RESULTS } from '#modules/licensing/index.ts'
import { SEVERITIES, SIGNALS } from './tables.ts'

const licenseWords = {
  planId: 'The plan whose features and limits the licence grants; null: none.',
  token: 'What the owner of the install enters there. It is the same until the licence is changed.',
  maxInstalls: 'How many servers may run under it. More are told of, and not locked out.',
  state: 'What the newest command makes of it.',
  lockedAt: 'When the command was given that locks it; null: it is not locked.',
  lockedReason: 'What people at its servers are told; null: nothing, or it is not locked.',
  expiresAt: 'When it ends; null: never. From then on the install warns, and goes on working.',
}

export const License = named(
  'License',
  v.object({
    id,
    tenantId: id,
    planId: orNull(id),
    token: v.string(),
    maxInstalls: count,
    state: v.picklist(LICENSE_STATES),
    lockedAt: orNull(ts),
    lockedReason: orNull(v.string()),
    expiresAt: orNull(ts),
    createdAt: ts,
    updatedAt: ts,
  }),
  licenseWords,
)
export type License = v.InferOutput<typeof License>

/** The heartbeats of this many installs stay far below the rate limit of a licence. */
const MOST_INSTALLS = 1000
const maxInstalls = integer(1, MOST_INSTALLS)

export const NewLicense = named(
  'NewLicense',
  v.object({
    tenantId: uuid,
    planId: v.optional(v.nullable(uuid)),
    maxInstalls,
    expiresAt: v.optional(v.nullable(instant)),
  }),
  licenseWords,
)
export type NewLicense = v.InferOutput<typeof NewLicense>

export const LicenseChanges = named(
  'LicenseChanges',
  v.partial(v.object({ planId: v.nullable(uuid), maxInstalls, expiresAt: v.nullable(instant) })),
  licenseWords,
)
export type LicenseChanges = v.InferOutput<typeof LicenseChanges>

export const LicenseQuery = explained(pageQuery({ tenantId: v.optional(uuid) }), {
  tenantId: 'Licences of this institute only.',
})

const commandWords = {
  kind: 'What the install is to do.',
  reason: 'What people there are told; null: nothing.',
  issuedAt: 'When it was given.',
  acknowledgedAt: 'When an install of the licence first said that it has seen it; null: none has.',
}

const kind = v.picklist(COMMAND_KINDS)

export const LicenseCommand = named(
  'LicenseCommand',
  v.object({ id, licenseId: id, kind, reason: orNull(v.string()), issuedAt: ts, acknowledgedAt: orNull(ts) }),
  commandWords,
)
export type LicenseCommand = v.InferOutput<typeof LicenseCommand>

export const LockReason = named('LicenseLock', v.object({ reason: prose(500) }), commandWords)

export const UnlockToken = named('LicenseUnlockToken', v.object({ token: v.string(), expiresAt: ts }), {
  token: 'What the owner of the install enters there, once. It is shown this once.',
  expiresAt: 'Until when it can be used.',
})

export const LicenseSignal = named(
  'LicenseSignal',
  v.object({ kind: v.picklist(SIGNALS), severity: v.picklist(SEVERITIES), detectedAt: ts, detail: v.string() }),
  {
    kind: 'counter_regressed: its heartbeats counted back. clock_rollback: its clock was set back. duplicate_install: two servers say that they are this one. too_many_installs: the licence has more servers than it is for. key_changed: another key than its own has signed. version_downgraded: it runs an earlier version than before.',
    severity: 'How serious it is. Nothing follows from it by itself.',
    detectedAt: 'When it was first seen, or seen again after a week without it.',
    detail: 'What exactly was seen.',
  },
)

export const LicenseInstall = named(
  'LicenseInstall',
  v.object({
    id,
    licenseId: id,
    installId: id,
    appVersion: v.string(),
    lastSeenAt: ts,
    heartbeatCounter: count,
    signals: list(LicenseSignal),
    firstSeenAt: ts,
    lastWitnessAt: orNull(ts),
    updateChannel: orNull(v.string()),
    updaterLastCheckAt: orNull(ts),
    updaterLastResult: orNull(v.picklist(UPDATE_RESULTS)),
    updaterLastReason: orNull(v.string()),
    lanName: orNull(
      named('InstallLanName', v.object({ name: v.string(), askedAt: ts }), {
        name: 'It leads to the server on its own network.',
        askedAt: 'When the server last asked for it, which it does every day.',
      }),
    ),
    pendingCommands: list(
      named('PendingLicenseCommand', v.object({ id, kind, reason: orNull(v.string()), issuedAt: ts }), commandWords),
    ),
  }),
  {
    installId: 'The id that the install gave itself.',
    appVersion: 'The version of the program that runs there.',
    lastSeenAt: 'When its last heartbeat came.',
    heartbeatCounter: 'The counter of its last heartbeat.',
    signals: 'What was unusual about it, the latest first.',
    firstSeenAt: 'When its first heartbeat came.',
    lastWitnessAt: 'When the last heartbeat came that its own key has signed; null: none did.',
    updateChannel: 'Where it takes its updates from; null: it has not said.',
    updaterLastCheckAt: 'When it last looked for an update; null: it has not said.',
    updaterLastResult: 'What became of that; null: it has not said.',
    updaterLastReason: 'Why it failed or was left; null: it has not said.',
    lanName: 'Its name in the zone of the vendor, by which its network opens it over HTTPS; null: it has none.',
    pendingCommands: 'The commands that it has not yet acknowledged, the oldest first.',
  },
)
export type LicenseInstall = v.InferOutput<typeof LicenseInstall>
