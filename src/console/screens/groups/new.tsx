import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, numberOf, useForm } from '../../parts/form.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordChoice, useRecords } from '../../parts/record-choice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useCourse, useCourseSource } from '../../records/course/reads.ts'
import { useStaffSource } from '../../records/staff/reads.ts'
import { lessonsOf, rulesFrom } from '../../records/group/foresee.ts'
import { ForeseenLessons } from '../../records/group/foreseen.tsx'
import { useSaveTimes } from '../../records/group/times-sheet.tsx'
import {
  areWhole,
  emptyLine,
  usedLines,
  WeeklyTimes,
  wholeTimes,
  type TimesLine,
} from '../../records/group/weekly-times.tsx'

type Course = Schemas['Course']

/** `/groups/new`: a group with its weekly times, and the lessons that they make. */
export const Screen = () => {
  const { courses: words } = useWords()
  const { can } = useMe()
  const [params] = useSearchParams()
  const courses = useRecords(useCourseSource())
  const asked = useCourse(params.get('course'))
  if (!courses.data || asked.isLoading) {
    return (
      <Page title={words.newGroup}>
        <Waiting />
      </Page>
    )
  }
  const only = courses.data.data.length === 1 ? courses.data.data[0] : undefined
  if (courses.data.data.length > 0) return <NewGroup first={asked.data?.isActive ? asked.data : only} />
  return (
    <Page title={words.newGroup}>
      <div className="card">
        <Empty>
          <p>{words.noCourses}</p>
          {can('courses.write') && (
            <ButtonLink look="primary" to="/courses/new">
              {words.add}
            </ButtonLink>
          )}
        </Empty>
      </div>
    </Page>
  )
}

const NOBODY = 'none'
const NEW = 'new'

const NAMES = { firstName: BOUNDS.NewStaff.firstName, lastName: BOUNDS.NewStaff.lastName }

/** What a group of the course usually is. */
const usualOf = (course: Course | undefined) => ({
  capacity: course?.defaultCapacity?.toString() ?? '',
  feeMinor: course?.defaultFeeMinor ?? null,
})

type Typed = ReturnType<typeof usualOf> & {
  courseId: string | null
  name: string
  branchId: string | null
  teacherStaffId: string
  /** The name of a teacher who is added with the group. */
  firstName: string
  lastName: string
  room: string
  startsOn: string | null
  endsOn: string | null
  lines: TimesLine[]
}

