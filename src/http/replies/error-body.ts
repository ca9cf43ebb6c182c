import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { InvalidInput, issuesOf, type ApiError, type ErrorSpec } from '#kernel/values/errors.ts'

/** The error envelope of the contract. */
export const errorBody = (error: ApiError, requestId: string) => ({
  error: {
    code: error.spec.code,
    message: error.spec.message,
    ...(error.details && { details: error.details }),
    requestId,
  },
})

/** What OAuth calls a refusal of the endpoint, and its status: OAuth knows no 422. */
export const oauthErrorOf = (
  { fails, oauthErrors }: Pick<Endpoint, 'fails' | 'oauthErrors'>,
  spec: ErrorSpec,
): { error: string; status: number } => {
  if (fails.some((failure) => failure.spec === spec)) return { error: spec.name, status: spec.status }
  if (spec.status === 429) return { error: 'temporarily_unavailable', status: 429 }
  if (spec.status >= 500) return { error: 'server_error', status: spec.status }
  return { error: oauthErrors?.invalid ?? 'invalid_request', status: 400 }
}

/** RFC 6749 allows neither quotes nor backslashes, and nothing beyond ASCII. */
const plainText = (text: string): string => text.replaceAll('’', "'").replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '')

const descriptionOf = (error: ApiError): string => {
  const [issue] = error.spec === InvalidInput.spec ? issuesOf(error) : []
  return issue ? `${issue.path.join('.')}: ${issue.message}` : error.spec.message
}

/** The error body of OAuth (RFC 6749, 5.2). */
export const oauthErrorBody = (endpoint: Pick<Endpoint, 'fails' | 'oauthErrors'>, error: ApiError) => ({
  error: oauthErrorOf(endpoint, error.spec).error,
  error_description: plainText(descriptionOf(error)),
})
