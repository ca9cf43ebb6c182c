import { Dotted } from '../../parts/dotted.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { instantOf } from '../../words/zone.ts'
import { ForeseenClashes } from '../session/clashes.tsx'
import { useForeseen } from '../session/reads.ts'
import type { Lesson } from './foresee.ts'

const SHOWN = 4

interface ForeseenLessonsProps {
  /** The lessons as they will be. */
  lessons: readonly Lesson[]
  /** Those that come and go by it; undefined: the group is new, and all are. */
  change?: { added: readonly Lesson[]; gone: readonly Lesson[] }
  /** Whether the group has no last day. */
  goesOn?: boolean
  branchId: string | undefined
  teacherStaffId: string | null
  room: string | null
  /** Its own lessons are planned anew, and do not clash with these. */
  groupId?: string
}

/** What the weekly times mean, before they are saved: how many lessons, the first of them, and what they clash with. */
export const ForeseenLessons = (props: ForeseenLessonsProps) => {
  const { lessons, change, goesOn = false, branchId, teacherStaffId, room, groupId } = props
  const { groups: words } = useWords()
  const format = useFormat()
  const shown = change?.added ?? lessons
  const foreseen = useForeseen(
    branchId !== undefined && lessons.length > 0 && (teacherStaffId !== null || room !== null)
      ? {
          branchId,
          times: lessons.map(({ date, startTime, endTime }) => ({
            start: instantOf(date, startTime, format.zone),
            end: instantOf(date, endTime, format.zone),
          })),
          own: { ...(groupId && { groupId }) },
          ...(teacherStaffId && { teacherStaffId }),
          ...(room && { room }),
        }
      : undefined,
  )
  const last = lessons.at(-1)
  const said = change
    ? [
        change.added.length > 0 && words.adds(change.added.length),
        change.gone.length > 0 && words.takesAway(change.gone.length),
      ].filter(Boolean)
    : last
      ? [words.foresees(lessons.length, format.longDate(last.date))]
      : []
  return (
    <div className="foreseen" role="status">
      {said.length === 0 ? change && <p className="soft">{words.nothingChanges}</p> : <p>{said.join(' · ')}</p>}
      {shown.length > 0 && (
        <ul className="first-lessons">
          {shown.slice(0, SHOWN).map(({ date, startTime, endTime }) => (
            <li key={`${date} ${startTime}`}>
              <Dotted>
                {format.longDate(date)}
                <bdi className="nowrap">{`${startTime}–${endTime}`}</bdi>
              </Dotted>
            </li>
          ))}
          {shown.length > SHOWN && <li className="soft">{words.moreLessons(shown.length - SHOWN)}</li>}
        </ul>
      )}
      {!change && goesOn && lessons.length > 0 && <p className="soft small">{words.goesOn}</p>}
      {change && change.gone.length > 0 && <p className="soft small">{words.keeps}</p>}
      {lessons.length > 0 && <ForeseenClashes foreseen={foreseen} free={words.noClash} />}
    </div>
  )
}
