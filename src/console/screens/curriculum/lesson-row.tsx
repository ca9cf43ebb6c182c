import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import type { CourseSection, VideoLesson } from '../../records/curriculum/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMayTeach } from './frame.tsx'
import { lacksVideo, useLessonWork } from './lesson-work.tsx'

const SECONDS = 60

export const minutesOf = (durationSec: number): number => Math.ceil(durationSec / SECONDS)

interface LessonRowProps {
  lesson: VideoLesson
  /** Its place in the whole course, counted from 1. */
  number: number
  handle: ReactNode
  isFirst: boolean
  isLast: boolean
  /** The other sections of its course. */
  others: readonly Pick<CourseSection, 'id' | 'title'>[]
  /** Moves it by so many places within its section. */
  onMove: (by: number) => void
}

export const LessonRow = ({ lesson, number, handle, isFirst, isLast, others, onMove }: LessonRowProps) => {
  const { curriculum: words, shell } = useWords()
  const format = useFormat()
  const mayTeach = useMayTeach()
  const work = useLessonWork(lesson)
  const [isMoving, setMoving] = useState(false)
  const { id, title, kind, durationSec, isPreview, publishedAt } = lesson
  const entries = [
    publishedAt === null
      ? { id: 'publish', label: words.publish, onSelect: work.publish }
      : { id: 'unpublish', label: words.unpublish, onSelect: work.unpublish },
    ...(isFirst ? [] : [{ id: 'up', label: words.up, onSelect: () => onMove(-1) }]),
    ...(isLast ? [] : [{ id: 'down', label: words.down, onSelect: () => onMove(1) }]),
    ...(others.length === 0 ? [] : [{ id: 'section', label: words.toSection, onSelect: () => setMoving(true) }]),
    work.removal,
  ]
  return (
    <div className="row lesson-row">
      {handle}
      <span className="number" aria-hidden="true">
        {format.number(number)}
      </span>
      <span className="grow">
        <span className="what">
          <Link href={`/lessons/${id}`} className="name link">
            <bdi>{title}</bdi>
          </Link>
          <span className="about">
            <Dotted>
              {words.kinds[kind]}
              {durationSec !== null && words.minutes(minutesOf(durationSec))}
              {isPreview && words.preview}
              {lacksVideo(lesson) && <span className="lacking">{words.noVideo}</span>}
            </Dotted>
          </span>
        </span>
        {publishedAt === null ? (
          <Badge>{words.notPublished}</Badge>
        ) : (
          <Badge meaning="good" icon="tick">
            {words.published}
          </Badge>
        )}
      </span>
      {mayTeach && <Menu label={`${shell.more}: ${title}`} entries={entries} />}
      {work.questions}
      <Sheet title={words.toSectionAsk(title)} isOpen={isMoving} onClose={() => setMoving(false)}>
        <ToSection lesson={lesson} others={others} onDone={() => setMoving(false)} />
      </Sheet>
    </div>
  )
}

interface ToSectionProps extends Pick<LessonRowProps, 'lesson' | 'others'> {
  onDone: () => void
}

/** To which section a lesson is moved. */
const ToSection = ({ lesson: { id, title, version }, others, onDone }: ToSectionProps) => {
  const { curriculum: words } = useWords()
  const move = useChange('curriculum', (sectionId: string) =>
    answer(api.PATCH('/lessons/{id}', { params: { path: { id } }, body: { sectionId, version } })),
  )
  return (
    <>
      {move.error && <ProblemNotice problem={move.error} />}
      <p className="soft">{words.toSectionText}</p>
      <ul className="chips spaced">
        {others.map((section) => (
          <li key={section.id}>
            <Button
              isDisabled={move.isPending}
              onPress={() =>
                move.mutate(section.id, {
                  onSuccess: () => {
                    toast(words.movedTo(title, section.title))
                    onDone()
                  },
                })
              }
            >
              <bdi>{section.title}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
