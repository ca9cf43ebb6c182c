import { useState } from 'react'
import type { Mark, Outcome } from '../../api/intents/marks.ts'
import type { Problem } from '../../api/problem.ts'
import type { useMarks } from './use-marks.ts'

/** A server that has not answered by now may be out of reach: the marks are safe, and one goes on. */
const BUSY_MILLIS = 3000

const soon = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, BUSY_MILLIS)
  })

/** Saves, and knows how to take back what was saved last. */
export const useSaving = (marks: ReturnType<typeof useMarks>) => {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [undo, setUndo] = useState<() => Promise<Outcome>>()

  const run = async (work: Promise<{ outcome: Outcome; undo?: () => Promise<Outcome> }>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    setUndo(undefined)
    const told = work.then(({ outcome, undo: takeBack }) => {
      if (outcome !== 'refused') setUndo(() => takeBack)
    })
    try {
      await Promise.race([told, soon()])
    } catch (error) {
      setProblem(error as Problem)
    } finally {
      setBusy(false)
    }
  }

  return {
    isBusy,
    problem,
    save: () => void run(marks.save()),
    settle: (decided: readonly Mark[]) => void run(marks.settle(decided).then((outcome) => ({ outcome }))),
    /** undefined: there is nothing to take back. */
    undo: undo && (() => void run(undo().then((outcome) => ({ outcome })))),
  }
}
