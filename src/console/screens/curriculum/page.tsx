import { useState } from 'react'
import { useParams } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Sortable } from '../../parts/sortable.tsx'
import { useCurriculum, type Curriculum } from '../../records/curriculum/reads.ts'
import { useWords } from '../../words/language.tsx'
import { BackToCourse, Instead, useMayTeach } from './frame.tsx'
import { NewSection, SectionCard } from './section.tsx'
import { useOrder } from './use-order.ts'

/** `/courses/:id/curriculum`: what a video course is made of. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const curriculum = useCurriculum(id)
  return curriculum.data ? <Course curriculum={curriculum.data} /> : <Instead query={curriculum} />
}

const Course = ({ curriculum: { courseId, courseName, sections } }: { curriculum: Curriculum }) => {
  const { curriculum: words } = useWords()
  const mayTeach = useMayTeach()
  const [isAdding, setAdding] = useState(false)
  const order = useOrder(sections, (body) =>
    answer(api.PUT('/courses/{courseId}/sections/order', { params: { path: { courseId } }, body })),
  )
  const lessons = sections.flatMap((section) => section.lessons)
  const published = lessons.filter(({ publishedAt }) => publishedAt !== null)
  const beforeOf = (at: number) => order.shown.slice(0, at).reduce((sum, one) => sum + one.lessons.length, 0)
  return (
    <>
      <BackToCourse courseId={courseId}>{words.backToCourse}</BackToCourse>
      <Page
        title={<bdi>{courseName}</bdi>}
        name={courseName}
        about={words.count(lessons.length, published.length)}
        actions={
          <>
            <ButtonLink to={`/courses/${courseId}/students`} icon="people">
              {words.students}
            </ButtonLink>
            {mayTeach && (
              <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
                {words.addSection}
              </Button>
            )}
          </>
        }
      >
        {order.problem !== undefined && (
          <ProblemNotice problem={order.problem} {...(order.retry && { onRetry: order.retry })} />
        )}
        {sections.length === 0 ? (
          <div className="card">
            <Empty>{words.empty}</Empty>
          </div>
        ) : (
          <Sortable
            items={order.shown}
            label={words.lessons}
            look="apart"
            handle={mayTeach && sections.length > 1 ? ({ title }) => words.move(title) : undefined}
            placed={({ title }, place, all) => words.placed(title, place, all)}
            onSort={order.sort}
          >
            {(section, handle, at) => (
              <SectionCard
                section={section}
                others={order.shown.filter(({ id }) => id !== section.id)}
                before={beforeOf(at)}
                handle={handle}
                isFirst={at === 0}
                isLast={at === order.shown.length - 1}
                onMove={(by) => order.move(section.id, by)}
              />
            )}
          </Sortable>
        )}
        <Sheet title={words.addSection} isOpen={isAdding} onClose={() => setAdding(false)}>
          <NewSection courseId={courseId} onDone={() => setAdding(false)} />
        </Sheet>
      </Page>
    </>
  )
}
