import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useCourse } from '../../records/course/reads.ts'
import { useCurriculum, useGrants } from '../../records/curriculum/reads.ts'
import { FeatureOff } from '../../records/feature/off.tsx'
import { useFeatures } from '../../records/feature/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { AccessBadge } from './access-badge.tsx'
import { BackToCourse } from './frame.tsx'
import { GiveCourse } from './give.tsx'
import { Learners } from './learners.tsx'
import { useTakeAway } from './take-away.tsx'

/** `/courses/:id/students`: who has a video course, and how far they are. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { curriculum: words } = useWords()
  const { can, institute } = useMe()
  const [isGiving, setGiving] = useState(false)
  const features = useFeatures()
  const readsLessons = can('curriculum.read')
  const isOn = features.data?.courses_video === true
  const curriculum = useCurriculum(isOn ? id : undefined)
  const course = useCourse(isOn && !readsLessons ? id : null)
  const name = curriculum.data?.courseName ?? course.data?.name
  if (!features.data || !isOn) {
    return (
      <Page title={words.title}>
        <Loaded query={features}>{() => <FeatureOff feature="courses_video" icon="play" words={words} />}</Loaded>
      </Page>
    )
  }
  const mayGive = can('enrollments.write') && !institute.isReadOnly
  return (
    <>
      <BackToCourse courseId={id}>{words.backToCourse}</BackToCourse>
      <Page
        title={name === undefined ? words.students : <bdi>{name}</bdi>}
        name={name ?? words.students}
        about={words.students}
        actions={
          <>
            {readsLessons && (
              <ButtonLink to={`/courses/${id}/curriculum`} icon="play">
                {words.lessons}
              </ButtonLink>
            )}
            {mayGive && (
              <Button look="primary" icon="plus" onPress={() => setGiving(true)}>
                {words.give}
              </Button>
            )}
          </>
        }
      >
        {readsLessons ? (
          <Loaded query={curriculum}>{(loaded) => <Learners curriculum={loaded} />}</Loaded>
        ) : (
          <GrantList courseId={id} course={name ?? ''} />
        )}
        <Sheet title={words.giveTitle(name ?? '')} isOpen={isGiving} onClose={() => setGiving(false)}>
          <GiveCourse courseId={id} onDone={() => setGiving(false)} />
        </Sheet>
      </Page>
    </>
  )
}

/** Who has it, for those who see nothing of its lessons. */
const GrantList = ({ courseId, course }: { courseId: string; course: string }) => {
  const { curriculum: words } = useWords()
  const grants = useGrants(courseId)
  // A grant that was taken away stays, with what was done under it.
  const having = { ...grants, rows: grants.rows?.filter(({ status }) => status !== 'dropped') }
  return (
    <Rows pages={having} label={words.students} keyOf={({ id }) => id} empty={<p>{words.nobody}</p>}>
      {(grant) => <GrantRow grant={grant} course={course} />}
    </Rows>
  )
}

const GrantRow = ({ grant, course }: { grant: Schemas['ListedCourseEnrollment']; course: string }) => {
  const { curriculum: words, shell } = useWords()
  const format = useFormat()
  const { id, studentId, firstName, lastName, studentNumber, status, grantedAt } = grant
  const student = `${firstName} ${lastName}`
  const takeAway = useTakeAway({ grantId: id, student, course })
  return (
    <div className="row">
      <span className="grow">
        <Link href={`/students/${studentId}`} className="name link">
          <bdi>{student}</bdi>
        </Link>
        <span className="about">
          <Dotted>
            <bdi>{studentNumber}</bdi>
            {words.since(format.date(format.dateOf(grantedAt)))}
          </Dotted>
        </span>
      </span>
      <AccessBadge status={status} />
      {takeAway.entries.length > 0 && <Menu label={`${shell.more}: ${student}`} entries={takeAway.entries} />}
      {takeAway.question}
    </div>
  )
}
