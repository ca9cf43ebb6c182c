import { useParams } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Badge, Empty, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { siteOf, Watch } from '../../records/curriculum/video.tsx'
import { useOwnCourse, useOwnStudent } from '../../records/family/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { InsteadOfCourse, lessonsOf, type OwnCourse, type OwnLesson } from './course.tsx'

/** `/children/:id/courses/:courseId/:lessonId`: a lesson to watch or to read. */
export const Screen = () => {
  const { id, courseId, lessonId } = useParams<{ id: string; courseId: string; lessonId: string }>()
  const { own: words } = useWords()
  const course = useOwnCourse(id, courseId)
  if (!course.data) return <InsteadOfCourse id={id} query={course} />
  const lessons = lessonsOf(course.data)
  const at = lessons.findIndex((one) => one.id === lessonId)
  const base = `/children/${id}/courses/${courseId}`
  const lesson = lessons[at]
  return (
    <>
      <Back to={base} label={course.data.name} />
      {lesson ? (
        <Lesson
          key={lessonId}
          studentId={id}
          course={course.data}
          lesson={lesson}
          former={lessons[at - 1]}
          next={lessons[at + 1]}
          base={base}
        />
      ) : (
        <Page title={course.data.name}>
          <Empty>{words.lessonGone}</Empty>
        </Page>
      )}
    </>
  )
}

interface LessonProps {
  studentId: string
  course: OwnCourse
  lesson: OwnLesson
  former: OwnLesson | undefined
  next: OwnLesson | undefined
  /** The address of the course. */
  base: string
}

const Lesson = ({ studentId, course, lesson, former, next, base }: LessonProps) => {
  const { own: words, curriculum } = useWords()
  const format = useFormat()
  const { title, description, kind, video, body, isOpen, completedAt } = lesson
  return (
    <Page
      title={<bdi>{title}</bdi>}
      name={title}
      about={
        completedAt !== null && (
          <Badge meaning="good" icon="tick">
            {words.lessonDone} {format.date(format.dateOf(completedAt))}
          </Badge>
        )
      }
    >
      <div className="own-lesson">
        {!isOpen && (
          <Notice meaning="info" icon="lock">
            <span className="grow">{words.closedUntilPaid}</span>
          </Notice>
        )}
        {description !== null && (
          <p className="soft written" dir="auto">
            {description}
          </p>
        )}
        {video && (
          <div className="card padded to-watch">
            <Watch video={video} lesson={title} isMain />
            <p className="soft small">{curriculum.opensElsewhere(siteOf(video))}</p>
          </div>
        )}
        {isOpen && !video && kind === 'video' && <p className="soft">{words.noVideoYet}</p>}
        {body !== null && (
          <div className="card padded written lesson-body" dir="auto">
            {body}
          </div>
        )}
        {isOpen && !video && body === null && kind === 'text' && <p className="soft">{words.nothingHere}</p>}
        {isOpen && completedAt === null && <Done studentId={studentId} course={course} lesson={lesson} />}
        <nav className="beside-lesson" aria-label={words.courses}>
          {former ? <ButtonLink to={`${base}/${former.id}`}>{words.formerLesson}</ButtonLink> : <span />}
          {next && (
            <ButtonLink to={`${base}/${next.id}`} look={completedAt === null ? 'plain' : 'primary'}>
              {words.nextLesson}
            </ButtonLink>
          )}
        </nav>
      </div>
    </Page>
  )
}

/** The student says that a lesson is done; a guardian is told who says it. */
const Done = ({ studentId, course, lesson }: Pick<LessonProps, 'studentId' | 'course' | 'lesson'>) => {
  const { own: words } = useWords()
  const { institute } = useMe()
  const student = useOwnStudent(studentId).data
  const wasCompleted = course.status === 'completed'
  const complete = useChange(
    'lessonDone',
    (id: string, header) => answer(api.POST('/me/lessons/{id}/complete', { params: { path: { id }, header } })),
    ({ status }) => toast(status === 'completed' && !wasCompleted ? words.courseDone(course.name) : words.markedDone),
  )
  if (!student || institute.isReadOnly) return null
  if (student.relation === 'guardian') return <p className="soft small">{words.onlyStudent}</p>
  return (
    <>
      {complete.error && <ProblemNotice problem={complete.error} />}
      <Button
        look={lesson.video ? 'plain' : 'primary'}
        icon="tick"
        isBig
        isWide
        isBusy={complete.isPending}
        onPress={() => complete.mutate(lesson.id)}
      >
        {words.markDone}
      </Button>
    </>
  )
}
