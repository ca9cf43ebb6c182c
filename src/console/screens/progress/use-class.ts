import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useIntents } from '../../api/intents/use-intents.ts'
import { Problem } from '../../api/problem.ts'
import { afterChange } from '../../api/queries.ts'
import { useKeptTexts } from '../../records/progress-report/kept.ts'
import type { StudentProgress } from '../../records/progress-report/reads.ts'

type Class = Schemas['ClassReports']

/** Reports of a class as they are typed: each is saved by itself, exactly once, however often it is sent. */
export const useClass = ({ groupId, periodStart, periodEnd }: Class) => {
  const kept = useKeptTexts(`reports ${groupId} ${periodStart} ${periodEnd}`)
  const intents = useIntents()
  const [busyIds, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [problems, setProblems] = useState<ReadonlyMap<string, Problem>>(new Map())

  const send = ({ studentId, report }: StudentProgress, comment: string | null) => {
    if (report === null) {
      const body = { studentId, groupId, periodStart, periodEnd, comment }
      return intents
        .of(studentId)
        .once(body, (header) => answer(api.POST('/progress-reports', { params: { header }, body })))
    }
    const { id, version } = report
    const body = { comment, version }
    return intents
      .of(studentId)
      .once({ id, ...body }, () => answer(api.PATCH('/progress-reports/{id}', { params: { path: { id } }, body })))
  }

  const mark = (studentId: string, isBusy: boolean, problem?: Problem): void => {
    setBusy((now) => new Set(isBusy ? [...now, studentId] : [...now].filter((id) => id !== studentId)))
    setProblems((now) => {
      const next = new Map([...now].filter(([id]) => id !== studentId))
      return problem ? next.set(studentId, problem) : next
    })
  }

  /** Saves what was typed of these students, one after the other. @returns whether all of it is saved */
  const save = async (students: readonly StudentProgress[]): Promise<boolean> => {
    let isAll = true
    for (const student of students) {
      const { studentId } = student
      const typed = kept.latest.current.get(studentId)
      if (typed === undefined) continue
      mark(studentId, true)
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, so that an old computer has few under way
        await send(student, typed.trim() || null)
        if (kept.latest.current.get(studentId) === typed) kept.set(studentId, undefined)
        mark(studentId, false)
      } catch (error) {
        isAll = false
        mark(studentId, false, error instanceof Problem ? error : new Problem(0))
      }
    }
    await afterChange('report')
    return isAll
  }

  return {
    isReady: kept.isReady,
    /** undefined: nothing that is not saved. */
    typedOf: (studentId: string): string | undefined => kept.texts.get(studentId),
    type: (studentId: string, text: string, stands: string | null) =>
      kept.set(studentId, text === (stands ?? '') ? undefined : text),
    unsaved: kept.texts.size,
    isBusy: (studentId: string): boolean => busyIds.has(studentId),
    isSaving: busyIds.size > 0,
    problemOf: (studentId: string): Problem | undefined => problems.get(studentId),
    save,
  }
}
