import { ApiError, Overloaded } from '#kernel/values/errors.ts'

/** The longest queue of changes, and of reads: with more, the last ones would wait for seconds. */
export const MAX_WAITING = 256

const TRY_AGAIN = { 'Retry-After': '1' }

/** @throws Overloaded when the queue is full */
export const refuseOverload = (waiting: number): void => {
  if (waiting >= MAX_WAITING) throw Overloaded(undefined, TRY_AGAIN)
}

/**
 * Postgres error codes for contention with other transactions: a lock timeout, a statement timeout, and serialization
 * failures and deadlocks that outlasted all retries.
 */
const CONTENTION_CODES = new Set(['55P03', '57014', '40001', '40P01'])
/**
 * The driver's message when no connection of the pool became free in time. Errors of connecting itself have other
 * messages.
 */
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/** Returns Overloaded for an error that is due to contention; undefined: another kind of error. */
export const overloadOf = (cause: unknown): ApiError | undefined => {
  const { code, message } = cause as { code?: string; message?: string }
  const isContention = message === NO_CONNECTION || (code !== undefined && CONTENTION_CODES.has(code))
  return isContention ? new ApiError(Overloaded.spec, undefined, TRY_AGAIN, { cause }) : undefined
}

/** @throws Overloaded for an error that is due to contention, or else the error itself */
export const throwOverloaded = (error: unknown): never => {
  throw overloadOf(error) ?? error
}
