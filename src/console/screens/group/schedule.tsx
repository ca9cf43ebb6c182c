import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'

type Rule = Schemas['ScheduleRule']

/** "16:00–17:30", as the institute's clocks show it. */
const timesOf = ({ startTime, endTime }: Rule): string => `${startTime.slice(0, 5)}–${endTime.slice(0, 5)}`

/** When the group meets, in words: "Sun, Wed 16:00–17:30 · Room 3". */
export const Schedule = ({ group }: { group: Schemas['Group'] }) => {
  const { groups: words } = useWords()
  const format = useFormat()
  const { data } = useGet(['/groups', group.id, 'schedules'], (signal) =>
    answer(api.GET('/groups/{id}/schedules', { params: { path: { id: group.id } }, signal })),
  )
  const today = format.today()
  const current = data?.filter(({ validTo }) => validTo === null || validTo >= today) ?? []
  const weekly = [...new Set(current.map(timesOf))].map((times) => {
    const rules = current.filter((rule) => timesOf(rule) === times)
    const days = [...new Set(rules.map(({ weekday }) => weekday))].toSorted((one, other) => one - other)
    return words.weekly(days.map((day) => format.shortWeekday(day)).join(', '), times)
  })
  return (
    // The line is kept while the times are on their way.
    <div className="schedule">
      <Dotted>
        {data === undefined ? ' ' : weekly.length === 0 ? words.noSchedule : weekly}
        {group.room !== null && <bdi>{group.room}</bdi>}
      </Dotted>
    </div>
  )
}
