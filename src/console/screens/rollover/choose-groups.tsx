import type { Schemas } from '../../api/client.ts'
import { readAll, useGet } from '../../api/queries.ts'
import { Check, Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { readGroups } from '../../records/group/reads.ts'
import { GroupStatus, Seats } from '../../records/group/row.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Group = Schemas['Group']

/** More at once the server does not take. */
export const MOST_GROUPS = 200
const ANY = 'any'

/** The groups that may go on: all but those that were cancelled. */
export const useGroupsToGoOn = () => {
  const { branchId } = useMe()
  const query = { branchId: branchId ?? undefined, limit: 100 }
  return useGet(['/groups', 'to-go-on', query], async (signal) => {
    const all = await readAll((cursor) => readGroups({ ...query, cursor }, signal))
    return all.filter(({ status }) => status !== 'cancelled')
  })
}

export interface Narrowed {
  course: string
  status: string
}
export const WIDE: Narrowed = { course: ANY, status: 'active' }

interface ChooseGroupsProps {
  groups: ReturnType<typeof useGroupsToGoOn>
  chosen: readonly string[]
  onChange: (ids: string[]) => void
  narrowed: Narrowed
  onNarrow: (narrowed: Narrowed) => void
}

/** Which groups go on: one by one, or all that the filters leave. */
export const ChooseGroups = ({ groups, chosen, onChange, narrowed, onNarrow }: ChooseGroupsProps) => {
  const { rollover: words } = useWords()
  return (
    <Section title={words.groups}>
      <Loaded query={groups}>
        {(all) => <List groups={all} chosen={chosen} onChange={onChange} narrowed={narrowed} onNarrow={onNarrow} />}
      </Loaded>
    </Section>
  )
}

const STATUSES = ['active', 'planned', 'completed'] as const

const List = ({
  groups,
  chosen,
  onChange,
  narrowed,
  onNarrow,
}: Omit<ChooseGroupsProps, 'groups'> & { groups: readonly Group[] }) => {
  const { rollover: words, groups: groupWords } = useWords()
  const format = useFormat()
  const { course, status } = narrowed
  const courses = [...new Map(groups.map(({ courseId, courseName }) => [courseId, courseName]))]
    .map(([id, label]) => ({ id, label }))
    .toSorted((one, other) => format.compare(one.label, other.label))
  const shown = groups
    .filter((group) => (course === ANY || group.courseId === course) && (status === ANY || group.status === status))
    .toSorted((one, other) => format.compare(one.name, other.name))
  const isChosen = new Set(chosen)
  const choose = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    onChange([...next].slice(0, MOST_GROUPS))
  }
  const ids = shown.map(({ id }) => id)
  const count = ids.filter((id) => isChosen.has(id)).length
  return (
    <>
      <div className="filters">
        <Choice
          label={groupWords.course}
          isLabelUnseen
          options={[{ id: ANY, label: groupWords.anyCourse }, ...courses]}
          value={course}
          onChange={(id) => onNarrow({ ...narrowed, course: id })}
        />
        <Choice
          label={groupWords.status}
          isLabelUnseen
          options={[
            { id: ANY, label: groupWords.anyStatus },
            ...STATUSES.map((id) => ({ id, label: groupWords.statuses[id] })),
          ]}
          value={status}
          onChange={(id) => onNarrow({ ...narrowed, status: id })}
        />
      </div>
      <ul className="card" aria-label={words.groups}>
        {shown.length === 0 ? (
          <li>
            <Empty>
              <p>{words.noGroups}</p>
            </Empty>
          </li>
        ) : (
          <li>
            <div className="row all">
              <Check isChecked={count === ids.length} isPartly={count > 0} onChange={(isOn) => choose(ids, isOn)}>
                {words.all(ids.length)}
              </Check>
            </div>
          </li>
        )}
        {shown.map((group) => (
          <li key={group.id}>
            <div className="row">
              <Check isChecked={isChosen.has(group.id)} onChange={(isOn) => choose([group.id], isOn)}>
                <bdi className="name">{group.name}</bdi>
                <span className="about">
                  <Dotted>
                    <bdi>{group.courseName}</bdi>
                    {group.endsOn === null ? words.noEnd : words.until(format.date(group.endsOn))}
                  </Dotted>
                </span>
              </Check>
              <span className="ends">
                {group.status !== 'active' && <GroupStatus status={group.status} />}
                <Seats group={group} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
