import { ApiError, Overloaded } from '#kernel/errors.ts'

/** More changes, or more reads, than this do not wait in line: the last of them would wait for seconds. */
export const MAX_WAITING = 256

const TRY_AGAIN = { 'Retry-After': '1' }

/** @throws Overloaded when as many wait already as may */
export const refuseOverload = (waiting: number): void => {
  if (waiting >= MAX_WAITING) throw Overloaded(undefined, TRY_AGAIN)
}

/**
 * What Postgres says of a change that others were in the way of for too long: a lock that was not to be had, a statement
 * that took too long, transactions that could not be put in an order however often they were tried.
 */
const CONTENTION_CODES = new Set(['55P03', '57014', '40001', '40P01'])
/** So the driver tells who waited for one of the connections and got none; who cannot connect at all is told otherwise. */
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/** Overloaded, where an error says that others were in the way; undefined: an error of another kind. */
export const overloadOf = (cause: unknown): ApiError | undefined => {
  const { code, message } = cause as { code?: string; message?: string }
  const isContention = message === NO_CONNECTION || (code !== undefined && CONTENTION_CODES.has(code))
  return isContention ? new ApiError(Overloaded.spec, undefined, TRY_AGAIN, { cause }) : undefined
}

/** @throws Overloaded in place of an error that says that others were in the way, or the error itself */
export const throwOverloaded = (error: unknown): never => {
  throw overloadOf(error) ?? error
}
