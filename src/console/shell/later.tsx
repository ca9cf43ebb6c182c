import { useCallback, useEffect, useReducer, useState, type ComponentType } from 'react'
import { replyTo } from '../../shared/reply-to.ts'
import { unreachable } from '../api/problem.ts'
import { Waiting } from '../parts/loaded.tsx'
import { ProblemNotice } from '../parts/problem-notice.tsx'

const RELOADED = 'institute.reloaded'
const AGAIN_AFTER_MILLIS = 60_000

/**
 * A part of the console did not come. Where the server replies it was updated while the page was open, and the part has
 * another name now: a fresh page knows it.
 * @param fault why it did not come
 * @throws Problem where there is no connection; the fault where a fresh page did not help
 */
export const partMissing = async (fault: unknown): Promise<never> => {
  await replyTo(new Request(location.origin, { method: 'HEAD', cache: 'no-store' })).catch(unreachable)
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < AGAIN_AFTER_MILLIS) throw fault
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
  // The page goes away, and shows that it waits until then.
  return new Promise(() => {})
}

/**
 * What is loaded when it is shown for the first time. Not React's lazy: once Suspense has shown that it waits, it holds
 * what has come back until 300 ms are over.
 * @param isAside it is not what somebody came for: nothing is shown until it is there
 */
export const later = <P extends object>(
  load: () => Promise<{ Screen: ComponentType<P> }>,
  { isAside = false } = {},
): ComponentType<P> => {
  let Loaded: ComponentType<P> | undefined
  const Later = (props: P) => {
    const [, show] = useReducer((shown: number) => shown + 1, 0)
    const [problem, setProblem] = useState<unknown>()
    const start = useCallback(() => {
      load()
        .catch(partMissing)
        .then(({ Screen }) => {
          Loaded = Screen
          show()
        }, setProblem)
    }, [])
    useEffect(() => {
      if (!Loaded) start()
    }, [start])
    const retry = () => {
      setProblem(undefined)
      start()
    }
    if (Loaded) return <Loaded {...props} />
    if (isAside) return null
    return problem === undefined ? <Waiting /> : <ProblemNotice problem={problem} onRetry={retry} />
  }
  return Later
}
