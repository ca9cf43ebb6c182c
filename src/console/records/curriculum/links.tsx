import { Link } from 'wouter'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { useFeature } from '../feature/reads.ts'
import { useCurriculumSummary } from './reads.ts'

interface VideoCourseProps {
  courseId: string
  /** Whether it stands there only where the course has lessons. */
  isQuiet?: boolean
}

/** The way to the video lessons of a course, and to who has them. */
export const VideoCourse = ({ courseId, isQuiet = false }: VideoCourseProps) => {
  const { curriculum: words } = useWords()
  const { can } = useMe()
  const isOn = useFeature('courses_video') === true
  const readsLessons = can('curriculum.read')
  const summary = useCurriculumSummary(courseId, !isOn || !readsLessons).data
  if (!isOn || (readsLessons && !summary) || (isQuiet && !summary?.lessonCount)) return null
  if (!readsLessons && !can('enrollments.read')) return null
  const all = summary?.lessonCount ?? 0
  const places = [
    ...(summary
      ? [
          {
            to: `/courses/${courseId}/curriculum`,
            icon: 'play' as const,
            name: words.lessons,
            about: all === 0 ? words.noLessonsYet : words.count(all, summary.publishedLessonCount),
          },
        ]
      : []),
    { to: `/courses/${courseId}/students`, icon: 'people' as const, name: words.students, about: words.studentsAbout },
  ]
  return (
    <Section title={words.title}>
      <ul className="card" aria-label={words.title}>
        {places.map(({ to, icon, name, about }) => (
          <li key={to}>
            <Link href={to} className="row">
              <Icon name={icon} />
              <span className="grow">
                <span className="name">{name}</span>
                <span className="about">{about}</span>
              </span>
              <Icon name="forward" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
