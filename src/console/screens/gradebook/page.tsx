import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Page } from '../../parts/page.tsx'
import { ExamSheet } from '../../records/exam/form.tsx'
import { useGradebook, type Gradebook, type GradebookExam } from '../../records/exam/reads.ts'
import { useGroup } from '../../records/group/reads.ts'
import { useIsWide } from '../../shell/device.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

export { Screen as ExamScreen } from './exam.tsx'

/** From here on students stand beside the last exams. */
const WIDE = 700

/** `/groups/:id/gradebook`: the exams of a group, and how its students did in them. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { gradebook: words } = useWords()
  const { can, institute } = useMe()
  const [, go] = useLocation()
  const group = useGroup(id)
  const book = useGradebook(id)
  const isWide = useIsWide(WIDE)
  const [isAdding, setAdding] = useState(false)
  const mayEnter = can('exams.write') && !institute.isReadOnly
  const name = group.data?.name
  return (
    <>
      <Back to={`/groups/${id}`} label={name ?? words.group} />
      <Page
        title={words.title}
        {...(name !== undefined && { name: words.titleOf(name), about: <bdi>{name}</bdi> })}
        actions={
          mayEnter && (
            <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
              {words.add}
            </Button>
          )
        }
      >
        <Loaded query={book}>
          {(loaded) => {
            if (loaded.exams.length === 0) return <Empty>{mayEnter ? words.noneYet : words.none}</Empty>
            return (
              <>
                {isWide && <Grid book={loaded} />}
                <Exams book={loaded} />
              </>
            )
          }}
        </Loaded>
        {isAdding && (
          <ExamSheet
            groupId={id}
            onClose={() => setAdding(false)}
            onSaved={(exam) => go(`/groups/${id}/gradebook/${exam.id}`)}
          />
        )}
      </Page>
    </>
  )
}

/** Whether results are missing, or published. */
const ExamState = ({ exam }: { exam: GradebookExam }) => {
  const { gradebook: words } = useWords()
  if (exam.missing > 0) return <Badge meaning="warn">{words.missing(exam.missing)}</Badge>
  if (exam.publishedAt === null) return <Badge>{words.unpublished}</Badge>
  return <Badge meaning="good">{words.published}</Badge>
}

/** The exams, latest first: all that a phone has room for. */
const Exams = ({ book: { groupId, exams } }: { book: Gradebook }) => {
  const { gradebook: words } = useWords()
  const format = useFormat()
  return (
    <ul className="card rows">
      {exams.toReversed().map((exam) => (
        <li key={exam.id}>
          <Link href={`/groups/${groupId}/gradebook/${exam.id}`} className="row">
            <span className="grow">
              <bdi className="name">{exam.title}</bdi>
              <span className="about">
                <Dotted>
                  {exam.heldAt !== null && format.date(exam.heldAt)}
                  {exam.average !== null && words.averageOf(format.number(exam.average), format.number(exam.maxScore))}
                </Dotted>
              </span>
            </span>
            <ExamState exam={exam} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

const Grid = ({ book: { groupId, exams, students } }: { book: Gradebook }) => {
  const { gradebook: words, people } = useWords()
  const format = useFormat()
  return (
    <div className="card across gradebook">
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">{people.student}</th>
            {exams.map((exam) => (
              // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the title is in it
              <th key={exam.id} scope="col" className="number">
                <Link href={`/groups/${groupId}/gradebook/${exam.id}`} className="link">
                  <bdi>{exam.title}</bdi>
                </Link>
                <span className="about">
                  <Dotted>
                    {exam.heldAt !== null && format.date(exam.heldAt)}
                    {words.outOf(format.number(exam.maxScore))}
                  </Dotted>
                </span>
              </th>
            ))}
            <th scope="col" className="number">
              {words.average}
            </th>
          </tr>
        </thead>
        <tbody>
          {students.map(({ studentId, fullName, results, average }) => (
            <tr key={studentId}>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the name is in it */}
              <th scope="row">
                <Link href={`/students/${studentId}`} className="link">
                  <bdi>{fullName}</bdi>
                </Link>
              </th>
              {exams.map((exam, at) => (
                <td key={exam.id} className="number">
                  <Cell cell={results[at] ?? null} />
                </td>
              ))}
              <td className="number">{average !== null && <strong>{format.percent(average / 100)}</strong>}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.classAverage}</th>
            {exams.map((exam) => (
              <td key={exam.id} className="number">
                {exam.average !== null && <strong>{format.number(exam.average)}</strong>}
              </td>
            ))}
            <td className="number soft">–</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

const Cell = ({ cell }: { cell: Gradebook['students'][number]['results'][number] }) => {
  const { gradebook: words } = useWords()
  const format = useFormat()
  if (cell === null) return <span className="soft">–</span>
  if (cell.isAbsent) return <span className="soft">{words.absent}</span>
  if (cell.score === null) return null
  return <span title={cell.remarks ?? undefined}>{format.number(cell.score)}</span>
}