/** @param first the course that is chosen at first */
const NewGroup = ({ first }: { first: Course | undefined }) => {
  const { courses: words, groups, people, week } = useWords()
  const format = useFormat()
  const { branches, branchId: ownBranch, can, institute } = useMe()
  const [, go] = useLocation()
  const teachers = useStaffSource()
  const courses = useCourseSource()
  const today = format.today()
  const [course, setCourse] = useState(first)
  const [made, setMade] = useState<Schemas['Group']>()
  const add = useChange('group', (body: Schemas['NewGroup'], header) =>
    answer(api.POST('/groups', { body, params: { header } })),
  )
  const addTeacher = useChange('staff', (body: Schemas['NewStaff'], header) =>
    answer(api.POST('/staff', { body, params: { header } })),
  )
  /** Who was added stays added where the group is refused: the next try takes them. */
  const teacherOf = async ({ teacherStaffId, branchId, firstName, lastName }: Typed): Promise<string | null> => {
    if (teacherStaffId !== NEW) return teacherStaffId === NOBODY ? null : teacherStaffId
    const names = { firstName: firstName.trim(), lastName: lastName.trim() }
    const { id } = await addTeacher.mutateAsync({ branchId: branchId ?? '', ...names })
    form.set({ teacherStaffId: id })
    return id
  }
  const save = useSaveTimes()
  const form = useForm<Typed>({
    start: {
      courseId: first?.id ?? null,
      name: '',
      branchId: ownBranch ?? (branches.length === 1 ? (branches[0]?.id ?? null) : null),
      teacherStaffId: NOBODY,
      firstName: '',
      lastName: '',
      room: '',
      ...usualOf(first),
      startsOn: today,
      endsOn: null,
      lines: [emptyLine()],
    },
    bounds: ({ teacherStaffId }) => ({ ...BOUNDS.NewGroup, ...(teacherStaffId === NEW && NAMES) }),
    missing: words.missing,
    rules: ({ startsOn, endsOn, lines }) => ({
      endsOn: startsOn !== null && endsOn !== null && endsOn < startsOn && week.endFirst,
      lines: !areWhole(usedLines(lines)) && words.missing,
    }),
    send: async (typed) => {
      const teacherStaffId = await teacherOf(typed)
      const group =
        made ??
        (await add.mutateAsync({
          courseId: typed.courseId ?? '',
          branchId: typed.branchId ?? '',
          name: typed.name.trim(),
          teacherStaffId,
          room: typed.room.trim() || null,
          capacity: numberOf(typed.capacity),
          feeMinor: typed.feeMinor,
          startsOn: typed.startsOn,
          endsOn: typed.endsOn,
        }))
      setMade(group)
      if (rules.length > 0) await save.mutateAsync({ id: group.id, schedules: rules })
      toast(words.savedGroup(group.name))
      go(`/groups/${group.id}`)
    },
  })
  const { startsOn, endsOn, lines, branchId, teacherStaffId, room } = form.typed
  const used = usedLines(lines)
  const isWhole = areWhole(used)
  const rules = isWhole ? rulesFrom([], wholeTimes(used), { from: startsOn ?? today, today }) : []
  /** What the course says stands in the fields until somebody types another thing. */
  const choose = (courseId: string, chosen: Course | undefined) => {
    const [before, usual] = [usualOf(course), usualOf(chosen)]
    setCourse(chosen)
    form.set({
      courseId,
      ...(form.typed.capacity === before.capacity && { capacity: usual.capacity }),
      ...(form.typed.feeMinor === before.feeMinor && { feeMinor: usual.feeMinor }),
    })
  }
  return (
    <Page title={words.newGroup} hasOwnFocus>
      <div className="form">
        <Form form={form} label={words.newGroup} verb={words.saveGroup}>
          {made && form.problem !== undefined && (
            <Notice meaning="warn">
              <span className="grow">{words.timesLeft}</span>
            </Notice>
          )}
          <RecordChoice
            label={words.course}
            placeholder={words.choose}
            source={courses}
            chosen={course && courses.optionOf(course)}
            {...form.field('courseId')}
            onChange={choose}
            autoFocus={!first}
          />
          <Field label={words.groupName} {...form.field('name')} autoFocus={first !== undefined} />
          {branches.length > 1 && (
            <Choice
              label={words.branch}
              placeholder={words.choose}
              options={branches.map(({ id, name: label }) => ({ id, label }))}
              {...form.field('branchId')}
            />
          )}
          {can('staff.read') && (
            <RecordChoice
              label={words.teacher}
              emptyHint={groups.noTeachers}
              source={teachers}
              first={[
                { id: NOBODY, label: groups.noTeacher },
                ...(can('staff.write') ? [{ id: NEW, label: groups.newTeacher }] : []),
              ]}
              {...form.field('teacherStaffId')}
            />
          )}
          {teacherStaffId === NEW && (
            <div className="pair">
              <Field label={people.firstName} {...form.field('firstName')} autoFocus />
              <Field label={people.lastName} {...form.field('lastName')} />
            </div>
          )}
          <div className="pair">
            <Field label={words.room} isOptional {...form.field('room')} />
            <Field label={groups.capacity} isOptional inputMode="numeric" isLtr {...form.field('capacity')} />
          </div>
          <MoneyField
            label={groups.fee}
            isOptional
            currency={course?.currency ?? institute.currency}
            {...form.field('feeMinor')}
          />
          <div className="pair">
            <DateField label={groups.firstDay} isOptional {...form.field('startsOn')} />
            <DateField label={groups.lastDay} isOptional {...form.field('endsOn')} />
          </div>
          <WeeklyTimes
            lines={lines}
            onChange={form.field('lines').onChange}
            isTried={form.isTried && used.length > 0}
          />
          {used.length > 0 && isWhole && (
            <ForeseenLessons
              lessons={lessonsOf(rules, { today, startsOn, endsOn })}
              goesOn={endsOn === null}
              branchId={branchId ?? undefined}
              teacherStaffId={teacherStaffId === NOBODY || teacherStaffId === NEW ? null : teacherStaffId}
              room={room.trim() || null}
            />
          )}
        </Form>
      </div>
    </Page>
  )
}
