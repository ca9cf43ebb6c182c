import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { IconButton } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { timesOf } from './foresee.ts'
import { useScheduleRules } from './reads.ts'
import { TimesSheet } from './times-sheet.tsx'
import { linesOf } from './weekly-times.tsx'

/** A time is read in one piece: no line ends within it. */
const WORD_JOINER = '\u2060'

/** When the group meets, in words: "Sun, Wed 16:00–17:30 · Room 3". */
export const Schedule = ({ group, isFixed = false }: { group: Schemas['Group']; isFixed?: boolean }) => {
  const { groups: words } = useWords()
  const format = useFormat()
  const { can, institute } = useMe()
  const [isChanging, setChanging] = useState(false)
  const { data } = useScheduleRules(group.id)
  const weekly = linesOf(timesOf(data ?? [], format.today())).map(({ days, startTime, endTime }) =>
    words.weekly(format.commas(days.map((day) => format.shortWeekday(day))), `${startTime}–${WORD_JOINER}${endTime}`),
  )
  return (
    // The line is kept while the times are on their way.
    <div className="schedule">
      <span>
        <Dotted>
          {data === undefined ? ' ' : weekly.length === 0 ? words.noSchedule : weekly}
          {group.room !== null && <bdi>{format.room(group.room)}</bdi>}
        </Dotted>
      </span>
      {!isFixed && data && can('groups.write') && !institute.isReadOnly && (
        <>
          <IconButton icon="edit" label={words.changeTimes} onPress={() => setChanging(true)} />
          <TimesSheet group={group} rules={data} isOpen={isChanging} onClose={() => setChanging(false)} />
        </>
      )}
    </div>
  )
}
