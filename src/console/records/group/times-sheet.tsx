import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { difference, lessonsOf, rulesFrom, timesOf } from './foresee.ts'
import { ForeseenLessons } from './foreseen.tsx'
import { areWhole, emptyLine, linesOf, WeeklyTimes, wholeTimes, type TimesLine } from './weekly-times.tsx'

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

interface Typed {
  lines: TimesLine[]
  /** The first day of the new times. */
  from: string | null
}

const TimesForm = ({ group, rules, onClose }: Omit<TimesSheetProps, 'isOpen'>) => {
  const { groups: words, week } = useWords()
  const format = useFormat()
  const today = format.today()
  const { id, name, startsOn, endsOn, branchId, teacherStaffId, room } = group
  const save = useSaveTimes()
  const form = useForm<Typed>({
    start: () => {
      const known = linesOf(timesOf(rules, today))
      return {
        lines: known.length > 0 ? known : [emptyLine()],
        // Lessons of today may have been given already by the times that were.
        from: rules.length > 0 ? format.tomorrow() : today,
      }
    },
    rules: (typed) => ({
      from: typed.from === null && week.missing,
      lines: !areWhole(typed.lines) && week.missing,
    }),
    send: async () => {
      await save.mutateAsync({ id, schedules: next ?? [] })
      toast(words.savedTimes(name))
      onClose()
    },
  })
  const { lines, from } = form.typed
  const isWhole = areWhole(lines)
  const bounds = { today, startsOn, endsOn }
  const before = lessonsOf(rules, bounds)
  const next = from !== null && isWhole ? rulesFrom(rules, wholeTimes(lines), { from, today }) : undefined
  const lessons = next ? lessonsOf(next, bounds) : []
  return (
    <Form form={form} onCancel={onClose}>
      <WeeklyTimes lines={lines} onChange={form.field('lines').onChange} isTried={form.isTried} />
      <DateField label={words.timesFrom} {...form.field('from')} />
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
    </Form>
  )
}
