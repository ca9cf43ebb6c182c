import type { Schemas } from '../../api/client.ts'
import { Segments } from '../../parts/choose.tsx'
import { useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'
import { fieldLabel } from '../../../shared/import-words/label.ts'
import { WHO, type Field, type Kind } from './fields.ts'

type Mapping = NonNullable<Schemas['NewImport']['mapping']>

/** What a field is called; in a list of students, whose a phone or an address is. */
export const labelIn = ({ labels, ofStudent }: Words['imports'], kind: Kind, field: string): string =>
  kind === 'students' && Object.hasOwn(ofStudent, field)
    ? ofStudent[field as keyof typeof ofStudent]
    : fieldLabel(labels, field)

interface Doubt {
  column: string
  own: 'phone' | 'email'
  who: (typeof WHO)[number]
  parents: Field
}

/** Columns of students that many schools fill in with what is the parents': nothing else in the list says those. */
const doubtsIn = (mapping: Mapping): Doubt[] => {
  const held = new Set(Object.values(mapping))
  const beginsWith = (slot: string) => [...held].some((field) => field.startsWith(slot))
  const who = WHO.toReversed().find(beginsWith) ?? 'guardian'
  return (['phone', 'email'] as const).flatMap((own) => {
    const [column] = Object.entries(mapping).find(([, field]) => field === own) ?? []
    const part = own === 'phone' ? 'Phone' : 'Email'
    // Whoever has no phone is nobody to write to.
    const isAsked = own === 'phone' || held.has(`${who}Phone` as Field)
    if (column === undefined || !isAsked || WHO.some((slot) => held.has(`${slot}${part}` as Field))) return []
    return [{ column, own, who, parents: `${who}${part}` as Field }]
  })
}

/** Asks whose the phones and addresses are that a list has once for each child. */
export const Whose = ({ mapping, onChange }: { mapping: Mapping; onChange: (mapping: Mapping) => void }) => {
  const { imports: words } = useWords()
  const doubts = doubtsIn(mapping)
  if (doubts.length === 0) return null
  return (
    <div className="narrow section card padded fields">
      {doubts.map(({ column, own, who, parents }) => (
        <Segments
          key={column}
          label={words.whose(column)}
          options={[
            { id: own, label: words.student },
            { id: parents, label: words.labels.who[who] },
          ]}
          value={own}
          onChange={(field) => onChange({ ...mapping, [column]: field })}
        />
      ))}
    </div>
  )
}
