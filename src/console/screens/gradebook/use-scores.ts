import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { drafts } from '../../api/intents/store.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { isAsBefore, readEntry, typedOf, type Cell, type Line, type Typed, type TypedOf } from './scores.ts'

const NONE: TypedOf = new Map()

interface EnteredExam {
  groupId: string
  examId: string
  maxScore: number
}

/** What somebody else entered meanwhile, by student. */
type Theirs = ReadonlyMap<string, Cell>

const theirsOf = (problem: unknown): Theirs | undefined => {
  if (!(problem instanceof Problem) || problem.reason !== 'results_changed') return undefined
  const { results } = problem.details as unknown as { results: (Cell & { studentId: string })[] }
  return new Map(results.map((cell) => [cell.studentId, cell]))
}

/** Results of one exam as they are typed: kept in the browser from key to key, until they are saved. */
export const useScores = ({ groupId, examId, maxScore }: EnteredExam, lines: readonly Line[]) => {
  const [typed, setTyped] = useState<TypedOf>()
  /** What is typed now: one goes on typing while what was typed before is being saved. */
  const latest = useRef(NONE)
  const [isRestored, setRestored] = useState(false)
  const [theirs, setTheirs] = useState<Theirs>(new Map())
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const name = `results ${examId}`
  useEffect(() => {
    const take = (kept: [string, Typed][] | undefined) => {
      latest.current = new Map(kept)
      setTyped(latest.current)
      setRestored(kept !== undefined && kept.length > 0)
    }
    drafts.of<[string, Typed][]>(name).then(take, () => take(undefined))
  }, [name])
  const put = useChange('exam', (results: Schemas['GradebookEntry'][]) =>
    answer(
      api.PUT('/groups/{id}/gradebook', { params: { path: { id: groupId } }, body: { exams: [{ examId, results }] } }),
    ),
  )

  const keep = useCallback(
    (next: TypedOf) => {
      latest.current = next
      setTyped(next)
      // A browser that keeps nothing still enters results.
      drafts.keep(name, next.size > 0 ? [...next] : undefined).catch(() => {})
    },
    [name],
  )
  const all = typed ?? NONE
  const set = (changes: ReadonlyMap<string, Partial<Typed>>): void => {
    const next = new Map(latest.current)
    for (const [studentId, change] of changes) {
      const line = lines.find((one) => one.studentId === studentId)
      if (!line) continue
      const changed = { ...(next.get(studentId) ?? typedOf(line.stands)), ...change }
      if (isAsBefore(changed, line.stands)) next.delete(studentId)
      else next.set(studentId, changed)
    }
    keep(next)
  }

  const rows = useMemo(
    () =>
      lines.map((line) => {
        const entry = all.get(line.studentId) ?? typedOf(line.stands)
        const isNew = all.has(line.studentId)
        const read = readEntry(entry, line.stands, maxScore)
        return { ...line, typed: entry, read, isNew, isWrong: read === 'wrong', theirs: theirs.get(line.studentId) }
      }),
    [lines, all, theirs, maxScore],
  )

  const save = async (): Promise<boolean> => {
    const sent = latest.current
    setBusy(true)
    setProblem(undefined)
    try {
      const { data } = await put.mutateAsync(
        rows.flatMap(({ studentId, typed: entry, read, isNew }) => {
          if (!isNew || read === 'wrong') return []
          const { score, isAbsent } = read
          return { studentId, score, isAbsent, remarks: entry.remarks.trim() || null, seenAt: entry.seenAt }
        }),
      )
      const savedAt = new Map(data.map((result) => [result.studentId, result.updatedAt]))
      setRestored(false)
      keep(
        new Map(
          [...latest.current]
            .filter(([id, entry]) => sent.get(id) !== entry)
            // What was typed since builds on what was saved.
            .map(([id, entry]) => [id, sent.has(id) ? { ...entry, seenAt: savedAt.get(id) ?? null } : entry]),
        ),
      )
      return true
    } catch (error) {
      const changed = theirsOf(error)
      if (changed) setTheirs(changed)
      else setProblem(error)
      return false
    } finally {
      setBusy(false)
    }
  }

  return {
    rows,
    isReady: typed !== undefined,
    isRestored,
    isBusy,
    problem,
    count: all.size,
    hasWrong: rows.some(({ isWrong }) => isWrong),
    /** How many are to be decided, because somebody else entered others. */
    undecided: theirs.size,
    set,
    save,
    startOver: () => {
      setRestored(false)
      keep(new Map())
    },
    /** Decides between what is typed here and what somebody else entered. */
    decide: (studentId: string, isOurs: boolean) => {
      const other = theirs.get(studentId)
      const next = new Map(latest.current)
      const entry = next.get(studentId)
      if (isOurs && entry && other) next.set(studentId, { ...entry, seenAt: other.updatedAt })
      else next.delete(studentId)
      setTheirs(new Map([...theirs].filter(([id]) => id !== studentId)))
      keep(next)
    },
  }
}

export type Scores = ReturnType<typeof useScores>
