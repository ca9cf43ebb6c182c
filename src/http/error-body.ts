import type { ApiError } from '#kernel/errors.ts'

/** The error envelope of the contract. */
export const errorBody = (error: ApiError, requestId: string) => ({
  error: {
    code: error.spec.code,
    message: error.spec.message,
    ...(error.details && { details: error.details }),
    requestId,
  },
})
