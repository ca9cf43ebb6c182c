import { FEATURE_DEFAULTS } from '#shared/feature-defaults.ts'

export type FeatureFlag = keyof typeof FEATURE_DEFAULTS
export type FeatureFlags = Record<FeatureFlag, boolean>

export const FEATURE_FLAGS = Object.keys(FEATURE_DEFAULTS) as FeatureFlag[]

/** The flags that the owner of a self-hosted installation may change. */
export const SELF_MANAGEABLE: readonly FeatureFlag[] = FEATURE_FLAGS.filter((flag) => flag !== 'custom_domain')

/** The flags in effect: the defaults, overridden by those of the plan, overridden by those of the tenant. */
export const effectiveFeatures = (
  overrides: Partial<FeatureFlags>,
  plan: Partial<FeatureFlags> | null = null,
): FeatureFlags => ({ ...FEATURE_DEFAULTS, ...plan, ...overrides })
