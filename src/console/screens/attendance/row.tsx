import { memo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { Initials } from '../../parts/person.tsx'
import { useWords } from '../../words/language.tsx'
import { isSame, type Line } from './lines.ts'

export type Status = Schemas['AttendanceStatus']

export const STATUSES: readonly Status[] = ['present', 'absent', 'late', 'excused']
/** Each with a colour beside its word. */
export const MEANINGS = { present: 'good', absent: 'bad', late: 'warn', excused: 'info' } as const
/** What a phone has room for; a second tap takes it back, and the name opens the rest. */
const TARGETS: readonly Status[] = ['absent', 'late']

interface RowProps {
  line: Line
  /** Whether the keyboard is at this row. */
  isCurrent: boolean
  /** Whether all four fit beside the name. */
  isWide: boolean
  /** undefined: the caller may only look. */
  onMark: ((studentId: string, status: Status) => void) | undefined
  onOpen: (studentId: string) => void
}

/** A long note is read where one marks it. */
const LONGEST_NOTE = 80

const shortened = (note: string): string => (note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note)

const useAbout = (line: Line, isWide: boolean, isOnlyRead: boolean): string => {
  const { attendance: words } = useWords()
  const { status, minutesLate, note } = line.mark
  return [
    line.isWalkIn ? words.walkIn : '',
    line.announced === null ? '' : words.announced(line.announced),
    !isWide && status === 'excused' ? words.statuses.excused : '',
    minutesLate > 0 ? words.minutesLate(minutesLate) : '',
    isOnlyRead ? (note ?? '') : shortened(note ?? ''),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

const Student = ({ line, isCurrent, isWide, onMark, onOpen }: RowProps) => {
  const { attendance: words } = useWords()
  const { studentId, name, mark } = line
  const about = useAbout(line, isWide, onMark === undefined)
  const tabIndex = isCurrent ? 0 : -1
  const text = (
    <span className="grow">
      <bdi className="name">{name}</bdi>
      {about !== '' && (
        <span className="about">
          <bdi>{about}</bdi>
        </span>
      )}
    </span>
  )
  return (
    <li className={`mark-row ${mark.status}`} data-student={studentId}>
      {onMark ? (
        <button type="button" className="who" tabIndex={tabIndex} onClick={() => onOpen(studentId)}>
          {isWide && <Initials name={name} />}
          {text}
          <span className="unseen">{words.detailsHint}</span>
          {!isWide && <Icon name="more" />}
        </button>
      ) : (
        <span className="who">
          {isWide && <Initials name={name} />}
          {text}
        </span>
      )}
      {onMark && isWide && (
        <span className="segments" role="radiogroup" aria-label={words.of(name)}>
          {STATUSES.map((status) => (
            <button
              key={status}
              type="button"
              role="radio"
              aria-checked={mark.status === status}
              tabIndex={mark.status === status ? tabIndex : -1}
              className={`mark ${status}`}
              onClick={() => onMark(studentId, status)}
            >
              {words.statuses[status]}
            </button>
          ))}
        </span>
      )}
      {onMark && !isWide && (
        <span className="segments" role="group" aria-label={words.of(name)}>
          {TARGETS.map((status) => (
            <button
              key={status}
              type="button"
              aria-pressed={mark.status === status}
              tabIndex={tabIndex}
              className={`mark ${status}`}
              onClick={() => onMark(studentId, mark.status === status ? 'present' : status)}
            >
              {words.statuses[status]}
            </button>
          ))}
        </span>
      )}
      {!onMark && <span className={`mark ${mark.status}`}>{line.stands ? words.statuses[mark.status] : '–'}</span>}
    </li>
  )
}

/** A tap draws one row anew, not forty. */
const isUnchanged = ({ line: former, ...before }: RowProps, { line, ...now }: RowProps): boolean =>
  isSame(former.mark, line.mark) &&
  former.name === line.name &&
  (former.stands === undefined) === (line.stands === undefined) &&
  before.isCurrent === now.isCurrent &&
  before.isWide === now.isWide &&
  before.onMark === now.onMark &&
  before.onOpen === now.onOpen

/** One student: the name, and what is marked. */
export const Row = memo(Student, isUnchanged)
