/** The feature flags of the contract, with their default values. */
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

/** The flags that the owner of a self-hosted installation may change. */
export const SELF_MANAGEABLE: readonly FeatureFlag[] = FEATURE_FLAGS.filter((flag) => flag !== 'custom_domain')

/** The flags in effect: the defaults, overridden by those of the plan, overridden by those of the tenant. */
export const effectiveFeatures = (
  overrides: Partial<FeatureFlags>,
  plan: Partial<FeatureFlags> | null = null,
): FeatureFlags => ({ ...DEFAULTS, ...plan, ...overrides })
