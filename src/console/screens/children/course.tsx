import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Back } from '../../parts/back.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProgressBar } from '../../records/curriculum/progress-bar.tsx'
import { FeatureOff } from '../../records/feature/off.tsx'
import { isOff } from '../../records/feature/reads.ts'
import { useOwnCourse } from '../../records/family/reads.ts'
import { useWords } from '../../words/language.tsx'

export type OwnCourse = Schemas['OwnCourseDetail']
export type OwnLesson = OwnCourse['sections'][number]['lessons'][number]

/** The lessons of a course, one after the other. */
export const lessonsOf = ({ sections }: OwnCourse): OwnLesson[] => sections.flatMap(({ lessons }) => lessons)

const SECONDS = 60

/** `/children/:id/courses/:courseId`: the lessons of a video course, and which of them are done. */
export const Screen = () => {
  const { id, courseId } = useParams<{ id: string; courseId: string }>()
  const course = useOwnCourse(id, courseId)
  return course.data ? <Course studentId={id} course={course.data} /> : <InsteadOfCourse id={id} query={course} />
}

/** While there is nothing to show yet, or where the institute has no video courses. */
export const InsteadOfCourse = ({ id, query }: { id: string; query: UseQueryResult<OwnCourse> }) => {
  const { own: words, curriculum } = useWords()
  return (
    <>
      <Back to={`/children/${id}`} label={words.child} />
      <Page title={words.courses}>
        {isOff(query) ? (
          <FeatureOff feature="courses_video" icon="play" words={curriculum} />
        ) : (
          <Loaded query={query}>{() => null}</Loaded>
        )}
      </Page>
    </>
  )
}

const Course = ({ studentId, course }: { studentId: string; course: OwnCourse }) => {
  const { own: words } = useWords()
  const { courseId, name, description, status, lessonCount, completedCount, sections } = course
  const base = `/children/${studentId}/courses/${courseId}`
  const next = lessonsOf(course).find(({ isOpen, completedAt }) => isOpen && completedAt === null)
  const told = words.progress(completedCount, lessonCount)
  return (
    <>
      <Back to={`/children/${studentId}/courses`} label={words.courses} />
      <Page
        title={<bdi>{name}</bdi>}
        name={name}
        about={
          <>
            <ProgressBar done={completedCount} all={lessonCount} label={told} />
            <span className="chips">
              <span>{told}</span>
              {status === 'completed' && (
                <Badge meaning="good" icon="tick">
                  {words.completed}
                </Badge>
              )}
            </span>
          </>
        }
        actions={
          next && (
            <ButtonLink look="primary" icon="play" to={`${base}/${next.id}`}>
              {completedCount === 0 ? words.begin(next.title) : words.goOn(next.title)}
            </ButtonLink>
          )
        }
      >
        {status === 'pending' && (
          <Notice meaning="info" icon="lock">
            <span className="grow">{words.closedUntilPaid}</span>
          </Notice>
        )}
        {description !== null && (
          <p className="soft written" dir="auto">
            {description}
          </p>
        )}
        {sections.length === 0 && (
          <div className="card">
            <Empty>{words.noLessonsInCourse}</Empty>
          </div>
        )}
        {sections.map(({ id, title, lessons }) => (
          <Section key={id} title={<bdi>{title}</bdi>}>
            <ul className="card" aria-label={title}>
              {lessons.map((lesson) => (
                <li key={lesson.id}>
                  <LessonLine lesson={lesson} to={`${base}/${lesson.id}`} />
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </Page>
    </>
  )
}

const LessonLine = ({ lesson, to }: { lesson: OwnLesson; to: string }) => {
  const { own: words, curriculum } = useWords()
  const { title, kind, durationSec, isOpen, isPreview, completedAt } = lesson
  const isDone = completedAt !== null
  const told = (
    <>
      <span className={isDone ? 'lesson-mark done' : 'lesson-mark'}>
        <Icon name={isDone ? 'tick' : isOpen ? (kind === 'video' ? 'play' : 'note') : 'lock'} />
      </span>
      <span className="grow">
        <bdi className="name">{title}</bdi>
        <span className="about">
          <Dotted>
            {curriculum.kinds[kind]}
            {durationSec !== null && curriculum.minutes(Math.ceil(durationSec / SECONDS))}
            {isDone && words.lessonDone}
            {!isOpen && words.pending}
            {isOpen && isPreview && curriculum.preview}
          </Dotted>
        </span>
      </span>
    </>
  )
  if (!isOpen) return <div className="row closed-lesson">{told}</div>
  return (
    <Link href={to} className="row">
      {told}
      <Icon name="forward" />
    </Link>
  )
}
