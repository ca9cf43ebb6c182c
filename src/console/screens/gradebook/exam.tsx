import { useMemo, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded, Waiting } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { ExamSheet } from '../../records/exam/form.tsx'
import { useGradebook, type Gradebook, type GradebookExam } from '../../records/exam/reads.ts'
import { Files } from '../../records/file/section.tsx'
import { useGroup } from '../../records/group/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useStill } from '../../shell/user-idle.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Line } from './scores.ts'
import { ScoreList } from './list.tsx'
import { useScores } from './use-scores.ts'

const linesOf = ({ exams, students }: Gradebook, examId: string): Line[] => {
  const at = exams.findIndex(({ id }) => id === examId)
  return students.flatMap(({ studentId, fullName: name, results }) => {
    const stands = results[at]
    return stands ? { studentId, name, stands } : []
  })
}

/** `/groups/:id/gradebook/:examId`: the results of one exam, typed for a whole class. */
export const Screen = () => {
  const { id, examId } = useParams<{ id: string; examId: string }>()
  const { gradebook: words } = useWords()
  const book = useGradebook(id)
  const exam = book.data?.exams.find((one) => one.id === examId)
  return (
    <>
      <Back to={`/groups/${id}/gradebook`} label={words.title} />
      {book.data && exam ? (
        <One key={examId} book={book.data} exam={exam} />
      ) : (
        <Page title={words.title}>
          <Loaded query={book}>{() => <Empty>{words.gone}</Empty>}</Loaded>
        </Page>
      )}
    </>
  )
}

const One = ({ book, exam }: { book: Gradebook; exam: GradebookExam }) => {
  const { gradebook: words, files } = useWords()
  const { can, institute } = useMe()
  const format = useFormat()
  const group = useGroup(book.groupId)
  const mayEnter = can('exams.write') && !institute.isReadOnly
  const { title, heldAt, maxScore, publishedAt } = exam
  return (
    <Page
      title={<bdi>{title}</bdi>}
      name={title}
      about={
        <span className="chips">
          <span>
            <Dotted>
              {group.data && <bdi>{group.data.name}</bdi>}
              {words.kinds[exam.kind]}
              {heldAt !== null && format.date(heldAt)}
              {words.outOf(format.number(maxScore))}
            </Dotted>
          </span>
          {publishedAt === null ? (
            <Badge>{words.unpublished}</Badge>
          ) : (
            <Badge meaning="good">{words.publishedOn(format.date(format.dateOf(publishedAt)))}</Badge>
          )}
        </span>
      }
      actions={mayEnter && <Actions exam={exam} />}
    >
      <Entering book={book} exam={exam} mayEnter={mayEnter} />
      <Files of="exam" id={exam.id} isOwn={mayEnter} {...(publishedAt === null && { hint: files.examHint })} />
    </Page>
  )
}

const Actions = ({ exam }: { exam: GradebookExam }) => {
  const { gradebook: words, shell } = useWords()
  const [, go] = useLocation()
  const [asked, setAsked] = useState<'edit' | 'remove'>()
  const { id, groupId, title, entered } = exam
  const remove = useChange('exam', (examId: string) =>
    answer(api.DELETE('/exams/{id}', { params: { path: { id: examId } } })),
  )
  const close = () => setAsked(undefined)
  return (
    <>
      <Menu
        label={shell.more}
        entries={[
          { id: 'edit', label: words.edit, onSelect: () => setAsked('edit') },
          ...(entered === 0
            ? [{ id: 'remove', label: words.remove, isDangerous: true, onSelect: () => setAsked('remove') }]
            : []),
        ]}
      />
      <Confirm
        title={words.removeAsk(title)}
        verb={words.remove}
        isDangerous
        isOpen={asked === 'remove'}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync(id)
          toast(words.removed(title))
          go(`/groups/${groupId}/gradebook`)
        }}
      />
      {asked === 'edit' && (
        <ExamSheet
          groupId={groupId}
          exam={exam}
          onClose={close}
          onSaved={(saved) => {
            toast(words.saved(saved.title))
            close()
          }}
        />
      )}
    </>
  )
}

/** The step after the marks are saved: it stands where they were saved, at the end of a long class. */
const Publish = ({ exam: { id, title, entered, missing } }: { exam: GradebookExam }) => {
  const { gradebook: words } = useWords()
  const [isAsked, setAsked] = useState(false)
  const publish = useChange('exam', (examId: string, header) =>
    answer(api.POST('/exams/{id}/publish', { params: { path: { id: examId }, header } })),
  )
  return (
    <>
      <Button look="primary" onPress={() => setAsked(true)}>
        {words.publish}
      </Button>
      <Confirm
        title={words.publishAsk(title)}
        verb={words.publish}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await publish.mutateAsync(id)
          toast(words.wasPublished(title))
        }}
      >
        <p>
          {words.publishTells(entered)} {missing > 0 && words.publishMissing(missing)}
        </p>
      </Confirm>
    </>
  )
}

interface EnteringProps {
  book: Gradebook
  exam: GradebookExam
  mayEnter: boolean
}

const Entering = ({ book, exam, mayEnter }: EnteringProps) => {
  const { gradebook: words } = useWords()
  const still = useStill(book, ({ students }) => students.map(({ studentId }) => studentId).join())
  const lines = useMemo(() => linesOf(still, exam.id), [still, exam.id])
  const { groupId, id: examId, maxScore } = exam
  const scores = useScores({ groupId, examId, maxScore }, lines)
  if (lines.length === 0) return <Empty>{words.nobody}</Empty>
  if (!scores.isReady) return <Waiting />
  const isToPublish = exam.publishedAt === null && exam.entered > 0
  return (
    <ScoreList
      scores={scores}
      maxScore={maxScore}
      mayEnter={mayEnter}
      next={isToPublish ? <Publish exam={exam} /> : undefined}
    />
  )
}
