import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/client.ts'
import { Check } from '../../parts/choose.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useStaffMember, useStaffSource } from '../../records/staff/reads.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { CoverDays } from './cover-days.tsx'
import { usePlan, usePlanned, type PlannedLesson } from './cover-reads.ts'

/** So many days are planned at once: each may have a teacher of its own. */
const MOST_DAYS = 62
const DAY_MILLIS = 86_400_000

const startOf = (staffId: string, day: string) => ({
  staffId,
  from: day as string | null,
  to: null as string | null,
  substituteStaffId: '',
  reason: '',
  tellFamilies: false,
})

interface CoverSheetProps {
  /** The teacher whose week is shown; undefined: everybody's. */
  teacherId: string | undefined
  /** The first day that is proposed. */
  day: string
  onClose: () => void
}

/** A teacher is away for some days: who stands in, day by day, and what that clashes with. */
export const CoverSheet = ({ teacherId, day, onClose }: CoverSheetProps) => {
  const { week, people } = useWords()
  const words = week.cover
  const format = useFormat()
  const teachers = useStaffSource()
  const before = useStaffMember(teacherId ?? null)
  const [standing, setStanding] = useState<Schemas['Staff']>()
  /** Who stands in on single days, in place of whoever does on the others. */
  const [byDay, setByDay] = useState<ReadonlyMap<string, string>>(new Map())
  /** What somebody ticked or unticked; the others are given unless they clash. */
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map())
  const plan = usePlan()
  const isGiven = ({ sessionId, clashes }: PlannedLesson): boolean => ticked.get(sessionId) ?? clashes.length === 0

  const form = useForm({
    start: startOf(teacherId ?? '', day),
    bounds: { ...BOUNDS.NewCover, staffId: BOUNDS.NewCover.substituteStaffId, to: {} },
    missing: { staffId: words.teacherMissing, from: words.dayMissing, substituteStaffId: words.substituteMissing },
    rules: ({ from, to, staffId, substituteStaffId }) => ({
      to:
        from !== null &&
        to !== null &&
        ((to < from && people.absenceEndFirst) ||
          (Date.parse(to) - Date.parse(from) > MOST_DAYS * DAY_MILLIS && words.tooLong(MOST_DAYS))),
      substituteStaffId: substituteStaffId !== '' && substituteStaffId === staffId && words.sameTeacher,
    }),
    send: async ({ reason, tellFamilies }) => {
      const left = (planned.data ?? []).filter((lesson) => !isGiven(lesson)).map(({ sessionId }) => sessionId)
      if (!asked) return
      const body = { ...asked, exceptSessionIds: left, tellFamilies, dryRun: false }
      const { covers } = await plan.mutateAsync({ ...body, ...(reason.trim() !== '' && { reason: reason.trim() }) })
      toast(words.planned(covers.reduce((sum, { coveredSessions }) => sum + coveredSessions, 0)))
      onClose()
    },
  })
  const { staffId, from, to, substituteStaffId, tellFamilies } = form.typed
  const last = to ?? from
  const isReady =
    staffId !== '' &&
    substituteStaffId !== '' &&
    staffId !== substituteStaffId &&
    from !== null &&
    last !== null &&
    from <= last &&
    last >= format.today() &&
    Date.parse(last) - Date.parse(from) <= MOST_DAYS * DAY_MILLIS
  const others = [...byDay]
    .filter(([date]) => from !== null && last !== null && from <= date && date <= last)
    .map(([date, id]) => ({ substituteStaffId: id, from: date, to: date }))
  const asked = isReady ? { staffId, substituteStaffId, from, to: last, others } : undefined
  const planned = usePlanned(asked)
  return (
    <Sheet title={words.plan} isOpen isBroad onClose={onClose}>
      <Form form={form} verb={words.planIt} onCancel={onClose}>
        <RecordChoice
          label={words.absent}
          source={teachers}
          chosen={before.data && teachers.optionOf(before.data)}
          {...form.field('staffId')}
          onChange={(id) => form.set({ staffId: id })}
        />
        <div className="pair">
          <DateField label={people.absentFrom} {...form.field('from')} />
          <DateField label={people.absentTo} isOptional {...form.field('to')} />
        </div>
        <RecordChoice
          label={words.substitute}
          source={teachers}
          {...form.field('substituteStaffId')}
          onChange={(id, teacher) => {
            form.set({ substituteStaffId: id })
            setStanding(teacher)
          }}
        />
        {isReady && (
          <Loaded query={planned}>
            {(lessons) => (
              <CoverDays
                lessons={lessons}
                staffId={staffId}
                standing={standing}
                byDay={byDay}
                onDay={(date, id) => {
                  const after = new Map(byDay)
                  if (id === null) after.delete(date)
                  else after.set(date, id)
                  setByDay(after)
                }}
                isGiven={isGiven}
                onGive={(id, isTicked) => setTicked(new Map(ticked).set(id, isTicked))}
              />
            )}
          </Loaded>
        )}
        <Field label={words.reason} hint={words.reasonHint} isOptional {...form.field('reason')} />
        <Check isChecked={tellFamilies} onChange={form.field('tellFamilies').onChange}>
          {words.tellFamilies}
        </Check>
        <p className="soft">{words.follows}</p>
      </Form>
    </Sheet>
  )
}
