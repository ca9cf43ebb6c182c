import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Form } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { difference, lessonsOf, rulesFrom, timesOf } from './foresee.ts'
import { ForeseenLessons } from './foreseen.tsx'
import { areWhole, emptyLine, linesOf, WeeklyTimes, wholeTimes } from './weekly-times.tsx'

type NewRule = Schemas['NewScheduleRule']

/** Replaces the weekly times of a group; the server brings its lessons in line. */
export const useSaveTimes = () =>
  useChange('group', ({ id, schedules }: { id: string; schedules: NewRule[] }, header) =>
    answer(api.PUT('/groups/{id}/schedules', { params: { path: { id }, header }, body: { schedules } })),
  )

interface TimesSheetProps {
  group: Schemas['Group']
  rules: readonly Schemas['ScheduleRule'][]
  isOpen: boolean
  onClose: () => void
}

/** Changes when a group meets, from a day on. */
export const TimesSheet = ({ group, rules, isOpen, onClose }: TimesSheetProps) => {
  const { groups: words } = useWords()
  return (
    <Sheet title={words.timesTitle(group.name)} isOpen={isOpen} onClose={onClose}>
      <TimesForm group={group} rules={rules} onClose={onClose} />
    </Sheet>
  )
}

const TimesForm = ({ group, rules, onClose }: Omit<TimesSheetProps, 'isOpen'>) => {
  const { groups: words, shell, week } = useWords()
  const format = useFormat()
  const today = format.today()
  const { id, name, startsOn, endsOn, branchId, teacherStaffId, room } = group
  const [lines, setLines] = useState(() => {
    const known = linesOf(timesOf(rules, today))
    return known.length > 0 ? known : [emptyLine()]
  })
  // Lessons of today may have been given already by the times that were.
  const [from, setFrom] = useState<string | null>(rules.length > 0 ? format.tomorrow() : today)
  const [isTried, setTried] = useState(false)
  const save = useSaveTimes()
  const isWhole = areWhole(lines)
  const bounds = { today, startsOn, endsOn }
  const before = lessonsOf(rules, bounds)
  const next = from !== null && isWhole ? rulesFrom(rules, wholeTimes(lines), { from, today }) : undefined
  const lessons = next ? lessonsOf(next, bounds) : []
  const submit = async () => {
    setTried(true)
    if (!next || save.isPending) return
    const saved = await save.mutateAsync({ id, schedules: next }).catch(() => undefined)
    if (!saved) return
    toast(words.savedTimes(name))
    onClose()
  }
  return (
    <Form onSubmit={() => void submit()}>
      {save.error && <ProblemNotice problem={save.error} />}
      <WeeklyTimes lines={lines} onChange={setLines} isTried={isTried} />
      <DateField
        label={words.timesFrom}
        value={from}
        onChange={setFrom}
        error={isTried && from === null ? week.missing : undefined}
      />
      {next && (
        <ForeseenLessons
          lessons={lessons}
          change={difference(before, lessons)}
          branchId={branchId}
          teacherStaffId={teacherStaffId}
          room={room}
          groupId={id}
        />
      )}
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {shell.save}
        </Button>
      </div>
    </Form>
  )
}
