import { useCallback, useEffect, useRef, useState } from 'react'
import { drafts } from '../../api/intents/store.ts'

type Texts = ReadonlyMap<string, string>

const NONE: Texts = new Map()

/** Texts as they are typed: kept in the browser from key to key, until they are saved. @param name under which */
export const useKeptTexts = (name: string) => {
  const [texts, setTexts] = useState<{ name: string; all: Texts }>()
  /** What is typed now: one goes on typing while what was typed before is being saved. */
  const latest = useRef(NONE)
  useEffect(() => {
    let isGone = false
    const take = (kept: [string, string][] | undefined) => {
      if (isGone) return
      latest.current = new Map(kept)
      setTexts({ name, all: latest.current })
    }
    drafts.of<[string, string][]>(name).then(take, () => take(undefined))
    return () => {
      isGone = true
    }
  }, [name])
  const set = useCallback(
    (key: string, text: string | undefined) => {
      const next = new Map(latest.current)
      if (text === undefined) next.delete(key)
      else next.set(key, text)
      latest.current = next
      setTexts({ name, all: next })
      // A browser that keeps nothing still writes reports.
      drafts.keep(name, next.size > 0 ? [...next] : undefined).catch(() => {})
    },
    [name],
  )
  const isReady = texts?.name === name
  return { isReady, texts: isReady ? texts.all : NONE, latest, set }
}
