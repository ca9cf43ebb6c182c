import * as v from 'valibot'
import { explained, named } from './named.ts'
import { FEATURE_FLAGS } from '#kernel/rights/features.ts'
import { ALL_PERMISSIONS } from '#kernel/rights/permissions.ts'
import { count } from './schema.ts'

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
  /** What `details.reason` says; undefined: `details` has reasons of its own, or the code says all there is to say. */
  readonly reason: string | undefined
  readonly code: ErrorCode
  readonly status: number
  /** In English, for logs and developers. It says what to do, if anything can be done. */
  readonly message: string
  /** What `details` tells, and what it may look like; undefined: there are none. */
  readonly details: { readonly schema: v.GenericSchema; readonly example: unknown } | undefined
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
    this.details = spec.reason === undefined ? details : { reason: spec.reason, ...details }
    this.headers = headers
  }
}

/** A declared refusal. Call it to get the error to throw; list it in the `fails` of an endpoint. */
// oxlint-disable-next-line typescript/no-explicit-any -- lists hold refusals with different details
export interface Failure<Details = any> {
  (details?: Details, headers?: Record<string, string>): ApiError
  readonly spec: ErrorSpec
}

interface FailureOptions<Schema extends v.GenericSchema> {
  /** Default: the status of the code; another one only where HTTP defines a status for exactly this. */
  status?: number
  /** What `details` tells, and one that may be met. Default: there are no details. */
  details?: { schema: Schema; example: v.InferInput<Schema> }
}

const declared = <Schema extends v.GenericSchema>(spec: ErrorSpec): Failure<v.InferInput<Schema>> => {
  const make = (details?: v.InferInput<Schema>, headers?: Record<string, string>) =>
    new ApiError(spec, details as Record<string, unknown> | undefined, headers)
  return Object.assign(make, { spec })
}

const hasReasons = (schema: v.GenericSchema | undefined): boolean =>
  schema !== undefined && 'entries' in schema && 'reason' in (schema.entries as object)

/**
 * Declares a refusal. Its name is `details.reason` on the wire, by which clients tell refusals of one code apart, unless
 * its details list reasons of their own.
 * @param name snake_case, unique in the program; it is part of the interface and does not change
 */
export const failure = <Schema extends v.GenericSchema = v.GenericSchema<undefined>>(
  code: ErrorCode,
  name: string,
  message: string,
  { status = ERROR_STATUS[code], details }: FailureOptions<Schema> = {},
): Failure<v.InferInput<Schema>> =>
  declared({ name, reason: hasReasons(details?.schema) ? undefined : name, code, status, message, details })

/** Declares a refusal that follows from what an endpoint is: its code says all, and there is no `details.reason`. */
const derived = <Schema extends v.GenericSchema = v.GenericSchema<undefined>>(
  code: ErrorCode,
  name: string,
  message: string,
  { status = ERROR_STATUS[code], details }: FailureOptions<Schema> = {},
): Failure<v.InferInput<Schema>> => declared({ name, reason: undefined, code, status, message, details })

/** What `details.reason` may be; undefined: the refusal has none, or a sentence. */
export const reasonsOf = ({ reason, details }: ErrorSpec): readonly string[] | undefined => {
  if (reason !== undefined) return [reason]
  const { entries } = (details?.schema ?? {}) as { entries?: { reason?: { options?: readonly string[] } } }
  return entries?.reason?.options
}

export const Issue = named('Issue', v.object({ path: v.array(v.string()), message: v.string() }), {
  path: 'Where it is in the body, the query, the path or among the headers: names of fields, and positions in arrays counted from 0.',
  message: 'What is wrong there, in English.',
})
export type Issue = v.InferOutput<typeof Issue>

/** The details of a VALIDATION_ERROR. */
export const ISSUES = {
  schema: explained(v.object({ issues: v.array(Issue) }), { issues: 'All that is wrong with the input, at most 50.' }),
  example: { issues: [{ path: ['firstName'], message: 'Must not be empty.' }] },
}

const CASE = 'Which case it is:'

/** Details that are one word, by which a program tells cases of one code apart. */
export const reasons = <const Reasons extends readonly [string, ...string[]]>(...words: Reasons) => ({
  schema: explained(v.object({ reason: v.picklist(words) }), { reason: CASE }),
  example: { reason: words[0] as Reasons[number] },
})

