import { useState } from 'react'
import { addDays } from '../../../shared/dates.ts'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Choice, type Option } from '../../parts/choose.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { useIsWide } from '../../shell/device.ts'
import { useFilters } from '../../shell/filters.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useGroup } from '../../records/group/reads.ts'
import { useStaffMember, useStaffSource } from '../../records/staff/reads.ts'
import { CoverSheet } from './cover.tsx'
import { Covers } from './covers.tsx'
import { DayList } from './day-list.tsx'
import { Grid } from './grid.tsx'
import { weekOf } from './layout.ts'
import {
  bySession,
  MOST_SESSIONS,
  useClashes,
  useTeaching,
  useWeek,
  type Session,
  type WeekFilters,
} from '../../records/session/reads.ts'
import { SessionSheet } from './session-sheet.tsx'

/** A smaller window has no room for seven days, whatever its letters; style/week.css decides about the others. */
const TABLET_PIXELS = 560

const ANY = 'any'

const isDate = (text: string): boolean => /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Whose lessons a week shows first: those of whoever teaches and does not plan for others. undefined: everybody's. */
const useOwnTeacher = () => {
  const { can } = useMe()
  const isPlanner = can('staff.read')
  const teaching = useTeaching({ isOff: isPlanner })
  return { own: isPlanner ? undefined : (teaching.data?.staffId ?? undefined), isPending: teaching.isLoading }
}

/** `/week`: the timetable of a week, of all or of a teacher, a room or a group. */
export const Screen = () => {
  const { closures, week: words } = useWords()
  const format = useFormat()
  const { branchId, can, institute } = useMe()
  const [isCovering, setCovering] = useState(false)
  const isWide = useIsWide(TABLET_PIXELS)
  const { filters, set } = useFilters(['day', 'teacher', 'room', 'group', 'session'])
  const today = format.today()
  const day = filters.day !== undefined && isDate(filters.day) ? filters.day : today
  const dates = weekOf(day)
  const { own, isPending } = useOwnTeacher()
  const teacher = filters.teacher === ANY ? undefined : (filters.teacher ?? own)
  const week = useWeek(dates, { ...filters, teacher }, branchId, { isOff: isPending })
  const clashing = useClashes(dates)
  const clashes = bySession(clashing.data ?? [])
  const go = (date: string) => set('day', date === today ? '' : date)
  const open = (id: string) => set('session', id)
  const shown = (week.data ?? []).filter(({ id }) => clashes.has(id))
  const count = (clashing.data ?? []).filter(({ sessionId }) => shown.some(({ id }) => id === sessionId)).length
  return (
    <Page
      title={words.title}
      about={format.range(dates[0] ?? day, dates.at(-1) ?? day)}
      actions={
        <>
          {can('groups.write') && can('staff.read') && !institute.isReadOnly && (
            <Button onPress={() => setCovering(true)}>{words.cover.plan}</Button>
          )}
          <ButtonLink to="/closures">{closures.title}</ButtonLink>
          <span className="actions">
            <IconButton icon="back" label={words.previous} onPress={() => go(addDays(day, -7))} />
            <Button onPress={() => go(today)} isDisabled={dates.includes(today) && day === today}>
              {words.today}
            </Button>
            <IconButton icon="forward" label={words.next} onPress={() => go(addDays(day, 7))} />
          </span>
        </>
      }
    >
      <Filters sessions={week.data ?? []} filters={{ ...filters, teacher }} own={own} set={set} clashes={count} />
      <Covers dates={dates} />
      {isCovering && (
        <CoverSheet teacherId={teacher} day={day < today ? today : day} onClose={() => setCovering(false)} />
      )}
      <Loaded query={week}>
        {(sessions) => (
          <div className="week">
            {sessions.length >= MOST_SESSIONS && (
              <Notice meaning="info">
                <span className="grow">{words.notAll(sessions.length)}</span>
              </Notice>
            )}
            {isWide && (
              <Grid
                sessions={sessions}
                dates={dates}
                clashes={clashes}
                hides={{ room: filters.room !== undefined, teacher: teacher !== undefined }}
                onOpen={open}
              />
            )}
            <DayList sessions={sessions} dates={dates} day={day} clashes={clashes} onDay={go} onOpen={open} />
            <SessionSheet
              session={sessions.find(({ id }) => id === filters.session)}
              sessions={sessions}
              clashes={clashes}
              onClose={() => set('session', '')}
            />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

interface FiltersProps {
  sessions: readonly Session[]
  filters: WeekFilters
  /** The reader, who sees their own lessons unless they ask for all. */
  own: string | undefined
  set: (name: 'teacher' | 'room' | 'group', value: string) => void
  /** How many clashes the week has. */
  clashes: number
}

/** Whose week it is: what there is to choose from, and what was chosen even where this week has nothing of it. */
const Filters = ({ sessions, filters, own, set, clashes }: FiltersProps) => {
  const { week: words, groups } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const teachers = useStaffSource()
  const teacher = useStaffMember(filters.teacher === ANY ? null : (filters.teacher ?? null))
  const named = (pairs: Iterable<readonly [string, string]>): Option<string>[] =>
    [...new Map(pairs)]
      .map(([id, label]) => ({ id, label }))
      .toSorted((one, other) => format.compare(one.label, other.label))
  const rooms = named(
    [...sessions.flatMap(({ room }) => room ?? []), ...(filters.room ? [filters.room] : [])].map((room) => [
      room,
      format.room(room),
    ]),
  )
  const group = useGroup(filters.group)
  const ofGroups = named([
    ...(group.data ? [[group.data.id, group.data.name] as const] : []),
    ...sessions.map(({ groupId, groupName }) => [groupId, groupName] as const),
  ])
  const choice = (name: 'room' | 'group', label: string, any: string, options: Option<string>[]) => (
    <Choice
      label={label}
      isLabelUnseen
      options={[{ id: ANY, label: any }, ...options]}
      value={options.some(({ id }) => id === filters[name]) ? (filters[name] ?? ANY) : ANY}
      onChange={(id) => set(name, id === ANY ? '' : id)}
    />
  )
  return (
    <div className="filters">
      {can('staff.read') && (
        <RecordChoice
          label={groups.teacher}
          isLabelUnseen
          source={teachers}
          first={[{ id: ANY, label: words.anyTeacher }]}
          chosen={teacher.data && teachers.optionOf(teacher.data)}
          value={filters.teacher ?? ANY}
          onChange={(id) => set('teacher', id === ANY ? '' : id)}
        />
      )}
      {own !== undefined && (
        <Choice
          label={groups.teacher}
          isLabelUnseen
          options={[
            { id: own, label: words.ownLessons },
            { id: ANY, label: words.anyTeacher },
          ]}
          value={filters.teacher === own ? own : ANY}
          onChange={(id) => set('teacher', id === own ? '' : ANY)}
        />
      )}
      {choice('room', words.room, words.anyRoom, rooms)}
      {choice('group', words.group, words.anyGroup, ofGroups)}
      {Object.keys(filters).some((name) => ['teacher', 'room', 'group'].includes(name)) && sessions.length === 0 && (
        <Button
          look="quiet"
          onPress={() => {
            for (const name of ['teacher', 'room', 'group'] as const) set(name, '')
          }}
        >
          {words.showAll}
        </Button>
      )}
      {clashes > 0 && (
        <Badge meaning="warn" icon="warning">
          {words.clashes(clashes)}
        </Badge>
      )}
    </div>
  )
}
