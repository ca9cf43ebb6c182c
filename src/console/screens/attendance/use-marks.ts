import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import {
  conflictOf,
  keepDraft,
  merged,
  readDraft,
  rosterKey,
  saveMarks,
  useUnsent,
  type Draft,
  type Mark,
  type MarkedSession,
  type Outcome,
} from '../../api/intents/marks.ts'
import { queryClient } from '../../api/queries.ts'
import { byStudent, formerMarks, linesOf, newMarks, withChoice, type Marks } from './lines.ts'

const NONE: Marks = new Map()

/** What was marked and not saved, kept in the browser from tap to tap. */
const useDraft = (sessionId: string) => {
  const [chosen, setChosen] = useState<Marks>()
  const version = useRef(0)
  const [isRestored, setRestored] = useState(false)
  useEffect(() => {
    const take = (draft: Draft | undefined) => {
      version.current = draft?.version ?? 0
      setChosen(byStudent(draft?.marks ?? []))
      setRestored(draft !== undefined)
    }
    readDraft(sessionId).then(take, () => take(undefined))
  }, [sessionId])
  const choose = useCallback(
    (next: Marks, ofVersion: number) => {
      if (next.size === 0) version.current = 0
      else if (version.current === 0) version.current = ofVersion
      setChosen(next)
      if (next.size === 0) setRestored(false)
      // A browser that keeps nothing still takes attendance.
      keepDraft(sessionId, { version: version.current, marks: [...next.values()] }).catch(() => {})
    },
    [sessionId],
  )
  /** What another marked has been seen: what is chosen builds on it from now on. */
  const rebase = (seen: number): void => {
    if (version.current > 0) version.current = seen
  }
  return { chosen, version, isRestored, choose, rebase }
}

/** The attendance of one session, as it stands, is on its way, and is being taken. */
export const useMarks = (session: MarkedSession, roster: Schemas['Roster']) => {
  const { sessionId } = session
  const draft = useDraft(sessionId)
  const all = useUnsent()
  const unsent = useMemo(() => all.filter((one) => one.sessionId === sessionId), [all, sessionId])
  const refused = unsent.find(({ refusal }) => refusal)
  const conflict = refused && conflictOf(refused)

  const marks = useMemo(() => {
    let kept: readonly Mark[] = []
    for (const one of unsent) kept = merged(kept, one.marks)
    // What was refused is to be decided anew: it counts as chosen.
    const chosen = refused
      ? merged(
          kept.filter(({ isProposed }) => !isProposed),
          [...(draft.chosen ?? NONE).values()],
        )
      : []
    return {
      kept,
      onTheWay: refused ? NONE : byStudent(kept),
      chosen: refused ? byStudent(chosen) : (draft.chosen ?? NONE),
    }
  }, [unsent, refused, draft.chosen])

  const lines = useMemo(() => linesOf(roster.entries, marks), [roster.entries, marks])
  const latest = useRef({ lines, chosen: marks.chosen, roster })
  useEffect(() => {
    latest.current = { lines, chosen: marks.chosen, roster }
  })

  const { choose } = draft
  // What was refused stays chosen until another choice takes its place.
  const isRefused = refused !== undefined
  const mark = useCallback(
    (changed: Mark) => {
      const { lines: now, chosen, roster: seen } = latest.current
      const line = now.find(({ studentId }) => studentId === changed.studentId)
      const counts = line?.stands ?? line?.proposed
      const next = isRefused ? new Map(chosen).set(changed.studentId, changed) : withChoice(chosen, changed, counts)
      latest.current.chosen = next
      choose(next, seen.version)
    },
    [choose, isRefused],
  )

  const version = refused?.version ?? (marks.chosen.size > 0 ? draft.version.current : roster.version)

  /** @returns what became of it, and what takes it back; undefined: nothing needs to be taken back @throws Problem */
  const save = async (): Promise<{ outcome: Outcome; undo: (() => Promise<Outcome>) | undefined }> => {
    const before = formerMarks(lines)
    const sent = newMarks(lines)
    const outcome = await saveMarks(session, {
      version,
      marks: sent,
      onKept: () => {
        const { chosen, roster: seen } = latest.current
        const since = [...chosen].filter(([, one]) => !sent.includes(one))
        choose(new Map(since), seen.version)
      },
    })
    const undo = () => saveMarks(session, { version: versionNow(sessionId, version), marks: before })
    return { outcome, undo: before.length > 0 ? undo : undefined }
  }

  /** @param decided the marks on which both agree now, or that replace the other’s */
  const settle = (decided: readonly Mark[]): Promise<Outcome> => {
    const seen = conflict?.current ?? version
    draft.rebase(seen)
    return saveMarks(session, { version: seen, marks: decided })
  }

  return {
    lines,
    mark,
    save,
    settle,
    conflict,
    /** Marks that another’s stand against. */
    ours: marks.kept,
    isOnTheWay: unsent.length > 0 && !refused,
    /** When the last mark that stands was made; '': none stands. */
    savedAt: roster.entries.reduce((last, { markedAt }) => ((markedAt ?? '') > last ? (markedAt ?? '') : last), ''),
    isReady: draft.chosen !== undefined,
    isRestored: draft.isRestored && !refused,
    startOver: () => choose(NONE, 0),
    /** What one has done oneself since is seen: marks that are not saved stand on it. */
    sawVersion: draft.rebase,
  }
}

const versionNow = (sessionId: string, otherwise: number): number =>
  queryClient.getQueryData<Schemas['Roster']>(rosterKey(sessionId))?.version ?? otherwise
