import { IconButton } from '../../parts/button.tsx'
import { Choice, Segments, type Option } from '../../parts/choose.tsx'
import { SearchChoice } from '../../parts/search-choice.tsx'
import { readGroups } from '../../records/group/reads.ts'
import { readGuardians } from '../../records/guardian/reads.ts'
import { StudentChoice } from '../../records/student/find.tsx'
import { useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/language.tsx'
import { TOS, WHOMS, type Draft, type Named, type Whom } from './draft.ts'

const OFFERED = 20

const findGroups = async (q: string, signal: AbortSignal): Promise<Option<string>[]> => {
  const query = { status: 'active' as const, limit: OFFERED, ...(q.trim() !== '' && { q: q.slice(0, 100) }) }
  const { data } = await readGroups(query, signal)
  return data.map(({ id, name, courseName }) => ({ id, label: name, about: courseName }))
}

const findGuardians = async (q: string, signal: AbortSignal): Promise<Option<string>[]> => {
  const { data } = await readGuardians({ limit: OFFERED, ...(q.trim() !== '' && { q: q.slice(0, 100) }) }, signal)
  return data.map(({ id, firstName, lastName, phone }) => ({
    id,
    label: `${firstName} ${lastName}`,
    ...(phone !== null && { about: phone }),
  }))
}

interface WhomProps {
  draft: Draft
  onChange: (more: Partial<Draft>) => void
  /** Whether the reader writes to whomever they reach; else to their own groups. */
  isOffice: boolean
}

/** To whom it goes: in a word, or by name. */
export const Recipients = ({ draft, onChange, isOffice }: WhomProps) => {
  const { messages: words } = useWords()
  const { can, branches } = useMe()
  const { whom, groups, people } = draft
  const isOpen: Readonly<Record<Whom, boolean>> = {
    groups: true,
    branch: isOffice,
    debtors: isOffice && can('invoices.read'),
    absent: can('attendance.read', 'attendance.mark'),
    people: isOffice && can('students.read', 'guardians.read'),
  }
  const asksBranch = whom === 'branch' || (branches.length > 1 && (whom === 'debtors' || whom === 'absent') && isOffice)
  return (
    <>
      <Choice
        label={words.whom}
        isLabelUnseen
        options={WHOMS.filter((one) => isOpen[one]).map((id) => ({ id, label: words.whoms[id] }))}
        value={whom}
        onChange={(id) => onChange({ whom: id })}
      />
      {whom === 'debtors' && (
        <Segments
          label={words.owing}
          options={(['overdue', 'open'] as const).map((id) => ({ id, label: words.owings[id] }))}
          value={draft.isOverdue ? 'overdue' : 'open'}
          onChange={(id) => onChange({ isOverdue: id === 'overdue' })}
        />
      )}
      {whom === 'absent' && (
        <Segments
          label={words.day}
          options={(['today', 'yesterday'] as const).map((id) => ({ id, label: words.days[id] }))}
          value={draft.day}
          onChange={(day) => onChange({ day })}
        />
      )}
      {asksBranch && (
        <Choice
          label={words.branch}
          options={branches.map(({ id, name }) => ({ id, label: name }))}
          value={draft.branchId}
          onChange={(branchId) => onChange({ branchId })}
        />
      )}
      {whom !== 'branch' && whom !== 'people' && (
        <>
          <SearchChoice
            label={words.addGroup}
            {...(whom !== 'groups' && isOffice && { hint: words.onlyGroups })}
            find={findGroups}
            onChoose={(group) => onChange({ groups: [...groups.filter(({ id }) => id !== group.id), group] })}
          />
          <Chosen
            label={words.groups}
            chosen={groups}
            onRemove={(gone) => onChange({ groups: groups.filter(({ id }) => id !== gone) })}
          />
        </>
      )}
      {whom === 'people' && <People people={people} onChange={(named) => onChange({ people: named })} />}
      {whom === 'debtors' && <p className="hint">{words.payersRead}</p>}
      {whom !== 'people' && whom !== 'debtors' && (
        <Segments
          label={words.to}
          options={TOS.map((id) => ({ id, label: words.tos[id] }))}
          value={draft.to}
          onChange={(to) => onChange({ to })}
        />
      )}
    </>
  )
}

const People = ({ people, onChange }: { people: readonly Named[]; onChange: (people: readonly Named[]) => void }) => {
  const { messages: words } = useWords()
  const { can } = useMe()
  const add = (kind: Named['kind']) => (one: Option<string>) =>
    onChange([...people.filter(({ id }) => id !== one.id), { ...one, kind }])
  return (
    <>
      {can('guardians.read') && (
        <SearchChoice label={words.addGuardian} find={findGuardians} onChoose={add('guardian')} />
      )}
      {can('students.read') && <StudentChoice label={words.addStudent} onChoose={add('student')} />}
      <Chosen
        label={words.chosen}
        chosen={people}
        onRemove={(gone) => onChange(people.filter(({ id }) => id !== gone))}
      />
    </>
  )
}

interface ChosenProps {
  label: string
  chosen: readonly Option<string>[]
  onRemove: (id: string) => void
}

/** Those that were chosen, each to be taken out again. */
const Chosen = ({ label, chosen, onRemove }: ChosenProps) => {
  const { messages: words } = useWords()
  if (chosen.length === 0) return null
  return (
    <ul className="chosen" aria-label={label}>
      {chosen.map((one) => (
        <li key={one.id} className="badge">
          <bdi>{one.label}</bdi>
          <IconButton icon="cross" label={words.remove(one.label)} onPress={() => onRemove(one.id)} />
        </li>
      ))}
    </ul>
  )
}
