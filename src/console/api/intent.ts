import { useCallback, useRef } from 'react'
import { Problem } from './problem.ts'
import { randomName } from './random.ts'

/**
 * One name for one intent, sent as its Idempotency-Key: where the answer was lost, the same request is sent again under
 * the same name, and takes effect once.
 * @returns a function that sends under the name; what is sent after an answer, or with another body, is a new intent
 */
export const useIntent = () => {
  const name = useRef({ key: '', body: '' })
  return useCallback(async <T>(body: unknown, send: (header: { 'Idempotency-Key': string }) => Promise<T>) => {
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
      if (!(error instanceof Problem && error.isUnreachable)) settle()
      throw error
    }
  }, [])
}
