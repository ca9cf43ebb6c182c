import { useCallback, useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useIsWide } from '../../shell/device.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { AddStudent } from './add-student.tsx'
import { AddWalkIn } from './add-walk-in.tsx'
import { Details } from './details.tsx'
import { useKeys } from './keys.ts'
import { minutesSince, type Line } from './lines.ts'
import { Row, STATUSES, type Status } from './row.tsx'
import type { useSaving } from './saving.ts'
import type { useMarks } from './use-marks.ts'

/** From here on all four marks fit beside a name. */
const WIDE = 700

interface RosterListProps {
  roster: Schemas['Roster']
  marks: ReturnType<typeof useMarks>
  saving: ReturnType<typeof useSaving>
  mayMark: boolean
  /** Called for somebody who was added here. */
  onAdded: () => void
}

/** The list of names, and the bar that saves it. */
export const RosterList = ({ roster, marks, saving, mayMark, onAdded }: RosterListProps) => {
  const { attendance: words } = useWords()
  const { can } = useMe()
  const isWide = useIsWide(WIDE)
  const { lines, mark } = marks
  const list = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const [openId, setOpenId] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  /** Who was added last. */
  const [added, setAdded] = useState<string>()

  const opened = lines.find(({ studentId }) => studentId === openId)

  const latest = useRef(lines)
  useEffect(() => {
    latest.current = lines
  })
  const onMark = useCallback(
    (studentId: string, status: Status) => {
      const at = latest.current.findIndex((line) => line.studentId === studentId)
      const line = latest.current[at]
      if (!line) return
      const minutesLate =
        status === 'late' ? line.mark.minutesLate || minutesSince(roster.scheduledStart, Date.now()) : 0
      mark({ studentId, status, minutesLate, note: line.mark.note })
      setCurrent(at)
    },
    [mark, roster.scheduledStart],
  )
  const onOpen = useCallback((studentId: string) => setOpenId(studentId), [])

  // The keyboard's place has the focus once it was moved there.
  const isMoved = useRef(false)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    list.current?.children[current]?.querySelector<HTMLElement>('[aria-checked="true"], .who')?.focus()
  })
  // Whoever was added is brought into view, once they are on the list.
  const isThere = added !== undefined && !isAdding && lines.some(({ studentId }) => studentId === added)
  useEffect(() => {
    if (isThere) list.current?.querySelector<HTMLElement>(`[data-student="${added}"] .who`)?.focus()
  }, [isThere, added])
  const moved = (then: () => void): void => {
    isMoved.current = true
    then()
  }
  useKeys(
    {
      count: lines.length,
      current,
      statusOf: (row) => lines[row]?.mark.status ?? 'present',
      go: (row) => moved(() => setCurrent(row)),
      mark: (row, status) => moved(() => onMark(lines[row]?.studentId ?? '', status)),
      open: (row) => setOpenId(lines[row]?.studentId),
      save: () => saving.save(),
    },
    !mayMark || openId !== undefined || isAdding,
  )

  return (
    <>
      {lines.length > 0 && (
        <ul className="card marks" ref={list}>
          {lines.map((line, index) => (
            <Row
              key={line.studentId}
              line={line}
              isCurrent={index === current}
              isWide={isWide}
              onMark={mayMark ? onMark : undefined}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
      {(can('enrollments.write') || mayMark) && roster.status !== 'cancelled' && (
        <p className="add">
          <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        </p>
      )}
      {roster.status !== 'cancelled' && !can('attendance.mark') && <p className="hint">{words.othersMark}</p>}
      {saving.problem && <ProblemNotice problem={saving.problem} />}
      {mayMark && isWide && lines.length > 0 && <p className="small keys">{words.keys}</p>}
      {mayMark && lines.length > 0 && <Bar marks={marks} saving={saving} />}
      {opened && (
        <Details
          sessionId={roster.sessionId}
          line={opened}
          onMark={mark}
          lateNow={() => minutesSince(roster.scheduledStart, Date.now())}
          onClose={() => setOpenId(undefined)}
        />
      )}
      {isAdding &&
        (can('enrollments.write') ? (
          <AddStudent
            roster={roster}
            onClose={() => setAdding(false)}
            onAdded={(studentId) => {
              setAdded(studentId)
              onAdded()
            }}
          />
        ) : (
          <AddWalkIn
            roster={roster}
            onClose={() => setAdding(false)}
            onAdded={(studentId, { version }) => {
              // Nobody else changed anything in between.
              if (version === roster.version + 1) marks.sawVersion(version)
              setAdded(studentId)
              onAdded()
            }}
          />
        ))}
    </>
  )
}

const countOf = (lines: readonly Line[], status: Status): number =>
  lines.filter(({ mark }) => mark.status === status).length

/** How many came, whether that is saved, and the button that saves it. */
const Bar = ({ marks, saving }: Pick<RosterListProps, 'marks' | 'saving'>) => {
  const { attendance: words, shell } = useWords()
  const { lines } = marks
  const counts = STATUSES.map((status) => [status, countOf(lines, status)] as const)
  const isNew = lines.some((line) => line.isNew)
  return (
    <div className="bar">
      <div className="grow">
        <span className="sum">
          {counts
            .filter(([status, count]) => count > 0 || status === 'present')
            .map(([status, count]) => words.counts[status](count))
            .join(' · ')}
        </span>
        <State marks={marks} saving={saving} isNew={isNew} />
      </div>
      <Button look="primary" isBusy={saving.isBusy} isDisabled={!isNew} onPress={saving.save}>
        {shell.save}
      </Button>
    </div>
  )
}

/** Whether what is seen is saved, since when, and how to take it back. */
const State = ({ marks, saving, isNew }: Pick<RosterListProps, 'marks' | 'saving'> & { isNew: boolean }) => {
  const { attendance: words, shell } = useWords()
  const format = useFormat()
  const { savedAt } = marks
  const saved = () => {
    const isToday = format.dateOf(savedAt) === format.today()
    return words.savedAt(isToday ? format.time(savedAt) : format.moment(savedAt))
  }
  const text = () => {
    if (saving.isBusy) return shell.saving
    if (marks.isRestored) return words.restored
    if (isNew) return words.unsaved
    if (marks.isOnTheWay) return words.unsent
    return savedAt === '' ? '' : saved()
  }
  return (
    <div className="state small">
      <span role="status">{text()}</span>
      {marks.isRestored && (
        <Button look="quiet" onPress={marks.startOver}>
          {words.startOver}
        </Button>
      )}
      {!isNew && saving.undo && (
        <Button look="quiet" onPress={saving.undo}>
          {shell.undo}
        </Button>
      )}
    </div>
  )
}
