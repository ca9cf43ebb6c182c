import { Link } from 'wouter'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Initials } from '../../parts/person.tsx'
import { usePhoneText } from '../../parts/phone.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { Whereabouts } from '../../records/student/whereabouts.tsx'
import type { Result } from '../../records/search/recent.ts'

/** Where a result leads. */
export const addressOf = ({ type, id, label }: Result): string => {
  switch (type) {
    case 'student':
      return `/students/${id}`
    case 'guardian':
      return `/guardians/${id}`
    case 'invoice':
      return `/invoices/${id}`
    case 'receipt':
      return `/receipts/${id}`
    // Both stand in their list, and have no page.
    case 'credit_note':
      return `/credit-notes?number=${label}`
    case 'refund':
      return `/refunds?number=${label}`
    case 'lead':
      return `/leads/${id}`
    case 'group':
      return `/groups/${id}`
    case 'course':
      return `/groups?course=${id}`
    default:
      return `/groups?teacher=${id}`
  }
}

const ICONS: Partial<Record<Result['type'], IconName>> = {
  group: 'groups',
  course: 'note',
  invoice: 'money',
  receipt: 'money',
  credit_note: 'note',
  refund: 'note',
  lead: 'phone',
}

/** Codes and numbers read from left to right. */
const isCode = (text: string): boolean => /^[+\d][\d\s-]*$|^S-|^[\w.+-]+@/.test(text)

export const LIST = 'find-results'
export const optionId = (index: number): string => `${LIST}-${index}`

interface ResultsProps {
  results: readonly Result[]
  label: string
  chosen: number
  /** Whether the kinds stand above them. */
  isGrouped?: boolean
}

/** A list whose chosen row follows the arrows of the field above it. */
export const Results = ({ results, label, chosen, isGrouped = false }: ResultsProps) => {
  const { find } = useWords()
  const indexed = results.map((result, index) => ({ result, index }))
  const kindsOf = [...new Set(results.map(({ type }) => type))].map((kind) => ({
    kind,
    name: find.types[kind],
    rows: indexed.filter(({ result }) => result.type === kind),
  }))
  const kinds = isGrouped ? kindsOf : [{ kind: 'all' as const, name: label, rows: indexed }]
  return (
    <div role="listbox" id={LIST} aria-label={label} className="found">
      {kinds.map(({ kind, name, rows }) => (
        <div key={kind} role="group" aria-label={name}>
          {isGrouped && (
            <h2 className="row-head" aria-hidden="true">
              {name}
            </h2>
          )}
          <div className="card" role="presentation">
            {rows.map(({ result, index }) => (
              <Row key={result.id} result={result} index={index} isChosen={index === chosen} />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

interface RowProps {
  result: Result
  index: number
  isChosen: boolean
}

const Row = ({ result, index, isChosen }: RowProps) => {
  const { can } = useMe()
  const { type, id, label, sublabel } = result
  const phoneText = usePhoneText()
  const icon = ICONS[type]
  return (
    <Link
      href={addressOf(result)}
      id={optionId(index)}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={isChosen ? 'row chosen' : 'row'}
    >
      {icon ? (
        <span className="initials">
          <Icon name={icon} />
        </span>
      ) : (
        <Initials name={label} />
      )}
      <span className="grow">
        <bdi className="name">{label}</bdi>
        <span className="about">
          {sublabel !== null && <bdi className={isCode(sublabel) ? 'ltr' : undefined}>{phoneText(sublabel)}</bdi>}
          {isChosen && type === 'student' && can('enrollments.read') && (
            <span className="where">
              <Whereabouts studentId={id} />
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}
