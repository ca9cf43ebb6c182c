import type { Endpoint } from '#kernel/contract/endpoint.ts'
import {
  AccountDisabled,
  FeatureDisabled,
  Forbidden,
  InternalError,
  InvalidInput,
  KeyRequired,
  KeyReused,
  Malformed,
  MembershipInactive,
  NotFound,
  Overloaded,
  PaymentRequired,
  RangeNotSatisfiable,
  RateLimited,
  ReferenceGone,
  StillNamed,
  StillRunning,
  SubscriptionSuspended,
  TenantSuspended,
  Unauthorized,
  Unavailable,
  ValueTaken,
  type Failure,
} from '#kernel/values/errors.ts'

/** The refusals that follow from the declaration of an endpoint, in the order of the checks. */
export const derivedFailures = (endpoint: Endpoint): readonly Failure[] => {
  const { access, method, params, query, body, path, kind } = endpoint
  const inTenant = kind === 'read' || kind === 'change'
  const takesInput = path.includes('{') || query !== undefined || body !== undefined || Object.keys(params).length > 0
  return [
    ...(access === 'anyone' ? [] : [Unauthorized, AccountDisabled, Forbidden]),
    ...(endpoint.unlimited ? [] : [RateLimited]),
    ...(inTenant ? [TenantSuspended, MembershipInactive, FeatureDisabled] : []),
    ...(inTenant && !endpoint.lockExempt ? [SubscriptionSuspended] : []),
    ...(inTenant && !endpoint.lockExempt && method !== 'GET' ? [PaymentRequired] : []),
    ...(method === 'GET' ? [] : [Malformed]),
    ...(method === 'GET' || access === 'anyone' ? [] : [KeyRequired, KeyReused, StillRunning]),
    ...(takesInput || (method !== 'GET' && access !== 'anyone') ? [InvalidInput] : []),
    ...(path.includes('{') ? [NotFound] : []),
    ...(method === 'GET' && typeof endpoint.gives === 'object' ? [RangeNotSatisfiable] : []),
    Overloaded,
    ...(method === 'GET' ? [] : [StillNamed, ReferenceGone, ValueTaken]),
    InternalError,
    Unavailable,
  ]
}

/** All refusals of an endpoint: those that follow from its declaration and those that it declares itself. */
export const failuresOf = (endpoint: Endpoint): readonly Failure[] => [...derivedFailures(endpoint), ...endpoint.fails]
