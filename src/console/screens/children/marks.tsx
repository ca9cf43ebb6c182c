import { Redirect, useParams } from 'wouter'
import type { ReactNode } from 'react'
import { Dotted } from '../../parts/dotted.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { PaperButton } from '../../parts/paper-button.tsx'
import { usePointed } from '../../parts/pointed.ts'
import { Lines } from '../../records/exam/line.tsx'
import { HandedOut } from '../../records/file/handed-out.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ChildPage, type Child } from './child.tsx'

/** `/children/:id/marks`: the marks that were published, and the reports. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const format = useFormat()
  return (
    <ChildPage id={id} at="marks">
      {(child) =>
        child.seesLearning ? (
          <>
            <Lines
              marks={child.results.map((result) => ({
                ...result,
                day: result.heldAt ?? format.dateOf(result.publishedAt),
              }))}
            />
            <Results results={child.results} />
            <Reports of={child} />
          </>
        ) : (
          <Redirect to={`/children/${id}/money`} replace />
        )
      }
    </ChildPage>
  )
}

const Results = ({ results }: Pick<Child, 'results'>) => {
  const { people, own: words } = useWords()
  const format = useFormat()
  const pointed = usePointed('exam')
  return (
    <Section title={people.exams}>
      {results.length === 0 ? (
        <Empty>{words.noMarks}</Empty>
      ) : (
        <ul className="card" aria-label={people.exams}>
          {results.map(
            ({ examId, title, groupName, heldAt, publishedAt, score, maxScore, isAbsent, remarks, fileCount }) => (
              <li key={examId} className="row" {...pointed(examId)}>
                <span className="grow">
                  <bdi className="name">{title}</bdi>
                  <span className="about">
                    <Dotted>
                      {format.date(heldAt ?? format.dateOf(publishedAt))}
                      <bdi>{groupName}</bdi>
                    </Dotted>
                  </span>
                  {remarks !== null && (
                    <span className="about long" dir="auto">
                      {remarks}
                    </span>
                  )}
                  <HandedOut of="exam" id={examId} count={fileCount} title={title} />
                </span>
                <strong className="nowrap">
                  {isAbsent || score === null
                    ? people.missedExam
                    : people.score(format.number(score), format.number(maxScore))}
                </strong>
              </li>
            ),
          )}
        </ul>
      )}
    </Section>
  )
}

const Listed = ({ title, children }: { title: string; children: ReactNode }) => (
  <Section title={title}>
    <ul className="card" aria-label={title}>
      {children}
    </ul>
  </Section>
)

const Reports = ({ of: { reports, groups, results } }: { of: Child }) => {
  const { reports: words, family } = useWords()
  const format = useFormat()
  const pointed = usePointed('report')
  if (reports.length === 0) return null
  // Two teachers write about the same months: only the group says whose report it is.
  const nameOf = (groupId: string | null): string | undefined =>
    [...groups, ...results].find((one) => one.groupId === groupId)?.groupName
  return (
    <Listed title={words.title}>
      {reports.map(({ id, groupId, periodStart, periodEnd, average, comment }) => (
        <li key={id} className="row" {...pointed(id)}>
          <span className="grow">
            <span className="name">{format.range(periodStart, periodEnd)}</span>
            <span className="about">
              <Dotted>
                {nameOf(groupId) !== undefined && <bdi>{nameOf(groupId)}</bdi>}
                {average !== null && family.average(format.percent(average / 100))}
              </Dotted>
            </span>
            {comment !== null && (
              <span className="about long" dir="auto">
                {comment}
              </span>
            )}
          </span>
          <PaperButton path={`/progress-reports/${id}/pdf`} />
        </li>
      ))}
    </Listed>
  )
}
