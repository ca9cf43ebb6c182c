import { useState } from 'react'
import type { Schemas } from '../../api/schemas.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { digitsOf, parseMoney } from '../../../shared/typed.ts'
import type { Format } from '../../words/format.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { FIELDS, type Kind } from './fields.ts'
import { labelIn } from './whose.tsx'

type Import = Schemas['Import']
type Row = Import['preview'][number]

const MEANINGS = {
  created: { meaning: 'good' },
  updated: { meaning: 'info' },
  unchanged: {},
  refused: { meaning: 'bad' },
} as const

/** How many rows stand there at first: enough to see how the list is read. */
const AT_FIRST = 4

/** What the rows would hold, in the order in which one looks for them. */
const fieldsOf = ({ kind, preview }: Import): string[] => {
  const held = new Set(preview.flatMap(({ values, before }) => [...Object.keys(values), ...Object.keys(before)]))
  const ordered = [...FIELDS[kind], 'guardians'].filter((field) => held.has(field))
  return [...ordered, ...[...held].filter((field) => !ordered.includes(field))]
}

/** What is alike in every row, and new to all: it is said once. */
const alikeIn = ({ preview, refused }: Import, fields: readonly string[]): string[] =>
  preview.length < 2 || refused > 0
    ? []
    : fields.filter((field) =>
        preview.every(
          ({ values, before }) => values[field] === preview[0]?.values[field] && before[field] === undefined,
        ),
      )

/** The first rows as they would stand: who is new, who is there already, and what changes. */
export const Preview = ({ result }: { result: Import }) => {
  const { imports: words } = useWords()
  const format = useFormat()
  const text = useText()
  const [isWhole, setWhole] = useState(false)
  const fields = fieldsOf(result)
  const alike = alikeIn(result, fields)
  const [first] = result.preview
  const shown = isWhole ? result.preview : result.preview.slice(0, AT_FIRST)
  return (
    <Section title={words.preview}>
      {alike.length > 0 && first && (
        <p className="soft spaced">
          {words.alike}{' '}
          <Dotted>
            {alike.map((field) => (
              <span key={field}>
                {labelIn(words, result.kind, field)}: <bdi>{text(field, first.values[field] ?? '')}</bdi>
              </span>
            ))}
          </Dotted>
        </p>
      )}
      <ol className="card" aria-label={words.preview}>
        {shown.map((row) => (
          <Tried
            key={row.row}
            row={row}
            kind={result.kind}
            fields={fields.filter((field) => !alike.includes(field))}
            faults={result.errors.filter((error) => error.row === row.row)}
          />
        ))}
      </ol>
      {shown.length < result.preview.length && (
        <div className="below">
          <Button onPress={() => setWhole(true)}>{words.moreRows(format.number(result.preview.length))}</Button>
        </div>
      )}
    </Section>
  )
}

interface TriedProps {
  row: Row
  kind: Kind
  fields: readonly string[]
  faults: Import['errors']
}

const NAMES = ['firstName', 'lastName']

/** One row, with what is wrong where it stands. */
const Tried = ({ row: { row, outcome, values, before, known }, kind, fields, faults }: TriedProps) => {
  const { imports: words } = useWords()
  const format = useFormat()
  const text = useText()
  const said = (field: string, value: string) => (outcome === 'refused' ? value : text(field, value))
  const elsewhere = faults.filter(({ field }) => field === null || !fields.includes(field))
  const fullName = outcome === 'refused' ? undefined : values['fullName']
  const isNamed = NAMES.every(
    (name) => values[name] !== undefined && before[name] === undefined && faults.every(({ field }) => field !== name),
  )
  return (
    <li className="tried">
      <div className="tried-head">
        <span>{words.row(format.number(row))}</span>
        {isNamed && <bdi className="name">{`${values['firstName']} ${values['lastName']}`}</bdi>}
        {!isNamed && fullName !== undefined && <bdi className="name">{fullName}</bdi>}
        <Badge {...MEANINGS[outcome]}>{words.becomes[outcome]}</Badge>
        {elsewhere.map(({ field, reason }) => (
          <span key={`${field} ${reason}`}>
            {field !== null && `${labelIn(words, kind, field)}: `}
            {words.reasons[reason]}
          </span>
        ))}
      </div>
      <dl>
        {fields.map((field) => {
          const fault = faults.find((one) => one.field === field)
          const [value, old] = [values[field], before[field]]
          if (value === undefined && old === undefined && !fault) return null
          if (isNamed && NAMES.includes(field)) return null
          if (field === 'fullName' && fullName !== undefined) return null
          return (
            <div key={field} {...(fault && { className: 'wrong' })}>
              <dt>{labelIn(words, kind, field)}</dt>
              <dd>
                {old !== undefined && old !== '' && (
                  <del>
                    <bdi>{said(field, old)}</bdi>
                  </del>
                )}
                {value !== undefined &&
                  (old === undefined ? (
                    <bdi>{said(field, value)}</bdi>
                  ) : (
                    <ins>
                      <bdi>{said(field, value)}</bdi>
                    </ins>
                  ))}
                {fault && <span className="small">{words.reasons[fault.reason]}</span>}
                {field === 'guardians' && known.length > 0 && (
                  <span className="small">
                    {words.known(format.commas(known.map((guardian) => said(field, guardian))))}
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </li>
  )
}

/** `350.00 ILS` as people write it. */
const priceIn = (format: Format, value: string): string => {
  const [, amount, currency] = /^(\S+) ([A-Z]{3})$/.exec(value) ?? []
  if (amount === undefined || currency === undefined) return value
  const amountMinor = parseMoney(amount, digitsOf(currency))
  return amountMinor === undefined ? value : format.money({ amountMinor, currency })
}

/** A value in words. */
const useText = (): ((field: string, value: string) => string) => {
  const { imports: words, people, courses } = useWords()
  const format = useFormat()
  return (field, value) => {
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
      case 'price':
        return priceIn(format, value)
      case 'phone':
      case 'guardians':
      case 'tags':
        return format.phones(format.commas(value.split(', ')))
      default:
        return value
    }
  }
}
