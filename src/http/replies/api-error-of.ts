import type { Logger } from 'pino'
import { ApiError, InternalError, Unavailable } from '#kernel/values/errors.ts'
import { isStorageFailure } from '#runtime/records/handles.ts'

/**
 * Converts anything thrown into a refusal. Unexpected errors are logged in full and become INTERNAL_ERROR.
 * @param about what the log says of the request
 */
export const apiErrorOf = (thrown: unknown, log: Logger, about: Record<string, unknown>): ApiError => {
  if (thrown instanceof ApiError) return thrown
  log.error({ err: thrown, ...about }, 'request failed')
  return isStorageFailure(thrown) ? Unavailable() : InternalError()
}
