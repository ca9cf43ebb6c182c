import { ERROR_STATUS, type ErrorCode } from '#kernel/errors.ts'
import type { Reply } from '../client.ts'
import type { Operation } from '../openapi/document.ts'

/**
 * What is wrong with a reply by what the document says of its operation, if something is.
 * @param isUnreadable the request never came as far as the operation: 400 is right whatever that declares
 */
export const faultOf = (
  { responses }: Operation,
  { status, headers, body }: Reply,
  isUnreadable = false,
): string | undefined => {
  const declared = responses[status]
  if (status === 500) return 'the server failed'
  if (!declared && !(status === 400 && isUnreadable)) return `the status ${status} is not declared`
  if (headers.get('x-request-id') === null) return 'the reply has no X-Request-Id'
  // Not ready is a reply, not a refusal.
  if (status < 400 || status === 503) return undefined
  if (typeof body?.error !== 'object') return 'the refusal is not in the envelope'
  const { code, message, requestId } = body.error
  // HTTP has a status of its own for a part that lies beyond the end.
  if (ERROR_STATUS[code as ErrorCode] !== (status === 416 ? 422 : status))
    return `the code ${code} does not belong to ${status}`
  if (declared && !declared.description.includes(`${code}: ${message}`)) return `${code} is not declared`
  // A repeat gets the body of the first request, with that one's id.
  const isRepeat = headers.get('idempotency-replayed') === 'true'
  return isRepeat || requestId === headers.get('x-request-id') ? undefined : 'the request id is not that of the header'
}
