/** The error codes of the contract, with their HTTP statuses. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 422,
  MALFORMED_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  INTERNAL_ERROR: 500,
  PAYMENT_REQUIRED: 402,
  SUBSCRIPTION_SUSPENDED: 402,
  RATE_LIMITED: 429,
  INVALID_CREDENTIALS: 401,
  ACCOUNT_LOCKED: 423,
  ACCOUNT_DISABLED: 403,
  SESSION_REVOKED: 401,
  TOKEN_INVALID: 401,
  REGISTRATION_DISABLED: 403,
  ROLE_IMMUTABLE: 403,
  PERMISSION_ESCALATION: 403,
  INVITATION_INVALID: 400,
  MEMBERSHIP_INACTIVE: 403,
  TENANT_SUSPENDED: 403,
  TENANT_NOT_FOUND: 404,
  TENANT_SLUG_TAKEN: 409,
  LICENSE_INVALID: 400,
  VERSION_CONFLICT: 409,
  IDEMPOTENCY_KEY_REQUIRED: 428,
  IDEMPOTENCY_KEY_REUSED: 409,
  OAUTH_CLIENT_NOT_FOUND: 404,
  OAUTH_INVALID_REDIRECT_URI: 400,
  OAUTH_ACCESS_DENIED: 403,
  FEATURE_DISABLED: 403,
  QUOTA_EXCEEDED: 403,
  VIDEO_URL_INVALID: 422,
  VIDEO_PROVIDER_UNSUPPORTED: 422,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One reason to refuse a request. `name` distinguishes it from other refusals with the same code. */
export interface ErrorSpec {
  readonly name: string
  readonly code: ErrorCode
  readonly status: number
  /** In English, for logs and developers. It says what to do, if anything can be done. */
  readonly message: string
}

/** An error that becomes the contract's error envelope. Anything else that is thrown becomes a 500. */
export class ApiError extends Error {
  readonly spec: ErrorSpec
  readonly details: Record<string, unknown> | undefined
  readonly headers: Record<string, string> | undefined

  constructor(
    spec: ErrorSpec,
    details?: Record<string, unknown>,
    headers?: Record<string, string>,
    options?: ErrorOptions,
  ) {
    super(spec.message, options)
    this.name = 'ApiError'
    this.spec = spec
    this.details = details
    this.headers = headers
  }
}

/** A declared refusal. Call it to get the error to throw; list it in the `fails` of an endpoint. */
export interface Failure {
  (details?: Record<string, unknown>, headers?: Record<string, string>): ApiError
  readonly spec: ErrorSpec
}

/**
 * Declares a refusal.
 * @param name snake_case, unique among the refusals of an endpoint
 * @param status default: the status of the code; another one only where HTTP defines a status for exactly this
 */
export const failure = (
  code: ErrorCode,
  name: string,
  message: string,
  status: number = ERROR_STATUS[code],
): Failure => {
  const spec: ErrorSpec = { name, code, status, message }
  const make = (details?: Record<string, unknown>, headers?: Record<string, string>) =>
    new ApiError(spec, details, headers)
  return Object.assign(make, { spec })
}

export interface Issue {
  path: string[]
  message: string
}

// Refusals that the kernel itself may give, for any endpoint.
export const Malformed = failure('MALFORMED_REQUEST', 'malformed_request', 'The request could not be read.')
export const InvalidInput = failure('VALIDATION_ERROR', 'validation_error', 'Some of the input is not valid.')
export const Unauthorized = failure('UNAUTHORIZED', 'unauthorized', 'No valid credentials were sent.')
export const Forbidden = failure('FORBIDDEN', 'forbidden', 'The caller lacks the permission for this.')
export const NotFound = failure('NOT_FOUND', 'not_found', 'There is no such record.')
/** Returns the row. @throws NotFound when it is undefined */
export const found = <T>(row: T | undefined): T => {
  if (row === undefined) throw NotFound()
  return row
}

export const RateLimited = failure(
  'RATE_LIMITED',
  'rate_limited',
  'Too many requests; wait for as long as Retry-After says.',
)
export const Overloaded = failure(
  'RATE_LIMITED',
  'overloaded',
  'The server has more to do than it can hold; nothing was changed. Try again after Retry-After.',
)
export const FeatureDisabled = failure('FEATURE_DISABLED', 'feature_disabled', 'This feature is switched off.')
export const TenantSuspended = failure('TENANT_SUSPENDED', 'tenant_suspended', 'This institute has been archived.')
export const SubscriptionSuspended = failure(
  'SUBSCRIPTION_SUSPENDED',
  'subscription_suspended',
  'The subscription or licence of this institute is suspended.',
)
export const MembershipInactive = failure(
  'MEMBERSHIP_INACTIVE',
  'membership_inactive',
  'The membership in this institute is not active.',
)
export const AccountDisabled = failure('ACCOUNT_DISABLED', 'account_disabled', 'This account has been disabled.')
export const KeyRequired = failure(
  'IDEMPOTENCY_KEY_REQUIRED',
  'idempotency_key_required',
  'A changing request made with an API key must carry the header Idempotency-Key.',
)
export const KeyReused = failure(
  'IDEMPOTENCY_KEY_REUSED',
  'idempotency_key_reused',
  'This Idempotency-Key was used with another method, path or body.',
)
export const StillRunning = failure(
  'CONFLICT',
  'still_running',
  'The first request with this Idempotency-Key is still running.',
)
export const VersionConflict = failure(
  'VERSION_CONFLICT',
  'version_conflict',
  'The record was changed meanwhile; reload it and try again.',
)
export const RangeNotSatisfiable = failure(
  'VALIDATION_ERROR',
  'range_not_satisfiable',
  'The part that was asked for lies beyond the end; details.size says how many bytes there are.',
  416,
)
// What an error of the database becomes when the feature does not translate it itself.
export const StillNamed = failure('CONFLICT', 'still_named', 'Other records still name this one.')
export const ReferenceGone = failure('NOT_FOUND', 'reference_gone', 'A record that this one names is gone.')
export const ValueTaken = failure('CONFLICT', 'value_taken', 'Another record has this value, which must be unique.')
export const InternalError = failure(
  'INTERNAL_ERROR',
  'internal_error',
  'Something went wrong on the server. The log has the details under this request id.',
)
export const Unavailable = failure(
  'INTERNAL_ERROR',
  'storage_unavailable',
  'The server cannot write to its storage at the moment (see its log); nothing was changed.',
)

/** The storage accepts no changes now. The message says why and is safe to show to anybody. */
export class StorageProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageProblem'
  }
}

/** A VALIDATION_ERROR about one field. `path` leads to the field from the root of the body or the query. */
export const invalid = (path: (string | number)[], message: string): ApiError =>
  InvalidInput({ issues: [{ path: path.map(String), message }] satisfies Issue[] })
