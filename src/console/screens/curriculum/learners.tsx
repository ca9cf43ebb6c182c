import { useState } from 'react'
import { Link } from 'wouter'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { ProgressBar } from '../../records/curriculum/progress-bar.tsx'
import { useLearners, type Curriculum, type Learner, type VideoLesson } from '../../records/curriculum/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { AccessBadge } from './access-badge.tsx'
import { useTakeAway } from './take-away.tsx'

/** A published lesson, by its place in the whole course. */
interface Numbered {
  lesson: VideoLesson
  number: number
}

/** So many lessons stand beside each student; of a longer course, their number alone. */
const MOST_MARKS = 60

/** The students of a course, and which of its lessons each has done. */
export const Learners = ({ curriculum }: { curriculum: Curriculum }) => {
  const { curriculum: words } = useWords()
  const learners = useLearners(curriculum.courseId)
  const lessons = curriculum.sections
    .flatMap((section) => section.lessons)
    .map((lesson, at): Numbered => ({ lesson, number: at + 1 }))
    .filter(({ lesson }) => lesson.publishedAt !== null)
  return (
    <Rows
      pages={learners}
      label={words.students}
      keyOf={({ courseEnrollmentId }) => courseEnrollmentId}
      empty={<p>{words.nobody}</p>}
    >
      {(learner) => <LearnerRow learner={learner} lessons={lessons} course={curriculum.courseName} />}
    </Rows>
  )
}

interface LearnerRowProps {
  learner: Learner
  lessons: readonly Numbered[]
  course: string
}

const LearnerRow = ({ learner, lessons, course }: LearnerRowProps) => {
  const { curriculum: words, shell } = useWords()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { studentId, studentNumber, status, completedCount, lessonCount, lastCompletedAt } = learner
  const student = `${learner.firstName} ${learner.lastName}`
  const takeAway = useTakeAway({ grantId: learner.courseEnrollmentId, student, course })
  const done = new Set(learner.completedLessonIds)
  const told = words.doneOf(completedCount, lessonCount)
  const entries = [
    ...(lessons.length > 0 ? [{ id: 'lessons', label: words.whichLessons, onSelect: () => setOpen(true) }] : []),
    ...takeAway.entries,
  ]
  return (
    <div className="row learner">
      <span className="who">
        <StudentName id={studentId} name={student} />
        <span className="about">
          <Dotted>
            <bdi>{studentNumber}</bdi>
            {lastCompletedAt !== null && words.lastDone(format.date(format.dateOf(lastCompletedAt)))}
          </Dotted>
        </span>
      </span>
      <span className="how-far">
        <ProgressBar done={completedCount} all={lessonCount} label={told} />
        <span className="about">{told}</span>
      </span>
      {lessons.length <= MOST_MARKS && (
        <ul className="lesson-marks" aria-label={words.lessonsOf(student)}>
          {lessons.map(({ lesson: { id, title }, number }) => (
            <li key={id} className={done.has(id) ? 'done' : undefined} title={title}>
              <span aria-hidden="true">{format.number(number)}</span>
              <span className="unseen">{done.has(id) ? words.isDone(title) : words.isOpen(title)}</span>
            </li>
          ))}
        </ul>
      )}
      <AccessBadge status={status} />
      {entries.length > 0 && <Menu label={`${shell.more}: ${student}`} entries={entries} />}
      {takeAway.question}
      <Sheet title={words.lessonsOf(student)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ol className="card" aria-label={words.lessonsOf(student)}>
          {lessons.map(({ lesson: { id, title }, number }) => (
            <li key={id} className="row">
              <span className={done.has(id) ? 'lesson-mark done' : 'lesson-mark'}>
                {done.has(id) ? <Icon name="tick" /> : format.number(number)}
              </span>
              <span className="grow">
                <bdi className="name">{title}</bdi>
                <span className="about">{done.has(id) ? words.lessonDone : words.lessonOpen}</span>
              </span>
            </li>
          ))}
        </ol>
      </Sheet>
    </div>
  )
}

const StudentName = ({ id, name }: { id: string; name: string }) => {
  const { can } = useMe()
  return can('students.read') ? (
    <Link href={`/students/${id}`} className="name link">
      <bdi>{name}</bdi>
    </Link>
  ) : (
    <bdi className="name">{name}</bdi>
  )
}
