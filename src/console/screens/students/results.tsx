import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Lines } from '../../records/exam/line.tsx'
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
    <>
      <Over studentId={studentId} />
      <Section title={people.exams}>
        <Rows pages={results} label={people.exams} keyOf={({ id }) => id} empty={people.noExams}>
          {(result) => <ResultRow result={result} />}
        </Rows>
      </Section>
    </>
  )
}

/** As many as a line has room for. */
const MOST = 50

const Over = ({ studentId }: { studentId: string }) => {
  const format = useFormat()
  const results = useGet(['/students', studentId, 'exam-results', 'line'], (signal) => {
    const params = { path: { id: studentId }, query: { limit: MOST } }
    return answer(api.GET('/students/{id}/exam-results', { params, signal }))
  })
  const marks = results.data?.data.map(({ exam, groupName, score, createdAt }) => ({
    ...exam,
    examId: exam.id,
    groupName,
    score,
    day: exam.heldAt ?? format.dateOf(createdAt),
  }))
  return <Lines marks={marks ?? []} />
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
