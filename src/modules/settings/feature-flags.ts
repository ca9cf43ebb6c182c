import * as v from 'valibot'
import { Forbidden } from '#kernel/values/errors.ts'
import { effectiveFeatures, FEATURE_FLAGS, SELF_MANAGEABLE, type FeatureFlags } from '#kernel/rights/features.ts'
import { named } from '#kernel/values/named.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { FLAG_WORDS, flags, lockFeatures, setFeatureOverrides } from '#modules/tenants/index.ts'

export const Flags = named('FeatureFlags', flags(v.boolean()), FLAG_WORDS)
export const FlagChanges = named('FeatureFlagChanges', flags(v.optional(v.boolean())), FLAG_WORDS)

/**
 * Switches features of a self-hosted institute.
 * @throws Forbidden on a cloud server, where the platform manages them, for a feature that owners may not switch, and
 * for one that the licence's plan leaves out
 */
export const changeFlags = async (tx: Tx, changes: v.InferOutput<typeof FlagChanges>): Promise<FeatureFlags> => {
  if (tx.tenant.deploymentMode === 'cloud') throw Forbidden({ reason: 'platform_managed' })
  const switched = FEATURE_FLAGS.filter((flag) => changes[flag] !== undefined)
  const refused = switched.filter((flag) => !SELF_MANAGEABLE.includes(flag))
  if (refused.length > 0) throw Forbidden({ reason: 'not_self_manageable', flags: refused })
  const { overrides: current, plan } = await lockFeatures(tx)
  const before = effectiveFeatures(current, plan)
  const changed = switched.filter((flag) => changes[flag] !== before[flag])
  const unpaid = changed.filter((flag) => changes[flag] && plan?.[flag] === false)
  if (unpaid.length > 0) throw Forbidden({ reason: 'not_self_manageable', flags: unpaid })
  const overrides = { ...current, ...Object.fromEntries(changed.map((flag) => [flag, changes[flag]])) }
  if (changed.length > 0) await setFeatureOverrides(tx, overrides)
  const after = effectiveFeatures(overrides, plan)
  tx.audit({ entityType: 'feature_flags', entityId: tx.tenant.id, before, after })
  return after
}
