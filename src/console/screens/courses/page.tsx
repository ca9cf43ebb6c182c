import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useCategories, useCoursePages } from '../../records/course/reads.ts'

type Course = Schemas['Course']

/** `/courses`: what the institute teaches. */
export const Screen = () => {
  const { courses: words } = useWords()
  const { can } = useMe()
  const { filters, set } = useFilters(['shown'])
  const areAll = filters.shown === 'all'
  const categories = useCategories()
  const courses = useCoursePages(areAll ? {} : { isActive: true })
  return (
    <Page
      title={words.title}
      actions={
        <>
          <ButtonLink look="quiet" to="/courses/categories">
            {words.categories.title}
          </ButtonLink>
          {can('courses.write') && (
            <ButtonLink look="primary" icon="plus" to="/courses/new">
              {words.add}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="filters">
        <Choice
          label={words.shown}
          isLabelUnseen
          options={[
            { id: 'active', label: words.active },
            { id: 'all', label: words.all },
          ]}
          value={areAll ? 'all' : 'active'}
          onChange={(id) => set('shown', id === 'all' ? 'all' : '')}
        />
      </div>
      <Rows pages={courses} label={words.title} keyOf={({ id }) => id} empty={<p>{words.noneYet}</p>}>
        {(course) => (
          <CourseRow course={course} category={categories.data?.find(({ id }) => id === course.categoryId)?.name} />
        )}
      </Rows>
    </Page>
  )
}

const CourseRow = ({ course, category }: { course: Course; category: string | undefined }) => {
  const { courses: words } = useWords()
  const format = useFormat()
  const { id, name, code, level, isActive, defaultFeeMinor, currency } = course
  return (
    <Link href={`/courses/${id}`} className="row">
      <span className="grow">
        <bdi className="name">{name}</bdi>
        <span className="about">
          <Dotted>
            {category !== undefined && <bdi>{category}</bdi>}
            {level !== null && <bdi>{level}</bdi>}
            {code !== null && <bdi>{code}</bdi>}
          </Dotted>
        </span>
      </span>
      <span className="ends">
        {!isActive && <Badge>{words.inactive}</Badge>}
        {defaultFeeMinor !== null && (
          <bdi className="soft">{format.money({ amountMinor: defaultFeeMinor, currency })}</bdi>
        )}
      </span>
      <Icon name="forward" />
    </Link>
  )
}
