import { fieldLabel } from '../../../shared/import-words/label.ts'
import type { Schemas } from '../../api/schemas.ts'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { FIELDS } from './fields.ts'

type Import = Schemas['Import']
type Row = Import['preview'][number]

const MEANINGS = {
  created: { meaning: 'good' },
  updated: { meaning: 'info' },
  unchanged: {},
  refused: { meaning: 'bad' },
} as const

/** What is longer than the others. */
const WIDE: ReadonlySet<string> = new Set(['guardians', 'email', 'line1', 'notes', 'description'])

/** What the rows would hold, in the order in which one looks for them. */
const fieldsOf = ({ kind, preview }: Import): string[] => {
  const held = new Set(preview.flatMap(({ values, before }) => [...Object.keys(values), ...Object.keys(before)]))
  const ordered = [...FIELDS[kind], 'guardians'].filter((field) => held.has(field))
  return [...ordered, ...[...held].filter((field) => !ordered.includes(field))]
}

/** The first rows as they would stand: who is new, who is there already, and what changes. */
export const Preview = ({ result }: { result: Import }) => {
  const { imports: words } = useWords()
  const fields = fieldsOf(result)
  return (
    <Section title={words.preview}>
      <ol className="card" aria-label={words.preview}>
        {result.preview.map((row) => (
          <Tried
            key={row.row}
            row={row}
            fields={fields}
            faults={result.errors.filter((error) => error.row === row.row)}
          />
        ))}
      </ol>
    </Section>
  )
}

interface TriedProps {
  row: Row
  fields: readonly string[]
  faults: Import['errors']
}

/** One row, with what is wrong where it stands. */
const Tried = ({ row: { row, outcome, values, before, known }, fields, faults }: TriedProps) => {
  const { imports: words } = useWords()
  const format = useFormat()
  const text = useText(outcome)
  const elsewhere = faults.filter(({ field }) => field === null || !fields.includes(field))
  return (
    <li className="tried">
      <div className="tried-head">
        <span>{words.row(format.number(row))}</span>
        <Badge {...MEANINGS[outcome]}>{words.becomes[outcome]}</Badge>
        {elsewhere.map(({ field, reason }) => (
          <span key={`${field} ${reason}`}>
            {field !== null && `${fieldLabel(words.labels, field)}: `}
            {words.reasons[reason]}
          </span>
        ))}
      </div>
      <dl>
        {fields.map((field) => {
          const fault = faults.find((one) => one.field === field)
          const [value, old] = [values[field], before[field]]
          if (value === undefined && old === undefined && !fault) return null
          return (
            <div key={field} className={[WIDE.has(field) && 'wide', fault && 'wrong'].filter(Boolean).join(' ')}>
              <dt>{fieldLabel(words.labels, field)}</dt>
              <dd>
                {old !== undefined && old !== '' && (
                  <del>
                    <bdi>{text(field, old)}</bdi>
                  </del>
                )}
                {value !== undefined &&
                  (old === undefined ? (
                    <bdi>{text(field, value)}</bdi>
                  ) : (
                    <ins>
                      <bdi>{text(field, value)}</bdi>
                    </ins>
                  ))}
                {fault && <span className="small">{words.reasons[fault.reason]}</span>}
                {field === 'guardians' && known.length > 0 && (
                  <span className="small">{words.known(format.commas(known))}</span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </li>
  )
}

/** A value in words. Of a row that is refused, it stays as the file has it. */
const useText = (outcome: Row['outcome']): ((field: string, value: string) => string) => {
  const { imports: words, people, courses } = useWords()
  const format = useFormat()
  return (field, value) => {
    if (outcome === 'refused') return value
    switch (field) {
      case 'birthDate':
      case 'enrolledAt':
      case 'dueDate':
        return format.date(value)
      case 'status':
        return people.statuses[value as keyof typeof people.statuses]
      case 'gender':
        return words.genders[value as keyof typeof words.genders]
      case 'isActive':
        return value === 'true' ? courses.yes : courses.no
      default:
        return value
    }
  }
}
