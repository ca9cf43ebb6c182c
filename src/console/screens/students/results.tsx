import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Result = Schemas['StudentExamResult']

/** The results of exams, the newest first. */
export const Results = ({ studentId }: { studentId: string }) => {
  const { people } = useWords()
  const results = usePages<Result>(['/students', studentId, 'exam-results'], (cursor, signal) => {
    const query = { limit: 10, ...(cursor && { cursor }) }
    return answer(api.GET('/students/{id}/exam-results', { params: { path: { id: studentId }, query }, signal }))
  })
  return (
    <Section title={people.exams}>
      <Rows pages={results} label={people.exams} keyOf={({ id }) => id} empty={people.noExams}>
        {(result) => <ResultRow result={result} />}
      </Rows>
    </Section>
  )
}

const ResultRow = ({ result: { exam, score, isAbsent, remarks } }: { result: Result }) => {
  const { people } = useWords()
  const format = useFormat()
  const points = score === null ? people.noScore : people.score(format.number(score), format.number(exam.maxScore))
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{exam.title}</bdi>
        <span className="about">
          <Dotted>
            {exam.heldAt !== null && format.date(format.dateOf(exam.heldAt))}
            {remarks !== null && <bdi>{remarks}</bdi>}
          </Dotted>
        </span>
      </span>
      {exam.publishedAt === null && <Badge>{people.unpublished}</Badge>}
      <strong>{isAbsent ? people.missedExam : points}</strong>
    </div>
  )
}
