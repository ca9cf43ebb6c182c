/** The feature flags of the contract with the registry's defaults. */
const DEFAULTS = {
  basic_reports: true,
  advanced_reports: false,
  integration_api: true,
  mcp: false,
  custom_domain: false,
  whatsapp_notifications: false,
  sms_notifications: false,
  byo_email_provider: false,
  byo_push_provider: false,
  courses_video: true,
}

export type FeatureFlag = keyof typeof DEFAULTS
export type FeatureFlags = Record<FeatureFlag, boolean>

export const FEATURE_FLAGS = Object.keys(DEFAULTS) as FeatureFlag[]

/** What the owner of a self-hosted install may switch. */
export const SELF_MANAGEABLE: readonly FeatureFlag[] = FEATURE_FLAGS.filter((flag) => flag !== 'custom_domain')

/** The registry's defaults under what the tenant's own overrides say. */
export const effectiveFeatures = (overrides: Partial<FeatureFlags>): FeatureFlags => ({ ...DEFAULTS, ...overrides })
