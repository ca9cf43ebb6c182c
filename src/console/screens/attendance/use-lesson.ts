import { useCallback, useEffect, useRef, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { drafts } from '../../api/intents/store.ts'
import { useChange } from '../../api/queries.ts'
import type { Session } from '../../records/session/reads.ts'

/** What is written on a lesson, as it stands in the fields. */
export interface Written {
  topic: string
  homework: string
  dueOn: string | null
  notes: string
}

/** What was changed, and what stood there before. */
interface Draft {
  typed: Partial<Written>
  before: Partial<Written>
}

const NOTHING: Draft = { typed: {}, before: {} }

export const writtenOn = ({ topic, homework, notes }: Session): Written => ({
  topic: topic ?? '',
  homework: homework?.text ?? '',
  dueOn: homework?.dueOn ?? null,
  notes: notes ?? '',
})

const isEmpty = ({ typed }: Draft): boolean => Object.keys(typed).length === 0

/** The changes of a lesson alone that were typed: others may have written the rest of it meanwhile. */
const changesOf = (typed: Partial<Written>, stands: Written): Schemas['SessionChanges'] => {
  const { topic, notes } = typed
  const { homework, dueOn } = { ...stands, ...typed }
  const isHomework = typed.homework !== undefined || typed.dueOn !== undefined
  return {
    ...(topic !== undefined && { topic: topic.trim() || null }),
    ...(isHomework && { homework: homework.trim() === '' ? null : { text: homework.trim(), dueOn } }),
    ...(notes !== undefined && { notes: notes.trim() || null }),
  }
}

/** What is typed on a lesson: kept in the browser from key to key, until it is saved. */
export const useLesson = (session: Session) => {
  const { id } = session
  const stands = writtenOn(session)
  const [draft, setDraft] = useState<Draft>()
  /** What is typed now: one goes on typing while what was typed before is being saved. */
  const latest = useRef(NOTHING)
  const isOnItsWay = useRef(false)
  const name = `lesson ${id}`
  useEffect(() => {
    const take = (kept: Draft | undefined) => {
      latest.current = kept ?? NOTHING
      setDraft(latest.current)
    }
    drafts.of<Draft>(name).then(take, () => take(undefined))
  }, [name])
  const keep = useCallback(
    (next: Draft) => {
      latest.current = next
      setDraft(next)
      // A browser that keeps nothing still writes lessons.
      drafts.keep(name, isEmpty(next) ? undefined : next).catch(() => {})
    },
    [name],
  )
  const change = useChange('lesson', (body: Schemas['SessionChanges']) =>
    answer(api.PATCH('/sessions/{id}', { params: { path: { id } }, body })),
  )
  const { typed, before } = draft ?? NOTHING

  const set = (changes: Partial<Written>): void => {
    const now = { typed: { ...latest.current.typed, ...changes }, before: { ...latest.current.before } }
    for (const field of Object.keys(changes) as (keyof Written)[]) {
      now.before = { ...now.before, [field]: now.before[field] === undefined ? stands[field] : now.before[field] }
      if (now.typed[field] !== stands[field]) continue
      delete now.typed[field]
      delete now.before[field]
    }
    keep(now)
  }

  /** @returns whether it was saved now; a second press while it is on its way does nothing @throws Problem */
  const save = async (): Promise<boolean> => {
    const sent = latest.current.typed
    if (isOnItsWay.current || isEmpty(latest.current)) return false
    isOnItsWay.current = true
    try {
      await change.mutateAsync(changesOf(sent, stands))
    } finally {
      isOnItsWay.current = false
    }
    const since = (Object.keys(latest.current.typed) as (keyof Written)[]).filter(
      (field) => latest.current.typed[field] !== sent[field],
    )
    const left = (of: Partial<Written>) => Object.fromEntries(since.map((field) => [field, of[field]]))
    keep({ typed: left(latest.current.typed), before: left(sent) })
    return true
  }

  return {
    isReady: draft !== undefined,
    written: { ...stands, ...typed },
    isChanged: Object.keys(typed).length > 0,
    /** What somebody else wrote into a field since one began to type there; undefined: nothing. */
    meanwhile: (field: 'topic' | 'homework' | 'notes'): string | undefined =>
      typed[field] !== undefined && before[field] !== stands[field] && typed[field] !== stands[field]
        ? stands[field]
        : undefined,
    isBusy: change.isPending,
    problem: change.error,
    set,
    save,
  }
}
