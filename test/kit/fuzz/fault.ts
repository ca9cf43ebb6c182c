import { ERROR_STATUS, type ErrorCode } from '#kernel/values/errors.ts'
import type { Reply } from '../client.ts'
import { jsonSchemaOf, type Operation } from '../openapi/document.ts'

/** Whether the document says that a browser gets a page when it is refused something. */
const showsPages = (responses: Operation['responses']): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => Number(status) >= 400 && content?.['text/html'] !== undefined,
  )

/**
 * What is wrong with a reply, compared with the OpenAPI document; undefined: nothing.
 * @param isUnreadable the server cannot parse the request, so 400 is right whatever the operation declares
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
  // 503 of the health probe is a reply, not a refusal.
  if (status < 400 || status === 503) return undefined
  if (headers.get('content-type')?.startsWith('text/html') && showsPages(responses)) return undefined
  if (jsonSchemaOf(declared)?.$ref?.endsWith('/OAuthError') && typeof body?.error === 'string') {
    return declared?.description.includes(`${body.error}: `) ? undefined : `${body.error} is not declared`
  }
  if (typeof body?.error !== 'object') return 'the refusal is not in the envelope'
  const { code, message, requestId } = body.error
  // The envelope has no code for 416, and uses that of 422.
  if (ERROR_STATUS[code as ErrorCode] !== (status === 416 ? 422 : status))
    return `the code ${code} does not belong to ${status}`
  if (declared && !declared.description.includes(`${code}: ${message}`)) return `${code} is not declared`
  // A repeat gets the reply of the first request, with its request id.
  const isRepeat = headers.get('idempotency-replayed') === 'true'
  return isRepeat || requestId === headers.get('x-request-id') ? undefined : 'the request id is not that of the header'
}
