import { useState } from 'react'
import type { Outcome } from '../../api/outbox.ts'
import type { Mark } from '../../api/outbox-store.ts'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'
import type { useMarks } from './use-marks.ts'

/** A server that has not answered by now may be out of reach: the marks are safe, and one goes on. */
const BUSY_MILLIS = 3000

const soon = (): Promise<'kept'> =>
  new Promise((resolve) => {
    setTimeout(() => resolve('kept'), BUSY_MILLIS)
  })

/** Saves, and says what became of it. */
export const useSaving = (marks: ReturnType<typeof useMarks>) => {
  const words = useWords()
  const format = useFormat()
  const [isBusy, setBusy] = useState(false)

  const saved = (undo?: () => Promise<Outcome>): void => {
    const takeBack = undo && (() => void undo().then((outcome) => outcome === 'sent' && toast(words.attendance.undone)))
    toast(words.attendance.savedAt(format.time(new Date().toISOString())), takeBack)
  }

  const run = async (work: Promise<{ outcome: Outcome; undo?: () => Promise<Outcome> }>): Promise<void> => {
    setBusy(true)
    const told = work.then(({ outcome, undo }) => {
      if (outcome === 'sent') saved(undo)
      return outcome
    })
    try {
      await Promise.race([told, soon()])
    } catch (error) {
      toast(explain(words, error))
    } finally {
      setBusy(false)
    }
  }

  return {
    isBusy,
    save: () => void run(marks.save()),
    settle: (decided: readonly Mark[]) => void run(marks.settle(decided).then((outcome) => ({ outcome }))),
  }
}
