import * as v from 'valibot'
import { FEATURE_FLAGS, type FeatureFlags } from '#kernel/rights/features.ts'
import type { PlanQuotas } from '#kernel/who/quota.ts'
import type { EnvelopePayload, LicenseClaims, UnlockClaims } from './protocol.ts'

/**
 * What an install remembers of its licence. It is kept twice, in the database and in a file beside it, and whichever
 * copy knows more brings the other up to date: nothing here ever forgets a command.
 */

/** What the licence token said last. An envelope renews features and quotas. */
const License = v.object({
  licenseId: v.string(),
  /** Names the licence in heartbeats. */
  jti: v.string(),
  plan: v.nullable(v.string()),
  features: v.nullable(v.record(v.string(), v.boolean())),
  quotas: v.nullable(v.record(v.string(), v.nullable(v.number()))),
  /** Past it there is a warning and nothing else; null: it does not end. */
  expiresAt: v.nullable(v.string()),
})
export type License = v.InferOutput<typeof License>

/** What has become of one licence's commands. */
const Applied = v.object({
  /** The highest sequence number that was applied, be it a command's or an unlock token's. */
  sequence: v.number(),
  /** What that one said. */
  locked: v.boolean(),
  reason: v.nullable(v.string()),
  /** The ids of the unlock tokens that were used last. */
  usedTokens: v.array(v.string()),
})
export type Applied = v.InferOutput<typeof Applied>

export const LicenseState = v.object({
  installId: v.string(),
  /** The secret of the install's own key, encrypted. */
  installSecret: v.string(),
  /** Counts the licence tokens that were put in: the state with the higher number has the newer licence. */
  activation: v.number(),
  activatedAt: v.string(),
  license: License,
  /** By the licence's id, also of earlier ones: a licence that comes back finds its commands and tokens spent. */
  applied: v.record(v.string(), Applied),
  /** The latest time that was ever seen here; only the issuer's time corrects it downwards. */
  maxObservedAt: v.string(),
})
export type LicenseState = v.InferOutput<typeof LicenseState>

export type Command = Pick<EnvelopePayload['commands'][number], 'seq' | 'kind' | 'reason'>

/** More ids than tokens can be in use at once: each is good for a week. */
const REMEMBERED_TOKENS = 50

const NOTHING_APPLIED: Applied = { sequence: 0, locked: false, reason: null, usedTokens: [] }

export const latest = (...instants: readonly string[]): string => instants.toSorted().at(-1) ?? ''

/** What has become of the commands of a licence. Default: the one in force. */
export const appliedOf = (
  { applied, license }: Pick<LicenseState, 'applied' | 'license'>,
  licenseId = license.licenseId,
): Applied => applied[licenseId] ?? NOTHING_APPLIED

const mergedApplied = (one: Applied, other: Applied): Applied => ({
  ...(one.sequence >= other.sequence ? one : other),
  usedTokens: [...new Set([...other.usedTokens, ...one.usedTokens])].slice(-REMEMBERED_TOKENS),
})

/** Merges two copies: of each licence the one that has applied more. Where both know as much, `one` wins. */
export const merged = (one: LicenseState, other: LicenseState): LicenseState => {
  const newer = one.activation >= other.activation ? one : other
  const ids = [...new Set([...Object.keys(other.applied), ...Object.keys(one.applied)])]
  return {
    ...newer,
    applied: Object.fromEntries(ids.map((id) => [id, mergedApplied(appliedOf(one, id), appliedOf(other, id))])),
    maxObservedAt: latest(one.maxObservedAt, other.maxObservedAt),
  }
}

const withApplied = (state: LicenseState, applied: Applied): LicenseState => ({
  ...state,
  applied: { ...state.applied, [state.license.licenseId]: applied },
})

/** The commands that are above the highest that was applied, in the order of their numbers. */
export const freshCommands = <C extends Command>(state: LicenseState, commands: readonly C[]): C[] =>
  commands.filter(({ seq }) => seq > appliedOf(state).sequence).toSorted((a, b) => a.seq - b.seq)

/** The state once these commands of the licence in force are applied. Old ones change nothing. */
export const withCommands = (state: LicenseState, commands: readonly Command[]): LicenseState => {
  const last = freshCommands(state, commands).at(-1)
  if (!last) return state
  const { seq, kind, reason } = last
  const locked = kind === 'lock'
  return withApplied(state, { ...appliedOf(state), sequence: seq, locked, reason: locked ? reason : null })
}

/** The state once this unlock token is used. */
export const withUnlockToken = (state: LicenseState, { jti, seq }: Pick<UnlockClaims, 'jti' | 'seq'>): LicenseState => {
  const usedTokens = [...appliedOf(state).usedTokens, jti].slice(-REMEMBERED_TOKENS)
  return withApplied(state, { sequence: seq, locked: false, reason: null, usedTokens })
}

/** One thing to do to the institute. */
export interface LockStep {
  locked: boolean
  reason: string | null
}

/**
 * What has to be done to an institute with the state `before`, so that it is as `after` says: each command of `commands`
 * that is new to it, in order. Without the commands, only the result of the last one.
 * @param before undefined: it knows nothing
 */
export const lockSteps = (
  before: LicenseState | undefined,
  after: LicenseState,
  commands: readonly Command[] = [],
): LockStep[] => {
  const inForce = after.license.licenseId
  // The licence in force comes last, so that it decides.
  const ids = [...Object.keys(after.applied).filter((id) => id !== inForce), inForce]
  return ids.flatMap((id) => {
    const { sequence, locked, reason } = appliedOf(after, id)
    const known = before ? appliedOf(before, id).sequence : 0
    if (sequence <= known) return []
    const between = id === inForce ? commands.filter(({ seq }) => seq > known && seq <= sequence) : []
    if (between.length === 0) return [{ locked, reason }]
    return between
      .toSorted((a, b) => a.seq - b.seq)
      .map((command) => ({ locked: command.kind === 'lock', reason: command.reason }))
  })
}

export const licenseOf = ({ licenseId, jti, plan, features, quotas, exp }: LicenseClaims): License => ({
  licenseId,
  jti,
  plan,
  features,
  quotas,
  expiresAt: exp === undefined ? null : new Date(exp * 1000).toISOString(),
})

/** What a licence grants, as far as this version knows the features and quotas. */
export const entitlementsOf = ({ features, quotas }: License) => ({
  features: features && (known(features, FEATURE_FLAGS) as Partial<FeatureFlags>),
  quotas: quotas as PlanQuotas | null,
  writesEndAt: null,
})

const known = <T>(values: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
