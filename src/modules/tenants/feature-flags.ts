import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { FEATURE_FLAGS, type FeatureFlag, type FeatureFlags } from '#kernel/rights/features.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

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

/**
 * Locks the institute, so that its features change one after the other. @returns what is switched for it alone, and
 * what its plan switches
 */
export const lockFeatures = async ({ db }: Tx) => {
  const own = db.selectFrom('tenant').select(['feature_overrides', 'plan_features'])
  const row = await forNoKeyUpdate(db, own).executeTakeFirstOrThrow()
  return { overrides: row.feature_overrides, plan: row.plan_features }
}

/** Stores what is switched for the institute alone. */
export const setFeatureOverrides = async ({ db, now }: Tx, overrides: Partial<FeatureFlags>): Promise<void> => {
  await db.updateTable('tenant').set({ feature_overrides: overrides, updated_at: now }).execute()
}
