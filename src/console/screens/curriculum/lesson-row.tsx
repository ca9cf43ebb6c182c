import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Dotted } from '../../parts/dotted.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import type { VideoLesson } from '../../records/curriculum/reads.ts'
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
  /** Moves it by so many places within its section. */
  onMove: (by: number) => void
}

export const LessonRow = ({ lesson, number, handle, isFirst, isLast, onMove }: LessonRowProps) => {
  const { curriculum: words, shell } = useWords()
  const format = useFormat()
  const mayTeach = useMayTeach()
  const work = useLessonWork(lesson)
  const { id, title, kind, durationSec, isPreview, publishedAt } = lesson
  const entries = [
    publishedAt === null
      ? { id: 'publish', label: words.publish, onSelect: work.publish }
      : { id: 'unpublish', label: words.unpublish, onSelect: work.unpublish },
    ...(isFirst ? [] : [{ id: 'up', label: words.up, onSelect: () => onMove(-1) }]),
    ...(isLast ? [] : [{ id: 'down', label: words.down, onSelect: () => onMove(1) }]),
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
    </div>
  )
}
