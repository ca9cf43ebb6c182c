import type { Caller } from './caller.ts'
import { each, GROUPS, STUDENTS, type Day, type Progress } from './day.ts'
import { dayFromNow, refusalOf, type Find, type Row } from './findings.ts'

const MAX_SCORE = 20
/** The students of the first groups get a report. */
const REPORTS = 60

interface Exam {
  id: string
  results: { studentId: string; score: number | null; isAbsent: boolean }[]
}

export interface Term {
  exams: Exam[]
  /** As they were when they were sent. */
  reports: Row[]
}

/** Every group writes an exam, whose results are published; then the reports are drafted, sent and handed over. */
export const schoolTerm = async (caller: Caller, day: Day, progress: Progress): Promise<Term> => {
  const heldAt = dayFromNow(0)
  const exams = await each('exams with published results', GROUPS, progress, async (index): Promise<Exam> => {
    const exam = { title: 'End of term', kind: 'quiz', maxScore: MAX_SCORE, heldAt }
    const { id } = await caller.send('POST', `/groups/${day.groups[index].id}/exams`, exam, `exam-${index}`)
    const results = day.students
      .filter((_, student) => student % GROUPS === index)
      .map((student, place) => {
        const isAbsent = place === 7
        return { studentId: student.id as string, score: isAbsent ? null : ((place * 7 + index) % 41) / 2, isAbsent }
      })
    await caller.send('PUT', `/exams/${id}/results`, { results }, `results-${index}`)
    await caller.send('POST', `/exams/${id}/publish`, undefined, `publish-${index}`)
    return { id, results }
  })
  const reports = await each('progress reports, drafted and sent', REPORTS, progress, async (index) => {
    const draft = {
      studentId: day.students[(index % 4) + GROUPS * Math.floor(index / 4)].id,
      periodStart: dayFromNow(-1),
      periodEnd: dayFromNow(10),
      comment: 'عمل جيّد هذا الفصل',
    }
    const { id } = await caller.send('POST', '/progress-reports', draft, `report-${index}`)
    return caller.send('POST', `/progress-reports/${id}/send`, { onPaper: true }, `send-${index}`)
  })
  return { exams, reports }
}

const averageOf = (score: number | null | undefined): number | null =>
  typeof score === 'number' ? Math.round((1000 * score) / MAX_SCORE) / 10 : null

/** Compares results and reports with what was entered; then corrects a score, which a sent report does not show. */
export const checkTerm = async (caller: Caller, day: Day, term: Term, find: Find): Promise<void> => {
  const { exams, reports } = term
  const stored = new Map<string, string>()
  for (const { id } of exams) {
    for (const { studentId, score, isAbsent } of await caller.all(`/exams/${id}/results`))
      stored.set(`${id} ${studentId}`, `${score} ${isAbsent}`)
  }
  const wrong = exams.flatMap(({ id, results }) =>
    results.filter(({ studentId, score, isAbsent }) => stored.get(`${id} ${studentId}`) !== `${score} ${isAbsent}`),
  )
  find(
    'every result is as it was entered, once',
    wrong.length === 0 && stored.size === STUDENTS,
    `${stored.size} results of ${exams.length} exams`,
  )

  const results = new Map(exams.flatMap((exam) => exam.results.map((result) => [result.studentId, result] as const)))
  const uneven = reports.filter(({ studentId, attendance, exams: figures, average }) => {
    const marks = day.marks.filter((mark) => mark.studentId === studentId)
    const isOff = (['present', 'absent', 'late', 'excused'] as const).some(
      (status) => attendance[status] !== marks.filter((mark) => mark.status === status).length,
    )
    const score = results.get(studentId)?.score
    return isOff || figures.length !== 1 || figures[0].score !== score || average !== averageOf(score)
  })
  find(
    'a report says what attendance and exams say',
    uneven.length === 0 && reports.every(({ status }) => status === 'sent'),
    `${reports.length} reports`,
  )

  const [report] = reports
  const [figure] = report.exams
  const corrected = { studentId: report.studentId, score: figure.score === MAX_SCORE ? 0 : MAX_SCORE }
  await caller.send('PUT', `/exams/${figure.examId}/results`, { results: [corrected] }, 'corrected')
  const change = caller.send('PATCH', `/progress-reports/${report.id}`, { comment: null }, 'change-sent')
  const refusal = await refusalOf(change)
  const after = await caller.get(`/progress-reports/${report.id}`)
  find(
    'a sent report stays as it is',
    / 409 /.test(refusal) && JSON.stringify(after) === JSON.stringify(report),
    'a score was corrected afterwards, and a change of the report refused',
  )
}
