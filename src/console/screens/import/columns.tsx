import type { Schemas } from '../../api/client.ts'
import { Choice } from '../../parts/choose.tsx'
import { useWords } from '../../words/language.tsx'
import { FIELDS, type Field } from './fields.ts'
import { labelIn } from './whose.tsx'

type Mapping = NonNullable<Schemas['NewImport']['mapping']>

interface ColumnsProps {
  result: Schemas['Import']
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

/** What each column of the file holds; a field that is chosen for one column is taken from the one that had it. */
export const Columns = ({ result, mapping, onChange }: ColumnsProps) => {
  const { imports: words } = useWords()
  const options = [
    { id: 'none' as const, label: words.notRead },
    ...FIELDS[result.kind].map((id) => ({ id, label: labelIn(words, result.kind, id) })),
  ]
  const set = (column: string, field: Field | 'none') => {
    const others = Object.entries(mapping).filter(([name, held]) => name !== column && held !== field)
    onChange(Object.fromEntries(field === 'none' ? others : [...others, [column, field]]))
  }
  return (
    <>
      <p className="soft spaced">{words.columnsAbout}</p>
      <div className="card padded fields">
        {result.columns.map((column) => (
          <Choice
            key={column}
            label={column}
            options={options}
            value={mapping[column] ?? 'none'}
            onChange={(field) => set(column, field)}
          />
        ))}
      </div>
    </>
  )
}
