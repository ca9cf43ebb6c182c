import { useCallback, useRef } from 'react'
import { Problem } from './problem.ts'
import { randomName } from './random.ts'

/** Too many requests, or the session has ended: it was not looked at, and may be asked again under the same name. */
const NOT_LOOKED_AT = [401, 429]

/** Whether the server has decided. Otherwise nobody knows whether the request took effect. */
export const isDecided = (error: unknown): boolean =>
  error instanceof Problem &&
  !error.isUnreachable &&
  !error.isForeign &&
  error.status < 500 &&
  !NOT_LOOKED_AT.includes(error.status) &&
  error.reason !== 'still_running'

/** The header by which the server knows a request again. */
export type IntentHeader = { 'Idempotency-Key': string }

/**
 * One name for one intent, sent as its Idempotency-Key: where the answer was lost, the same request is sent again under
 * the same name, and takes effect once.
 * @returns a function that sends under the name; what is sent after an answer, or with another body, is a new intent
 */
export const useIntent = () => {
  const name = useRef({ key: '', body: '' })
  return useCallback(async <T>(body: unknown, send: (header: IntentHeader) => Promise<T>) => {
    const wanted = JSON.stringify(body)
    if (name.current.key === '' || name.current.body !== wanted) name.current = { key: randomName(), body: wanted }
    const settle = () => {
      name.current = { key: '', body: '' }
    }
    try {
      const reply = await send({ 'Idempotency-Key': name.current.key })
      settle()
      return reply
    } catch (error) {
      if (isDecided(error)) settle()
      throw error
    }
  }, [])
}
