import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { Forbidden } from '#kernel/errors.ts'
import {
  effectiveFeatures,
  FEATURE_FLAGS,
  SELF_MANAGEABLE,
  type FeatureFlag,
  type FeatureFlags,
} from '#kernel/features.ts'
import { named } from '#kernel/named.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import './tables.ts'

/** An object with this schema for each feature. */
export const flags = <T extends v.GenericSchema>(schema: T) =>
  v.object(Object.fromEntries(FEATURE_FLAGS.map((flag) => [flag, schema])) as Record<FeatureFlag, T>)

/** What each feature is. */
export const FLAG_WORDS: Record<FeatureFlag, string> = {
  basic_reports: 'Attendance and billing summaries.',
  advanced_reports: 'Reports across the institute.',
  integration_api: 'API keys and webhooks.',
  mcp: 'Access for AI assistants.',
  custom_domain: 'An address of the institute’s own, in a cloud.',
  whatsapp_notifications: 'Notifications by WhatsApp.',
  sms_notifications: 'Notifications by SMS.',
  byo_email_provider: 'Mail through a provider of the institute’s own.',
  byo_push_provider: 'Push notifications through a provider of the institute’s own.',
  courses_video: 'Self-paced video courses.',
}

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
  const { feature_overrides: current, plan_features: plan } = await forNoKeyUpdate(
    tx.db,
    tx.db.selectFrom('tenant').select(['feature_overrides', 'plan_features']),
  ).executeTakeFirstOrThrow()
  const before = effectiveFeatures(current, plan)
  const changed = switched.filter((flag) => changes[flag] !== before[flag])
  const unpaid = changed.filter((flag) => changes[flag] && plan?.[flag] === false)
  if (unpaid.length > 0) throw Forbidden({ reason: 'not_self_manageable', flags: unpaid })
  const overrides = { ...current, ...Object.fromEntries(changed.map((flag) => [flag, changes[flag]])) }
  if (changed.length > 0) {
    await tx.db.updateTable('tenant').set({ feature_overrides: overrides, updated_at: tx.now }).execute()
  }
  const after = effectiveFeatures(overrides, plan)
  tx.audit({ entityType: 'feature_flags', entityId: tx.tenant.id, before, after })
  return after
}
