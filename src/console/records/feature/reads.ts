import { answer, api } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useGet } from '../../api/queries.ts'
import type { Schemas } from '../../api/schemas.ts'

export type Feature = keyof Schemas['FeatureFlags']

/** Which features the institute has. */
export const useFeatures = () => useGet(['/feature-flags'], (signal) => answer(api.GET('/feature-flags', { signal })))

/** Whether the institute has a feature; undefined: not known yet. */
export const useFeature = (feature: Feature): boolean | undefined => useFeatures().data?.[feature]

/** Whether something was not answered because the institute does not have the feature. */
export const isOff = ({ error }: { error: unknown }): boolean =>
  error instanceof Problem && error.code === 'FEATURE_DISABLED'
