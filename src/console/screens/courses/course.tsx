import { useParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { fieldsOf } from '../../api/versioned.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { numberOf } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { digitsOf, parseMoney, writeMoney } from '../../../shared/typed.ts'
import { useGroupPages } from '../../records/group/reads.ts'
import { GroupRow } from '../../records/group/row.tsx'
import { useStaffNames } from '../../records/staff/reads.ts'
import { VideoCourse } from '../../records/curriculum/links.tsx'
import { readCourse, useCategories, useCourse } from '../../records/course/reads.ts'

type Course = Schemas['Course']

/** `/courses/:id`: one course, and who learns it. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { courses: words } = useWords()
  const { can } = useMe()
  const course = useCourse(id)
  if (!course.data) {
    return (
      <Page title={words.title}>
        <Loaded query={course}>{() => null}</Loaded>
      </Page>
    )
  }
  const { name, isActive } = course.data
  return (
    <Page
      name={name}
      title={<bdi>{name}</bdi>}
      about={!isActive && <Badge>{words.inactive}</Badge>}
      actions={
        can('groups.write') && (
          <ButtonLink look="primary" icon="plus" to={`/groups/new?course=${id}`}>
            {words.addGroup}
          </ButtonLink>
        )
      }
    >
      <div className="two">
        <div>
          {can('groups.read') && <GroupsOf courseId={id} />}
          <VideoCourse courseId={id} />
        </div>
        <div>
          <Details course={course.data} />
        </div>
      </div>
    </Page>
  )
}

const GroupsOf = ({ courseId }: { courseId: string }) => {
  const { courses: words } = useWords()
  const names = useStaffNames()
  const groups = useGroupPages({ courseId, limit: 50 })
  return (
    <Section title={words.groups}>
      <Rows pages={groups} label={words.groups} keyOf={({ id }) => id} empty={<p>{words.noGroups}</p>}>
        {(group) => <GroupRow group={group} teacher={names.get(group.teacherStaffId ?? '')} isOfCourse />}
      </Rows>
    </Section>
  )
}

const Details = ({ course }: { course: Course }) => {
  const { courses: words, groups, shell } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const categories = useCategories()
  const { id, currency, defaultFeeMinor, defaultCapacity } = course
  const digits = digitsOf(currency)
  const field = fieldsOf<Course & { version?: never }, Schemas['CourseChanges']>({
    key: ['/courses', id],
    change: 'course',
    read: () => readCourse(id),
    send: (body) => answer(api.PATCH('/courses/{id}', { params: { path: { id } }, body })),
  })
  const may = <T,>(save: T): T | undefined => (can('courses.write') ? save : undefined)
  const yesNo = [
    { id: 'true', label: words.yes },
    { id: 'false', label: words.no },
  ]
  const text = (label: string, name: 'code' | 'level' | 'description', kind: 'text' | 'long' = 'text') => (
    <Editable
      label={label}
      value={course[name] ?? ''}
      bound={BOUNDS.CourseChanges[name]}
      kind={kind}
      none={groups.notSet}
      onSave={may(
        field(
          (record) => record[name] ?? '',
          (typed) => ({ [name]: typed === '' ? null : typed }),
        ),
      )}
    />
  )
  const choice = (label: string, name: 'isActive' | 'isPublic') => (
    <Editable
      label={label}
      value={String(course[name])}
      shown={course[name] ? words.yes : words.no}
      options={yesNo}
      onSave={may(
        field(
          (record) => String(record[name]),
          (typed) => ({ [name]: typed === 'true' }),
        ),
      )}
    />
  )
  return (
    <Section title={words.details}>
      <Facts>
        <Editable
          label={words.name}
          value={course.name}
          bound={BOUNDS.CourseChanges.name}
          onSave={may(
            field(
              (record) => record.name,
              (name) => ({ name }),
            ),
          )}
        />
        <Editable
          label={words.category}
          value={course.categoryId}
          shown={<bdi>{categories.data?.find((one) => one.id === course.categoryId)?.name ?? '…'}</bdi>}
          options={(categories.data ?? []).map((one) => ({ id: one.id, label: one.name }))}
          onSave={may(
            field(
              ({ categoryId }) => categoryId,
              (categoryId) => ({ categoryId }),
            ),
          )}
        />
        <Editable
          label={words.fee}
          value={defaultFeeMinor === null ? '' : writeMoney(defaultFeeMinor, digits)}
          none={groups.noFee}
          shown={defaultFeeMinor !== null && <bdi>{format.money({ amountMinor: defaultFeeMinor, currency })}</bdi>}
          kind="number"
          check={(typed) => (typed === '' || (parseMoney(typed, digits) ?? -1) >= 0 ? undefined : shell.unknownMoney)}
          onSave={may(
            field(
              (record) => (record.defaultFeeMinor === null ? '' : writeMoney(record.defaultFeeMinor, digits)),
              (typed) => ({ defaultFeeMinor: typed === '' ? null : (parseMoney(typed, digits) ?? null) }),
            ),
          )}
        />
        <Editable
          label={words.capacity}
          value={defaultCapacity === null ? '' : String(defaultCapacity)}
          none={groups.noLimit}
          kind="number"
          bound={BOUNDS.CourseChanges.defaultCapacity}
          onSave={may(
            field(
              (record) => (record.defaultCapacity === null ? '' : String(record.defaultCapacity)),
              (typed) => ({ defaultCapacity: numberOf(typed) }),
            ),
          )}
        />
        {text(words.level, 'level')}
        {text(words.code, 'code')}
        {text(words.description, 'description', 'long')}
        {choice(words.isActive, 'isActive')}
        {choice(words.isPublic, 'isPublic')}
      </Facts>
    </Section>
  )
}
