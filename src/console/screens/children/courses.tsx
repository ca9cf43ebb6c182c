import { Link, Redirect, useParams } from 'wouter'
import { Icon } from '../../parts/icon.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { ProgressBar } from '../../records/curriculum/progress-bar.tsx'
import { FeatureOff } from '../../records/feature/off.tsx'
import { useFeature } from '../../records/feature/reads.ts'
import { useWords } from '../../words/language.tsx'
import { ChildPage, type Child } from './child.tsx'

/** `/children/:id/courses`: the video courses that the student was given, and how far they are. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  return (
    <ChildPage id={id} at="courses">
      {(child) => (child.seesLearning ? <Courses child={child} /> : <Redirect to={`/children/${id}/money`} replace />)}
    </ChildPage>
  )
}

const Courses = ({ child: { studentId, courses } }: { child: Child }) => {
  const { own: words, curriculum } = useWords()
  const isOn = useFeature('courses_video')
  if (isOn === false) return <FeatureOff feature="courses_video" icon="play" words={curriculum} />
  if (courses.length === 0) return <Empty>{words.noCourses}</Empty>
  return (
    <ul className="card" aria-label={words.courses}>
      {courses.map(({ courseEnrollmentId, courseId, name, status, lessonCount, completedCount }) => {
        const told = words.progress(completedCount, lessonCount)
        return (
          <li key={courseEnrollmentId}>
            <Link href={`/children/${studentId}/courses/${courseId}`} className="row">
              <span className="grow">
                <bdi className="name">{name}</bdi>
                <ProgressBar done={completedCount} all={lessonCount} label={told} />
                <span className="about">{told}</span>
              </span>
              {status === 'completed' && (
                <Badge meaning="good" icon="tick">
                  {words.completed}
                </Badge>
              )}
              {status === 'pending' && <Badge meaning="warn">{words.pending}</Badge>}
              <Icon name="forward" />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
