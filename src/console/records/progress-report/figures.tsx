import { Dotted } from '../../parts/dotted.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Report } from './reads.ts'

const HUNDRED = 100
const STATUSES = ['present', 'late', 'absent', 'excused'] as const

/** What attendance and exams say of a student, in a line. */
export const Figures = ({ of: { attendance, average } }: { of: Pick<Report, 'attendance' | 'average'> }) => {
  const { reports: words, attendance: marks } = useWords()
  const format = useFormat()
  const counted = STATUSES.filter((status) => attendance[status] > 0)
  if (counted.length === 0 && average === null) return words.noFigures
  return (
    <Dotted>
      {attendance.rate !== null && words.rate(format.percent(attendance.rate / HUNDRED))}
      {counted.map((status) => (
        <span key={status}>{marks.counts[status](attendance[status])}</span>
      ))}
      {average !== null && words.average(format.percent(average / HUNDRED))}
    </Dotted>
  )
}

/** The exams of a report, with what the student scored. */
export const ExamFigures = ({ exams }: Pick<Report, 'exams'>) => {
  const { reports: words, gradebook, people } = useWords()
  const format = useFormat()
  if (exams.length === 0) return null
  return (
    <ul className="card" aria-label={gradebook.title}>
      {exams.map(({ examId, title, kind, score, maxScore }) => (
        <li key={examId} className="row">
          <span className="grow">
            <bdi className="name">{title}</bdi>
            <span className="about">{gradebook.kinds[kind]}</span>
          </span>
          <strong>{score === null ? words.missed : people.score(format.number(score), format.number(maxScore))}</strong>
        </li>
      ))}
    </ul>
  )
}
