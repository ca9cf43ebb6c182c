import { useState, type ReactNode } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { afterChange, useChange } from '../../api/queries.ts'
import { isConflict } from '../../api/versioned.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Menu } from '../../parts/menu.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { Sortable } from '../../parts/sortable.tsx'
import { toast } from '../../parts/toast.tsx'
import type { CourseSection } from '../../records/curriculum/reads.ts'
import { useWords } from '../../words/language.tsx'
import { useMayTeach } from './frame.tsx'
import { LessonRow } from './lesson-row.tsx'
import { NewLesson } from './new-lesson.tsx'
import { useOrder } from './use-order.ts'

interface SectionCardProps {
  section: CourseSection
  /** The other sections of the course. */
  others: readonly CourseSection[]
  /** How many lessons stand before it in the course. */
  before: number
  handle: ReactNode
  isFirst: boolean
  isLast: boolean
  /** Moves it by so many places. */
  onMove: (by: number) => void
}

/** A section of a course, with its lessons. */
export const SectionCard = ({ section, others, before, handle, isFirst, isLast, onMove }: SectionCardProps) => {
  const { curriculum: words, shell } = useWords()
  const mayTeach = useMayTeach()
  const [open, setOpen] = useState<'rename' | 'delete' | 'lesson'>()
  const { id, title } = section
  const lessons = useOrder(section.lessons, (body) =>
    answer(api.PUT('/sections/{id}/lessons/order', { params: { path: { id } }, body })),
  )
  const remove = useChange('curriculum', (sectionId: string) =>
    answer(api.DELETE('/sections/{id}', { params: { path: { id: sectionId } } })),
  )
  const close = () => setOpen(undefined)
  const entries = [
    { id: 'rename', label: words.rename, onSelect: () => setOpen('rename') },
    ...(isFirst ? [] : [{ id: 'up', label: words.up, onSelect: () => onMove(-1) }]),
    ...(isLast ? [] : [{ id: 'down', label: words.down, onSelect: () => onMove(1) }]),
    {
      id: 'delete',
      label: words.deleteSection,
      isDangerous: true,
      startsGroup: true,
      onSelect: () => setOpen('delete'),
    },
  ]
  return (
    <section className="course-section">
      <div className="course-section-head">
        {handle}
        <h2 className="grow">
          <bdi>{title}</bdi>
        </h2>
        {mayTeach && <Menu label={`${shell.more}: ${title}`} entries={entries} />}
      </div>
      {lessons.problem !== undefined && (
        <ProblemNotice problem={lessons.problem} {...(lessons.retry && { onRetry: lessons.retry })} />
      )}
      {section.lessons.length === 0 ? (
        <p className="soft none">{words.sectionEmpty}</p>
      ) : (
        <Sortable
          items={lessons.shown}
          label={title}
          look="card"
          handle={mayTeach && section.lessons.length > 1 ? (lesson) => words.move(lesson.title) : undefined}
          placed={(lesson, place, all) => words.placed(lesson.title, place, all)}
          onSort={lessons.sort}
        >
          {(lesson, lessonHandle, at) => (
            <LessonRow
              lesson={lesson}
              number={before + at + 1}
              handle={lessonHandle}
              isFirst={at === 0}
              isLast={at === lessons.shown.length - 1}
              others={others}
              onMove={(by) => lessons.move(lesson.id, by)}
            />
          )}
        </Sortable>
      )}
      {mayTeach && (
        <Button look="quiet" icon="plus" onPress={() => setOpen('lesson')}>
          {words.addLesson}
        </Button>
      )}
      <Sheet title={words.addLessonTo(title)} isOpen={open === 'lesson'} onClose={close}>
        <NewLesson sectionId={id} onDone={close} />
      </Sheet>
      <Sheet title={words.rename} isOpen={open === 'rename'} onClose={close}>
        <Rename section={section} onDone={close} />
      </Sheet>
      <Confirm
        title={words.deleteSectionAsk(title)}
        verb={words.deleteSection}
        isDangerous
        isOpen={open === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync(id)
          toast(words.deleted(title))
        }}
      >
        <p>{words.deleteSectionText}</p>
      </Confirm>
    </section>
  )
}

const Rename = ({ section, onDone }: { section: CourseSection; onDone: () => void }) => {
  const { curriculum: words } = useWords()
  const rename = useChange('curriculum', (body: { title: string; version: number }) =>
    answer(api.PATCH('/sections/{id}', { params: { path: { id: section.id } }, body })),
  )
  const form = useForm({
    start: { title: section.title },
    bounds: BOUNDS.SectionChanges,
    send: async ({ title }) => {
      try {
        await rename.mutateAsync({ title: title.trim(), version: section.version })
      } catch (error) {
        // Whoever saves again has seen what the other wrote: it stands behind the sheet by then.
        if (isConflict(error)) await afterChange('curriculum')
        throw error
      }
      onDone()
    },
  })
  return (
    <Form form={form} onCancel={onDone}>
      <Field label={words.sectionTitle} {...form.field('title')} autoFocus />
    </Form>
  )
}

export const NewSection = ({ courseId, onDone }: { courseId: string; onDone: () => void }) => {
  const { curriculum: words } = useWords()
  const add = useChange('curriculum', (body: { title: string }, header) =>
    answer(api.POST('/courses/{courseId}/sections', { params: { path: { courseId }, header }, body })),
  )
  const form = useForm({
    start: { title: '' },
    bounds: BOUNDS.NewSection,
    send: async ({ title }) => {
      const section = await add.mutateAsync({ title: title.trim() })
      toast(words.sectionAdded(section.title))
      onDone()
    },
  })
  return (
    <Form form={form} verb={words.addSection} onCancel={onDone}>
      <Field label={words.sectionTitle} hint={words.sectionHint} {...form.field('title')} autoFocus />
    </Form>
  )
}