// Refusals that the kernel itself may give, for any endpoint.
export const Malformed = derived('MALFORMED_REQUEST', 'malformed_request', 'The request could not be read.', {
  details: { schema: v.object({ reason: v.string() }), example: { reason: 'The body is not JSON.' } },
})
export const InvalidInput = derived('VALIDATION_ERROR', 'validation_error', 'Some of the input is not valid.', {
  details: ISSUES,
})
export const Unauthorized = derived('UNAUTHORIZED', 'unauthorized', 'No valid credentials were sent.')
export const Forbidden = derived('FORBIDDEN', 'forbidden', 'The caller lacks the permission for this.', {
  details: {
    schema: explained(
      v.object({
        reason: v.picklist([
          'permission_missing',
          'whole_institute_needed',
          'tenant_not_selected',
          'origin_not_allowed',
          'owner_only',
          'user_only',
          'platform_admin_only',
          'publishable_key_only',
          'impersonated',
          'previewing',
          'preview_ended',
          'second_factor_needed',
          'email_not_verified',
          'not_the_teacher',
          'own_groups_only',
          'approval_needed',
          'platform_managed',
          'not_self_manageable',
        ]),
        permissions: v.optional(v.array(v.picklist(ALL_PERMISSIONS))),
        flags: v.optional(v.array(v.string())),
        role: v.optional(v.string()),
      }),
      {
        reason: CASE,
        permissions: 'With `permission_missing` and `whole_institute_needed`: one of these is enough.',
        flags: 'With `not_self_manageable`: the features that only the platform switches.',
        role: 'With `previewing`: the name of the role as which the caller looks.',
      },
    ),
    example: { reason: 'permission_missing', permissions: ['students.write'] },
  },
})
export const NotFound = derived('NOT_FOUND', 'not_found', 'There is no such record.')
/** Returns the row. @throws NotFound when it is undefined */
export const found = <T>(row: T | undefined): T => {
  if (row === undefined) throw NotFound()
  return row
}

export const RateLimited = derived(
  'RATE_LIMITED',
  'rate_limited',
  'Too many requests; wait for as long as Retry-After says.',
)
export const Overloaded = derived(
  'RATE_LIMITED',
  'overloaded',
  'The server has more to do than it can hold; nothing was changed. Try again after Retry-After.',
)
export const FeatureDisabled = derived('FEATURE_DISABLED', 'feature_disabled', 'This feature is switched off.', {
  details: {
    schema: explained(v.object({ feature: v.picklist(FEATURE_FLAGS) }), {
      feature: 'The feature that is switched off.',
    }),
    example: { feature: 'integration_api' },
  },
})
export const TenantSuspended = derived('TENANT_SUSPENDED', 'tenant_suspended', 'This institute has been archived.')
export const SubscriptionSuspended = derived(
  'SUBSCRIPTION_SUSPENDED',
  'subscription_suspended',
  'The subscription or licence of this institute is suspended.',
  {
    details: {
      schema: explained(v.object({ lockedReason: v.optional(v.nullable(v.string())) }), {
        lockedReason:
          'Why the institute is locked, in the words of whoever locked it; null: nobody said. For members of the institute alone: API keys are not told.',
      }),
      example: { lockedReason: 'Three bills are unpaid.' },
    },
  },
)
export const PaymentRequired = derived(
  'PAYMENT_REQUIRED',
  'payment_required',
  'The subscription of this institute has ended: its records can be read, but not changed.',
)
export const MembershipInactive = derived(
  'MEMBERSHIP_INACTIVE',
  'membership_inactive',
  'The membership in this institute is not active.',
)
export const AccountDisabled = derived('ACCOUNT_DISABLED', 'account_disabled', 'This account has been disabled.')
export const KeyRequired = derived(
  'IDEMPOTENCY_KEY_REQUIRED',
  'idempotency_key_required',
  'A changing request made with an API key must carry the header Idempotency-Key.',
)
export const KeyReused = derived(
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
  {
    details: {
      schema: explained(v.object({ expected: count, current: v.optional(count) }), {
        expected: 'The version that the request named.',
        current: 'The version that the record has.',
      }),
      example: { expected: 3, current: 4 },
    },
  },
)
export const RangeNotSatisfiable = derived(
  'VALIDATION_ERROR',
  'range_not_satisfiable',
  'The part that was asked for lies beyond the end; details.size says how many bytes there are.',
  {
    status: 416,
    details: {
      schema: explained(v.object({ size: count }), { size: 'How many bytes there are.' }),
      example: { size: 48_213 },
    },
  },
)
// What an error of the database becomes when the feature does not translate it itself.
export const StillNamed = failure('CONFLICT', 'still_named', 'Other records still name this one.')
export const ReferenceGone = derived('NOT_FOUND', 'reference_gone', 'A record that this one names is gone.')
export const ValueTaken = failure('CONFLICT', 'value_taken', 'Another record has this value, which must be unique.')
export const InternalError = derived(
  'INTERNAL_ERROR',
  'internal_error',
  'Something went wrong on the server. The log has the details under this request id.',
)
export const Unavailable = derived(
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

/** The fields that a refusal names. */
export const issuesOf = (error: unknown): readonly Issue[] =>
  error instanceof ApiError ? ((error.details?.['issues'] as Issue[] | undefined) ?? []) : []
