import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { plainDigits } from '../../../shared/typed.ts'
import { useCourses } from '../../records/course/reads.ts'
import { useStaff } from '../../records/staff/reads.ts'
import { lessonsOf, rulesFrom } from '../../records/group/foresee.ts'
import { ForeseenLessons } from '../../records/group/foreseen.tsx'
import { useSaveTimes } from '../../records/group/times-sheet.tsx'
import { areWhole, emptyLine, WeeklyTimes, wholeTimes } from '../../records/group/weekly-times.tsx'

/** `/groups/new`: a group with its weekly times, and the lessons that they make. */
export const Screen = () => {
  const { courses: words } = useWords()
  const { can } = useMe()
  const courses = useCourses()
  if (!courses.data) {
    return (
      <Page title={words.newGroup}>
        <Waiting />
      </Page>
    )
  }
  if (courses.data.length > 0) return <NewGroup courses={courses.data} />
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

const NONE = 'none'

const NewGroup = ({ courses }: { courses: readonly Schemas['Course'][] }) => {
  const { courses: words, groups, edit, week } = useWords()
  const format = useFormat()
  const { branches, branchId: ownBranch, can, institute } = useMe()
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const staff = useStaff()
  const today = format.today()
  const asked = courses.find(({ id }) => id === params.get('course')) ?? (courses.length === 1 ? courses[0] : undefined)
  const [courseId, setCourseId] = useState(asked?.id ?? null)
  const course = courses.find(({ id }) => id === courseId)
  const [name, setName] = useState('')
  const [branchId, setBranchId] = useState(ownBranch ?? (branches.length === 1 ? (branches[0]?.id ?? null) : null))
  const [teacher, setTeacher] = useState(NONE)
  const [room, setRoom] = useState('')
  // What the course says stands in the fields until somebody types another thing.
  const [typedCapacity, setCapacity] = useState<string>()
  const [typedFee, setFee] = useState<number | null>()
  const [startsOn, setStartsOn] = useState<string | null>(today)
  const [endsOn, setEndsOn] = useState<string | null>(null)
  const [lines, setLines] = useState(() => [emptyLine()])
  const [isTried, setTried] = useState(false)
  const [made, setMade] = useState<Schemas['Group']>()

  const capacity = plainDigits(typedCapacity ?? String(course?.defaultCapacity ?? '')).trim()
  const isCapacity = capacity === '' || /^[1-9]\d{0,4}$/.test(capacity)
  const fee = typedFee === undefined ? (course?.defaultFeeMinor ?? null) : typedFee
  const isBackwards = startsOn !== null && endsOn !== null && endsOn < startsOn
  // A line that nobody has touched asks for nothing.
  const used = lines.filter(({ days, startTime, endTime }) => days.length > 0 || startTime !== null || endTime !== null)
  const isWhole = areWhole(used)
  const from = startsOn ?? today
  const rules = isWhole ? rulesFrom([], wholeTimes(used), { from, today }) : []
  const teacherStaffId = teacher === NONE ? null : teacher

  const add = useChange('group', (body: Schemas['NewGroup'], header) =>
    answer(api.POST('/groups', { body, params: { header } })),
  )
  const save = useSaveTimes()
  const isBusy = add.isPending || save.isPending

  const submit = async () => {
    setTried(true)
    if (isBusy || !courseId || !branchId || name.trim() === '' || !isCapacity || isBackwards || !isWhole) return
    try {
      const group =
        made ??
        (await add.mutateAsync({
          courseId,
          branchId,
          name: name.trim(),
          teacherStaffId,
          room: room.trim() || null,
          capacity: capacity === '' ? null : Number(capacity),
          feeMinor: fee,
          startsOn,
          endsOn,
        }))
      setMade(group)
      if (rules.length > 0) await save.mutateAsync({ id: group.id, schedules: rules })
      toast(words.savedGroup(group.name))
      go(`/groups/${group.id}`)
    } catch {
      // The form shows the problem of each step, and keeps what was typed.
    }
  }

  const missing = (value: string | null) => (isTried && !value?.trim() ? words.missing : undefined)
  return (
    <Page title={words.newGroup} hasOwnFocus>
      <div className="form">
        <Form onSubmit={() => void submit()} label={words.newGroup}>
          {add.error && <ProblemNotice problem={add.error} />}
          {made && save.error && (
            <>
              <Notice meaning="warn">
                <span className="grow">{words.timesLeft}</span>
              </Notice>
              <ProblemNotice problem={save.error} />
            </>
          )}
          <Choice
            label={words.course}
            placeholder={words.choose}
            options={courses.map(({ id, name: label }) => ({ id, label }))}
            value={courseId}
            onChange={setCourseId}
            error={missing(courseId)}
            autoFocus={!asked}
          />
          <Field
            label={words.groupName}
            value={name}
            onChange={setName}
            error={missing(name)}
            maxLength={150}
            autoFocus={asked !== undefined}
          />
          {branches.length > 1 && (
            <Choice
              label={words.branch}
              placeholder={words.choose}
              options={branches.map(({ id, name: label }) => ({ id, label }))}
              value={branchId}
              onChange={setBranchId}
              error={missing(branchId)}
            />
          )}
          {can('staff.read') && (
            <Choice
              label={words.teacher}
              hint={staff.data?.length === 0 ? groups.noTeachers : undefined}
              options={[
                { id: NONE, label: groups.noTeacher },
                ...(staff.data ?? []).map(({ id, fullName }) => ({ id, label: fullName })),
              ]}
              value={teacher}
              onChange={setTeacher}
            />
          )}
          <div className="pair">
            <Field label={words.room} isOptional value={room} onChange={setRoom} maxLength={100} />
            <Field
              label={groups.capacity}
              isOptional
              value={typedCapacity ?? capacity}
              onChange={setCapacity}
              inputMode="numeric"
              isLtr
              error={isCapacity ? undefined : edit.notNumber}
            />
          </div>
          <MoneyField
            label={groups.fee}
            isOptional
            currency={course?.currency ?? institute.currency}
            value={fee}
            onChange={setFee}
          />
          <div className="pair">
            <DateField label={groups.firstDay} isOptional value={startsOn} onChange={setStartsOn} />
            <DateField
              label={groups.lastDay}
              isOptional
              value={endsOn}
              onChange={setEndsOn}
              error={isBackwards ? week.endFirst : undefined}
            />
          </div>
          <WeeklyTimes lines={lines} onChange={setLines} isTried={isTried && used.length > 0} />
          {used.length > 0 && isWhole && (
            <ForeseenLessons
              lessons={lessonsOf(rules, { today, startsOn, endsOn })}
              branchId={branchId ?? undefined}
              teacherStaffId={teacherStaffId}
              room={room.trim() || null}
            />
          )}
          <div className="actions">
            <Button type="submit" look="primary" isBusy={isBusy}>
              {words.saveGroup}
            </Button>
          </div>
        </Form>
      </div>
    </Page>
  )
}
