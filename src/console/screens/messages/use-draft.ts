import { useCallback, useEffect, useRef, useState } from 'react'
import { drafts } from '../../api/intents/store.ts'
import type { Draft } from './draft.ts'

/** A message as far as it is written: kept in the browser from key to key, until it is sent. */
export const useDraft = (name: string, fresh: Draft) => {
  const [draft, setDraft] = useState<Draft>()
  const [isFromBefore, setFromBefore] = useState(false)
  /** What is written now: several changes may come before the page is drawn again. */
  const latest = useRef(fresh)
  useEffect(() => {
    const take = (kept: Draft | undefined) => {
      latest.current = kept ?? fresh
      setDraft(latest.current)
      setFromBefore(kept !== undefined)
    }
    drafts.of<Draft>(name).then(take, () => take(undefined))
  }, [name, fresh])
  const keep = useCallback(
    (next: Draft) => {
      latest.current = next
      setDraft(next)
      const isFresh = JSON.stringify(next) === JSON.stringify(fresh)
      // A browser that keeps nothing still sends messages.
      drafts.keep(name, isFresh ? undefined : next).catch(() => {})
    },
    [name, fresh],
  )
  return {
    draft: draft ?? fresh,
    isReady: draft !== undefined,
    /** Whether it was written before the page was opened. */
    isFromBefore,
    change: (more: Partial<Draft>) => keep({ ...latest.current, ...more }),
    forget: () => {
      setFromBefore(false)
      keep(fresh)
    },
  }
}
